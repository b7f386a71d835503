import { storedAgentKind } from '../../../administrator/classroom/agents.ts'
import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import { combinedStandings } from '../standings/combined-standings.ts'
import { runContest, type ContestRun } from '../engine/contest-run.ts'
import { createRecord, type ContestRecord } from '../standings/contest-record.ts'
import { seedReveal, withMixedSeed } from '../../../histories/seed-commitment.ts'
import { countColumns } from '../formats/counting.ts'
import { matchCount, matchCountVaries } from '../schedule/schedule.ts'
import type { RunsInPlay } from '../../../contract/game/live-match.ts'
import type { WorkerProcess } from '../../machine/worker-process.ts'
import type { ArenaPlace } from '../../../contract/players/arena.ts'
import type { ContestEntry } from '../../../contract/procedures/classroom.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { ContestId } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import type { IsolationTier } from '../../../contract/limits.ts'
import type { ByteTransport, SeatTransport } from '../../../contract/players/seat-transport.ts'
import { policyName, policyOf, type Bounty } from '../../../contract/contests/policy.ts'
import type { ContestPhases, ContestProgress, CountColumn } from '../../../contract/procedures/procedures.ts'
import { didYouMean } from '../../../contract/near-miss.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { canonicalText } from '../../../histories/canonical.ts'
import { newNonce } from '../../../histories/nonce.ts'
import { scanContest } from '../../../histories/segments/contest-scan.ts'
import { adaptedEntrants } from '../descriptions/adapted-entrants.ts'
import { completeConfig, completeVariants } from '../descriptions/contest-file.ts'
import { checkEntrants, gameContests, hasPerson, newContest, type NewContest } from '../descriptions/new-contest.ts'
import { withStatements } from '../../entries/stated-entrants.ts'
import { keepTexts, withReferences } from '../../texts/kept-texts.ts'
import { textsOf, withFormatTexts } from '../../texts/named-texts.ts'
import { connectingIn } from '../arena/network-contest.ts'
import { loadAgents } from '../../packages/codes.ts'
import { games } from '../../../referees/games.ts'
import { contestFolder } from '../../machine/data-folder.ts'
import { workersAtATime } from '../../machine/workers.ts'
import { checkConnecting } from '../arena/window-arena.ts'
import { componentsOfEntrants } from '../results/contest-shares.ts'
import { createRecords, type ContestCounts } from '../results/contest-records.ts'
import { compareMatches } from '../results/compared-matches.ts'
import { targetingReport, reportsTargeting } from '../results/targeting.ts'

export interface RunOptions {
  /** Match workers. */
  readonly workers: number
  /** Matches that each worker plays at a time; absent: as many as is best for the game. */
  readonly lanes?: number
  /** If absent, each worker is started when it is needed. */
  readonly launch?: () => WorkerProcess
  /** The isolation tier of the agents; it must be available on this machine. */
  readonly isolation: IsolationTier
  /** For contests with a person. */
  readonly seatTransport?: SeatTransport | undefined
  /** For contests with agents on other machines. */
  readonly byteTransport?: ByteTransport | undefined
  /** For those who watch its matches; absent: nobody does. */
  readonly runsInPlay?: RunsInPlay
  readonly signal: AbortSignal
  /** Stops the contest when the matches that are being played are finished. */
  readonly finishing?: AbortSignal
  onNotice(text: string): void
  onProgress(progress: ContestProgress): void
}

