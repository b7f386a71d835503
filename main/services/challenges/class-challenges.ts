import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import * as z from 'zod'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { writeSynced } from '../../administrator/classroom/synced-file.ts'
import { sha256Hex, type Sha256 } from '../../contract/ids.ts'
import type { ChallengeDetail, ChallengeSummary } from '../../contract/procedures/procedures.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { syncFolder } from '../../histories/durable.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import {
  noSuchChallenge,
  ownChallenge,
  ownChallengeFile,
  ownChallengeNames,
  ownChallengesFolder,
  shippedChallengeNames,
} from '../texts/named-challenges.ts'
import { shippedChallenge } from '../machine/resources.ts'
import type { TextSource } from '../texts/named-texts.ts'
import { readText, readingJob } from '../machine/reading.ts'

/** The maximum number of a class's own challenges; listing reads each of them. */
const MOST = 1_000

/** The shipped challenges, and the class's own ones in the folder `challenges` of the data folder. */
export interface Challenges {
  /** Shipped ones first, then own ones, each sorted by name. */
  list(): Promise<readonly ChallengeSummary[]>
  /** Throws ExpectedError 'usage' if there is no challenge of that name. */
  get(name: string): Promise<ChallengeDetail>
  /**
   * Saves an own challenge, replacing the version `from`; null: saves a new one. A challenge with errors is saved as a
   * draft. Throws ExpectedError 'conflict' if the version has changed meanwhile; 'usage' if the name belongs to a
   * shipped challenge, is taken by another, or differs from the name in the file; MachineError if the file cannot be
   * written.
   */
  save(name: string, source: string, from: Sha256 | null): Promise<ChallengeSummary>
  /**
   * Contests that use it contain its text and are not affected. Throws ExpectedError 'usage' if it is not an own
   * challenge.
   */
  delete(name: string): Promise<void>
  /** The texts for configs. Refuses drafts. */
  readonly texts: TextSource
}

/** The state of a class's challenges. */
interface OpenChallenges {
  /** The data folder. */
  readonly data: string
  /** A cache of parsed texts by name, because parsing takes some milliseconds. */
  readonly known: Map<string, ReadChallenge>
  /** Settles when the last change that was begun has ended. */
  last: Promise<unknown>
}

export function openChallenges(home: ClassFolder): Challenges {
  const state: OpenChallenges = { data: home.folder, known: new Map(), last: Promise.resolve() }
  return {
    list: () => list(state),
    get: (name) => get(state, name),
    save: (name, source, from) => inTurn(state, () => save(state, name, source, from)),
    delete: (name) => inTurn(state, () => remove(state, name)),
    texts: { data: home.folder, challenge: (name) => playableText(state, name) },
  }
}

/** Makes one change at a time, so that its checks still hold when it is written. */
function inTurn<T>(state: OpenChallenges, change: () => Promise<T>): Promise<T> {
  const done = state.last.then(change)
  state.last = done.catch(() => undefined)
  return done
}

async function list(state: OpenChallenges): Promise<readonly ChallengeSummary[]> {
  const shipped = await shippedChallengeNames()
  const own = (await ownChallengeNames(state.data)).filter((name) => !shipped.includes(name))
  const all = await Promise.all([...shipped, ...own].map((name) => find(state, name)))
  // A challenge may have been deleted meanwhile.
  return all.filter((one) => one !== null).map(summaryOf)
}

async function find(state: OpenChallenges, name: string): Promise<ChallengeDetail | null> {
  const shipped = await shippedChallenge(name)
  if (shipped !== null) return detail(state, name, shipped, false)
  const own = await ownChallenge(state.data, name)
  return own === null ? null : detail(state, name, own, true)
}

async function get(state: OpenChallenges, name: string): Promise<ChallengeDetail> {
  const found = await find(state, name)
  if (found === null) throw await noSuchChallenge(name, state.data)
  return found
}

async function save(
  state: OpenChallenges,
  name: string,
  source: string,
  from: Sha256 | null,
): Promise<ChallengeSummary> {
  await checkVersion(state, name, from)
  const read = await readText(challengeJob, { name, source, own: true })
  if (read.calls !== null && read.calls !== name)
    throw new ExpectedError(
      'usage',
      'name-differs',
      `The file calls itself "${read.calls}": save it as that, or change its first line.`,
    )
  const path = ownChallengeFile(state.data, name)
  try {
    await mkdir(ownChallengesFolder(state.data), { recursive: true, mode: 0o700 })
    await writeSynced(path, source)
  } catch (error) {
    throw machineErrorFrom(error, 'write', path)
  }
  state.known.set(name, read)
  return summaryOf(read.detail)
}

