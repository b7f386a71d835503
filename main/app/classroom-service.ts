import { availableParallelism } from 'node:os'
import { openClassFolder, type ClassFolder } from '../administrator/classroom/classroom.ts'
import type { WorkerProcess } from '../services/machine/worker-process.ts'
import type { ContestId, MatchNumber } from '../contract/ids.ts'
import type { Handlers, OutputOf, Settings } from '../contract/procedures/procedures.ts'
import { ExpectedError } from '../contract/expected-error.ts'
import { keyText } from '../histories/keys.ts'
import { attackTiers, examineMachine } from '../services/machine/doctor.ts'
import { isolationTiers } from '../services/machine/isolation.ts'
import { packKit } from '../services/agents/kits.ts'
import { checkAllowList } from '../services/machine/web-addresses.ts'
import { openComponents } from '../services/components/class-components.ts'
import { createUploadedPackages } from '../services/packages/uploaded-packages.ts'
import { openSources } from '../services/agents/public-sources.ts'
import { checkAgent } from '../services/contests/command/check-agent.ts'
import { openAgentRecord } from '../services/contests/reports/agent-record.ts'
import { openAgents } from '../services/agents/class-agents.ts'
import { hostsOfMachine } from '../services/contests/arena/window-arena.ts'
import { backUp } from './backup.ts'
import { contestHandlers } from './contest-handlers.ts'
import { entryHandlers } from './entry-handlers.ts'
import { recurringHandlers } from './recurring-handlers.ts'
import { systemClock } from './system-clock.ts'
import { openChallenges } from '../services/challenges/class-challenges.ts'
import { createResults } from '../services/contests/reports/contest-results.ts'
import { createContestParts } from '../services/contests/reports/contest-parts.ts'
import { createContestRunner } from '../services/contests/running/contest-runner.ts'
import { openContests } from '../services/contests/kept/class-contests.ts'
import { createRecurringContests } from '../services/contests/recurring/recurring-contests.ts'
import type { WallClock } from '../services/contests/recurring/wall-clock.ts'
import { practiceOf } from '../services/contests/kept/practice.ts'
import { makeFirstClass } from '../services/contests/descriptions/sample-class.ts'
import { historyFacets, historyPage, overview } from './overview-lists.ts'
import { createLiveMatches } from '../services/matches/live-matches.ts'
import { openMatches } from '../services/matches/class-matches.ts'
import { ignoreExpectedErrors } from '../services/ignore-expected-errors.ts'
import { openHumanMatches } from '../services/contests/human/human-matches.ts'
import { openTexts } from '../services/texts/class-texts.ts'
import { createSignals } from './topic-signals.ts'
import { createTasks, type Following } from '../services/background-tasks.ts'

export interface OpenClassroomOptions {
  /** The data folder; it belongs to this process until the service is closed. */
  readonly data: string
  /** Called on unexpected errors in work without a caller. Default: throws them, which ends the process. */
  onFatal?(error: unknown): void
  /** The number of match workers; default: one per core. */
  readonly workers?: number
  /** Starts a match worker; default: a worker of this program, started when it is needed. */
  readonly launch?: () => WorkerProcess
  /** Whether a new data folder gets the sample class. Default: yes. */
  readonly sample?: boolean
  /** By which recurring contests begin; default: the machine's. */
  readonly clock?: WallClock
  /** Called with a sentence about each recurring contest that begins, and each that does not. */
  onRecurring?(sentence: string): void
}

/** The time that a request for a contest's table of parts takes at most, but for one match. */
const PARTS_MS = 1_000

/** An open classroom: the procedures and topics of the screens, for one data folder. */
export interface ClassroomService {
  /** Handlers throw ExpectedError or MachineError with a sentence for people. */
  readonly handlers: Handlers
  /**
   * Calls back with the value of a topic: soon after the call, and after changes, at most ten times a second. Returns a
   * function that unsubscribes. Throws ExpectedError 'usage' if there is no such contest.
   */
  on(topic: string, listener: (value: unknown) => void): () => void
  /**
   * Stores a copy of a history from elsewhere, up to 1 GB, without reading it. Its match can be read as `{ from:
   * 'file', file }`. `expected`: the handle from `histories.expect`.
   */
  takeHistory(
    fileName: string,
    content: AsyncIterable<Uint8Array>,
    expected?: string,
  ): Promise<{ readonly file: string }>
  /** Stores a package of at most 64 MB until it is handed in under this handle (`agents.submit` and others). */
  takePackage(fileName: string, content: AsyncIterable<Uint8Array>): Promise<{ readonly file: string }>
  /**
   * Opens a local history in place; otherwise like takeHistory. Only the desktop calls it: screens never pass paths.
   */
  openHistory(path: string): Promise<{ readonly file: string }>
  /** Stops running contests so that they can be resumed, and releases the data folder. Idempotent. */
  close(): Promise<void>
}

/**
 * Opens a data folder as a classroom. A new one gets the sample class, whose contest starts in the background; contests that
 * ran when it was closed resume. Throws ExpectedError or MachineError if the folder is not available; see openClassFolder.
 */
