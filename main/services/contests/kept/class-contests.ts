import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import { combinedStandings } from '../standings/standings.ts'
import type { ContestRun } from '../engine/contest-run.ts'
import type { ContestRecord } from '../standings/contest-record.ts'
import { countColumns } from '../formats/counting.ts'
import { matchCount, matchCountVaries } from '../schedule/schedule.ts'
import type { ArenaPlace } from '../../../contract/players/arena.ts'
import type { ContestEntry } from '../../../contract/procedures/classroom.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { DecisionWish, NextRound, PossibleDecisions } from '../../../contract/contests/decisions.ts'
import type { CountedRuling, NewRuling, Remedy } from '../../../contract/contests/rulings.ts'
import type { ContestId, EntrantId } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import type { Deletion } from '../../../contract/procedures/answers.ts'
import type { Bounty } from '../../../contract/contests/policy.ts'
import type { Deadline } from '../../../contract/people/closing-time.ts'
import type { HandInRulesChange } from '../../../contract/people/hand-in.ts'
import type { ContestPhases, CountColumn } from '../../../contract/procedures/procedures.ts'
import { canonicalText } from '../../../histories/canonical.ts'
import { gameContests, hasPerson, withNewSettings, type NewContest } from '../descriptions/new-contest.ts'
import { withStatements } from '../../entries/stated-entrants.ts'
import { withReferences } from '../../texts/kept-texts.ts'
import { checkConnecting, connectingIn } from '../arena/network-contest.ts'
import { afterRulingOf } from '../results/ruled-results.ts'
import type { ContestCounts } from '../results/contest-records.ts'

import {
  addContest,
  awardBounty,
  checkNotRebuilt,
  closeEntries,
  givePhrase,
  keepGoing,
  openEntries,
  setDeadline,
  settle,
  settleRebuilt,
  type OpenEntries,
} from './contest-edits.ts'
import {
  completeEntry,
  configsOf,
  editEntry,
  entryOf,
  folderOf,
  hasPrograms,
  openKept,
  withoutLateEntries,
  type KeptContests,
} from './kept-entries.ts'
import { consequencesOf, decide, possibleDecisions } from './decisions.ts'
import { checkRemedies, countRuling } from './rulings.ts'
import { archiveContest, deleteContest, deletionOf } from './put-away.ts'
import {
  allowRegistration,
  register,
  registrationOf,
  renewCredentials,
  withdrawRegistered,
  type Registrations,
} from './registrations.ts'
import { nextRound } from './round-pairing.ts'
import { runKept, type RunOptions } from './run-kept.ts'
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
  /** Throws ExpectedError 'conflict' if a contest with this description cannot go on because its seed is lost. */
  checkNotRebuilt(description: ContestDescription): void
  /** Marks contests that were rebuilt from their histories as ended if all of their matches are there. */
  settleRebuilt(): Promise<void>
  /**
   * Adds a new contest; `description.config` must be complete and its agents stored. Throws ExpectedError 'usage' if an
   * agent does not accept the contest's security policy, is a web application at an address that the class does not
   * allow, or is in the same team as another.
   */
  add(description: ContestDescription, more?: Omit<NewContest, 'nonce' | 'now'>): Promise<ContestEntry>
  /**
   * Closes the entries of a contest, if they are open: each entrant gets the version of its agent that is active at the
   * deadline, or, with `early`, now if that is before. Throws ExpectedError 'usage' if the deadline, or a later closing time of a
   * team, has not passed, if hand-ins that may play still wait for their trials, or if a version may not play. Returns the entrants that
   * play with a former version, since the newest one is a script of another game or needs a toolchain that is not offered.
   */
  closeEntries(id: ContestId, when?: { readonly early?: boolean }): Promise<readonly EntrantId[]>
  /** Reads contests that have not begun anew: entrants have got other names. */
  renamed(): void
  /** See `openEntries`. Throws ExpectedError 'usage' if there is no such contest. */
  openEntries(id: ContestId): OpenEntries | null
  /** See `setDeadline`. `rules`: those of the class that change with it. Rejects with ExpectedError 'usage' if there is no such contest. */
  setDeadline(
    deadline: Pick<Deadline, 'contest' | 'late'> & { readonly closes: string | null },
    rules?: HandInRulesChange,
  ): Promise<void>
  /** Registration for an announced contest; see registrations.ts. */
  readonly registrations: Registrations
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
  /** Leaves a contest that is over out of lists, or lists it again. Throws ExpectedError 'usage' if it is open. */
  archive(id: ContestId, archived: boolean): Promise<void>
  /** The consequences of deleting a contest, or why it cannot be deleted now. Throws ExpectedError 'usage' like `entry`. */
  deletion(id: ContestId): Promise<Deletion>
  /** Deletes a contest with its histories. Throws ExpectedError 'usage' if it is open or another contest needs it. */
  delete(id: ContestId): Promise<void>
  /** The kinds of decisions that a contest allows now. */
  possibleDecisions(id: ContestId): Promise<PossibleDecisions>
  /** The consequences of a decision in sentences. Throws like `decide`. */
  consequences(id: ContestId, wish: DecisionWish): Promise<readonly string[]>
  /** See `decide` in decisions.ts. */
  decide(id: ContestId, wish: DecisionWish): Promise<readonly string[]>
  /** See rulings.ts. */
  checkRemedies(id: ContestId, remedies: readonly Remedy[]): Promise<void>
  /** See `countRuling` in rulings.ts. */
  countRuling(id: ContestId, ruling: NewRuling): Promise<CountedRuling>
  /** The round that the educator can pair now. Throws ExpectedError 'usage' if there is none. */
  nextRound(id: ContestId): Promise<NextRound>
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
  /** The counts in its game's outcomes, as columns of the standings. */
  countColumns(id: ContestId): readonly CountColumn[]
  /** True if programs play in it, which need isolation that not every tier has. */
  hasPrograms(id: ContestId): boolean
  /** True if a person plays in it. */
  hasPerson(id: ContestId): boolean
  /** True if agents on other machines play in it. */
  connects(id: ContestId): boolean
}