/** Throws ExpectedError unless the name may be saved over the version `from`, or anew if that is null; see Challenges. */
async function checkVersion({ data }: OpenChallenges, name: string, from: Sha256 | null): Promise<void> {
  if ((await shippedChallenge(name)) !== null)
    throw new ExpectedError(
      'usage',
      'built-in',
      `"${name}" is a built-in challenge and cannot be changed; choose another name.`,
    )
  const there = await ownChallenge(data, name)
  if (from === null && there !== null)
    throw new ExpectedError('usage', 'name-taken', `This class already has a challenge "${name}".`)
  if (from !== null && there === null)
    throw new ExpectedError('conflict', 'deleted-elsewhere', `"${name}" was deleted elsewhere while you changed it.`)
  if (from !== null && there !== null && versionOf(there) !== from)
    throw new ExpectedError('conflict', 'changed-elsewhere', `"${name}" was saved elsewhere while you changed it.`)
  if (there === null && (await ownChallengeNames(data)).length >= MOST)
    throw new ExpectedError(
      'usage',
      'limit-reached',
      `A class has at most ${MOST} challenges of its own; delete one first.`,
    )
}

async function remove(state: OpenChallenges, name: string): Promise<void> {
  if (!(await get(state, name)).own)
    throw new ExpectedError('usage', 'built-in', `"${name}" is a built-in challenge and cannot be deleted.`)
  const path = ownChallengeFile(state.data, name)
  try {
    await rm(path)
    syncFolder(ownChallengesFolder(state.data))
  } catch (error) {
    throw machineErrorFrom(error, 'delete', path)
  }
  state.known.delete(name)
}

/** The text for configs. Throws ExpectedError 'usage' for a draft. */
async function playableText(state: OpenChallenges, name: string): Promise<string> {
  const found = await get(state, name)
  if (found.problem !== null)
    throw new ExpectedError(
      'usage',
      'challenge-invalid',
      `"${name}" is a draft that cannot be played yet: ${found.problem}`,
    )
  return found.source
}

async function detail({ known }: OpenChallenges, name: string, source: string, own: boolean): Promise<ChallengeDetail> {
  const before = known.get(name)
  if (before?.detail.source === source && before.detail.own === own) return before.detail
  const made = await readText(challengeJob, { name, source, own }).catch((error: unknown) => {
    if (!(error instanceof ExpectedError && error.code === 'reading-limit')) throw error
    return unreadable({ name, source, own }, error.message)
  })
  known.set(name, made)
  return made.detail
}

const challengeDetail = z.strictObject({
  name: z.string(),
  title: z.string(),
  text: z.string(),
  own: z.boolean(),
  problem: z.string().nullable(),
  version: sha256Hex,
  source: z.string(),
})

/** A challenge file, and the name by which it calls itself; null: it cannot be read. */
const challengeRead = z.strictObject({ detail: challengeDetail, calls: z.string().nullable() })
type ReadChallenge = z.output<typeof challengeRead>

interface ChallengeText {
  readonly name: string
  readonly source: string
  readonly own: boolean
}

export const challengeJob = readingJob<ChallengeText, ReadChallenge>({
  name: 'challenge',
  what: 'a challenge',
  result: challengeRead,
  read: readOne,
})

function readOne({ name, source, own }: ChallengeText): ReadChallenge {
  const { challenge, problems } = readChallenge(source)
  const rest = { name, own, version: versionOf(source), source }
  if (challenge !== null && challenge.name === name) {
    const { title, text } = challenge
    return { detail: { ...rest, title, text, problem: null }, calls: name }
  }
  const [first] = problems
  const problem =
    first === undefined
      ? `its file calls itself "${challenge?.name ?? ''}".`
      : `line ${first.at.line}, column ${first.at.column}: ${first.message}`
  const title = challenge?.title ?? /^\s*challenge\s+[\w-]+\s+"([^"\n]{1,200})"/.exec(source)?.[1] ?? name
  return { detail: { ...rest, title, text: challenge?.text ?? '', problem }, calls: challenge?.name ?? null }
}

/** A file that takes too much to read stands in the list as a draft, so that it can be deleted. */
function unreadable({ name, source, own }: ChallengeText, problem: string): ReadChallenge {
  const detail = { name, title: name, text: '', own, problem, version: versionOf(source), source }
  return { detail, calls: null }
}

function summaryOf({ name, title, text, own, problem, version }: ChallengeDetail): ChallengeSummary {
  return { name, title, text, own, problem, version }
}

function versionOf(source: string): Sha256 {
  return createHash('sha256').update(source).digest('hex')
}