export async function openClassroom(options: OpenClassroomOptions): Promise<ClassroomService> {
  const home = await openClassFolder(options.data)
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
  const cores = options.workers ?? availableParallelism()
  const contests = openContests(home)
  const results = createResults(contests)
  const parts = createContestParts(contests, PARTS_MS)
  const challenges = openChallenges(home)
  const texts = openTexts(home)
  const matches = openMatches(home, contests, (name) =>
    signals.touch(name === null ? 'verifications' : `verification:${name}`),
  )
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
    ...(options.launch === undefined ? {} : { launch: options.launch }),
    onChange: changed,
    onFatal,
  })
  const recurring = createRecurringContests({
    home,
    contests,
    runner,
    clock: options.clock ?? systemClock,
    onChange() {
      signals.touch('recurring')
      signals.touch('status')
    },
    onEvent: (sentence) => options.onRecurring?.(sentence),
    onFatal,
  })
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
    openHistory: (path) => matches.open(path),
    onChange: () => signals.touch('agents'),
    onFatal,
  })
  const sources = openSources(home)
  const components = openComponents(home, () => signals.touch('agents'))
  const uploads = createUploadedPackages()
  const signals = createSignals((topic) => {
    if (topic === 'status') return runner.active()
    if (topic === 'settings') return settingsOf(home)
    if (topic === 'verifications') return matches.manyVerifications.part('')
    if (topic === 'examination') return examinations.part('')
    const [kind, name] = topic.split(':', 2)
    if (kind === 'verification') return matches.verifications.part(name ?? '')
    if (kind === 'play') return plays.get(name ?? '')
    if (kind === 'live') return live.get(...matchOf(name ?? ''))
    return name === undefined ? null : runner.detail(name)
  }, ignored)

  const examinations = createTasks(
    () => '',
    (_: null, following) => examine(home.folder, following),
    () => signals.touch('examination'),
  )

  const handlers: Handlers = {
    'class.overview': () => overview(home, runner, contests, agents),

    'agents.list': (input) => agents.list(input),
    'agents.get': ({ name }) => agents.get(name),
    'agents.similar': ({ name }) => agents.similar(name),
    'agents.faults': ({ name, ...page }) => agents.faults(name, page),
    'agents.results': ({ name }) => agents.results(name),
    'agents.trialMatch': async ({ name, agent }) => ({ file: await agents.trialMatch(name, agent) }),
    'agents.console': ({ name, ...page }) => agents.console(name, page),
    'agents.look': ({ file, game }) => uploads.read(file, (given) => agents.look({ ...given, game })),
    'agents.submit': ({ file, ...handedIn }) => uploads.use(file, (given) => agents.submit({ ...given, ...handedIn })),
    'agents.adopt': ({ game }) => agents.adopt(game),
    async 'agents.rename'({ name, to }) {
      await agents.rename(name, to)
      return null
    },
    async 'agents.remove'({ name }) {
      await agents.remove(name)
      return null
    },
    async 'agents.try'({ name }) {
      agents.tryAgain(name)
      return null
    },
    async 'agents.practise'(wish) {
      const { id } = await home.inTurn(async () =>
        contests.add(await practiceOf(home, contests, wish, challenges.texts)),
      )
      signals.touch('status')
      await runner.start(id)
      return { contest: id }
    },
    async 'agents.stop'({ name }) {
      agents.stopTrying(name)
      return null
    },

    'sources.list': async (input) => sources.list(input),
    'sources.get': (version) => sources.get(version),
    'sources.file': ({ path, ...version }) => sources.file(version, path),
    async 'sources.download'(version) {
      const { fileName, zip } = await sources.download(version)
      return { fileName, content: Buffer.from(zip).toString('base64') }
    },

    'components.list': (input) => components.list(input),
    'components.get': ({ component }) => components.get(component),
    'components.publish': ({ file, ...more }) =>
      uploads.use(file, (given) => components.publish({ ...given, ...more })),

    async 'kits.get'(choice) {
      const { fileName, zip } = await packKit(choice)
      return { fileName, content: Buffer.from(zip).toString('base64') }
    },

    'challenges.list': () => challenges.list(),
    'challenges.get': ({ name }) => challenges.get(name),
    'challenges.save': ({ name, source, from }) => challenges.save(name, source, from),
    async 'challenges.delete'({ name }) {
      await challenges.delete(name)
      return null
    },

    'texts.list': (field) => texts.list(field),
    'texts.get': ({ name, ...field }) => texts.get(field, name),
    'texts.add': ({ name, text, ...field }) => texts.add(field, name, text),
    async 'texts.delete'({ name, ...field }) {
      await texts.delete(field, name)
      return null
    },

    ...contestHandlers({
      home,
      contests,
      challenges,
      runner,
      results,
      parts,
      matches,
      cores,
      changed,
      touch: (topic) => signals.touch(topic),
    }),

    ...entryHandlers({
      home,
      uploads,
      touch: (topic) => signals.touch(topic),
      onImport() {
        signals.touch('agents')
        agents.tryUntried().catch(onFatal)
      },
    }),
    ...recurringHandlers({ home, contests, challenges, recurring }),

    'matches.get': ({ source }) => matches.detail(source),
    'matches.live': async ({ contest, match }) => live.facts(contest, match),
    'matches.events': ({ source, ...page }) => matches.events(source, page),
    'matches.outline': ({ source, from }) => matches.outline(source, from),
    'matches.state': ({ source, position }) => matches.state(source, position),

    'play.opponents': ({ game }) => plays.opponents(game),
    'play.begin': async (wish) => ({ contest: await plays.begin(wish) }),
    'play.get': async ({ contest }) => plays.get(contest),
    async 'play.answer'({ contest, question, value }) {
      plays.answer(contest, question, value)
      return null
    },
    async 'play.leave'({ contest }) {
      plays.leave(contest)
      return null
    },

    'histories.list': (input) => historyPage(home, contests, matches, input),
    'histories.facets': async () => historyFacets(home),
    'histories.expect': async ({ fileName, bytes, end }) => ({
      file: await matches.expect(fileName, bytes, Buffer.from(end, 'base64')),
    }),
    'histories.verify': ({ source }) => matches.verifications.run(source),
    async 'histories.verifyAll'(filter) {
      if (matches.manyVerifications.part('') !== null) {
        throw new ExpectedError('usage', 'busy', 'Other histories are being verified; stop that first, or wait for it.')
      }
      return matches.manyVerifications.run(filter)
    },
    async 'histories.stopAll'() {
      matches.manyVerifications.close()
      return null
    },
    async 'histories.stop'({ source }) {
      matches.verifications.stop(source)
      return null
    },
    'histories.export': ({ contest, match }) => matches.exported(contest, match),

    'arena.hosts': async () => hostsOfMachine(),

    'settings.get': async () => settingsOf(home),
    async 'settings.set'(change) {
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
      checkAllowList(change.webAddresses ?? [])
      const { timeZone } = home.content.settings
      await home.change((content) => void Object.assign(content.settings, given))
      if (home.content.settings.timeZone !== timeZone) await recurring.zoneChanged()
      signals.touch('settings')
      return settingsOf(home)
    },
    'settings.backup': () => backUp(home),
    'isolation.tiers': () => isolationTiers(),
    'doctor.run': () => examinations.run(null),
    async 'doctor.stop'() {
      examinations.stop(null)
      return null
    },
  }

  /** Registers that somebody looks at what a topic is about; returns the end of that. null: nobody needs to know. */
  const attended = (topic: string): (() => void) | null => {
    if (topic.startsWith('play:')) return plays.attend(topic.slice('play:'.length))
    return topic.startsWith('live:') ? live.attend(...matchOf(topic.slice('live:'.length))) : null
  }

  let closing: Promise<void> | null = null
  const close = async (): Promise<void> => {
    signals.close()
    examinations.close()
    plays.close()
    parts.close()
    live.close()
    await recurring.close()
    await runner.close()
    await agents.close()
    await matches.close()
    await uploads.close()
    await home.close()
  }

  // If the contest cannot be started its screen shows why. Agents are tried afterwards, when the cores are free.
  const started = first === null ? runner.resume() : runner.start(first).catch(ignoreExpectedErrors)
  started
    .then(() => recurring.start())
    .then(() => runner.idle())
    .then(() => agents.tryUntried())
    .catch(onFatal)

  return {
    handlers,
    takePackage: async (fileName, content) => ({ file: await uploads.add(fileName, content) }),
    takeHistory: async (fileName, content, expected) => ({ file: await matches.take(fileName, content, expected) }),
    openHistory: async (path) => ({ file: await matches.open(path) }),
    on(topic, listener) {
      if (topic.startsWith('contest:')) contests.entry(topic.slice('contest:'.length))
      const gone = attended(topic)
      if (gone === null) return signals.on(topic, listener)
      const off = signals.on(topic, listener)
      return () => {
        off()
        gone()
      }
    },
    close: () => (closing ??= close()),
  }
}

/** The match that a topic `live:` names. */
function matchOf(name: string): [ContestId, MatchNumber] {
  const [contest = '', match = ''] = name.split('/')
  return [contest, Number(match)]
}

/** Ignores errors while a topic's value is made: a screen that requests the same gets the error. */
function ignored(): void {
  return
}

function settingsOf({ folder, key, content }: ClassFolder): Settings {
  return { dataFolder: folder, publicKey: keyText(key.publicKey), ...content.settings }
}

/** The attacks take most of the time. */
const ATTACKS = 0.9

async function examine(folder: string, { signal, onPart }: Following): Promise<OutputOf<'doctor.run'>> {
  const attacks = await attackTiers({ signal, onPart: (part) => onPart(part * ATTACKS) })
  return { findings: await examineMachine(folder, attacks), tiers: await isolationTiers() }
}
