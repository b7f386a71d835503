import { makeMap, mapKinds, mapOptions, type MapOptions } from '../../../referees/cows/kinds.ts'
import { mapText } from '../../../referees/cows/maps/map-file.ts'
import { checkedSettings } from '../../checked-settings.ts'

export { mapKinds, type MapOptions }

/** The text of a new map file; options that are left out have their defaults. Throws ExpectedError 'usage'. */
export function madeMap(options: Partial<MapOptions>): string {
  return mapText(makeMap(checkedSettings(mapOptions, options, 'The map cannot be made')))
}
