import { availableParallelism } from 'node:os'
import { checkActive } from '../administrator/classroom/active-versions.ts'
import { readAgent } from '../administrator/classroom/agents.ts'
import { openClassFolder, type ClassFolder } from '../administrator/classroom/classroom.ts'
import type { WorkerProcess } from '../administrator/contests/worker-process.ts'
import { NETWORK } from '../contract/agents.ts'
import type { ArenaPlace } from '../contract/arena.ts'
import type { ContestDescription } from '../contract/contests.ts'
import type { ContestId } from '../contract/ids.ts'
import { whyNoName } from '../contract/names.ts'
import type { Handlers, OutputOf, Settings } from '../contract/procedures.ts'
import { ExpectedError } from '../contract/expected-error.ts'
import { keyText } from '../histories/keys.ts'
import { checkEntrantNames, completeConfig, formatOf } from '../services/contests/contest-file.ts'
import { attackTiers, examineMachine } from '../services/machine/doctor.ts'
import { isolationTiers } from '../services/machine/isolation.ts'
import { packKit } from '../services/agents/kits.ts'
import { checkAllowList } from '../services/machine/web-addresses.ts'
import { openAgents } from '../services/agents/class-agents.ts'
import { checkConnecting, hostsOfMachine } from '../services/contests/contest-arena.ts'
import { backUp } from './backup.ts'
import { openChallenges, type Challenges } from '../services/challenges/class-challenges.ts'
import { createContestRunner } from '../services/contests/contest-runner.ts'
import { openContests } from '../services/contests/class-contests.ts'
import { estimate } from '../services/contests/estimate.ts'
import { makeFirstClass } from '../services/contests/sample-class.ts'
import { contestPage, historyPage, matchPage, overview, pageOf } from './overview-lists.ts'
import { openMatches } from '../services/matches/recorded-matches.ts'
import { ignoreExpectedErrors } from '../services/ignore-expected-errors.ts'
import { openPlays } from '../services/matches/human-matches.ts'
import { openTexts } from '../services/texts/class-texts.ts'
import { createSignals } from './topic-signals.ts'
import { createTasks, type Following } from '../services/background-tasks.ts'

export interface OpenClassroomOptions {
  /** The data folder; it belongs to this process until the service is closed. */
  readonly data: string
  /** Told what nobody expected in work that no caller waits for. Default: it is thrown, which ends the process. */
  onFatal?(error: unknown): void
  /** Match workers; default: one a core. */
  readonly workers?: number
  /** Starts a match worker; default: each is one of this program, and starts when it is needed. */
  readonly launch?: () => WorkerProcess
  /** Whether a new data folder gets the sample class. Default: it does. */
  readonly sample?: boolean
}

/** An open classroom: everything that a screen can ask for, on one data folder. */
export interface ClassroomService {
  /** A handler throws ExpectedError or MachineError, a sentence each, for what a person must be told. */
  readonly handlers: Handlers
  /**
   * Calls back with the value of a topic: soon after the call, and after changes, ten times a second at most. Gives the
   * function that ends it. Throws ExpectedError 'usage' where there is no such contest.
   */
  on(topic: string, listener: (value: unknown) => void): () => void
  /**
   * Takes in a copy of a history from elsewhere, up to 1 GB, unread. Its match can be read as `{ from: 'file', file }`.
   * `expected`: what `histories.expect` has called it.
   */
  takeHistory(
    fileName: string,
    content: AsyncIterable<Uint8Array>,
    expected?: string,
  ): Promise<{ readonly file: string }>
  /** Begins to read a history of this machine where it lies; else as takeHistory. For the desktop: no screen names a path. */
  openHistory(path: string): Promise<{ readonly file: string }>
  /** Stops what runs, at a point from which it goes on later, and gives the data folder back. Idempotent. */
  close(): Promise<void>
}

