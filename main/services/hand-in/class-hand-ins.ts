/// <reference lib="esnext.temporal" />
import { waitingPractice } from '../../administrator/people/practice-matches.ts'
import {
  attemptsIn,
  attemptsOf,
  attemptWithReceipt,
  newestAttemptsOf,
  setAttempt,
  type StoredAttempt,
} from '../../administrator/people/attempts.ts'
import { titleOfContest } from '../../administrator/classroom/contest-title.ts'
import { teamClosing } from '../../administrator/classroom/team-closing.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ContestId } from '../../contract/ids.ts'
import { afterTurn, nextInQueue, queueOrder, type Waiting } from '../../contract/people/attempts.ts'
import { verdictSentence } from '../../contract/people/time-verdict.ts'
import { hasReceipt } from '../../contract/people/hand-in.ts'
import type { PersonId } from '../../contract/people/people.ts'
import type { Receipt, ReceiptBody } from '../../contract/people/receipts.ts'
import type { Attempts, QueuePlace, TeamDeadline } from '../../contract/people/team-procedures.ts'
import type { Team } from '../../contract/people/teams.ts'
import type { StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import { MachineError } from '../../histories/machine-error.ts'
import { receiptLine } from '../../histories/receipts.ts'
import type { Arriving } from './arriving.ts'
import { candidatesDue, nextClosing } from './closings.ts'
import type { Looks } from './look.ts'
import { completeReceived } from './recover.ts'
import { attemptsToday, receive, timeVerdict, type Received, type Receiving, type TeamHandIn } from './receive.ts'
import { receiptNumbered } from './receipt-chain.ts'
import { addPracticeMatch, playPracticeMatch, type PracticeWish, type Practising } from './practice.ts'
import { keptReason, reasonForTeam } from './reasons.ts'

export interface HandInsOptions extends Receiving, Pick<Practising, 'playPractice'> {
  /** Plays the trial of a version and stores the verdict with it. Rejects with ExpectedError if there is none. */
  playTrial(version: StoredAgentVersion): Promise<void>
  /** Calls back once, at this time (ms since the epoch) or soon after, and perhaps before. Returns a function that cancels it. */
  wake(at: number, call: () => void): () => void
  onChange(): void
  /** Called on unexpected errors of trials. */
  onFatal(error: unknown): void
}

/** A match that waits for its turn: the trial of a hand-in, or the practice of a team. */
type Queued = Waiting & ({ readonly receipt: number } | { readonly practice: number })
type QueuedTrial = Extract<Queued, { readonly receipt: number }>

/** In a team, hand-ins come before practice, whenever they came. Teams take turns with both. */
const AFTER_HAND_INS = 2 ** 52
const queuedPractice = (id: number, team: string): Queued => ({ id: AFTER_HAND_INS + id, team, practice: id })

/** The hand-ins of an open class: as many trials are played at once as the class sets, and teams take turns. */
export interface HandIns extends HandInsOptions {
  /** Those that wait, and those that are being played. */
  waiting: Queued[]
  turns: readonly string[]
  /** The durations of the last trials, in ms. */
  durations: readonly number[]
  running: Promise<void> | null
  readonly looks: Looks
  /** The files that have arrived and have no attempt yet. */
  readonly arriving: Set<Arriving>
  /** Resolves when something joins the queue. */
  joined: PromiseWithResolvers<void>
  closed: boolean
  /** Cancels the waiting for the next closing time. */
  cancelWake: () => void
  /** Those that a process left unread when it was killed, and the reading of them. */
  unread: readonly StoredAttempt[]
  reading: Promise<void>
  /** Cancels reading those again that the machine prevented. */
  cancelReading: () => void
  /** Stops what is read again when the class is closed. */
  readonly closing: AbortController
  /** Enters the hand-ins that wait in their contests; see `recoverQueue`. */
  enter: () => Promise<void>
  /** Resolves when the hand-ins that were left are complete. */
  completing: Promise<void>
  /** Cancels trying that again. */
  cancelCompleting: () => void
  /** Resolves when the candidates of the last closing time are active. */
  following: Promise<void>
}

/** Opens the hand-ins of a class. Those whose trials were not played wait again; left.ts adds those that a process left. */
export function openHandIns(options: HandInsOptions): HandIns {
  const handedIn = attemptsIn(options.people, 'waiting').flatMap(({ id, team, receipt }) =>
    receipt === null ? [] : [{ id, team, receipt }],
  )
  const waiting = [...handedIn, ...waitingPractice(options.people).map(({ id, team }) => queuedPractice(id, team))]
  return {
    ...{ ...options, waiting, turns: [], durations: [], looks: new Map(), running: null, closed: false },
    ...{ arriving: new Set(), joined: Promise.withResolvers() },
    ...{ cancelWake: () => undefined, following: Promise.resolve() },
    ...{ enter: () => Promise.resolve(), completing: Promise.resolve(), cancelCompleting: () => undefined },
    ...{ unread: [], reading: Promise.resolve(), cancelReading: () => undefined, closing: new AbortController() },
  }
}

/** Adds hand-ins with a receipt to those that wait for their trials. */
export function queue(room: HandIns, attempts: readonly Pick<StoredAttempt, 'id' | 'team' | 'receipt'>[]): void {
  for (const { id, team, receipt } of attempts) if (receipt !== null) room.waiting.push({ id, team, receipt })
}

/** Receives a file of a team and queues its trial. See `receive`. */
export async function handIn(room: HandIns, given: TeamHandIn): Promise<Received> {
  // A version with a receipt comes before the ones that follow it.
  await completeLeft(room)
  const received = await receive(room, given).catch((error: unknown) => {
    // Its receipt may be written already, when the disk is full just then.
    if (!(error instanceof ExpectedError)) completeLater(room)
    throw error
  })
  queue(room, [{ id: received.attempt, team: given.team.id, receipt: received.receipt.b.n }])
  playWaiting(room)
  room.onChange()
  return received
}

/** Queues a practice match of a team; returns its id. Throws ExpectedError 'usage' if the budget of the day is used. */
export function practise(room: HandIns, team: Team, wish: PracticeWish): number {
  const id = addPracticeMatch(room, team, wish)
  room.waiting.push(queuedPractice(id, team.id))
  playWaiting(room)
  room.onChange()
  return id
}

/** The time after which a hand-in that could not be completed, or read again, is tried again. ms. */
export const LEFT_AGAIN_AFTER = 60_000

/** Completes the hand-ins that have a receipt and, since something could not be written then, no version. */
async function completeLeft(room: HandIns): Promise<void> {
  room.completing = room.completing
    .catch(() => undefined)
    .then(async () => {
      const completed = await completeReceived(room)
      queue(room, completed)
      // Those who hand in meanwhile are not refused because of it.
      if (completed.length > 0) await room.enter().catch(room.onFatal)
    })
  await room.completing
}

export function completeLater(room: HandIns): void {
  room.cancelCompleting()
  if (room.closed) return
  room.cancelCompleting = room.wake(room.now() + LEFT_AGAIN_AFTER, () => {
    void completeLeft(room).then(
      () => {
        playWaiting(room)
        room.onChange()
      },
      () => {
        if (!room.closed) completeLater(room)
      },
    )
  })
}

/** Plays the trials that wait, unless that is going on. */
export function playWaiting(room: HandIns): void {
  room.joined.resolve()
  room.joined = Promise.withResolvers()
  room.running ??= playAll(room)
    .catch(room.onFatal)
    .finally(() => {
      room.running = null
      // One may have come when the last one had just ended.
      if (!room.closed && room.waiting.length > 0) playWaiting(room)
    })
}

async function playAll(room: HandIns): Promise<void> {
  /** Those that are being tried. */
  const trials = new Map<number, Promise<void>>()
  for (;;) {
    const next = room.closed
      ? null
      : nextInQueue(
          room.waiting.filter(({ id }) => !trials.has(id)),
          room.turns,
        )
    if (next === null && trials.size === 0) return
    if (next !== null && trials.size < trialsAtOnce(room)) {
      room.turns = afterTurn(room.turns, next.team)
      const trial = playNext(room, next).catch(room.onFatal)
      trials.set(
        next.id,
        trial.finally(() => trials.delete(next.id)),
      )
    } else await Promise.race([...trials.values(), room.joined.promise])
  }
}

const trialsAtOnce = ({ home }: HandIns): number => home.content.settings.trialsAtOnce

async function playNext(room: HandIns, next: Queued): Promise<void> {
  const begun = room.now()
  try {
    await ('receipt' in next ? tryOne(room, next) : playPracticeMatch(room, next.practice))
  } finally {
    // The others have their turns, also if it failed.
    room.durations = [...room.durations, room.now() - begun].slice(-20)
    room.waiting = room.waiting.filter(({ id }) => id !== next.id)
    room.onChange()
  }
}

async function tryOne(room: HandIns, { id, receipt }: QueuedTrial): Promise<void> {
  const find = (): StoredAgentVersion | undefined =>
    room.home.content.agents.find(({ handIn: record }) => hasReceipt(record, receipt))
  const version = find()
  // The same bytes were handed in again, or the agent was removed.
  if (version === undefined) {
    setAttempt(room.people, id, 'void', 'It was replaced before its trial.')
    return
  }
  try {
    if (version.smoke === null) await room.playTrial(version)
  } catch (error) {
    // When the classroom is closed the hand-in goes on waiting.
    if (!room.closed) setAttempt(room.people, id, 'void', reasonForTeam(error))
    if (!(error instanceof ExpectedError || error instanceof MachineError)) throw error
    return
  }
  const smoke = find()?.smoke
  if (smoke === null || smoke === undefined) {
    setAttempt(room.people, id, 'void', 'It has no verdict.')
    return
  }
  setAttempt(room.people, id, smoke.ok ? 'passed' : 'failed', smoke.text)
  await followClosings(room)
}

/**
 * Follows the verdict of a trial that was played again, outside the queue: the hand-ins of the version that were judged, or could not be
 * judged, have it now, and the version becomes active if its closing time has come.
 */
export async function followVerdict(room: HandIns, { hash, manifest }: StoredAgentVersion): Promise<void> {
  const { people, home } = room
  const version = home.content.agents.find((each) => each.hash === hash && each.manifest.name === manifest.name)
  if (version?.handIn === undefined || version.smoke === null) return
  const { handIn: record, smoke } = version
  for (const n of [record.receipt, ...(record.again ?? [])]) {
    const attempt = attemptWithReceipt(people, n)
    // One that waits gets the verdict when its turn comes.
    if (attempt === null || attempt.state === 'waiting' || attempt.state === 'received') continue
    setAttempt(people, attempt.id, smoke.ok ? 'passed' : 'failed', smoke.text)
  }
  await followClosings(room)
  room.onChange()
}

/**
 * Makes the candidates active whose closing time has come, and waits for the next closing time. Call it when the class is opened, and
 * after each change of a deadline, an extension or a candidate.
 */
export async function followClosings(room: HandIns): Promise<void> {
  const { home, now, wake, onChange, onFatal } = room
  if (candidatesDue(home.content, now()).length > 0) {
    await home.change((content) => {
      for (const version of candidatesDue(content, now())) delete version.inactive
    })
    onChange()
  }
  room.cancelWake()
  const next = nextClosing(home.content, now())
  if (room.closed || next === null) return
  // A hand-in at the very closing time is on time.
  room.cancelWake = wake(next + 1, () => {
    room.following = followClosings(room).catch(onFatal)
  })
}

/** The deadline of a contest as a team sees it; undefined: as somebody without a team does. */
export function teamDeadline(room: HandIns, team: Team | undefined, contest: ContestId): TeamDeadline {
  const { content } = room.home
  const deadline = content.deadlines.find((each) => each.contest === contest) ?? null
  const now = room.now()
  const has = deadline !== null && team !== undefined
  return {
    deadline,
    closing: has ? teamClosing(content, team, contest) : null,
    verdict: has ? verdictSentence(timeVerdict(room, team, contest, now)) : null,
    now: new Date(now).toISOString(),
  }
}

/** The newest hand-ins of a team, newest first. `before`: see `newestAttemptsOf`. */
export function attemptsView(
  room: HandIns,
  team: Team,
  viewer: PersonId | null,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Attempts {
  const names = new Map(room.home.content.people.map(({ id, name }) => [id, name]))
  const found = newestAttemptsOf(room.people, team.id, before, limit + 1)
  return {
    more: found.length > limit,
    attempts: found.slice(0, limit).map(({ person, at, reason, ...attempt }) => ({
      ...attempt,
      contestTitle: titleOfContest(room.home.content, attempt.contest),
      reason: keptReason(reason),
      by: person === null ? null : (names.get(person) ?? null),
      at: new Date(at).toISOString(),
    })),
    ...attemptsToday(room, team, viewer),
  }
}

/** The place of a team's next hand-in in the queue; null: none waits. */
export function placeOf(room: HandIns, team: Team): QueuePlace | null {
  const { waiting, turns, durations } = room
  const own = waiting.filter((each) => each.team === team.id && 'receipt' in each)
  const next = own.sort((a, b) => a.id - b.id)[0]
  if (next === undefined) return null
  const index = queueOrder(waiting, turns).findIndex((each) => each.id === next.id)
  const mean = durations.reduce((sum, each) => sum + each, 0) / durations.length
  return {
    attempt: next.id,
    place: index + 1,
    expected: durations.length === 0 ? null : Math.round((mean * index) / trialsAtOnce(room)),
  }
}

/** The receipts of a team, newest first. */
export function receiptsOf({ people, chain }: HandIns, team: Team): readonly ReceiptBody[] {
  const own = attemptsOf(people, team.id).flatMap(({ receipt }) => receipt ?? [])
  return own.toReversed().flatMap((n) => receiptNumbered(chain, n)?.b ?? [])
}

/** A receipt of a team as a file. Throws ExpectedError 'usage' if it has none with this number. `team` null: of any team. */
export function receiptFile(
  { people, chain }: HandIns,
  team: Team | null,
  n: number,
): { readonly fileName: string; readonly content: string } {
  const receipt: Receipt | undefined = receiptNumbered(chain, n)
  const isOwn = team === null || attemptWithReceipt(people, n)?.team === team.id
  if (receipt === undefined || !isOwn)
    throw new ExpectedError('usage', 'receipt-unknown', `The team has no receipt ${n}.`)
  return { fileName: `receipt-${n}.json`, content: receiptLine(receipt) }
}

/** The beginning of the day of a time by the clocks of a zone. Both in ms since the epoch. */
export function beginningOfDay(at: number, zone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).startOfDay().epochMilliseconds
}

/** Ends the queue; what waits, waits again when the class is opened, and so does what is being read again. */
export async function closeHandIns(room: HandIns): Promise<void> {
  room.closed = true
  room.cancelWake()
  room.cancelCompleting()
  room.cancelReading()
  room.closing.abort()
  await room.completing.catch(() => undefined)
  await room.reading
  await room.running
  await room.following
}