/** The contests of a data folder. Window and command line make, run and read them through this. */
export interface Contests {
  /** Throws ExpectedError 'usage' if there is no such contest. */
  entry(id: ContestId): ContestEntry
  /**
   * The description with its large texts, which `entry` has by their hashes. Throws ExpectedError if one is missing.
   */
  complete(id: ContestId): Promise<ContestDescription>
  /** The complete config of a contest and those of its format's variants. Throws like `complete`. */
  configs(id: ContestId): Promise<{ readonly config: Json; readonly variants: readonly Json[] }>
  /** The newest open contest with exactly this description, whose config is complete, that repeats no other. */
  twin(description: ContestDescription): ContestEntry | undefined
  /**
   * Adds a new contest; `description.config` must be complete and its agents stored. Throws ExpectedError 'usage' if an
   * agent does not accept the contest's security policy, is a web application at an address that the class does not
   * allow, or is in the same team as another.
   */
  add(description: ContestDescription, more?: Omit<NewContest, 'nonce'>): Promise<ContestEntry>
  /**
   * Closes the entries of a contest, if they are open: each entrant gets the version of its agent that is active at the
   * deadline, or, with `early`, now if that is before. Throws ExpectedError 'usage' if the deadline has not passed, or a version may not play.
   */
  closeEntries(id: ContestId, when?: { readonly early?: boolean }): Promise<void>
  /** The phases of a contest up to this one; null: it has none before it. Rejects like `record`. */
  phases(id: ContestId): Promise<ContestPhases | null>
  /** The contest that is the next phase of this one; null: there is none, or it was cancelled. */
  followedBy(id: ContestId): ContestId | null
  /**
   * Records a bounty for an agent that found a fault of the administrator. Throws ExpectedError 'usage' if attacks on
   * the administrator are not allowed, or the agent did not play.
   */
  award(id: ContestId, bounty: Bounty): Promise<void>
  /**
   * Records the phrase of the class, with which the seed is mixed; it is given once. Throws ExpectedError 'usage' if the
   * contest asks for none, has another one already, or is not open.
   */
  givePhrase(id: ContestId, phrase: string): Promise<void>
  /** Sets where agents on other machines connect. Throws ExpectedError 'usage' if that does not fit the contest. */
  place(id: ContestId, place: ArenaPlace): Promise<void>
  /** Marks an open contest as ended or cancelled. */
  settle(id: ContestId, state: 'ended' | 'cancelled'): Promise<void>
  /** Records whether a contest resumes by itself when the classroom is opened again. */
  keepGoing(id: ContestId, goesOn: boolean): Promise<void>
  /**
   * Plays the remaining matches of a contest, until it is over or the signal aborts. The caller must not run a contest
   * twice at the same time. Throws ExpectedError or MachineError.
   */
  run(id: ContestId, options: RunOptions): Promise<ContestRun>
  /**
   * The record of a contest's histories; the live record if the contest is running. Throws ExpectedError 'verdict' if
   * they are damaged.
   */
  record(id: ContestId): Promise<ContestRecord>
  /** A summary of the record that is kept in memory permanently. */
  counts(id: ContestId): Promise<ContestCounts>
  /** The folder of its segments. */
  folder(id: ContestId): string
  /** The number of its matches, played or not; if `varies`, results may change it. */
  matches(id: ContestId): number
  varies(id: ContestId): boolean
  /** What its game counts in outcomes, as columns of the standings. */
  countColumns(id: ContestId): readonly CountColumn[]
  /** Whether programs play in it, which need isolation that not every tier has. */
  hasPrograms(id: ContestId): boolean
  /** Whether a person plays in it. */
  hasPerson(id: ContestId): boolean
  /** Whether agents on other machines play in it. */
  connects(id: ContestId): boolean
}

