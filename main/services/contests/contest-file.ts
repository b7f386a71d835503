import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import { completeFormat } from '../../administrator/contests/formats/registry.ts'
import { scheduleFault, tableSize } from '../../administrator/contests/schedule.ts'
import { contestFile, type ContestDescription, type ContestFile } from '../../contract/contests.ts'
import type { EntrantId } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import { lookAlikes } from '../../contract/names.ts'
import { didYouMean, nearMiss } from '../../contract/near-miss.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { games } from '../../referees/games.ts'
import { readTextFile } from '../files/read-file.ts'
import { readJsonFile } from '../files/json-file.ts'
import { knownAgentFile } from '../agents/named-agents.ts'
import { placeProblems, problemLine } from '../files/placed-problems.ts'
import { challengeNamed } from '../challenges/named-challenges.ts'
import { sampleContest } from './sample-contest.ts'

/** What the contest that ships is called in place of a file. */
const SAMPLE = 'sample'

/** A contest as it was written, with paths made absolute and the game's config complete. */
export interface ReadContest {
  readonly written: ContestFile
  /** Parsed by the game, defaults filled in. */
  readonly config: Json
}

/**
 * Reads a contest file, or gives the sample. `data`: the data folder whose own challenges it may name. Throws ExpectedError 'usage'
 * that names what is wrong and where.
 */
export async function readContest(file: string, data: string): Promise<ReadContest> {
  if (!existsSync(file) && nearMiss(file, [SAMPLE]) !== null && file !== SAMPLE)
    throw new ExpectedError('usage', `${file} cannot be read: there is no such file. Did you mean "${SAMPLE}"?`)
  if (file === SAMPLE) return completeContest(sampleContest(), '.', 'the sample contest', data)
  return completeContest(await readJsonFile(file, contestFile), dirname(resolve(file)), file, data)
}

/** `folder`: what paths are relative to. `name`: what messages call it. `data`: as `readContest` has it. */
export async function completeContest(
  written: ContestFile,
  folder: string,
  name: string,
  data: string,
): Promise<ReadContest> {
  checkEntrantNames(written, name)
  const config = await completeConfig(written, folder, name, (challenge) => challengeNamed(challenge, data))
  const entrants = written.entrants.map((entrant) =>
    entrant.agent === undefined
      ? entrant
      : {
          ...entrant,
          agent: knownAgentFile(written.game, entrant.agent, folder, `${name}: entrant "${entrant.name}": `),
        },
  )
  const game = games.get(written.game)
  if (entrants.some(({ network }) => network === true) && game?.network === undefined)
    throw new ExpectedError('usage', `${name}: entrants: nobody plays ${written.game} over the network.`)
  return { written: { ...written, format: formatOf(written), entrants }, config }
}

/**
 * Throws ExpectedError 'usage' where two entrants of a new contest have one name, or two that people take for one. `name`: what the
 * message calls the contest.
 */
export function checkEntrantNames(
  { entrants }: { entrants: readonly { readonly name: EntrantId }[] },
  name: string,
): void {
  const [one, other] = lookAlikes(entrants.map((entrant) => entrant.name)) ?? []
  if (one === undefined || other === undefined) return
  const what = one === other ? `"${one}" is there twice` : `"${one}" and "${other}" are the same name but for case`
  throw new ExpectedError('usage', `${name}: entrants: ${what}.`)
}

/**
 * The config of a contest that can be played, its challenge as text and its defaults filled in; completing it again changes
 * nothing. `folder`: where a .challenge file that it names is looked for; null: it may name none. `challengeOf`: the text of a
 * challenge that is meant by its name; it throws ExpectedError 'usage' where there is none. Throws ExpectedError 'usage'.
 */
export async function completeConfig(
  written: Pick<ContestDescription, 'game' | 'config' | 'format'> & { entrants: readonly { name: EntrantId }[] },
  folder: string | null,
  name: string,
  challengeOf: (name: string) => Promise<string>,
): Promise<Json> {
  const game = games.get(written.game)
  if (game === undefined) {
    const known = [...games.keys()]
    throw new ExpectedError(
      'usage',
      `${name}: game: there is no game "${written.game}"; there is ${known.join(', ')}.${didYouMean(written.game, known)}`,
    )
  }
  const names = written.entrants.map((entrant) => entrant.name)
  const double = names.find((each, at) => names.indexOf(each) < at)
  if (double !== undefined) throw new ExpectedError('usage', `${name}: entrants: "${double}" is there twice.`)
  const unplayable = scheduleFault(written, game.contests)
  if (unplayable !== null) throw new ExpectedError('usage', `${name}: format: ${unplayable}`)
  const config = game.config(await withChallenge(written.config, folder, name, challengeOf))
  if (!config.ok) throw new ExpectedError('usage', `${name}: config: ${config.error}`)
  const seats = game.seats(config.value, tableSize(written, game.contests))
  if (typeof seats === 'string') throw new ExpectedError('usage', `${name}: format: ${seats}`)
  return config.value
}

/** A contest's format with its defaults filled in, as `completeConfig` does with its config. */
export function formatOf({ game, format }: Pick<ContestDescription, 'game' | 'format'>): ContestDescription['format'] {
  return completeFormat(format, games.get(game)?.contests ?? {})
}

/**
 * A config may name a challenge that ships (`max-csp`) or a .challenge file; the game wants the text itself, so that a
 * history needs nothing else.
 */
async function withChallenge(
  config: Json,
  folder: string | null,
  name: string,
  challengeOf: (name: string) => Promise<string>,
): Promise<Json> {
  if (config === null || typeof config !== 'object' || Array.isArray(config) || !('challenge' in config)) return config
  const { challenge } = config as { readonly challenge: Json }
  if (typeof challenge !== 'string' || challenge.includes('\n')) return config
  if (folder !== null && challenge.endsWith('.challenge')) {
    return { ...config, challenge: asText(await readChallengeText(resolve(folder, challenge))) }
  }
  const text = await challengeOf(challenge).catch((error: unknown) => {
    if (error instanceof ExpectedError)
      throw new ExpectedError(error.kind, `${name}: config.challenge: ${error.message}`)
    throw error
  })
  return { ...config, challenge: asText(text) }
}

/** A text is told from a name by its end of line. */
function asText(challenge: string): string {
  return challenge.includes('\n') ? challenge : `${challenge}\n`
}

/** The text of a challenge file without an error; the first error is thrown with its place in that file. */
async function readChallengeText(file: string): Promise<string> {
  const text = await readTextFile(file)
  const [first] = placeProblems(readChallenge(text).problems, file)
  if (first !== undefined) throw new ExpectedError('usage', problemLine(first))
  return text
}
