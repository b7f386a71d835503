import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { readClass } from '../../../administrator/classroom/classroom.ts'
import { completeFormat, formatNames, variantsOf } from '../formats/registry.ts'
import { scheduleFault, tableSize } from '../schedule/schedule.ts'
import {
  contestFile,
  CONTEST_FILE_VERSION,
  olderContestFile,
  type ContestDescription,
  type ContestFile,
} from '../../../contract/contests/contests.ts'
import { oneOf } from '../../../contract/complaints.ts'
import type { Classroom } from '../../../contract/procedures/classroom.ts'
import type { ConfigAge, ErasedGame } from '../../../contract/game/game.ts'
import type { EntrantId, GameId } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import type { Limits } from '../../../contract/limits.ts'
import type { SecurityPolicy } from '../../../contract/contests/policy.ts'
import { findLikeness } from '../../../contract/look-alike-names.ts'
import { whyNoNewName } from '../../../contract/names.ts'
import { didYouMean, nearMiss } from '../../../contract/near-miss.ts'
import { withSchemaLink } from '../../../contract/schema-link.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { sha256 } from '../../../histories/canonical.ts'
import { games } from '../../../referees/games.ts'
import { readJsonFile } from '../../files/read-file.ts'
import { readText, readingJob } from '../../machine/reading.ts'
import { knownAgentFile } from '../../agents/named-agents.ts'
import { isPinned } from '../../agents/pinned-agents.ts'
import { textsOf, withFormatTexts, withTexts, type TextSource } from '../../texts/named-texts.ts'
import { matchConditions, type MatchConditions } from './match-conditions.ts'
import { sampleContest } from './sample-contest.ts'

/** The name of the shipped contest, in place of a file. */
const SAMPLE = 'sample'

/** A contest as written, with absolute paths and complete limits and config. */
export interface ReadContest {
  readonly written: WrittenContest & { readonly limits: Limits }
  /** Parsed by the game, with defaults. */
  readonly config: Json
  /** All of its phases, if it has several; the first is the contest itself. */
  readonly phases?: readonly ReadPhase[]
  /** The class has a contest with the names of its entrants, which a new contest could not have. */
  readonly olderNames?: true
}

type WrittenContest = Omit<ContestFile, 'phases'>

/** A phase of a contest, as a contest of its own. */
export interface ReadPhase extends Omit<ReadContest, 'phases'> {
  readonly weight: number
  /** Until when entries may be adapted; null: the phase follows at once. */
  readonly deadline: string | null
}

const ownVersion = z.looseObject({ version: z.number() })
const looseFormat = z.looseObject({ format: z.looseObject({ type: z.string() }) })
const looseContest = z.looseObject({ game: z.string(), phases: z.array(z.unknown()).exactOptional() })

/** A contest file that may give a format of its game by its name alone: `"type": "rounds"` with the settings beside it. */
const withNamedFormats = (schema: typeof contestFile) =>
  z.preprocess((written, context) => {
    const { data } = ownVersion.safeParse(written)
    if (data !== undefined && data.version > CONTEST_FILE_VERSION) {
      context.addIssue({
        code: 'custom',
        path: ['version'],
        message: `this file is for a newer version of Tartaglia: its form is ${data.version}, and the newest known here is ${CONTEST_FILE_VERSION}`,
      })
      return z.NEVER
    }
    const read = looseContest.safeParse(written)
    if (!read.success) return written
    const { game, phases } = read.data
    const ofGame = games.get(game)?.contests ?? {}
    const own = ofGame.formats ?? []
    const known = formatNames(ofGame)
    const named = (each: unknown, ...path: readonly (string | number)[]): unknown => {
      const { data } = looseFormat.safeParse(each)
      if (data === undefined) return each
      const { type, ...settings } = data.format
      if (type !== 'game' && !known.includes(type))
        context.addIssue({ code: 'custom', path: [...path, 'format', 'type'], message: oneOf(known, type) })
      return own.some(({ id }) => id === type) ? { ...data, format: { type: 'game', name: type, settings } } : each
    }
    const contest = named(read.data) as object
    return phases === undefined ? contest : { ...contest, phases: phases.map((each, at) => named(each, 'phases', at)) }
  }, schema)
