import { availableParallelism } from 'node:os'
import type { ClassFolder } from '../administrator/classroom/classroom.ts'
import { scratchFolder } from '../administrator/classroom/scratch.ts'
import { openAccounts, type Accounts } from '../administrator/people/accounts.ts'
import { untriedAttempts } from '../administrator/people/attempts.ts'
import type { WorkerProcess } from '../services/machine/worker-process.ts'
import type { ContestId, MatchNumber } from '../contract/ids.ts'
import type { ContestState, OutputOf, Settings } from '../contract/procedures/procedures.ts'
import type { Network } from '../portal/network.ts'
import { backupsOf } from '../services/archive/back-up.ts'
import { openScheduledBackups, type ScheduledBackups } from '../services/archive/scheduled-backups.ts'
import { keyText } from '../histories/keys.ts'
import { attackTiers, examineMachine } from '../services/machine/doctor.ts'
import { openUpdateNotice, type UpdateNotice } from '../services/machine/update-notice.ts'
import { isolationTiers } from '../services/machine/isolation.ts'
import { openComponents, type Components } from '../services/components/class-components.ts'
import { createDownloads, type Downloads } from '../services/files/downloads.ts'
import {
  archiveLimits,
  createUploadedPackages,
  ownerLimits,
  type UploadedPackages,
} from '../services/packages/uploaded-packages.ts'
import { openSources, type Sources } from '../services/agents/public-sources.ts'
import { checkAgent } from '../services/contests/command/check-agent.ts'
import { openAgentRecord } from '../services/contests/reports/agent-record.ts'
import { beginningOfDay, followVerdict, openHandIns, type HandIns } from '../services/hand-in/class-hand-ins.ts'
import { createPracticePlayer } from '../services/hand-in/practice.ts'
import { createInFlight, type InFlight } from '../services/hand-in/in-flight.ts'
import { keptLimits, openKeptFiles } from '../services/hand-in/kept-files.ts'
import { openLosses, type Losses } from '../services/homes/own-losses.ts'
import { openGradebook, type ClassGradebook } from '../services/grades/class-gradebook.ts'
import { openClassTerm, type ClassTerm } from '../services/grades/class-term.ts'
import { isOfCase, progressOf } from '../services/cases/case-view.ts'
import { caseNumbered } from '../services/cases/class-cases.ts'
import { openReceiptChain } from '../services/hand-in/receipt-chain.ts'
import { openAgents, type Agents } from '../services/agents/class-agents.ts'
import { systemClock, type WallClock } from '../services/contests/recurring/wall-clock.ts'
import { openChallenges, type Challenges } from '../services/challenges/class-challenges.ts'
import { createResults, type ContestResults } from '../services/contests/reports/contest-results.ts'
import { createContestParts, type ContestParts } from '../services/contests/reports/contest-parts.ts'
import { createContestRunner, type ContestRunner } from '../services/contests/running/contest-runner.ts'
import { createContestPages, type ContestPages } from '../services/contests/running/contest-pages.ts'
import { openContests, type Contests } from '../services/contests/kept/class-contests.ts'
import { createRecurringContests, type RecurringContests } from '../services/contests/recurring/recurring-contests.ts'
import { workersAtATime, yieldingWorkers } from '../services/machine/workers.ts'
import { createLiveMatches, type LiveMatches } from '../services/matches/live-matches.ts'
import { openMatches, type Matches } from '../services/matches/class-matches.ts'
import { createOtherAnswers, type OtherAnswers } from '../services/matches/replay/other-answers.ts'
import { openHumanMatches, type HumanMatches } from '../services/contests/human/human-matches.ts'
import {
  openDossierStore,
  reachesDossier,
  type DossierStore,
  type IsOfCase,
} from '../services/evidence/class-dossiers.ts'
import { createReruns, type Reruns } from '../services/evidence/reruns.ts'
import { openCallerViews, type CallerViews } from '../services/people/caller-view.ts'
import { openTexts, type ClassTexts } from '../services/texts/class-texts.ts'
import { createAskers, type Askers } from '../services/record/askers.ts'
import { openClassRecords, type ClassRecords } from '../services/record/class-records.ts'
import type { ClassShelf } from './class-shelf.ts'
import { openCaseRoom, type CaseRoom } from './case-room.ts'
import { createSignals, type Signals } from './topic-signals.ts'
import { createTasks, type Following, type Tasks } from '../services/background-tasks.ts'
import { createOngoingTasks, type OngoingTasks } from '../services/ongoing-tasks.ts'

