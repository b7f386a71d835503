import { teamOf } from '../../administrator/classroom/active-versions.ts'
import { checkAgentFile, storedAgentFile } from '../../administrator/classroom/agents.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { titleOfContest } from '../../administrator/classroom/contest-title.ts'
import type { Classroom, StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import type { HandInRecord } from '../../contract/people/hand-in.ts'
import type { ContestId, EntrantId, GameId, Sha256 } from '../../contract/ids.ts'
import { nameKey, searchKey } from '../../contract/names.ts'
import type {
  AgentConsole,
  AgentFault,
  AgentResults,
  AgentSummary,
  AgentVersion,
  ComparedCode,
  LookedAt,
  OutputOf,
  Page,
  SimilarAgent,
  SimilarPair,
} from '../../contract/procedures/procedures.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { readText } from '../machine/reading.ts'
import { agentTextJob } from './handed-in-files.ts'
import { removeAgent, renameAgent, takesPart } from './agent-edits.ts'
import { checkGame, lookAt, addSubmission, type HandedIn } from './hand-in.ts'
import { shippedAgents } from './opponents.ts'
import { settledClass } from './settled-class.ts'
import { schoolOf, showsSource } from '../../administrator/classroom/schools.ts'
import { ignoreExpectedErrors } from '../ignore-expected-errors.ts'
import {
  removeTrialHistory,
  trialHistory,
  createSmokeMatches,
  type PracticeOrder,
  type SmokeMatches,
  type TrialConditions,
  type TrialPlayer,
  type Verdict,
} from './smoke-matches.ts'
import { comparedCode, similarInClass, similarPairsOfClass } from './similarity/class-similarity.ts'
import { earlierClass, earlierClasses } from './similarity/earlier-classes.ts'
import { similarAgents } from './similarity/similar-agents.ts'
import { openReveals } from '../../administrator/classroom/revealed.ts'

/** A part of a list. */
export interface Paging {
  readonly offset: number
  readonly limit: number
}

/** True for the contests that a caller sees. Others are like those that do not exist. */
export type SeesContest = (contest: ContestId) => boolean

/** The agents of an open classroom: packages stored by hash and grouped by name, newest version first. */
export interface Agents {
  list(page: Paging & { readonly search: string }, sees: SeesContest): Promise<Page<AgentSummary>>
  /** One agent of the list. */
  summary(name: EntrantId, sees: SeesContest): Promise<AgentSummary>
  get(name: EntrantId, sees: SeesContest): Promise<OutputOf<'agents.get'>>
  /** See the procedure of this name. */
  similar(name: EntrantId): Promise<readonly SimilarAgent[]>
  /** See the procedure of this name. */
  similarInClass(name: EntrantId): Promise<readonly SimilarAgent[]>
  /** See the procedure of this name. */
  similarPairs(): Promise<readonly SimilarPair[]>
  /** See `comparedCode`. `earlier`: the name of the second agent's class; null: this one. */
  compareCode(names: readonly [EntrantId, EntrantId], earlier: string | null): Promise<ComparedCode>
  faults(name: EntrantId, page: Paging, sees: SeesContest): Promise<Page<AgentFault>>
  results(name: EntrantId, sees: SeesContest): Promise<AgentResults>
  /** Opens the history of a version's last trial match; returns its id as an opened file. */
  trialMatch(name: EntrantId, agent: Sha256): Promise<string>
  console(name: EntrantId, page: Paging, sees: SeesContest): Promise<Page<AgentConsole>>
  look(file: Pick<HandedIn, 'file' | 'game'>): Promise<LookedAt>
  /** `wait`: whether to wait for the smoke match; otherwise it is played in the background. */
  submit(handedIn: Omit<HandedIn, 'at'> & { readonly wait: boolean }): Promise<OutputOf<'agents.submit'>>
  rename(name: EntrantId, to: EntrantId): Promise<void>
  remove(name: EntrantId): Promise<void>
  /**
   * Adds the agents that ship with a game and returns their names; agents that the class already has stay unchanged.
   */
  adopt(game: GameId): Promise<readonly EntrantId[]>
  /** Plays the smoke match of the newest version again. */
  tryAgain(name: EntrantId): void
  /** Plays the smoke match of a version. Rejects with ExpectedError if there is no verdict. */
  tryVersion(version: StoredAgentVersion): Promise<void>
  /** Plays a practice match of a version. Rejects with ExpectedError if it was not played to its end. */
  practise(version: StoredAgentVersion, practice: PracticeOrder): Promise<Verdict>
  stopTrying(name: EntrantId): void
  /** Plays a trial match of a version under the conditions of a contest; see the procedure `contests.try`. */
  tryIn(agent: Sha256, conditions: TrialConditions): Promise<Verdict>
  /** In the order in which they were first handed in. */
  names(): readonly EntrantId[]
  /**
   * Plays the smoke match of each newest version without a verdict. Matches that the machine prevents are left for
   * later.
   */
  tryUntried(): Promise<void>
  close(): Promise<void>
}

/** Longer sources are not shown. */
const SOURCE_LENGTH_MAX = 1024 * 1024
/** An agent's record in those contests of the class that a caller sees. */
export interface AgentRecord {
  /** The number of its faults, and of its removals that no fault explains. */
  faultCount(name: EntrantId, sees: SeesContest): Promise<number>
  faults(name: EntrantId, page: Paging, sees: SeesContest): Promise<Page<AgentFault>>
  console(name: EntrantId, page: Paging, sees: SeesContest): Promise<Page<AgentConsole>>
  /** `versions`: its packages, newest first. */
  results(name: EntrantId, versions: readonly Sha256[], sees: SeesContest): Promise<AgentResults>
}

export interface AgentsOptions {
  readonly home: ClassFolder
  readonly record: AgentRecord
  readonly playTrial: TrialPlayer
  /** The clock of the class, in ms since the epoch. */
  now(): number
  /** Opens a history file; returns its id as an opened file. */
  openHistory(path: string): Promise<string>
  onChange(): void
  /** Called when a smoke match that nobody waited for has given a version a verdict. */
  onVerdict(version: StoredAgentVersion): Promise<void>
  /** Called on unexpected errors of background work. */
  onFatal(error: unknown): void
}

/** The agents of a class while it is open. */
interface OpenAgents extends AgentsOptions {
  readonly trials: SmokeMatches
  readonly reveals: ReturnType<typeof openReveals>
  /** The current run of `tryUntried`. */
  going: Promise<unknown>
  closed: boolean
}

export function openAgents(options: AgentsOptions): Agents {
  const { home, record } = options
  const agents: OpenAgents = {
    ...options,
    trials: createSmokeMatches(home, options.playTrial, options.onChange),
    reveals: openReveals(home),
    going: Promise.resolve(),
    closed: false,
  }
  const { trials } = agents
  const tryInBackground = (version: StoredAgentVersion): void =>
    void trials
      .play(version)
      .then(() => options.onVerdict(version))
      .catch(ignoreExpectedErrors)
      .catch(options.onFatal)
  return {
    names: () => namesIn(home),
    list: (page, sees) => listAgents(agents, page, sees),
    summary: (name, sees) => summaryOf(agents, name, sees),
    get: (name, sees) => agentDetail(agents, name, sees),
    similar: (name) => similarTo(home, name),
    async similarInClass(name) {
      versionsOf(home, name)
      return similarInClass(home, name)
    },
    similarPairs: async () => similarPairsOfClass(home, await earlierClasses(home.folder)),
    async compareCode(names, earlier) {
      const other = earlier === null ? null : earlierClass(await earlierClasses(home.folder), earlier)
      return comparedCode(home, names, other)
    },
    async faults(name, page, sees) {
      versionsOf(home, name)
      return record.faults(name, page, sees)
    },
    results: (name, sees) =>
      record.results(
        name,
        versionsOf(home, name).map(({ hash }) => hash),
        sees,
      ),
    async trialMatch(name, agent) {
      const version = versionsOf(home, name).find(({ hash }) => hash === agent)
      if (version === undefined)
        throw new ExpectedError('usage', 'agent-version-unknown', `The agent "${name}" has no such version.`)
      return options.openHistory(trialHistory(home.folder, version))
    },
    async console(name, page, sees) {
      versionsOf(home, name)
      return record.console(name, page, sees)
    },
    look: (file) => lookAt(home, file),
    submit: (handedIn) => submit(agents, handedIn),
    async rename(name, to) {
      await renameAgent(home, name, to)
      options.onChange()
    },
    remove: (name) => removeWithTrials(agents, name),
    adopt: (game) => adopt(agents, game),
    tryAgain: (name) => tryInBackground(versionsOf(home, name)[0]!),
    tryVersion: (version) => trials.play(version),
    practise: (version, practice) => trials.playAgainst(version, practice),
    stopTrying: (name) => trials.stop(versionsOf(home, name)[0]!),
    async tryIn(agent, { game, config, limits, clock, policy, isolation }) {
      const version = home.content.agents.findLast(({ hash, manifest }) => hash === agent && manifest.game === game)
      if (version === undefined)
        throw new ExpectedError('usage', 'agent-unknown', `No such agent for ${game} has been handed in.`)
      return trials.playIn(version, { game, config, limits, clock, isolation, ...(policy && { policy }) })
    },
    tryUntried() {
      const done = agents.going.then(() => tryEachUntried(agents))
      agents.going = done.catch(() => undefined)
      return done
    },
    async close() {
      agents.closed = true
      await Promise.all([trials.close(), agents.going])
    },
  }
}

type Home = Pick<ClassFolder, 'content'>

/** In the order in which they were first handed in. */
const namesIn = ({ content }: Home): readonly EntrantId[] => [
  ...new Set(content.agents.map(({ manifest }) => manifest.name)),
]

/** The versions of an agent, newest first. Throws ExpectedError 'usage' if there is no such agent. */
function versionsOf({ content }: Home, name: EntrantId): readonly StoredAgentVersion[] {
  const versions = content.agents.filter(({ manifest }) => manifest.name === name)
  if (versions.length === 0) throw new ExpectedError('usage', 'agent-unknown', `There is no agent "${name}".`)
  return versions.toReversed()
}

async function summaryOf(agents: OpenAgents, name: EntrantId, sees: SeesContest): Promise<AgentSummary> {
  const { home, record, trials } = agents
  const versions = versionsOf(home, name)
  const { game, kind } = versions[0]!.manifest
  return {
    name,
    game,
    kind,
    school: schoolOf(versions[0]!.entry, home.content),
    versions: versions.map((version) => {
      const { hash, number = 0, manifest, submitted, smoke, inactive, pausedFor, handIn } = version
      const { policies = null, packages } = manifest
      const active = settledClass(home.content).active.get(version) ?? []
      const reveal = agents.reveals.of().get(version)
      return {
        agent: hash,
        number,
        team: teamOf(manifest),
        policies,
        ...(packages === undefined ? {} : { packages }),
        active,
        submitted,
        smoke,
        trial: trials.standing(version),
        ...(inactive === undefined ? {} : { inactive }),
        ...(handIn === undefined ? {} : { handIn: shownHandIn(home.content, handIn) }),
        ...(pausedFor === undefined ? {} : { pausedFor }),
        ...(reveal === undefined ? {} : { reveal }),
      }
    }),
    faults: await record.faultCount(name, sees),
  }
}

/** Without the person, whom educators find among the hand-ins. */
function shownHandIn(
  content: Pick<Classroom, 'contests'>,
  { receipt, contest, time, note }: HandInRecord,
): NonNullable<AgentVersion['handIn']> {
  const contestTitle = titleOfContest(content, contest)
  return { receipt, contest, contestTitle, time, ...(note === undefined ? {} : { note }) }
}

async function listAgents(
  agents: OpenAgents,
  { offset, limit, search }: Paging & { readonly search: string },
  sees: SeesContest,
): Promise<Page<AgentSummary>> {
  const wanted = searchKey(search)
  const found = namesIn(agents.home).filter((name) => searchKey(name).includes(wanted))
  const items = await Promise.all(found.slice(offset, offset + limit).map((name) => summaryOf(agents, name, sees)))
  return { items, offset, total: found.length }
}

async function agentDetail(agents: OpenAgents, name: EntrantId, sees: SeesContest): Promise<OutputOf<'agents.get'>> {
  const { home } = agents
  const summary = await summaryOf(agents, name, sees)
  const newest = versionsOf(home, name)[0]!
  const order = { data: home.folder, agent: newest.hash, longest: SOURCE_LENGTH_MAX }
  const { text, components } = await readText(agentTextJob, order)
  const source = showsSource(newest) ? text : null
  return { ...summary, components: [...components], takesPart: takesPart(home.content, name, sees), source }
}

async function similarTo(home: ClassFolder, name: EntrantId): Promise<readonly SimilarAgent[]> {
  const newest = versionsOf(home, name)[0]!
  const { game } = newest.manifest
  // Says so if it is missing or was changed.
  const { kind } = await checkAgentFile(home.folder, newest.hash)
  const same = (await shippedAgents(game)).find(({ agent }) => agent === newest.hash)
  // The class's own copy of a shipped agent is meant to be like it.
  if (kind !== 'script' || (same !== undefined && namesOfShipped(same.name, game).includes(name))) return []
  return similarAgents(game, { file: storedAgentFile(home.folder, newest.hash, kind) })
}

async function submit(
  agents: OpenAgents,
  { wait, ...handedIn }: Parameters<Agents['submit']>[0],
): Promise<OutputOf<'agents.submit'>> {
  const { home, trials, now, onChange, onFatal } = agents
  const at = now()
  const { name, note } = await addSubmission(home, { ...handedIn, at })
  onChange()
  const newest = versionsOf(home, name)[0]!
  if (newest.smoke === null) {
    const played = trials.play(newest)
    if (wait) await played
    else played.catch(ignoreExpectedErrors).catch(onFatal)
  }
  // Everybody who may call this sees all contests.
  return { ...(await summaryOf(agents, name, () => true)), note }
}

async function removeWithTrials({ home, trials, onChange }: OpenAgents, name: EntrantId): Promise<void> {
  const versions = versionsOf(home, name)
  const removed = await removeAgent(home, name)
  for (const version of versions) {
    if (!removed.includes(version.hash)) continue
    trials.stop(version)
    removeTrialHistory(home.folder, version)
  }
  onChange()
}

async function adopt(agents: OpenAgents, game: GameId): Promise<readonly EntrantId[]> {
  checkGame(game)
  const { home } = agents
  const adopted: EntrantId[] = []
  for (const { name, agent, read } of await shippedAgents(game)) {
    if (home.content.agents.some(({ hash, manifest }) => hash === agent && manifest.game === game)) continue
    const taken = new Set(namesIn(home).map(nameKey))
    const free = namesOfShipped(name, game).find((each) => !taken.has(nameKey(each)))
    // Both names belong to agents of the class itself.
    if (free === undefined) continue
    const becomes = { what: 'agent', name: free } as const
    await submit(agents, {
      file: { fileName: `${free}.js`, content: await read() },
      game,
      belonging: {},
      becomes,
      wait: false,
    })
    adopted.push(free)
  }
  return adopted
}

async function tryEachUntried(agents: OpenAgents): Promise<void> {
  const { home, trials, onVerdict } = agents
  for (const name of namesIn(home)) {
    // It may have been removed while others were tried.
    const newest = home.content.agents.findLast(({ manifest }) => manifest.name === name)
    if (agents.closed) return
    if (newest?.smoke !== null) continue
    await trials
      .play(newest)
      .then(() => onVerdict(newest))
      .catch(ignoreExpectedErrors)
  }
}

/** The names that a shipped agent may get in the class: its own, and another one if that is taken. */
function namesOfShipped(name: EntrantId, game: GameId): readonly EntrantId[] {
  return [name, `${name}-${game}`]
}
