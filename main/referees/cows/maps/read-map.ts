import { MAP_CHARACTERS_MAX, readMapFile, type MapReading } from './map-file.ts'
import { readServerConfig } from './server-config.ts'

/** Reads a map: JSON, or the configuration of the organisers' server, of which it is the map of the first simulation. */
export function readMap(text: string): MapReading {
  if (text.length > MAP_CHARACTERS_MAX || !text.trimStart().startsWith('<')) return readMapFile(text)
  const config = readServerConfig(text)
  return typeof config === 'string' ? { problems: [config] } : { map: config.simulations[0]!.map }
}
