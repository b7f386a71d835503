import type {
  ConfigPatch,
  ContestFormat,
  FormatContest,
  GameContests,
  Pairings,
  StageResult,
} from '../../../contract/contests/contest-format.ts'
import { complaintLine, parsePlainly } from '../../../contract/complaints.ts'
import type { FormatSettings } from '../../../contract/contests/contests.ts'
import type { Json } from '../../../contract/json.ts'
import { didYouMean } from '../../../contract/near-miss.ts'
import { doubleRoundRobin } from './double-round-robin.ts'
import { gauntlet } from './gauntlet.ts'
import { knockout } from './knockout.ts'
import { ladder } from './ladder.ts'
import { orderedPairs } from './ordered-pairs.ts'
import { pools } from './pools.ts'
import { roundRobin } from './round-robin.ts'
import { DEFAULT_SEATS } from './seats.ts'
import { single } from './single.ts'
import { swiss } from './swiss.ts'

/**
 * The formats of all games. To add one, write a module beside this file, add its settings to the contract, and a line
 * here.
 */
const shared: readonly ContestFormat[] = [
  ...[roundRobin, doubleRoundRobin, gauntlet, swiss, knockout, ladder, pools],
  ...[single, orderedPairs],
]
const sharedById = new Map(shared.map((format) => [format.id, format]))

/** The names of the formats that contests of a game can have. */
export const formatNames = ({ formats = [] }: GameContests): readonly string[] =>
  [...shared, ...formats].map(({ id }) => id)

/** A format with the settings of one contest. */
export interface ChosenFormat {
  readonly format: ContestFormat
  readonly settings: unknown
}

/**
 * The module of a contest's format with its settings. `contests`: the contest settings of the game, which contain its
 * own formats; their schemas parse the settings. Returns a sentence if there is no such format or its settings are
 * invalid.
 */
export function chosenFormat(written: FormatSettings, contests: GameContests): ChosenFormat | string {
  if (written.type !== 'game') return { format: sharedById.get(written.type)!, settings: withSeats(written, contests) }
  const { formats = [] } = contests
  const format = formats.find(({ id }) => id === written.name)
  if (format === undefined) {
    const known = formats.map(({ id }) => id)
    const there = known.length === 0 ? 'it has no formats' : `its formats: ${known.join(', ')}`
    return `The game has no contest format "${written.name}"; ${there}.${didYouMean(written.name, known)}`
  }
  const parsed = parsePlainly(format.settings, written.settings)
  return parsed.ok ? { format, settings: parsed.value } : `settings: ${complaintLine(parsed.complaint)}`
}

/** The settings of a shared format, which the description's schema has parsed, with the players per match filled in. */
function withSeats(written: Exclude<FormatSettings, { type: 'game' }>, contests: GameContests): typeof written {
  const { type } = written
  if (type === 'single' || type === 'ordered-pairs' || type === 'knockout') return written
  return { seats: contests.seats ?? DEFAULT_SEATS, ...written }
}

/**
 * The format of a new contest: the defaults of its settings are filled in, and what the format sets for new contests.
 * Completing it again changes nothing.
 */
export function completeFormat(written: FormatSettings, contests: GameContests): FormatSettings {
  if (written.type !== 'game')
    return withSeats({ ...sharedById.get(written.type)?.forNewContests, ...written }, contests)
  const chosen = chosenFormat(written, contests)
  if (typeof chosen === 'string') return written
  // A schema turns JSON into JSON.
  const settings = { ...chosen.format.forNewContests, ...(chosen.settings as object) }
  return { ...written, settings: settings as typeof written.settings & Json }
}

/** The settings that `completeFormat` adds to the format of an older contest because new contests have them. */
export function addedToFormat(written: FormatSettings, contests: GameContests): Readonly<Record<string, Json>> {
  const chosen = chosenFormat(written, contests)
  if (typeof chosen === 'string') return {}
  const present = written.type === 'game' ? written.settings : written
  const added = Object.entries(chosen.format.forNewContests ?? {})
  return Object.fromEntries(added.filter(([name]) => !Object.hasOwn(present as object, name)))
}

/** The format's changes to the contest's config, by the index that pairings name. */
export function variantsOf(written: FormatSettings, contests: GameContests): readonly ConfigPatch[] {
  const chosen = chosenFormat(written, contests)
  return typeof chosen === 'string' ? [] : (chosen.format.variants?.(chosen.settings) ?? [])
}

/** True if results may change the number of matches. */
export function variesIn({ format, settings }: ChosenFormat): boolean {
  return format.varies === true || format.variesWith?.(settings) === true
}

/** `ContestFormat.next` with the settings. Throws if the number of matches is not what the format's `stages` gave. */
export function stagePairings(
  { format, settings }: ChosenFormat,
  contest: Omit<FormatContest<unknown>, 'settings'>,
  results: readonly StageResult[],
  before: readonly Pairings[],
): Pairings {
  const pairings = format.next({ ...contest, settings }, results, before)
  const expected = format.stages(settings, contest.entrants, contest.field)[results.length]
  // After a withdrawal even a first stage may be shorter.
  const varies = variesIn({ format, settings }) && (results.length > 0 || contest.field !== undefined)
  if (expected === undefined || (pairings.length !== expected && !varies))
    throw new Error(
      `format ${format.id} gave ${pairings.length} matches for stage ${results.length + 1}, not ${expected ?? 0}`,
    )
  return pairings
}
