import * as z from 'zod'
import type { ContestId, EntrantId, GameId, Sha256 } from '../../contract/ids.ts'
import type { PersonId } from '../../contract/people/people.ts'
import { practiceState, type PracticeState } from '../../contract/people/practice.ts'
import type { TeamId } from '../../contract/people/teams.ts'
import type { PeopleDatabase } from './people-database.ts'

// The practice matches of teams, each a row from the moment when it was asked for.

/** A practice match of a team. */
export interface StoredPractice {
  readonly id: number
  readonly team: TeamId
  readonly person: PersonId
  readonly game: GameId
  /** The own agent, its package, and the number of that version. */
  readonly agent: EntrantId
  readonly version: Sha256
  readonly number: number
  /** The package of the opponent, and its words on screens. */
  readonly opponent: Sha256
  readonly against: string
  /** The contest under whose conditions it is played; null: those of a trial match. */
  readonly contest: ContestId | null
  /** ms since the epoch. */
  readonly at: number
  readonly state: PracticeState
  readonly text: string | null
}

const row = z.object({
  ...{ id: z.number(), team: z.string(), person: z.string(), game: z.string(), agent: z.string() },
  ...{ version: z.string(), number: z.number(), opponent: z.string(), against: z.string() },
  ...{ contest: z.string().nullable(), at: z.number(), state: practiceState, text: z.string().nullable() },
})

/** Adds a match that waits for its turn; returns its id. `members`: the people in the team at this time. */
export function addPractice(
  { database }: PeopleDatabase,
  members: readonly PersonId[],
  match: Omit<StoredPractice, 'id' | 'state' | 'text'>,
): number {
  const { team, person, game, agent, version, number, opponent, against, contest, at } = match
  const { lastInsertRowid } = database
    .prepare(
      `INSERT INTO practice (team, members, person, game, agent, version, number, opponent, against, contest, at, state)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting')`,
    )
    .run(team, JSON.stringify(members), person, game, agent, version, number, opponent, against, contest, at)
  return Number(lastInsertRowid)
}

/** Sets the state of a match, with its result in a sentence. */
export function setPractice({ database }: PeopleDatabase, id: number, state: PracticeState, text: string): void {
  database.prepare('UPDATE practice SET state = ?, text = ? WHERE id = ?').run(state, text, id)
}

/** A match; null: there is none. */
export function practiceNumbered({ database }: PeopleDatabase, id: number): StoredPractice | null {
  const found = database.prepare('SELECT * FROM practice WHERE id = ?').get(id)
  return found === undefined ? null : row.parse(found)
}

/** The newest matches of a team, newest first. */
export function newestPractice({ database }: PeopleDatabase, team: TeamId, most: number): readonly StoredPractice[] {
  return database
    .prepare('SELECT * FROM practice WHERE team = ? ORDER BY id DESC LIMIT ?')
    .all(team, most)
    .map((each) => row.parse(each))
}

/** The matches that a person began, oldest first. */
export function practiceBy({ database }: PeopleDatabase, person: PersonId): readonly StoredPractice[] {
  return database
    .prepare('SELECT * FROM practice WHERE person = ? ORDER BY id')
    .all(person)
    .map((each) => row.parse(each))
}

/** The matches that wait for their turns, oldest first. */
export function waitingPractice({ database }: PeopleDatabase): readonly StoredPractice[] {
  return database
    .prepare("SELECT * FROM practice WHERE state = 'waiting' ORDER BY id")
    .all()
    .map((each) => row.parse(each))
}

/**
 * The matches since a time that count against a team or against a person, whichever has more: those of teams of which the person was a
 * member then count for them, so that nobody has more by going from team to team. `from`: ms since the epoch. `person` null: the team
 * alone.
 */
export function usedPractice(
  { database }: PeopleDatabase,
  team: TeamId,
  person: PersonId | null,
  from: number,
): number {
  const ofTeam = database
    .prepare("SELECT count(*) AS used FROM practice WHERE at >= ? AND state <> 'void' AND team = ?")
    .get(from, team)
  const ofPerson = database
    .prepare(
      `SELECT count(*) AS used FROM practice WHERE at >= ?2 AND state <> 'void'
         AND EXISTS (SELECT 1 FROM json_each(members) WHERE value = ?1)`,
    )
    .get(person, from)
  return Math.max(Number(ofTeam?.['used'] ?? 0), Number(ofPerson?.['used'] ?? 0))
}
