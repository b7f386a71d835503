import { openClassFolder } from '../administrator/classroom/classroom.ts'
import { openClassToLookAt } from '../administrator/classroom/read-only-class.ts'
import { dropHalfJoined } from '../administrator/people/joining.ts'
import { audit, type Accounts } from '../administrator/people/accounts.ts'
import type { ContestId } from '../contract/ids.ts'
import type { Caller, SeenAs, Visitor } from '../contract/people/caller.ts'
import type { CallerView } from '../contract/people/objects.ts'
import { namesState } from '../contract/people/locked-names.ts'
import type { PersonId } from '../contract/people/people.ts'
import type { Json } from '../contract/json.ts'
import type { OngoingTask } from '../contract/procedures/classes.ts'
import type { Handlers, ProcedureName } from '../contract/procedures/procedures.ts'
import { contestHandlers } from './handlers/contest-handlers.ts'
import { peopleHandlers } from './handlers/people-handlers.ts'
import { agentHandlers } from './handlers/agent-handlers.ts'
import { makeFirstClass } from '../services/contests/descriptions/sample-class.ts'
import { readElsewhere } from '../services/machine/reading.ts'
import { reportRecovery } from '../services/contests/kept/contest-edits.ts'
import { ignoreExpectedErrors } from '../services/ignore-expected-errors.ts'
import { presentCaller } from '../services/people/callers.ts'
import { teamNumbered } from '../services/people/teams.ts'

import { matchHandlers } from './handlers/match-handlers.ts'
import { teamHandlers } from './handlers/team-handlers.ts'
import { caseNumbered } from '../services/cases/class-cases.ts'
import { followClosings, playWaiting } from '../services/hand-in/class-hand-ins.ts'
import { readUnread, recoverQueue } from '../services/hand-in/left.ts'
import { caseHandlers } from './handlers/case-handlers.ts'
import { classHandlers } from './handlers/class-handlers.ts'
import { classesHandlers } from './handlers/classes-handlers.ts'
import { dossierHandlers } from './handlers/dossier-handlers.ts'
import { gradeHandlers } from './handlers/grade-handlers.ts'
import { homeHandlers } from './handlers/home-handlers.ts'
import { miningHandlers } from './handlers/mining-handlers.ts'
import { networkHandlers } from './handlers/network-handlers.ts'
import { enterReceived, enterRecovered } from './entered-hand-ins.ts'
import { namingNobody } from './published-texts.ts'
import { closeRooms, landHandIns } from './close-rooms.ts'
import { figuresOf } from './class-figures.ts'
import type { ClassFigures } from '../operator/class-metrics.ts'
import { matchOf, openRooms, type OpenClassroomOptions, type Rooms } from './rooms.ts'
/** An open classroom: the procedures and topics of the screens, for one data folder. */
export interface ClassroomService {
  /** Handlers throw ExpectedError or MachineError with a sentence for people. */
  readonly handlers: Handlers
  /** True: the class is open to look at: handlers that change something are not called. */
  readonly isReadOnly: boolean
  /** By which people of the class sign in. */
  readonly accounts: Accounts
  /** The caller that a visitor is at this moment. `isUse` false: it is not a use of their session. */
  callerOf(visitor: Visitor | SeenAs, isUse?: boolean): Caller
  /**
   * Calls back with the value of a topic: soon after the call, and after changes, at most ten times a second. Returns a
   * function that unsubscribes. `caller`: who listens, and may be taken to be present; absent: the program. Throws ExpectedError
   * 'usage' for an unknown contest.
   */
  on(topic: string, listener: (value: unknown) => void, caller?: Caller): () => void
  /**
   * Stores a copy of a history from elsewhere, up to 1 GB, without reading it. Its match can be read as `{ from:
   * 'file', file }`. `expected`: the handle from `histories.expect`.
   */
  takeHistory(
    fileName: string,
    content: AsyncIterable<Uint8Array>,
    expected?: string,
  ): Promise<{ readonly file: string }>
  /** The class as a caller with a role sees it now. */
  viewOf(caller: Caller): CallerView
  /** Appends a line to the audit log. */
  audit(caller: Caller, did: ProcedureName, what: Json): void
  /** Stores a package of at most 64 MB until it is handed in under this handle (`agents.submit` and others); see UploadedPackages. */
  takePackage(
    fileName: string,
    content: AsyncIterable<Uint8Array>,
    owner?: PersonId | null,
  ): Promise<{ readonly file: string }>
  /** Stores an export of a class until it is imported (`classes.import`). */
  takeArchive(fileName: string, content: AsyncIterable<Uint8Array>): Promise<{ readonly file: string }>
  /**
   * Opens a local history in place; otherwise like takeHistory. Only the desktop calls it: screens never pass paths.
   */
  openHistory(path: string): Promise<{ readonly file: string }>
  /** The tasks that closing the class breaks off, or waits for. */
  ongoing(): readonly OngoingTask[]
  /** The figures of the class for the person who runs its machine. */
  figures(): Promise<ClassFigures>
  /** Receives no further hand-in, and resolves when those in flight have their answers, after some seconds at most. */
  landHandIns(): Promise<void>
  /** Stops running contests so that they can be resumed, and releases the data folder. Idempotent. */
  close(): Promise<void>
}

