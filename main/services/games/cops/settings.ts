import type { Json } from '../../../contract/json.ts'
import { config, newContestSettings, type Config } from '../../../referees/cops/config.ts'
import { makeTown, townOptions, townText, type TownOptions } from '../../../referees/cops/kinds.ts'
import { checkedSettings } from '../../checked-settings.ts'

export type { Config, TownOptions }

/** Checks settings and fills in those that are left out as for a new contest. Throws ExpectedError 'usage'. */
export function completeSettings(settings: Readonly<Record<string, Json>>): Config {
  return checkedSettings(config, { ...newContestSettings, ...settings }, 'The game cannot be played')
}

/** The text of a new town as a world skeleton; options that are left out have their defaults. Throws ExpectedError 'usage'. */
export function madeTown(options: Partial<TownOptions>): string {
  return townText(makeTown(checkedSettings(townOptions, options, 'The town cannot be made')))
}