const newFile = withSchemaLink(withNamedFormats(contestFile))
const olderFile = withSchemaLink(withNamedFormats(olderContestFile))

/**
 * Reads a contest file, or returns the sample contest. `data`: the data folder; the contest may name challenges of its
 * class. Throws ExpectedError 'usage' that names the problem and its place.
 */
export async function readContest(file: string, data: string): Promise<ReadContest> {
  if (!existsSync(file) && nearMiss(file, [SAMPLE]) !== null && file !== SAMPLE)
    throw new ExpectedError(
      'usage',
      'file-unreadable',
      `${file} cannot be read: there is no such file. Did you mean "${SAMPLE}"?`,
    )
  if (file === SAMPLE) return completeContest(sampleContest(), '.', 'the sample contest', data)
  const { phases, olderNames, ...written } = await readWritten(file, data)
  delete written.version
  const folder = dirname(resolve(file))
  const older = olderNames === true ? { olderNames } : {}
  if (phases === undefined) return { ...(await completeContest(written, folder, file, data)), ...older }
  const read: ReadPhase[] = []
  for (const [at, phase] of phases.entries()) {
    const { weight, deadline = null } = phase
    const complete = await completeContest(phaseOf(written, phase, at, file), folder, `${file}: phase ${at + 1}`, data)
    read.push({ ...complete, weight, deadline })
  }
  return { ...read[0]!, phases: read, ...older }
}

/**
 * Reads a contest file. Names that a new contest cannot have are accepted if the class has a contest with this title and these
 * entrants: it goes on.
 */
async function readWritten(file: string, data: string): Promise<ContestFile & Pick<ReadContest, 'olderNames'>> {
  try {
    const written = await readJsonFile(file, newFile)
    checkEntrantNames(written, file)
    return written
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error
    const written = await readJsonFile(file, olderFile).catch(() => null)
    if (written === null || !isKnown(await readClass(data), written)) throw error
    return { ...written, olderNames: true }
  }
}

function isKnown({ contests }: Pick<Classroom, 'contests'>, { title, game, entrants }: ContestFile): boolean {
  return contests.some(({ description }) => {
    const same = description.title === title && description.game === game
    return same && isDeepStrictEqual(namesIn(description), namesIn({ entrants }))
  })
}

/** The conditions of the matches of a contest file. */
export interface ContestConditions extends MatchConditions {
  readonly game: GameId
  readonly policy?: SecurityPolicy
  /** The number of entrants of a match. */
  readonly entrants: number
}

/**
 * Reads the conditions of a contest's matches, with the complete settings of its first phase and first variant. The
 * agents of its entrants need not be on this machine. `data`: as in `readContest`. Throws ExpectedError 'usage'.
 */
export async function readConditions(file: string, data: string): Promise<ContestConditions> {
  const { phases: [phase] = [], ...whole } = file === SAMPLE ? sampleContest() : await readJsonFile(file, olderFile)
  const written = phase === undefined ? whole : phaseOf(whole, phase, 0, file)
  const folder = file === SAMPLE ? '.' : dirname(resolve(file))
  const { game, policy } = written
  const { format, config } = await completeSetup(written, folder, file, textsOf(data))
  const entrants = tableSize({ ...written, format }, gameOf(game, file).contests)
  return { game, ...matchConditions(game, { ...written, config }), ...(policy && { policy }), entrants }
}

/** A phase, as a contest of its own. `at`: counted from 0. `file`: the contest's name in messages. */
function phaseOf(
  written: WrittenContest,
  phase: NonNullable<ContestFile['phases']>[number],
  at: number,
  file: string,
): WrittenContest {
  const { config, format = written.format, seed = phaseSeed(written.seed, at + 1) } = phase
  if (isRecord(written.config)) return { ...written, config: { ...written.config, ...config }, format, seed }
  throw new ExpectedError('usage', 'settings-invalid', `${file}: config: expected an object.`)
}