/**
 * `now`: the clock of the class, by which entries close; ms since the epoch. `untried`: see `KeptContests`; by default there are no
 * hand-ins whose trials are not over.
 */
export function openContests(
  home: ClassFolder,
  now: () => number = Date.now,
  untried: KeptContests['untried'] = () => [],
): Contests {
  const kept = openKept(home, now, untried)
  const { records } = kept
  const described = (id: ContestId): ContestDescription => entryOf(kept, id).description
  return {
    entry: (id) => entryOf(kept, id),
    folder: (id) => folderOf(kept, id),
    complete: (id) => completeEntry(kept, id),
    configs: (id) => configsOf(kept, id),
    record: (id) => records.get(id),
    counts: (id) => records.counts(id),

    matches: (id) => matchCount(described(id), gameContests(described(id))),
    varies: (id) =>
      entryOf(kept, id).decisions !== undefined || matchCountVaries(described(id), gameContests(described(id))),
    countColumns: (id) => countColumns(gameContests(described(id))),
    hasPrograms: (id) => hasPrograms(kept, id),
    hasPerson: (id) => hasPerson(described(id)),
    connects: (id) => connectingIn(described(id)).length > 0,

    twin(description) {
      const text = (each: ContestDescription) => canonicalText(withNewSettings(each))
      const wanted = text(withReferences(withStatements(home.content.agents, description)))
      return home.content.contests.findLast(
        (each) => each.state === 'open' && each.rerun === undefined && text(withoutLateEntries(each)) === wanted,
      )
    },
    checkNotRebuilt: (description) => checkNotRebuilt(kept, description),
    settleRebuilt: () => settleRebuilt(kept),
    phases: (id) => phasesOf(kept, id),
    followedBy: (id) =>
      home.content.contests.findLast(
        ({ description, state }) => description.phase?.after === id && state !== 'cancelled',
      )?.id ?? null,

    add: (description, more = {}) => addContest(kept, description, more),
    closeEntries: (id, { early = false } = {}) => closeEntries(kept, id, early),
    renamed() {
      for (const { id } of home.content.contests) if (openEntries(kept, id) !== null) kept.records.forget(id)
    },
    openEntries: (id) => openEntries(kept, id),
    award: (id, bounty) => awardBounty(kept, id, bounty),
    setDeadline: (deadline, rules) => setDeadline(kept, deadline, rules),
    registrations: {
      of: (id, team, isStaff) => registrationOf(kept, entryOf(kept, id), team, isStaff),
      allow: (id, rule) => allowRegistration(kept, id, rule),
      register: (id, wish) => register(kept, id, wish),
      withdraw: (id, wish) => withdrawRegistered(kept, id, wish),
      renewCredentials: (id, team) => renewCredentials(kept, id, team),
    },
    givePhrase: (id, phrase) => givePhrase(kept, id, phrase),
    async place(id, place) {
      checkConnecting(described(id), place)
      await editEntry(kept, id, (found) => void (found.arena = place))
    },
    keepGoing: (id, goesOn) => keepGoing(kept, id, goesOn),
    settle: (id, state) => settle(kept, id, state),
    archive: (id, archived) => archiveContest(kept, id, archived),
    async deletion(id) {
      const entry = entryOf(kept, id)
      // One whose histories are damaged can be deleted, and the number of its matches is not known.
      const { finished } = await records.counts(id).catch(() => ({ finished: 0 }))
      return deletionOf(home.content, entry, finished)
    },
    delete: (id) => deleteContest(kept, id),
    possibleDecisions: (id) => possibleDecisions(kept, id),
    consequences: (id, wish) => consequencesOf(kept, id, wish),
    decide: (id, wish) => decide(kept, id, wish),
    checkRemedies: (id, remedies) => checkRemedies(kept, id, remedies),
    countRuling: (id, ruling) => countRuling(kept, id, ruling),
    nextRound: (id) => nextRound(kept, id),
    run: (id, options) => runKept(kept, id, options),
  }
}

async function phasesOf(kept: KeptContests, id: ContestId): Promise<ContestPhases | null> {
  const { phase } = entryOf(kept, id).description
  if (phase === undefined) return null
  const { weights } = phase
  const chain: ContestEntry[] = []
  for (let at: ContestId | undefined = id; at !== undefined; at = chain[0]?.description.phase?.after)
    chain.unshift(entryOf(kept, at))
  const standings = await Promise.all(chain.map(async (each) => (await kept.records.get(each.id)).standings()))
  return {
    contests: chain.map((each, at) => ({
      contest: each.id,
      title: each.description.title,
      weight: weights[at]!,
      ...afterRulingOf(each),
    })),
    combined: combinedStandings(standings.map((rows, at) => ({ weight: weights[at]!, standings: rows }))),
  }
}