/**
 * Opens a data folder as a classroom. A new one gets the sample class, whose contest begins at once in the background; contests that
 * ran when it was closed go on. Throws
 * ExpectedError or MachineError where the folder cannot be had; see openClassFolder.
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
  const challenges = openChallenges(home)
  const texts = openTexts(home)
  const matches = openMatches(home, contests, (name) => signals.touch(`verification:${name}`))
  const changed = (contest: ContestId): void => {
    signals.touch('status')
    signals.touch(`contest:${contest}`)
  }
  const runner = createContestRunner({
    home,
    contests,
    workers: cores,
    ...(options.launch === undefined ? {} : { launch: options.launch }),
    onChange: changed,
    onFatal,
  })
  const plays = openPlays({
    home,
    contests,
    challenges,
    runner,
    onChange: (id) => signals.touch(`play:${id}`),
    onFatal,
  })
  const agents = openAgents({ home, contests, matches, onChange: () => signals.touch('agents'), onFatal })
  const signals = createSignals((topic) => {
    if (topic === 'status') return runner.active()
    if (topic === 'settings') return settingsOf(home)
    if (topic === 'examination') return examinations.part('')
    const [kind, name] = topic.split(':', 2)
    if (kind === 'verification') return matches.verifications.part(name ?? '')
    if (kind === 'play') return plays.get(name ?? '')
    return name === undefined ? null : runner.detail(name)
  }, ignored)

  const examinations = createTasks(
    () => '',
    (_: null, following) => examine(home.folder, following),
    () => signals.touch('examination'),
  )

  const handlers: Handlers = {
    'class.overview': () => overview(home, runner, agents),

    'agents.list': (input) => agents.list(input),
    'agents.get': ({ name }) => agents.get(name),
    'agents.faults': ({ name, ...page }) => agents.faults(name, page),
    'agents.console': ({ name, ...page }) => agents.console(name, page),
    'agents.look': async ({ content, ...file }) => agents.look({ ...file, content: Buffer.from(content, 'base64') }),
    'agents.submit': ({ content, ...handedIn }) =>
      agents.submit({ ...handedIn, content: Buffer.from(content, 'base64') }),
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
    async 'agents.stop'({ name }) {
      agents.stopTrying(name)
      return null
    },
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

    'contests.list': (input) => contestPage(home, runner, input),
    'contests.get': ({ contest }) => runner.detail(contest),
    async 'contests.standings'({ contest, ...page }) {
      contests.entry(contest)
      return pageOf((await contests.record(contest)).standings(), page)
    },
    'contests.entrants': async ({ contest, ...page }) => pageOf(contests.entry(contest).description.entrants, page),
    async 'contests.matches'({ contest, entrant: search, ...page }) {
      const entry = contests.entry(contest)
      return matchPage(home, contests, entry, { ...page, search })
    },
    'contests.estimate': ({ draft }) => estimate(home, contests, challenges, draft, cores),
    async 'contests.create'({ draft, arena }) {
      const { id } = await home.inTurn(async () => contests.add(await checkedDraft(home, challenges, draft, arena)))
      if (arena !== undefined) await contests.place(id, arena)
      signals.touch('status')
      return { contest: id }
    },
    async 'contests.start'({ contest, arena }) {
      await runner.start(contest, arena)
      return null
    },
    'contests.credentials': async ({ contest }) => runner.credentials(contest),
    async 'contests.pause'({ contest }) {
      await runner.pause(contest)
      return null
    },
    async 'contests.cancel'({ contest }) {
      await runner.cancel(contest)
      return null
    },

    'matches.get': ({ source }) => matches.detail(source),
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

    'histories.list': (input) => historyPage(home, contests, input),
    'histories.expect': async ({ fileName, bytes, end }) => ({
      file: await matches.expect(fileName, bytes, Buffer.from(end, 'base64')),
    }),
    'histories.verify': ({ source }) => matches.verifications.run(source),
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
      await home.change((content) => void Object.assign(content.settings, given))
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

  let closing: Promise<void> | null = null
  const close = async (): Promise<void> => {
    signals.close()
    examinations.close()
    plays.close()
    await runner.close()
    await agents.close()
    await matches.close()
    await home.close()
  }

  // Where it cannot be started the contest itself says why. Agents are tried when the cores are free.
  const started = first === null ? runner.resume() : runner.start(first).catch(ignoreExpectedErrors)
  started
    .then(() => runner.idle())
    .then(() => agents.tryUntried())
    .catch(onFatal)

  return {
    handlers,
    takeHistory: async (fileName, content, expected) => ({ file: await matches.take(fileName, content, expected) }),
    openHistory: async (path) => ({ file: await matches.open(path) }),
    on(topic, listener) {
      if (topic.startsWith('contest:')) contests.entry(topic.slice('contest:'.length))
      if (!topic.startsWith('play:')) return signals.on(topic, listener)
      const gone = plays.attend(topic.slice('play:'.length))
      const off = signals.on(topic, listener)
      return () => {
        off()
        gone()
      }
    },
    close: () => (closing ??= close()),
  }
}

/** A topic's value that cannot be made: a screen that asks for the same is told why. */
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

/** A draft that can be played, its config complete. Throws ExpectedError 'usage' that says what is wrong with it. */
async function checkedDraft(
  home: ClassFolder,
  challenges: Challenges,
  draft: ContestDescription,
  arena: ArenaPlace | undefined,
): Promise<ContestDescription> {
  checkEntrantNames(draft, 'The contest')
  for (const { name } of draft.entrants) {
    const problem = whyNoName(name)
    if (problem !== null) throw new ExpectedError('usage', `Entrant "${name}": ${problem}.`)
  }
  const config = await completeConfig(draft, null, 'The contest', challenges.texts)
  checkConnecting(draft, arena)
  for (const { name, agent } of draft.entrants) {
    if (agent === NETWORK) continue
    const known = home.content.agents.filter(({ hash }) => hash === agent)
    if (known.length === 0) throw new ExpectedError('usage', `Entrant "${name}": no such agent has been handed in.`)
    if (!known.some(({ manifest }) => manifest.game === draft.game))
      throw new ExpectedError('usage', `Entrant "${name}" does not play ${draft.game}.`)
    await readAgent(home.folder, agent)
  }
  checkActive(home.content.agents, draft)
  // As a Json it is read-only, as zod's it is not; nothing writes in it.
  return { ...draft, format: formatOf(draft), config: config as ContestDescription['config'] }
}
