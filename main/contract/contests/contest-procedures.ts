import * as z from 'zod'
import type {
  ContestDetail,
  ContestResult,
  ContestSummary,
  Deletion,
  MatchSummary,
  Page,
  StandingRow,
} from '../procedures/answers.ts'
import { arenaPlace, type ArenaPlace, type OpenArena } from '../players/arena.ts'
import { contestDescription, type ContestDescription } from './contests.ts'
import { decisionWish, type DecisionWish, type NextRound } from './decisions.ts'
import { contestPhase, moment } from './contest-phases.ts'
import { contestId, sha256Hex, type ContestId, type EntrantId, type Sha256 } from '../ids.ts'
import { line } from '../players/line.ts'
import type { PartsTable } from '../game/match-parts.ts'
import { oneContest, page, procedure, search } from '../procedures/procedure.ts'
import type { Breakdowns } from './standings.ts'

/**
 * A contest as the New contest screen writes it: a contest description in which `config.challenge` may be the name of a
 * challenge, of the class or built-in. Agents are given by hash: they were handed in before.
 */
export const contestDraft = contestDescription
export type ContestDraft = ContestDescription

/** An entrant and its team. */
export interface EntrantTeam {
  readonly entrant: EntrantId
  readonly team: string
}

/** An agent that cannot play with the settings of a contest. `why`: a sentence. */
export interface UnfitAgent {
  readonly agent: Sha256
  readonly why: string
}

const nextPhase = z.strictObject({
  contest: contestId,
  title: contestDescription.shape.title,
  seed: contestDescription.shape.seed,
  config: contestDescription.shape.config,
  weights: contestPhase.shape.weights,
  deadline: moment,
})
export type NextPhase = z.infer<typeof nextPhase>

const decided = z.strictObject({ contest: contestId, wish: decisionWish })

