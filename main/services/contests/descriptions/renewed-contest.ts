import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { Json } from '../../../contract/json.ts'
import { games } from '../../../referees/games.ts'
import { addedToFormat, completeFormat } from '../formats/registry.ts'
import { isRecord } from './contest-file.ts'
import { gameContests } from './new-contest.ts'

/** A contest made from an older one. */
export interface RenewedContest {
  readonly description: ContestDescription
  /** The settings that the older one lacks, each with its value, such as `judgement: strict`. */
  readonly renewed: readonly string[]
}

/**
 * A new contest with the settings of an older one, whose config is complete. Rules that changed since then are those of new
 * contests, unless the older contest says otherwise: its game completes the config, and its format its own settings.
 */
export function renewedContest(older: ContestDescription): RenewedContest {
  const config = games.get(older.game)?.settings.renewed(older.config) ?? older.config
  const contests = gameContests(older)
  const added = { ...addedTo(older.config, config), ...addedToFormat(older.format, contests) }
  return {
    description: {
      ...older,
      format: completeFormat(older.format, contests),
      // `Json` is readonly and the schema's type is not; nothing modifies the value.
      config: config as ContestDescription['config'],
    },
    renewed: settingWords(added),
  }
}

/**
 * The settings of new contests that a contest made from an older one has besides, each with its value. `config`: of the new
 * one, complete. `chosen`: its settings as the educator gave them, which are left out.
 */
export function settingsAdded(
  older: Pick<ContestDescription, 'game' | 'config' | 'format'>,
  config: Json,
  chosen: Json,
): readonly string[] {
  const given = isRecord(chosen) ? chosen : {}
  const added = Object.entries(addedTo(older.config, config)).filter(([name]) => !Object.hasOwn(given, name))
  return settingWords({ ...Object.fromEntries(added), ...addedToFormat(older.format, gameContests(older)) })
}

const settingWords = (settings: Readonly<Record<string, Json>>): readonly string[] =>
  Object.entries(settings).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )

function addedTo(older: Json, config: Json): Readonly<Record<string, Json>> {
  if (!isRecord(older) || !isRecord(config)) return {}
  return Object.fromEntries(Object.entries(config).filter(([name]) => !Object.hasOwn(older, name)))
}

/** Says which settings a contest has that the older one lacks. */
export const renewedSentence = (renewed: readonly string[]): string =>
  `Settings that the older contest lacks are those of new contests: ${renewed.join(', ')}.`