export function openContests(home: ClassFolder): Contests {
  const folder = (id: ContestId): string => contestFolder(home.folder, id)

  const entry = (id: ContestId): ContestEntry => {
    const found = home.content.contests.find((each) => each.id === id)
    if (found === undefined)
      throw new ExpectedError('usage', 'contest-unknown', `There is no contest "${id}" in ${home.folder}.`)
    return found
  }

  /** Changes a contest of the class. */
  const edit = (id: ContestId, how: (entry: ContestEntry) => void): Promise<void> =>
    home.change(({ contests }) => {
      const found = contests.find((each) => each.id === id)
      if (found === undefined)
        throw new ExpectedError('usage', 'contest-unknown', `There is no contest "${id}" in ${home.folder}.`)
      how(found)
    })

  /** Keeps which components the entrants' packages contain, in a contest with a share for their authors. */
  const noteComponents = async (id: ContestId): Promise<void> => {
    const { description } = entry(id)
    if (description.componentShare === undefined) return
    const components = await componentsOfEntrants(home.folder, description)
    await edit(id, (found) => void (found.components = components))
  }

  const records = createRecords(async (id) => {
    const { description, phrase } = entry(id)
    const record = createRecord(withMixedSeed(description, phrase), gameContests(description))
    const scan = await scanContest({ dir: folder(id), contest: id, key: home.key.publicKey, keeper: record })
    if (!scan.ok) throw new ExpectedError('verdict', 'history-damaged', scan.damage.message)
    return record
  })

  const complete = (id: ContestId): Promise<ContestDescription> =>
    completeDescription(home.folder, entry(id).description, id)

  const configs: Contests['configs'] = async (id) => {
    const completed = await complete(id)
    const variants = await completeVariants(completed, null, id, textsOf(home.folder), 'recorded')
    return { config: completed.config, variants }
  }

  const hasPrograms = (id: ContestId): boolean =>
    entry(id).description.entrants.some(({ agent }) => storedAgentKind(home.folder, agent) === 'program')

  return {
    entry,
    folder,
    hasPrograms,
    matches(id) {
      const { description } = entry(id)
      return matchCount(description, gameContests(description))
    },
    varies(id) {
      const { description } = entry(id)
      return matchCountVaries(description, gameContests(description))
    },
    countColumns: (id) => countColumns(gameContests(entry(id).description)),
    hasPerson: (id) => hasPerson(entry(id).description),
    connects: (id) => connectingIn(entry(id).description).length > 0,

    complete,
    configs,

    twin(description) {
      const text = canonicalText(withReferences(withStatements(home.content.agents, description)))
      return home.content.contests.findLast(
        (each) => each.state === 'open' && each.rerun === undefined && canonicalText(each.description) === text,
      )
    },

    async add(description, more = {}) {
      const nonce = newNonce()
      await keepTexts(home.folder, description)
      let id = ''
      await home.change((content) => {
        id = newContest(content, home.folder, description, { ...more, nonce })
      })
      await noteComponents(id)
      return entry(id)
    },

    async closeEntries(id, { early = false } = {}) {
      const { entriesUntil, state } = entry(id)
      if (entriesUntil === undefined) return
      if (state !== 'open') throw new ExpectedError('usage', 'contest-over', `The contest ${id} is already ${state}.`)
      if (!early && Date.now() < Date.parse(entriesUntil))
        throw new ExpectedError(
          'usage',
          'too-early',
          `Entries of ${id} may be adapted until ${entriesUntil}; it begins after that.`,
        )
      await home.change((content) => {
        const found = content.contests.find((each) => each.id === id)
        if (found === undefined) return
        const entrants = adaptedEntrants(content.agents, found.description, Date.parse(entriesUntil))
        found.description = withStatements(content.agents, { ...found.description, entrants })
        checkEntrants(content, found.description)
        delete found.entriesUntil
      })
      await noteComponents(id)
    },

    async phases(id) {
      const { phase } = entry(id).description
      if (phase === undefined) return null
      const { weights } = phase
      const chain: ContestEntry[] = []
      for (let at: ContestId | undefined = id; at !== undefined; at = chain[0]?.description.phase?.after)
        chain.unshift(entry(at))
      const standings = await Promise.all(chain.map(async (each) => (await records.get(each.id)).standings()))
      return {
        contests: chain.map((each, at) => ({
          contest: each.id,
          title: each.description.title,
          weight: weights[at]!,
        })),
        combined: combinedStandings(standings.map((rows, at) => ({ weight: weights[at]!, standings: rows }))),
      }
    },

    followedBy: (id) =>
      home.content.contests.findLast(
        ({ description, state }) => description.phase?.after === id && state !== 'cancelled',
      )?.id ?? null,

    award(id, bounty) {
      const { description } = entry(id)
      const policy = policyOf(description)
      if (!policy.administratorAttack) {
        throw new ExpectedError(
          'usage',
          'not-supported',
          `Under ${policyName(policy)} attacks on the administrator are not allowed, so there are no bounties.`,
        )
      }
      if (!description.entrants.some(({ name }) => name === bounty.agent)) {
        const names = description.entrants.map(({ name }) => name)
        const hint = didYouMean(bounty.agent, names)
        throw new ExpectedError(
          'usage',
          'entrant-unknown',
          `There is no entrant "${bounty.agent}" in the contest ${id}.${hint}`,
        )
      }
      return edit(id, (found) => void (found.bounties = [...(found.bounties ?? []), bounty]))
    },

    async givePhrase(id, phrase) {
      const { description, phrase: given, state } = entry(id)
      if (given === phrase) return
      if (description.classPhrase !== true)
        throw new ExpectedError(
          'usage',
          'phrase-not-expected',
          `The contest ${id} asks for no phrase: "classPhrase" is not set in it.`,
        )
      if (given !== undefined)
        throw new ExpectedError('usage', 'phrase-not-expected', `The phrase of ${id} is given already: "${given}".`)
      if (state !== 'open') throw new ExpectedError('usage', 'contest-over', `The contest ${id} is already ${state}.`)
      await edit(id, (found) => void (found.phrase = phrase))
      // It was made with the seed alone; nothing has been played.
      records.forget(id)
    },

    async place(id, place) {
      checkConnecting(entry(id).description, place)
      await edit(id, (found) => void (found.arena = place))
    },

    async keepGoing(id, goesOn) {
      if ((entry(id).goesOn ?? false) === goesOn) return
      await edit(id, (found) => {
        if (goesOn) found.goesOn = true
        else delete found.goesOn
      })
    },

    settle(id, state) {
      return edit(id, (found) => {
        if (found.state !== 'open')
          throw new ExpectedError('usage', 'contest-over', `The contest ${id} is already ${found.state}.`)
        found.state = state
      })
    },

    async run(id, options) {
      checkPhrase(entry(id))
      const { description, nonce, phrase, seeds = 'sha256' } = entry(id)
      const { isolation, workers, signal } = options
      const pace = createPace()
      const { config, variants } = await configs(id)
      const game = games.get(description.game)
      const agents = await loadAgents(home.folder, description, home.content.settings.webAddresses)
      const run = runContest({
        folder: folder(id),
        contest: id,
        description,
        nonce,
        phrase,
        seeds,
        contests: game?.contests,
        config,
        variants,
        isolation,
        key: home.key,
        workers,
        lanes: options.lanes ?? game?.matches.lanes ?? 1,
        repeatable: description.clock === 'frozen' && game?.matches.timed(config) === false,
        agents: agents.codes,
        launch: options.launch ?? workersAtATime(workers),
        seatTransport: options.seatTransport,
        byteTransport: options.byteTransport,
        runsInPlay: options.runsInPlay,
        signal,
        finishing: options.finishing,
        onNotice: (text) => options.onNotice(text),
        onProgress(record) {
          records.live(id, record)
          options.onProgress(pace(record))
        },
      })
      const ended = await run.finally(async () => {
        records.rest(id)
        await agents.remove()
      })
      const { playedAgain } = ended
      if (playedAgain !== null) {
        await edit(id, (found) => {
          found.playedAgain = { ...playedAgain, different: [...playedAgain.different] }
        })
      }
      const { rerun } = entry(id)
      if (rerun !== undefined && ended.state === 'finished') {
        const first = { folder: folder(rerun.of), record: await records.get(rerun.of) }
        const { matches, different } = await compareMatches(first, { folder: folder(id), record: ended.record })
        await edit(id, (found) => void (found.rerun = { ...rerun, compared: { matches, different: [...different] } }))
      }
      if (ended.state === 'finished' && reportsTargeting(description)) {
        const read = { game: description.game, folder: folder(id), record: ended.record, config }
        const targeting = await targetingReport(read, signal).catch((error: unknown) => {
          if (!(error instanceof ExpectedError)) throw error
          options.onNotice(error.message)
          return null
        })
        if (targeting !== null) {
          await edit(id, (found) => void (found.targeting = targeting))
        }
      }
      return ended
    },

    record: (id) => records.get(id),
    counts: (id) => records.counts(id),
  }
}

