import { config, type Config } from '../../../referees/punter/config.ts'
import { makeMap, mapKinds, mapOptions, mapText, type MapOptions } from '../../../referees/punter/kinds.ts'
import { mineRules } from '../../../referees/punter/maps/mines.ts'
import { PUNTERS_MAX } from '../../../referees/punter/punter.ts'
import { checkedSettings } from '../../checked-settings.ts'

export { mapKinds, mineRules, PUNTERS_MAX, type Config, type MapOptions }

/** Checks and completes a game's settings. Throws ExpectedError 'usage'. */
export function punterConfig(settings: Partial<Config>): Config {
  return checkedSettings(config, settings, 'The game cannot be played')
}

/** The text of a new map file; options that are left out have their defaults. Throws ExpectedError 'usage'. */
export function madeMap(options: Partial<MapOptions>): string {
  return mapText(makeMap(checkedSettings(mapOptions, options, 'The map cannot be made')))
}