/** The seed of a phase, by its number from 1; neither the contest's nor that of another phase follows from it. */
const phaseSeed = (seed: string, number: number): string => sha256(`phase:${number}:${seed}`)

/** `folder`: the base of relative paths. `name`: the contest's name in messages. `data`: as in `readContest`. */
export async function completeContest(
  written: WrittenContest,
  folder: string,
  name: string,
  data: string,
): Promise<ReadContest> {
  const { format, config } = await completeSetup(written, folder, name, textsOf(data))
  const entrants = written.entrants.map((entrant) => {
    const { agent, entries } = entrant
    if (entries !== undefined) return { ...entrant, entries: resolve(folder, entries) }
    // Without such a file, it is a version in the class.
    if (agent === undefined || (isPinned(agent) && !existsSync(resolve(folder, agent)))) return entrant
    return { ...entrant, agent: knownAgentFile(written.game, agent, folder, `${name}: entrant "${entrant.name}": `) }
  })
  const game = games.get(written.game)
  if (entrants.some(({ network }) => network === true) && game?.dialogue.network === undefined)
    throw new ExpectedError(
      'usage',
      'network-unsupported',
      `${name}: entrants: ${written.game} cannot be played over the network.`,
    )
  return {
    written: { ...written, ...matchConditions(written.game, written), format, entrants },
    config,
  }
}

/** A contest's format and config, both complete. */
async function completeSetup(
  written: WrittenContest,
  folder: string,
  name: string,
  texts: TextSource,
): Promise<{ readonly format: ContestDescription['format']; readonly config: Json }> {
  const format = await formatOf(written, folder, name, texts)
  return { format, config: await completeConfig({ ...written, format }, folder, name, texts) }
}

interface Entrants {
  readonly entrants: readonly { readonly name: EntrantId }[]
}

const namesIn = ({ entrants }: Entrants): readonly EntrantId[] => entrants.map(({ name }) => name)

/**
 * Throws ExpectedError 'usage' if two entrants of a new contest have the same name, or names that people would confuse.
 * `name`: the contest's name in messages.
 */
export function checkEntrantNames(contest: Entrants, name: string): void {
  const alike = findLikeness(namesIn(contest))
  if (alike !== null) throw new ExpectedError('usage', 'name-taken', `${name}: entrants: ${alike}.`)
}

/** Like `checkEntrantNames`, and each name must be one that something new may have. */
export function checkNewNames(contest: Entrants, name: string): void {
  for (const each of namesIn(contest)) {
    const why = whyNoNewName(each)
    if (why !== null) throw new ExpectedError('usage', 'name-invalid', `${name}: entrants: "${each}": ${why}.`)
  }
  checkEntrantNames(contest, name)
}

/**
 * Completes the config of a contest and checks that it can be played: texts given by name are inserted and defaults
 * filled in. Completing it again changes nothing. `folder`: the folder of text files; null: files are not allowed.
 * Throws ExpectedError 'usage'.
 */
export async function completeConfig(
  written: Pick<ContestDescription, 'game' | 'config' | 'format'> & { entrants: readonly { name: EntrantId }[] },
  folder: string | null,
  name: string,
  texts: TextSource,
  age: ConfigAge = 'new',
): Promise<Json> {
  const game = gameOf(written.game, name)
  const names = written.entrants.map((entrant) => entrant.name)
  const double = names.find((each, at) => names.indexOf(each) < at)
  if (double !== undefined)
    throw new ExpectedError('usage', 'name-taken', `${name}: entrants: "${double}" occurs twice.`)
  const unplayable = scheduleFault(written, game.contests)
  if (unplayable !== null) throw new ExpectedError('usage', 'schedule-invalid', `${name}: format: ${unplayable}`)
  const [first = {}] = variantsOf(written.format, game.contests)
  // If all matches have variants, the config may lack the settings that these change.
  const whole = isRecord(written.config) ? { ...first, ...written.config } : written.config
  const config = await completeSettings(written.game, whole, folder, name, texts, age)
  for (const each of [config, ...(await completeVariants({ ...written, config }, folder, name, texts, age))]) {
    const problem = await readText(seatsJob, {
      game: game.id,
      config: each,
      entrants: tableSize(written, game.contests),
    })
    if (problem !== null) throw new ExpectedError('usage', 'entrants-invalid', `${name}: format: ${problem}`)
  }
  return config
}

