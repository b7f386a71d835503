import * as z from 'zod'
import { entrantId, sha256Hex, type EntrantId, type GameId, type Sha256 } from '../ids.ts'
import { procedure } from '../procedures/procedure.ts'
import { teamId, type TeamId } from './teams.ts'

// Practice of teams: single matches of an own version against an agent that ships or another own version. They are played in the queue
// of trials, do not count, and are for the team and staff alone.

/** The newest practice matches of a team that are listed, and whose histories are kept. */
export const PRACTICE_KEPT = 20

/**
 * `failed`: the own agent was at fault, or the match took too long. `void`: this machine did not play it, so that it does not count
 * against the budget of the day.
 */
export const practiceState = z.enum(['waiting', 'played', 'failed', 'void'])
export type PracticeState = z.infer<typeof practiceState>

/** A practice match of a team. */
export interface PracticeMatch {
  readonly id: number
  /** When it was asked for: ISO 8601, UTC. */
  readonly at: string
  /** The name of the member; null: they have left the class. */
  readonly by: string | null
  readonly agent: EntrantId
  /** The number of the version. */
  readonly version: number
  /** The opponent in words, such as `minmax` or `walker, version 2`. */
  readonly against: string
  readonly state: PracticeState
  /** The result in a sentence; null: it has not been played yet. */
  readonly text: string | null
  /** True if its history can be opened. */
  readonly isKept: boolean
}

/** An agent or a version that can be chosen, by its package. */
export interface PracticeChoice {
  readonly agent: Sha256
  readonly label: string
}

/** An agent of the team with what it can play against. */
export interface PracticeAgent {
  readonly agent: EntrantId
  readonly game: GameId
  /** Newest first. */
  readonly versions: readonly PracticeChoice[]
  /** Those that ship first, then the team's own versions in this game, newest first. */
  readonly opponents: readonly PracticeChoice[]
}

/** The practice of a team. */
export interface Practice {
  /** The practice matches of today that count. */
  readonly used: number
  readonly left: number
  /** The budget of a day, a setting of the class. */
  readonly perDay: number
  readonly agents: readonly PracticeAgent[]
  /** The newest ones, newest first. */
  readonly matches: readonly PracticeMatch[]
}

const ofTeam = z.strictObject({ team: teamId.nullable().default(null) })

/** The procedures of practice. `team` null: the caller's own. */
export const practiceProcedures = {
  'practice.get': procedure<{ team: TeamId | null }, Practice>(ofTeam),
  /**
   * Queues a match of a version of the caller's team. `opponent`: an agent that ships and can play, or a version of the team's agents, by
   * its package; others do not exist.
   */
  'practice.begin': procedure<{ name: EntrantId; agent: Sha256; opponent: Sha256 }, { readonly match: number }>(
    z.strictObject({ name: entrantId, agent: sha256Hex, opponent: sha256Hex }),
  ),
  /** Opens the history of a practice match as a file. Refused if it is not kept. */
  'practice.match': procedure<{ team: TeamId | null; match: number }, { readonly file: string }>(
    ofTeam.extend({ match: z.int().min(1) }),
  ),
} as const