/** The open screens with which matches need not yield to the process that serves them. */
const UNCROWDED_SCREENS = 25

export interface OpenClassroomOptions {
  /** The data folder; it belongs to this process until the service is closed, unless `isReadOnly`. */
  readonly data: string
  /** Called on unexpected errors in work without a caller. Default: throws them, which ends the process. */
  onFatal?(error: unknown): void
  /** The number of match workers; default: one per core. */
  readonly workers?: number
  /** Starts a match worker; default: a worker of this program, started when it is needed. */
  readonly launch?: () => WorkerProcess
  /** True: the class is open to look at, and nothing is written in its data folder (`openClassToLookAt`). Default: false. */
  readonly isReadOnly?: boolean
  /** True: a new data folder gets the sample class. Default: true. */
  readonly sample?: boolean
  /** By which recurring contests begin; default: the machine's. */
  readonly clock?: WallClock
  /** Called with a sentence about each recurring contest that begins, and each that does not. */
  onRecurring?(sentence: string): void
  /** Called with sentences about what was recovered and lost, if the class had to be rebuilt, and about names that are locked. */
  onRecovery?(sentence: string): void
  /** Called with a sentence when backups begin to fail, and when one that was tested cannot be used. */
  onBackup?(sentence: string): void
  /** Called when a contest that was started changes, with its state. */
  onContest?(contest: ContestId, state: ContestState): void
  /** Creates an address for another browser on this machine; absent: the classroom is not served to browsers. */
  invite?(): OutputOf<'screens.invite'>
  /** The class on the network; absent: it cannot be opened. Closed with the rooms. */
  readonly network?: Network
  /** The classes of the window; absent: it shows this one alone. Stays when the rooms are closed. */
  readonly classes?: ClassShelf
}

/** The time that a request for a contest's table of parts takes at most, except for one match. */
const PARTS_MS = 1_000

/** The rooms of an open classroom. */
export interface Rooms extends CaseRoom {
  readonly home: ClassFolder
  readonly accounts: Accounts
  readonly contests: Contests
  readonly results: ContestResults
  readonly parts: ContestParts
  readonly challenges: Challenges
  readonly texts: ClassTexts
  readonly matches: Matches
  readonly live: LiveMatches
  readonly otherAnswers: OtherAnswers
  readonly runner: ContestRunner
  readonly pages: ContestPages
  readonly recurring: RecurringContests
  readonly plays: HumanMatches
  readonly handIns: HandIns
  readonly inFlight: InFlight
  /** The databases of the events of contests, and the questions about them that are being answered. */
  readonly records: ClassRecords
  readonly askers: Askers
  /** The largest losses of the agents of teams. */
  readonly losses: Losses
  readonly term: ClassTerm
  readonly gradebook: ClassGradebook
  readonly agents: Agents
  readonly sources: Sources
  readonly components: Components
  readonly uploads: UploadedPackages
  /** Exports of classes that wait to be imported. */
  readonly archives: UploadedPackages
  readonly downloads: Downloads
  readonly dossiers: DossierStore
  /** The decisions that agents are being asked for again, for dossiers. */
  readonly reruns: Reruns
  /** The class as each caller sees it. */
  readonly views: CallerViews
  /** Examinations of the machine; one runs at a time. */
  readonly examinations: Tasks<null, OutputOf<'doctor.run'>>
  readonly signals: Signals
  readonly clock: WallClock
  /** The number of match workers. */
  readonly cores: number
  /** See `OpenClassroomOptions`. */
  readonly backups: ScheduledBackups
  /** Tasks that the end of the class breaks off, or waits for. */
  readonly ongoing: OngoingTasks
  readonly updates: UpdateNotice
  readonly invite: OpenClassroomOptions['invite']
  readonly network: OpenClassroomOptions['network']
  readonly classes: OpenClassroomOptions['classes']
  /** Listens to `classes`, until the rooms are closed. */
  readonly onClasses: () => void
  /** Reports that a contest has changed. */
  readonly changed: (contest: ContestId) => void
  /** Called on unexpected errors in work without a caller. */
  readonly onFatal: (error: unknown) => void
}

