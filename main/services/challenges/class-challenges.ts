import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { writeSynced } from '../../administrator/classroom/synced-file.ts'
import type { Sha256 } from '../../contract/ids.ts'
import type { ChallengeDetail, ChallengeSummary } from '../../contract/procedures.ts'
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
} from './named-challenges.ts'
import { shippedChallenge } from '../machine/resources.ts'
import type { TextSource } from '../texts/named-texts.ts'

/** Own challenges of one class: more would make the list slow, since each is read to know whether it can be played. */
const MOST = 1_000

/** The challenges that ship, and those that the class has of its own in the folder `challenges` of its data folder. */
export interface Challenges {
  /** Shipped ones first, each kind by name. */
  list(): Promise<readonly ChallengeSummary[]>
  /** Throws ExpectedError 'usage' where there is none of that name. */
  get(name: string): Promise<ChallengeDetail>
  /**
   * Keeps a challenge of the class, one with errors as a draft, in place of the version `from`; null: as a new one. Throws
   * ExpectedError 'conflict' where another version is there by now; 'usage' where the name is that of a shipped one, of one that is
   * there although it should be new, or not the one that the file says; MachineError where it cannot be written.
   */
  save(name: string, source: string, from: Sha256 | null): Promise<ChallengeSummary>
  /** Contests that were made with it have its text, and stay. Throws ExpectedError 'usage' where it is none of the class's own. */
  delete(name: string): Promise<void>
  /** Texts for configs. A challenge that is only a draft is refused as one. */
  readonly texts: TextSource
}

export function openChallenges(home: ClassFolder): Challenges {
  const folder = ownChallengesFolder(home.folder)
  const path = (name: string): string => ownChallengeFile(home.folder, name)
  /** What was found in a text when it was last read: reading takes some milliseconds. */
  const known = new Map<string, ChallengeDetail>()
  let last: Promise<unknown> = Promise.resolve()

  /** One change after the other, so that what is looked at before it still holds. */
  function inTurn<T>(change: () => Promise<T>): Promise<T> {
    const done = last.then(change)
    last = done.catch(() => undefined)
    return done
  }

  function detail(name: string, source: string, own: boolean): ChallengeDetail {
    const before = known.get(name)
    if (before?.source === source && before.own === own) return before
    const made = detailOf(name, source, own)
    known.set(name, made)
    return made
  }

  async function find(name: string): Promise<ChallengeDetail | null> {
    const shipped = await shippedChallenge(name)
    if (shipped !== null) return detail(name, shipped, false)
    const own = await ownChallenge(home.folder, name)
    return own === null ? null : detail(name, own, true)
  }

  async function get(name: string): Promise<ChallengeDetail> {
    const found = await find(name)
    if (found === null) throw await noSuchChallenge(name, home.folder)
    return found
  }

  return {
    async list() {
      const shipped = await shippedChallengeNames()
      const own = (await ownChallengeNames(home.folder)).filter((name) => !shipped.includes(name))
      const all = await Promise.all([...shipped, ...own].map(find))
      // One may have been deleted meanwhile.
      return all.filter((one) => one !== null).map(summaryOf)
    },
    get,
    save: (name, source, from) =>
      inTurn(async () => {
        if ((await shippedChallenge(name)) !== null)
          throw new ExpectedError(
            'usage',
            `"${name}" is a built-in challenge and cannot be changed; choose another name.`,
          )
        const there = await ownChallenge(home.folder, name)
        if (from === null && there !== null)
          throw new ExpectedError('usage', `This class already has a challenge "${name}".`)
        if (from !== null && there === null)
          throw new ExpectedError('conflict', `"${name}" was deleted elsewhere while you changed it.`)
        if (from !== null && there !== null && versionOf(there) !== from)
          throw new ExpectedError('conflict', `"${name}" was saved elsewhere while you changed it.`)
        if (there === null && (await ownChallengeNames(home.folder)).length >= MOST)
          throw new ExpectedError('usage', `A class has at most ${MOST} challenges of its own; delete one first.`)
        const { challenge } = readChallenge(source)
        if (challenge !== null && challenge.name !== name)
          throw new ExpectedError(
            'usage',
            `The file calls itself "${challenge.name}": save it as that, or change its first line.`,
          )
        try {
          await mkdir(folder, { recursive: true, mode: 0o700 })
          await writeSynced(path(name), source)
        } catch (error) {
          throw machineErrorFrom(error, 'write', path(name))
        }
        return summaryOf(detail(name, source, true))
      }),
    delete: (name) =>
      inTurn(async () => {
        if (!(await get(name)).own)
          throw new ExpectedError('usage', `"${name}" is a built-in challenge and cannot be deleted.`)
        try {
          await rm(path(name))
          syncFolder(folder)
        } catch (error) {
          throw machineErrorFrom(error, 'delete', path(name))
        }
        known.delete(name)
      }),
    texts: {
      data: home.folder,
      async challenge(name) {
        const found = await get(name)
        if (found.problem !== null)
          throw new ExpectedError('usage', `"${name}" is a draft that cannot be played yet: ${found.problem}`)
        return found.source
      },
    },
  }
}

function detailOf(name: string, source: string, own: boolean): ChallengeDetail {
  const { challenge, problems } = readChallenge(source)
  if (challenge !== null && challenge.name === name) {
    return {
      name,
      title: challenge.title,
      text: challenge.text,
      own,
      problem: null,
      version: versionOf(source),
      source,
    }
  }
  const [first] = problems
  const problem =
    first === undefined
      ? `its file calls itself "${challenge?.name ?? ''}".`
      : `line ${first.at.line}, column ${first.at.column}: ${first.message}`
  const title = challenge?.title ?? /^\s*challenge\s+[\w-]+\s+"([^"\n]{1,200})"/.exec(source)?.[1] ?? name
  return { name, title, text: challenge?.text ?? '', own, problem, version: versionOf(source), source }
}

function summaryOf({ name, title, text, own, problem, version }: ChallengeDetail): ChallengeSummary {
  return { name, title, text, own, problem, version }
}

function versionOf(source: string): Sha256 {
  return createHash('sha256').update(source).digest('hex')
}
