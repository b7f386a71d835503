import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import {
  attemptsIn,
  forgetPlan,
  isRecorded,
  plannedVersion,
  setAttempt,
  wishOf,
  type StoredAttempt,
} from '../../administrator/people/attempts.ts'
import { expectedError } from '../../administrator/procedures/call-error.ts'
import { hasReceipt } from '../../contract/people/hand-in.ts'
import type { StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import { addVersion } from '../agents/hand-in.ts'
import { teamNumbered } from '../people/teams.ts'
import { dropUnknownFiles } from './kept-files.ts'
import { reasonForTeam } from './reasons.ts'
import { becomesOf, checkContest, readAttempt, type Arrived, type Received, type Receiving } from './receive.ts'
import { receiptNumbered } from './receipt-chain.ts'

/** The time for which refused files are kept, of which no receipt speaks. ms: a week. */
const REFUSED_KEPT = 7 * 24 * 60 * 60 * 1_000

/** The hand-ins that a process left when it was killed. */
interface Recovered {
  /** Those that wait for their trials now. */
  readonly completed: readonly StoredAttempt[]
  /** Those whose files `readAgain` has to read. */
  readonly unread: readonly StoredAttempt[]
}

/**
 * Completes the hand-ins that a process left when it was killed, and deletes the files that no hand-in has. Call it before anything is
 * received.
 */
export async function recoverHandIns(room: Receiving): Promise<Recovered> {
  const { people, chain, kept } = room
  const unread = unreadHandIns(room)
  for (const { id } of unread) forgetPlan(people, id)
  const completed = await completeReceived(room)
  const received = new Set(chain.receipts.map(({ b }) => b.sha256))
  const from = room.now() - REFUSED_KEPT
  await dropUnknownFiles(kept, (sha256) => received.has(sha256) || isRecorded(people, sha256, from))
  return { completed, unread }
}

/** The hand-ins that have no receipt and are not being read. */
export function unreadHandIns(room: Receiving): readonly StoredAttempt[] {
  const received = attemptsIn(room.people, 'received').filter(({ id }) => !room.underway.has(id))
  return received.filter((attempt) => receivedVersion(room, attempt) === null)
}

/** The version of a hand-in whose receipt is on disk; null: it has none. */
function receivedVersion(
  { people, chain }: Receiving,
  { id, receipt, sha256 }: StoredAttempt,
): StoredAgentVersion | null {
  const given = receipt === null ? undefined : receiptNumbered(chain, receipt)
  return given?.b.sha256 === sha256 ? plannedVersion(people, id) : null
}

const STOPPED = 'The program stopped while it was reading the file: hand it in again.'

/**
 * Completes the hand-ins that have a receipt and are not being read: each becomes its version. Returns those that wait for their trials
 * now.
 */
export async function completeReceived(room: Receiving): Promise<readonly StoredAttempt[]> {
  const { home, people, underway } = room
  const completed: StoredAttempt[] = []
  for (const attempt of attemptsIn(people, 'received').filter(({ id }) => !underway.has(id))) {
    const version = receivedVersion(room, attempt)
    if (version === null) continue
    await completeVersion(home, version)
    setAttempt(people, attempt.id, 'waiting')
    completed.push(attempt)
  }
  return completed
}

/**
 * Reads the file of a hand-in that a process left unread, and judges it by the time of its arrival. `ended`: it was refused, or is void
 * because it was read too often. `left`: the machine, or `signal`, prevented it; it is unread as before, or has a receipt and no version
 * so far. Rejects with unexpected errors.
 */
export async function readAgain(
  room: Receiving,
  left: StoredAttempt,
  signal?: AbortSignal,
): Promise<Received | 'ended' | 'left'> {
  const { people, underway } = room
  underway.add(left.id)
  try {
    const arrived = arrivedOf(room, left)
    if (arrived !== null) return await readAttempt(room, { ...arrived, again: { signal } })
    setAttempt(people, left.id, 'void', STOPPED)
    return 'ended'
  } catch (error) {
    if (expectedError(error) === null) throw error
    return attemptsIn(people, 'received').some(({ id }) => id === left.id) ? 'left' : 'ended'
  } finally {
    underway.delete(left.id)
  }
}

/** A hand-in as it was before it was read; null: it cannot be read again. Throws ExpectedError, which its row has then, too. */
function arrivedOf({ home, people }: Receiving, left: StoredAttempt): Arrived | null {
  const wish = wishOf(people, left.id)
  if (wish === null) return null
  const { id: attempt, at, file, game, person, contest, sha256 } = left
  const { agent, policies, note } = wish
  try {
    const team = teamNumbered(home.content, left.team)
    checkContest(home.content, contest, game)
    const becomes = becomesOf(home.content, { game, team, agent })
    return {
      ...{ attempt, at, game, person, contest, sha256, team, becomes, file: { fileName: file } },
      ...(policies === undefined ? {} : { policies }),
      ...(note === undefined ? {} : { note }),
    }
  } catch (error) {
    setAttempt(people, attempt, 'refused', reasonForTeam(error))
    throw error
  }
}

/** Adds a version that has its receipt, unless the class has it. */
async function completeVersion(home: ClassFolder, version: StoredAgentVersion): Promise<void> {
  const { handIn } = version
  if (handIn === undefined) return
  const receipts = [handIn.receipt, ...(handIn.again ?? [])]
  const isThere = (n: number): boolean => home.content.agents.some(({ handIn: record }) => hasReceipt(record, n))
  if (receipts.every(isThere)) return
  await addVersion(home, version)
}
