import type { EntrantId, MatchNumber } from '../../../contract/ids.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { fingerprint } from '../../../histories/keys.ts'
import { readExportedMatch, stepsOf } from '../../../histories/match-file.ts'
import { bytesSource } from '../../../histories/history-source.ts'
import { verifyMatch, type VerifiedMatch, type VerifyOptions } from '../../../histories/verify.ts'
import type { Config } from '../../../referees/specker/config.ts'
import { input, type Input } from '../../../referees/specker/input.ts'
import { specker } from '../../../referees/specker/specker.ts'
import { readHistoryFile, verifyOptions } from '../../histories/verify-histories.ts'
import { createPartSums } from '../../contests/standings/part-sums.ts'
import type { PartRow } from '../../../contract/game/match-parts.ts'
import { predicateTable, predicateTrade } from '../../../referees/specker/analysis/predicate-trade.ts'
import { targeting, type Encounter, type Targeting } from '../../contests/statistics/targeting.ts'
import { encountersOf } from '../../../referees/specker/analysis/encounters.ts'
import { sentence } from '../../../contract/sentence.ts'

/** A verified match; `entrants`: by seat. */
interface ExportedMatch {
  readonly match: MatchNumber
  readonly entrants: readonly EntrantId[]
  readonly config: Config
  readonly inputs: readonly Input[]
}

/** How many matches were read. */
export interface ReadExports {
  /** Each counted once. */
  readonly matches: number
  /** Files with a match that another file contains too. */
  readonly duplicates: readonly string[]
}

/**
 * Passes exported matches of the Specker Challenge Game to a callback, each once, in the order of the files. Throws
 * ExpectedError 'verdict' if a history does not verify, 'usage' if a file cannot be read or belongs to another game.
 */
async function readExports(
  files: readonly string[],
  key: string | undefined,
  take: (match: ExportedMatch) => void,
): Promise<ReadExports> {
  const options = verifyOptions(key === undefined ? [] : [key])
  const seen = new Map<string, { readonly file: string; readonly head: string }>()
  const duplicates: string[] = []
  for (const file of files) {
    const { match, read } = await readMatch(file, options)
    const name = `${fingerprint(match.key)} ${match.contest} ${match.match}`
    const before = seen.get(name)
    if (before === undefined) {
      seen.set(name, { file, head: match.head })
      take(read)
    } else if (before.head === match.head) {
      duplicates.push(file)
    } else {
      const two = `${before.file} and ${file} are different histories of match ${match.match} of ${match.contest}`
      throw new ExpectedError('verdict', 'history-invalid', `${two}, although both are signed.`)
    }
  }
  return { matches: seen.size, duplicates }
}

async function readMatch(
  file: string,
  options: VerifyOptions,
): Promise<{ readonly match: VerifiedMatch; readonly read: ExportedMatch }> {
  const bytes = await readHistoryFile(file)
  const verdict = verifyMatch(bytes, options)
  if (!verdict.ok)
    throw new ExpectedError('verdict', 'history-invalid', sentence(`${file}:${verdict.line}: ${verdict.message}`))
  const source = bytesSource(bytes)
  const read = readExportedMatch(source)
  if (!read.ok) throw new ExpectedError('verdict', 'history-invalid', sentence(`${file}:${read.line}: ${read.message}`))
  const { header, config } = read.file
  if (header.game !== specker.id)
    throw new ExpectedError('usage', 'other-game', `${file} is a match of ${header.game}, not of ${specker.id}.`)
  const inputs = [...stepsOf(source, () => undefined)].flatMap((step) =>
    step.type === 'input' ? [input.parse(step.input)] : [],
  )
  const entrants = header.seats.map(({ name }) => name)
  return {
    match: verdict.match,
    read: { match: header.match, entrants, config: specker.config.parse(config), inputs },
  }
}

/** The points that agents earned with predicates in the matches of a contest. */
interface ExportsPredicates extends ReadExports {
  /** The highest profit first; predicates that are too many to be named last. */
  readonly predicates: readonly PartRow[]
}

/** The columns of the table, which its rows have by their ids. */
export const { columns: predicateColumns } = predicateTable

/** Computes the table "By predicate" from exported matches, all of which count. Throws like `readExports`. */
export async function predicatesIn(files: readonly string[], key: string | undefined): Promise<ExportsPredicates> {
  const sums = createPartSums(predicateTable)
  const read = await readExports(files, key, ({ entrants, config, inputs }) =>
    sums.add(entrants, predicateTrade(config, entrants.length, inputs)),
  )
  return { ...read, predicates: sums.rows() }
}

/** The targeting that the matches of a contest show. */
export interface ExportsTargeting extends ReadExports {
  /** The clearest first. */
  readonly agents: readonly Targeting[]
}

/** Tests exported matches for targeting. Throws like `readExports`. */
export async function targetingIn(files: readonly string[], key: string | undefined): Promise<ExportsTargeting> {
  const encounters: Encounter[] = []
  const read = await readExports(files, key, ({ match, entrants, config, inputs }) => {
    for (const each of encountersOf(config, entrants.length, inputs))
      encounters.push({ ...each, agent: entrants[each.seat]!, other: entrants[each.other]!, match })
  })
  return { ...read, agents: targeting(encounters) }
}