/**
 * Opens a data folder as a classroom. A new one gets the sample class, whose contest starts in the background; contests that
 * ran when it was closed resume. With `isReadOnly` nothing of this happens and nothing is written in the folder. Throws ExpectedError or MachineError if the folder is not available; see openClassFolder.
 */
export async function openClassroom(options: OpenClassroomOptions): Promise<ClassroomService> {
  const isReadOnly = options.isReadOnly === true
  const home = await (isReadOnly ? openClassToLookAt : openClassFolder)(options.data)
  const onFatal = (error: unknown): void => {
    if (options.onFatal !== undefined) return options.onFatal(error)
    throw error
  }
  let first: ContestId | null
  try {
    first = home.fresh && options.sample !== false ? await makeFirstClass(home) : null
  } catch (error) {
    await home.close()
    throw error
  }
  const closeReading = readElsewhere(() => home.content.settings.trialsAtOnce)
  let rooms: Rooms
  try {
    rooms = await openRooms(home, options, onFatal)
    if (!isReadOnly) {
      await dropHalfJoined(rooms.accounts)
      await recoverQueue(rooms.handIns, () => enterRecovered(rooms))
    }
    if (!isReadOnly) await reportRecovery(home, rooms.contests, { onNotice: (text) => options.onRecovery?.(text) })
    if (namesState(home.content) === 'locked')
      options.onRecovery?.('The names of this class are locked: nobody can sign in or hand in until they are unlocked.')
  } catch (error) {
    closeReading()
    await home.close()
    throw error
  }
  const { archives, contests, matches, ongoing, signals, uploads } = rooms
  if (!isReadOnly) {
    beginWork(rooms, first)
    readUnread(rooms.handIns, ({ team }, received) => enterReceived(rooms, teamNumbered(home.content, team), received))
  }
  let closing: Promise<void> | null = null
  return {
    handlers: namingNobody(home, {
      ...classHandlers(rooms),
      ...classesHandlers(rooms),
      ...peopleHandlers(rooms),
      ...homeHandlers(rooms),
      ...networkHandlers(rooms),
      ...agentHandlers(rooms),
      ...contestHandlers(rooms),
      ...matchHandlers(rooms),
      ...miningHandlers(rooms),
      ...teamHandlers(rooms),
      ...caseHandlers(rooms),
      ...gradeHandlers(rooms),
      ...dossierHandlers(rooms),
    }),
    isReadOnly,
    accounts: rooms.accounts,
    callerOf: (visitor, isUse) => presentCaller(rooms.accounts, visitor, isUse),
    viewOf: rooms.views.of,
    audit: (caller, did, what) => audit(rooms.accounts, caller.person, did, what),
    takePackage: async (fileName, content, owner) => ({ file: await uploads.add(fileName, content, owner) }),
    takeArchive: (fileName, content) =>
      ongoing.run('import', async () => ({ file: await archives.add(fileName, content) })),
    takeHistory: async (fileName, content, expected) => ({ file: await matches.take(fileName, content, expected) }),
    openHistory: async (path) => ({ file: await matches.open(path) }),
    on(topic, listener, caller) {
      if (topic.startsWith('case:')) caseNumbered(rooms.cases, topic.slice('case:'.length))
      if (topic.startsWith('contest:')) contests.entry(topic.slice('contest:'.length))
      const leave = attend(rooms, topic, caller)
      if (leave === null) return signals.on(topic, listener)
      const off = signals.on(topic, listener)
      return () => {
        off()
        leave()
      }
    },
    ongoing: () => ongoing.list(),
    figures: () => figuresOf(rooms),
    landHandIns: () => landHandIns(rooms),
    close: () => (closing ??= closeRooms(rooms).finally(closeReading)),
  }
}

/** The rooms whose work goes on when a class is opened. */
type Working = Pick<Rooms, 'handIns' | 'caseDeadlines' | 'onFatal'> & {
  readonly runner: Pick<Rooms['runner'], 'resume' | 'start' | 'idle'>
  readonly recurring: Pick<Rooms['recurring'], 'start'>
  readonly agents: Pick<Rooms['agents'], 'tryUntried'>
}

/**
 * Starts the contests of a class in the background, and the trials of hand-ins, which are played beside contests. `first`: the contest
 * of a new class.
 */
export function beginWork(
  { runner, recurring, agents, handIns, caseDeadlines, onFatal }: Working,
  first: ContestId | null,
): void {
  // If the contest cannot be started its screen shows why. Other agents are tried afterwards, when the cores are free.
  const started = first === null ? runner.resume() : runner.start(first).catch(ignoreExpectedErrors)
  started
    .then(() => recurring.start())
    .then(() => caseDeadlines.look())
    .then(() => followClosings(handIns))
    .then(() => playWaiting(handIns))
    .then(() => runner.idle())
    .then(() => agents.tryUntried())
    .catch(onFatal)
}

/** Registers somebody who looks at the subject of a topic; returns the end of that. null: nobody needs to know. */
function attend({ plays, live, casePresence }: Rooms, topic: string, caller?: Caller): (() => void) | null {
  if (topic.startsWith('caseRoom:') && caller !== undefined)
    return casePresence.enter(topic.slice('caseRoom:'.length), caller)
  if (topic.startsWith('play:')) return plays.attend(topic.slice('play:'.length))
  return topic.startsWith('live:') ? live.attend(...matchOf(topic.slice('live:'.length))) : null
}