/**
 * The complete configs of the variants of a contest's format, by the index that pairings name. `written.config`:
 * complete. Throws ExpectedError 'usage'.
 */
export async function completeVariants(
  { game, config, format }: Pick<ContestDescription, 'game' | 'format'> & { readonly config: Json },
  folder: string | null,
  name: string,
  texts: TextSource,
  age: ConfigAge = 'new',
): Promise<readonly Json[]> {
  const patches = variantsOf(format, gameOf(game, name).contests)
  const complete: Json[] = []
  for (const patch of patches) {
    const patched = { ...(config as Readonly<Record<string, Json>>), ...patch }
    complete.push(await completeSettings(game, patched, folder, name, texts, age))
  }
  return complete
}

export const isRecord = (value: Json): value is Readonly<Record<string, Json>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Like `completeConfig`, for a known game and without entrants. */
export async function completeSettings(
  game: GameId,
  written: Json,
  folder: string | null,
  name: string,
  texts: TextSource,
  age: ConfigAge = 'new',
): Promise<Json> {
  gameOf(game, name)
  const config = await readText(configJob, { game, age, value: await withTexts(game, written, folder, name, texts) })
  if (!config.ok) throw new ExpectedError('usage', 'settings-invalid', `${name}: config: ${config.error}`)
  return config.value
}

interface ConfigText {
  readonly game: GameId
  readonly age: ConfigAge
  readonly value: Json
}

const configRead = z.union([
  z.strictObject({ ok: z.literal(true), value: z.custom<Json>() }),
  z.strictObject({ ok: z.literal(false), error: z.string() }),
])

/** A game's config, complete, or what is wrong with it. */
export const configJob = readingJob<ConfigText, z.output<typeof configRead>>({
  name: 'config',
  what: 'the settings of a contest',
  result: configRead,
  read: ({ game, age, value }) => gameOf(game, game).config(value, age),
})

/** The length of a match with a config, in the game's own unit; 1 where it has none. */
export const lengthJob = readingJob<{ game: GameId; config: Json }, number>({
  name: 'length',
  what: 'the settings of a contest',
  result: z.number(),
  read: ({ game, config }) => gameOf(game, game).matches.length(config),
})

/** Why matches with a config cannot have this number of entrants; null: they can. */
export const seatsJob = readingJob<{ game: GameId; config: Json; entrants: number }, string | null>({
  name: 'seats',
  what: 'the settings of a contest',
  result: z.string().nullable(),
  read({ game, config, entrants }) {
    const seats = gameOf(game, game).seats(config, entrants)
    return typeof seats === 'string' ? seats : null
  },
})

function gameOf(id: GameId, name: string): ErasedGame {
  const game = games.get(id)
  if (game !== undefined) return game
  const known = [...games.keys()]
  const text = `there is no game "${id}"; there is ${known.join(', ')}.${didYouMean(id, known)}`
  throw new ExpectedError('usage', 'game-unknown', `${name}: game: ${text}`)
}

/**
 * A contest's format with defaults and texts, corresponding to `completeConfig`. Throws ExpectedError 'usage' if
 * such a text is missing.
 */
export function formatOf(
  { game, format }: Pick<ContestDescription, 'game' | 'format'>,
  folder: string | null,
  name: string,
  texts: TextSource,
): Promise<ContestDescription['format']> {
  return withFormatTexts(game, completeFormat(format, games.get(game)?.contests ?? {}), folder, name, texts)
}