/**
 * A stored description with its large texts. `name`: for messages. Throws ExpectedError if a text is missing or the
 * config is not valid any more.
 */
export async function completeDescription(
  data: string,
  description: ContestDescription,
  name: string,
): Promise<ContestDescription> {
  const texts = textsOf(data)
  const format = await withFormatTexts(description.game, description.format, null, name, texts)
  const config = await completeConfig({ ...description, format }, null, name, texts, 'recorded')
  // `Json` is readonly and the schema's type is not; nothing modifies the value.
  return { ...description, format, config: config as ContestDescription['config'] }
}

/** Throws ExpectedError 'usage' if a contest still waits for the phrase of the class. `then`: what is to be done. */
export function checkPhrase(entry: ContestEntry, then = 'it begins when the class has given a phrase'): void {
  if (entry.description.classPhrase !== true || entry.phrase !== undefined) return
  const committed = `The entries of ${entry.id} are closed, and it is committed to ${seedReveal(entry).commitment}`
  throw new ExpectedError('usage', 'phrase-missing', `${committed}: ${then}.`)
}

/** Adds the remaining time to progress, estimated from the pace of this run alone. */
function createPace(): (record: ContestRecord) => ContestProgress {
  let first: { readonly done: number; readonly at: number } | null = null
  return ({ done, total }) => {
    const at = performance.now()
    first ??= { done, at }
    const pace = (at - first.at) / (done - first.done)
    return { done, total, msLeft: Number.isFinite(pace) ? Math.round(pace * (total - done)) : null }
  }
}