/** Opens the rooms of a class. Nothing runs in them yet. */
export async function openRooms(
  home: ClassFolder,
  options: OpenClassroomOptions,
  onFatal: Rooms['onFatal'],
): Promise<Rooms> {
  const cores = options.workers ?? availableParallelism()
  const clock = options.clock ?? systemClock
  const now = (): number => clock.now()
  const dossiers = await openDossierStore(home, now)
  const accounts = openAccounts(home, now)
  const signals: Signals = createSignals((topic) => topicValue(rooms, topic), ignored)
  const contests = openContests(home, now, () => [...untriedAttempts(accounts.people), ...handIns.arriving])
  const challenges = openChallenges(home)
  const matches = openMatches(home, contests, (name) =>
    signals.touch(name === null ? 'verifications' : `verification:${name}`),
  )
  const otherAnswers = createOtherAnswers(home, matches, (request) => signals.touch(`otherAnswer:${request}`))
  const changed = (contest: ContestId): void => {
    signals.touch('status')
    signals.touch(`contest:${contest}`)
  }
  const live = createLiveMatches({ onChange: (topic) => signals.touch(topic), onPlaying: changed })
  const runner = createContestRunner({
    home,
    contests,
    live,
    workers: cores,
    // Every screen listens to it.
    launch: yieldingWorkers(
      options.launch ?? workersAtATime(cores),
      () => signals.listening('status') > UNCROWDED_SCREENS,
    ),
    resumes: true,
    onChange(contest) {
      changed(contest)
      const kept = home.content.contests.find(({ id }) => id === contest)
      if (kept !== undefined) options.onContest?.(contest, runner.now(contest)?.state ?? kept.state)
      // Rulings have waited for its end.
      if (runner.now(contest) === null) rooms.caseRulings.retry(contest)
    },
    onFatal,
  })
  const pages = createContestPages({ home, contests, runner, live, now })
  const recurring = openRecurring({ home, contests, runner, pages, clock, signals, onFatal }, options.onRecurring)
  const plays = openHumanMatches({
    home,
    contests,
    challenges,
    runner,
    onChange: (id) => signals.touch(`play:${id}`),
    onFatal,
  })
  const agents = openAgents({
    home,
    record: openAgentRecord({ home, contests, matches }),
    playTrial: checkAgent,
    now,
    openHistory: (path) => matches.open(path),
    onChange: () => signals.touch('agents'),
    onVerdict: (version) => followVerdict(handIns, version),
    onFatal,
  })
  const handIns = openHandInRoom({ home, people: accounts.people, agents, contests, clock, signals, onFatal })
  const ongoing = createOngoingTasks((task) => task === 'export' && signals.touch('exporting'))
  const backups = openScheduledBackups({
    ...{ home, clock, ongoing, onFatal },
    onChange: () => signals.touch('settings'),
    onNotice: (sentence) => options.onBackup?.(sentence),
  })
  const examinations = createTasks(
    () => '',
    (_: null, following) => examine(home.folder, following),
    () => signals.touch('examination'),
  )
  const caseRoom = openCaseRoom({ home, clock, signals, contests, runner, changed, onFatal })
  const term = openClassTerm({ home, contests })
  const ofCase: IsOfCase = (id, caller) => isOfCase(caseRoom.cases, id, caller)
  const rooms: Rooms = {
    ...{
      home,
      accounts,
      contests,
      results: createResults(contests),
      parts: createContestParts(contests, PARTS_MS),
      challenges,
    },
    ...{ texts: openTexts(home), matches, live, otherAnswers, runner, pages, recurring, plays },
    ...{ agents, sources: openSources(home) },
    handIns,
    inFlight: createInFlight(),
    ...caseRoom,
    records: openClassRecords(home, (contest) => contests.entry(contest)),
    askers: createAskers(),
    losses: openLosses({ home, contests, matches }),
    term,
    gradebook: openGradebook({ home, contests, term, cases: caseRoom.cases, now }),
    ...{
      components: openComponents(home, () => signals.touch('agents')),
      uploads: createUploadedPackages(undefined, ownerLimits(home), () => scratchFolder(home, 'uploaded')),
      archives: createUploadedPackages(archiveLimits, undefined, () => scratchFolder(home, 'archives')),
    },
    downloads: createDownloads(undefined, () => scratchFolder(home, 'downloads')),
    backups,
    ongoing,
    updates: openUpdateNotice({
      address: () => (home.isReadOnly ? '' : home.content.settings.updates),
      clock,
      onChange: () => signals.touch('status'),
    }),
    dossiers,
    reruns: createReruns(
      home,
      matches,
      (request) => signals.touch(`rerun:${request}`),
      () => signals.touch('agents'),
    ),
    views: openCallerViews(home, {
      reachesDossier: (reach, id, caller) => reachesDossier(dossiers, ofCase, reach, id, caller),
      contestOfCase: (id) => rooms.cases.kept.get(id)?.state.filed.contest ?? null,
    }),
    ...{ examinations, signals, clock, cores, invite: options.invite, network: options.network, changed, onFatal },
    ...{ classes: options.classes, onClasses: () => signals.touch('classes') },
  }
  options.classes?.onChange.add(rooms.onClasses)
  options.network?.onChange(() => signals.touch('network'))
  accounts.onAudit.add(() => signals.touch('people'))
  return rooms
}

