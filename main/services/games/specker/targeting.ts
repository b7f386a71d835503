import { targeting, type Encounter, type Targeting } from '../../../administrator/statistics/targeting.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { fingerprint } from '../../../histories/keys.ts'
import { readMatchFile, stepsOf } from '../../../histories/match-file.ts'
import { bytesSource } from '../../../histories/history-source.ts'
import { verifyMatch, type VerifiedMatch, type VerifyOptions } from '../../../histories/verify.ts'
import { encountersOf } from '../../../referees/specker/encounters.ts'
import { input } from '../../../referees/specker/input.ts'
import { specker } from '../../../referees/specker/specker.ts'
import { readHistoryFile, verifyOptions } from '../../histories/verify-histories.ts'

/** The targeting that the matches of a contest show. */
export interface ExportsTargeting {
  /** The number of matches, each counted once. */
  readonly matches: number
  /** Files with a match that another file contains too. */
  readonly duplicates: readonly string[]
  /** The clearest first. */
  readonly agents: readonly Targeting[]
}

/**
 * Reads exported matches of the Specker Challenge Game. Throws ExpectedError 'verdict' if a history does not verify,
 * 'usage' if a file cannot be read or belongs to another game.
 */
export async function targetingIn(files: readonly string[], key: string | undefined): Promise<ExportsTargeting> {
  const options = verifyOptions(key === undefined ? [] : [key])
  const encounters: Encounter[] = []
  const seen = new Map<string, { readonly file: string; readonly head: string }>()
  const duplicates: string[] = []
  for (const file of files) {
    const { match, encounters: own } = await readMatch(file, options)
    const name = `${fingerprint(match.key)} ${match.contest} ${match.match}`
    const before = seen.get(name)
    if (before === undefined) {
      seen.set(name, { file, head: match.head })
      encounters.push(...own)
    } else if (before.head === match.head) {
      duplicates.push(file)
    } else {
      const two = `${before.file} and ${file} are different histories of match ${match.match} of ${match.contest}`
      throw new ExpectedError('verdict', `${two}, although both are signed.`)
    }
  }
  return { matches: seen.size, duplicates, agents: targeting(encounters) }
}

async function readMatch(
  file: string,
  options: VerifyOptions,
): Promise<{ readonly match: VerifiedMatch; readonly encounters: readonly Encounter[] }> {
  const bytes = await readHistoryFile(file)
  const verdict = verifyMatch(bytes, options)
  if (!verdict.ok) throw new ExpectedError('verdict', `${file}:${verdict.line}: ${verdict.message}.`)
  const source = bytesSource(bytes)
  const read = readMatchFile(source)
  if (!read.ok) throw new ExpectedError('verdict', `${file}:${read.line}: ${read.message}.`)
  const { header, config } = read.file
  if (header.game !== specker.id)
    throw new ExpectedError('usage', `${file} is a match of ${header.game}, not of ${specker.id}.`)
  const inputs = [...stepsOf(source, () => undefined)].flatMap((step) =>
    step.type === 'input' ? [input.parse(step.input)] : [],
  )
  const nameOf = (seat: number): string => header.seats[seat]!.name
  const encounters = encountersOf(specker.config.parse(config), header.seats.length, inputs).map((each) => {
    return { ...each, agent: nameOf(each.seat), other: nameOf(each.other), match: header.match }
  })
  return { match: verdict.match, encounters }
}