/** Making, running and reading contests. */
export const contestProcedures = {
  /**
   * `person`: only contests in which a person plays (true) or none does (false); absent: all. `archived`: the archived contests
   * instead of the others.
   */
  'contests.list': procedure<
    { offset: number; limit: number; search: string; person?: boolean; archived?: true },
    Page<ContestSummary>
  >(
    z.strictObject({ ...page, search, person: z.boolean().exactOptional(), archived: z.literal(true).exactOptional() }),
  ),
  'contests.result': procedure<{ contest: string }, ContestResult>(oneContest),
  'contests.get': procedure<{ contest: string }, ContestDetail>(oneContest),
  /** Best first. */
  /** `asPlayed`: without rulings of hearings. */
  'contests.standings': procedure<
    { contest: string; offset: number; limit: number; asPlayed?: true },
    Page<StandingRow>
  >(z.strictObject({ contest: contestId, ...page, asPlayed: z.literal(true).exactOptional() })),
  'contests.breakdowns': procedure<{ contest: string }, Breakdowns>(oneContest),
  /**
   * The table of parts of the contest, as far as matches can be read in about a second; null: it has none. A caller that
   * wants the rest asks again.
   */
  'contests.parts': procedure<{ contest: string }, PartsTable | null>(oneContest),
  /** In the order of the description. */
  'contests.entrants': procedure<
    { contest: string; offset: number; limit: number },
    Page<ContestDraft['entrants'][number]>
  >(z.strictObject({ contest: contestId, ...page })),
  /** The team of each entrant, in the order of the description; an agent that names none is a team of its own name. */
  'contests.teams': procedure<{ contest: string }, readonly EntrantTeam[]>(oneContest),
  'contests.matches': procedure<
    { contest: string; offset: number; limit: number; entrant: string },
    Page<MatchSummary>
  >(z.strictObject({ contest: contestId, ...page, entrant: search })),
  /** The number of matches, and the estimated duration on this machine in ms (null: no measurements yet). */
  'contests.estimate': procedure<{ draft: ContestDraft }, { readonly matches: number; readonly ms: number | null }>(
    z.strictObject({ draft: contestDraft }),
  ),
  /**
   * The agents that ship with a game and cannot play with these settings, as the game declares them: their packages, and why
   * in a sentence. Refused if the settings are not valid.
   */
  'contests.unfit': procedure<Pick<ContestDraft, 'game' | 'config'>, readonly UnfitAgent[]>(
    z.strictObject({ game: contestDescription.shape.game, config: contestDescription.shape.config }),
  ),
  /**
   * Plays one trial match of an agent of the class, in its version that would play, with the game, settings, limits, clock and
   * policy of a contest. The verdict is that of this contest alone and is not kept. `agents.stop` stops it.
   */
  'contests.try': procedure<{ draft: ContestDraft; agent: Sha256 }, { readonly ok: boolean; readonly text: string }>(
    z.strictObject({ draft: contestDraft, agent: sha256Hex }),
  ),
  /** `arena`: where agents on other machines connect, if the contest has any; absent: `defaultArenaPlace`. */
  'contests.create': procedure<{ draft: ContestDraft; arena?: ArenaPlace }, { readonly contest: ContestId }>(
    z.strictObject({ draft: contestDraft, arena: arenaPlace.exactOptional() }),
  ),
  /**
   * Adds a contest with the description of another one, except for title and seed. The agents of the class play with the
   * versions that are active now. Refused if a person plays in it.
   */
  'contests.duplicate': procedure<{ contest: string; title: string; seed: string }, { readonly contest: ContestId }>(
    z.strictObject({ contest: contestId, title: contestDescription.shape.title, seed: contestDescription.shape.seed }),
  ),
  /**
   * Runs a contest that is over again, with the same versions of its agents and the same seed, as a contest of its own that
   * does not count. Its page compares the matches. Refused if a package is missing or players are on other machines.
   */
  'contests.rerun': procedure<{ contest: string }, { readonly contest: ContestId }>(oneContest),
  /**
   * Adds the next phase of a contest that has ended: the same contest with these settings of the game, whose results count
   * together with those before. `weights`: of all phases, oldest first. `deadline`: until when entries may be adapted; then
   * each agent of the class plays with the version that is active at that time. Refused if a phase follows already.
   */
  'contests.nextPhase': procedure<NextPhase, { readonly contest: ContestId }>(nextPhase),
  /** Closes the entries of a contest before their deadline; see `contests.nextPhase`. */
  'contests.closeEntries': procedure<{ contest: string }, null>(oneContest),
  /**
   * Starts a contest and returns. If agents on other machines take part, its arena is then open, and the matches begin
   * when all of them are connected. `arena`: replaces the stored address of the arena. `phrase`: of the class, which a
   * contest with `classPhrase` needs at its first start.
   */
  'contests.start': procedure<{ contest: string; arena?: ArenaPlace; phrase?: string }, null>(
    z.strictObject({ contest: contestId, arena: arenaPlace.exactOptional(), phrase: line.exactOptional() }),
  ),
  /** The credentials of an open arena. They are returned once, to the first caller; each start creates new ones. */
  'contests.credentials': procedure<{ contest: string }, OpenArena>(oneContest),
  /** Closes the arena and discards running matches; `contests.start` resumes the contest. */
  'contests.pause': procedure<{ contest: string }, null>(oneContest),
  /** Begins no more matches; the contest stops when those that are being played are finished. */
  'contests.finish': procedure<{ contest: string }, null>(oneContest),
  'contests.cancel': procedure<{ contest: string }, null>(oneContest),
  /** The consequences of a decision about an open contest, in sentences; nothing is changed. */
  'contests.consequences': procedure<{ contest: string; wish: DecisionWish }, readonly string[]>(decided),
  /**
   * Withdraws an entrant, lets an agent enter late, or pairs the next round, as far as the format allows it. It is recorded
   * in the histories. Refused while the contest runs.
   */
  'contests.decide': procedure<{ contest: string; wish: DecisionWish }, null>(decided),
  /** The round that can be paired by hand. */
  'contests.nextRound': procedure<{ contest: string }, NextRound>(oneContest),
  /** Leaves a contest that is over out of lists, or lists it again. Its results count all the same. */
  'contests.archive': procedure<{ contest: string; archived: boolean }, null>(
    z.strictObject({ contest: contestId, archived: z.boolean() }),
  ),
  /** The consequences of `contests.delete`; nothing is changed. */
  'contests.deletion': procedure<{ contest: string }, Deletion>(oneContest),
  /** Deletes a contest that is over, with its histories. Refused if another contest continues or repeats it. */
  'contests.delete': procedure<{ contest: string }, null>(oneContest),
} as const