/** Opens the recurring contests over the rooms that they need. */
function openRecurring(
  { signals, ...rooms }: Pick<Rooms, 'home' | 'contests' | 'runner' | 'pages' | 'clock' | 'signals' | 'onFatal'>,
  onEvent: OpenClassroomOptions['onRecurring'],
): Rooms['recurring'] {
  return createRecurringContests({
    ...rooms,
    onChange() {
      signals.touch('recurring')
      signals.touch('status')
    },
    onEvent: (sentence) => onEvent?.(sentence),
  })
}

/** Opens handing in over the rooms that it needs. */
function openHandInRoom({
  home,
  people,
  agents,
  contests,
  clock,
  signals,
  onFatal,
}: Pick<Rooms, 'home' | 'agents' | 'contests' | 'clock' | 'signals' | 'onFatal'> & {
  readonly people: Accounts['people']
}): HandIns {
  const now = (): number => clock.now()
  return openHandIns({
    home,
    people,
    chain: openReceiptChain(home.folder, home.key, home.isReadOnly),
    kept: openKeptFiles(home.folder, keptLimits(home)),
    underway: new Set(),
    now,
    wake: (at, call) => clock.wake(at, call),
    beginningOfDay: (at) => beginningOfDay(at, home.content.settings.timeZone || clock.zone()),
    playTrial: (version) => agents.tryVersion(version),
    playPractice: createPracticePlayer({ home, agents, contests }),
    onChange() {
      signals.touch('agents')
      // Those that wait for trials alone can perhaps begin.
      for (const { id } of home.content.contests) {
        const entries = contests.openEntries(id)
        if (entries !== null && Date.parse(entries.until) <= now()) signals.touch(`contest:${id}`)
      }
    },
    onFatal,
  })
}

function topicValue(rooms: Rooms, topic: string): unknown {
  const { home, pages, matches, otherAnswers, reruns, examinations, plays, live, network, cases, casePresence } = rooms
  if (topic === 'status') return pages.active()
  if (topic === 'settings') return settingsOf(home, rooms.backups)
  if (topic === 'network') return network?.state() ?? { isOpen: false, last: null }
  if (topic === 'classes') return rooms.classes?.get(home) ?? null
  if (topic === 'exporting') return rooms.ongoing.exporting()
  if (topic === 'verifications') return matches.manyVerifications.part('')
  if (topic === 'examination') return examinations.part('')
  const [kind, name] = topic.split(':', 2)
  if (kind === 'verification') return matches.verifications.part(name ?? '')
  if (kind === 'otherAnswer') return otherAnswers.part(name ?? '')
  if (kind === 'rerun') return reruns.part(name ?? '')
  if (kind === 'case') return progressOf(caseNumbered(cases, name ?? ''))
  if (kind === 'caseRoom') return casePresence.room(name ?? '')
  if (kind === 'play') return plays.get(name ?? '')
  if (kind === 'live') return live.get(...matchOf(name ?? ''))
  return name === undefined ? null : pages.detail(name)
}

/** The match that a topic `live:` names. */
export function matchOf(name: string): [ContestId, MatchNumber] {
  const [contest = '', match = ''] = name.split('/')
  return [contest, Number(match)]
}

/** Ignores errors while a topic's value is made: a screen that requests the same gets the error. */
function ignored(): void {
  return
}

/** The settings as screens show them. */
export function settingsOf({ folder, key, content }: ClassFolder, backups: Pick<ScheduledBackups, 'state'>): Settings {
  return {
    ...{ dataFolder: folder, backupFolder: backupsOf(folder), backupState: backups.state() },
    ...{ publicKey: keyText(key.publicKey), fingerprint: key.fingerprint },
    ...content.settings,
  }
}

/** The attacks take most of the time. */
const ATTACKS = 0.9

async function examine(folder: string, { signal, onPart }: Following): Promise<OutputOf<'doctor.run'>> {
  const attacks = await attackTiers({ signal, onPart: (part) => onPart(part * ATTACKS) })
  return { findings: await examineMachine(folder, attacks), tiers: await isolationTiers() }
}
