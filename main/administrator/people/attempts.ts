import { extname } from 'node:path'
import * as z from 'zod'
import { agentVersion, type StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import type { ContestId, GameId, Sha256 } from '../../contract/ids.ts'
import { attemptState, type AttemptState } from '../../contract/people/hand-in.ts'
import { lateDays, type LateDays } from '../../contract/people/closing-time.ts'
import type { PersonId } from '../../contract/people/people.ts'
import type { TeamId } from '../../contract/people/teams.ts'
import type { PeopleDatabase } from './people-database.ts'

// The hand-ins of teams, each a row from the moment when its file is safe.

/** A hand-in of a team. */
export interface StoredAttempt {
  readonly id: number
  readonly team: TeamId
  /** null: the person at the program's machine. */
  readonly person: PersonId | null
  readonly contest: ContestId | null
  readonly game: GameId
  /** The name of the file, as the person gave it. */
  readonly file: string
  readonly sha256: Sha256
  /** ms since the epoch. */
  readonly at: number
  readonly state: AttemptState
  /** The verdict of its trial, or why it was refused or is void, as a sentence; null: there is none. */
  readonly reason: string | null
  /** The number of its receipt; null: it has none. */
  readonly receipt: number | null
  readonly isGivenBack: boolean
}

export type NewAttempt = Omit<StoredAttempt, 'id' | 'state' | 'reason' | 'receipt' | 'isGivenBack'> & {
  /** The people in the team at that time. */
  readonly members: readonly PersonId[]
  readonly wish: AttemptWish
}

const attemptWish = z.object({
  agent: z.string().nullable(),
  policies: z.array(z.string()).optional(),
  note: z.string().optional(),
})

/** The choices of a hand-in, with which its file is read again if the process is killed before its receipt. */
export type AttemptWish = z.infer<typeof attemptWish>

/** Adds a hand-in whose file is safe; returns its id. */
export function addAttempt({ database }: PeopleDatabase, attempt: NewAttempt): number {
  const { team, members, person, contest, game, file, sha256, at, wish } = attempt
  const { lastInsertRowid } = database
    .prepare(
      `INSERT INTO attempt (team, members, person, contest, game, file, sha256, at, wish, readings, state)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 'received')`,
    )
    .run(team, JSON.stringify(members), person, contest, game, file, sha256, at, JSON.stringify(wish))
  return Number(lastInsertRowid)
}

/** Writes down, before it is done, which receipt a hand-in gets and which version it becomes. */
export function planAttempt(
  { database }: PeopleDatabase,
  id: number,
  receipt: number,
  version: StoredAgentVersion,
  uses: LateDays | null,
): void {
  database
    .prepare('UPDATE attempt SET receipt = ?, version = ?, late_days = ? WHERE id = ?')
    .run(receipt, JSON.stringify(version), uses === null ? null : JSON.stringify(uses), id)
}

/** Takes back what was written down for a receipt that was not given: another hand-in gets its number. */
export function forgetPlan({ database }: PeopleDatabase, id: number): void {
  database.prepare('UPDATE attempt SET receipt = NULL, version = NULL, late_days = NULL WHERE id = ?').run(id)
}

/** Late days that the hand-in with a receipt uses. */
export type UsedLateDays = LateDays & { readonly team: TeamId; readonly receipt: number }

/** The late days that hand-ins with a receipt use, those whose trial failed or could not be judged left out. */
export function usedLateDays({ database }: PeopleDatabase): readonly UsedLateDays[] {
  return database
    .prepare(
      `SELECT team, late_days, receipt FROM attempt
       WHERE late_days IS NOT NULL AND receipt IS NOT NULL AND state NOT IN ('failed', 'refused', 'void') ORDER BY id`,
    )
    .all()
    .map((each) => {
      const { team, late_days: text, receipt } = lateRow.parse(each)
      return { team, receipt, ...lateDays.parse(JSON.parse(text)) }
    })
}

const lateRow = z.object({ team: z.string(), late_days: z.string(), receipt: z.int() })

/** Sets the late days that the hand-in with a receipt uses; null: none. */
export function setLateDays({ database }: PeopleDatabase, receipt: number, uses: LateDays | null): void {
  database
    .prepare('UPDATE attempt SET late_days = ?1 WHERE receipt = ?2 AND late_days IS NOT ?1')
    .run(uses === null ? null : JSON.stringify(uses), receipt)
}

/** Sets the state of a hand-in, whose choices and note are not needed any more. One that ends before it was accepted has no receipt; a receipt that was given stays. */
export function setAttempt(
  { database }: PeopleDatabase,
  id: number,
  state: AttemptState,
  reason: string | null = null,
): void {
  const hasNone = state === 'refused' || state === 'void'
  database
    .prepare(
      `UPDATE attempt SET state = ?, reason = ?, version = NULL, wish = NULL, receipt = CASE WHEN ? AND state = 'received' THEN NULL ELSE receipt END WHERE id = ?`,
    )
    .run(state, reason, hasNone ? 1 : 0, id)
}

/** Gives an attempt back: it does not count any more. */
export function giveBack({ database }: PeopleDatabase, id: number): void {
  database.prepare('UPDATE attempt SET given_back = 1 WHERE id = ?').run(id)
}

/** The hand-ins of a team from a time on, oldest first. `from`: ms since the epoch. */
export function attemptsOf({ database }: PeopleDatabase, team: TeamId, from = 0): readonly StoredAttempt[] {
  return database.prepare('SELECT * FROM attempt WHERE team = ? AND at >= ? ORDER BY id').all(team, from).map(attemptIn)
}

/** The newest hand-ins of a team, the newest one first. `before`: only those with a lower id; null: all. */
export function newestAttemptsOf(
  { database }: PeopleDatabase,
  team: TeamId,
  before: number | null,
  limit: number,
): readonly StoredAttempt[] {
  return database
    .prepare('SELECT * FROM attempt WHERE team = ?1 AND (?2 IS NULL OR id < ?2) ORDER BY id DESC LIMIT ?3')
    .all(team, before, limit)
    .map(attemptIn)
}

/** The hand-ins that count against a person: those of teams of which they were a member then, from a time on, oldest first. */
export function attemptsAround({ database }: PeopleDatabase, person: PersonId, from: number): readonly StoredAttempt[] {
  return database
    .prepare(
      `SELECT * FROM attempt WHERE at >= ?2 AND (person = ?1 OR EXISTS (SELECT 1 FROM json_each(members) WHERE value = ?1))
       ORDER BY id`,
    )
    .all(person, from)
    .map(attemptIn)
}

/** The hand-ins that a person made, in any team, oldest first. */
export function attemptsBy({ database }: PeopleDatabase, person: PersonId): readonly StoredAttempt[] {
  return database.prepare('SELECT * FROM attempt WHERE person = ? ORDER BY id').all(person).map(attemptIn)
}

/** The files that a team has handed in, and those of a person in any team. */
export function filesOf({ database }: PeopleDatabase, team: TeamId, person: PersonId | null): readonly Sha256[] {
  return database
    .prepare('SELECT DISTINCT sha256 FROM attempt WHERE team = ?1 OR person = ?2')
    .all(team, person)
    .map((each) => String(each['sha256']))
}

/** The hand-ins in a state, oldest first. */
export function attemptsIn({ database }: PeopleDatabase, state: AttemptState): readonly StoredAttempt[] {
  return database.prepare('SELECT * FROM attempt WHERE state = ? ORDER BY id').all(state).map(attemptIn)
}

/** The hand-ins whose trials are not over: those that are being read or built, then those that wait. */
export function untriedAttempts(people: PeopleDatabase): readonly StoredAttempt[] {
  return [...attemptsIn(people, 'received'), ...attemptsIn(people, 'waiting')]
}

/** The number of hand-ins in each state that one has. */
export function countAttempts({ database }: PeopleDatabase): Partial<Record<AttemptState, number>> {
  const rows = database.prepare('SELECT state, count(*) AS number FROM attempt GROUP BY state').all()
  return Object.fromEntries(rows.map(({ state, number }) => [attemptState.parse(state), Number(number)]))
}

/** The newest hand-in of each team. */
export function newestAttempts({ database }: PeopleDatabase): ReadonlyMap<TeamId, StoredAttempt> {
  const rows = database.prepare('SELECT * FROM attempt WHERE id IN (SELECT max(id) FROM attempt GROUP BY team)').all()
  return new Map(rows.map((each) => attemptIn(each)).map((attempt) => [attempt.team, attempt]))
}

/** The hand-in with a receipt; null: there is none. */
export function attemptWithReceipt({ database }: PeopleDatabase, receipt: number): StoredAttempt | null {
  const row = database.prepare('SELECT * FROM attempt WHERE receipt = ?').get(receipt)
  return row === undefined ? null : attemptIn(row)
}

/** The version that a hand-in was about to become; null: it was not so far. */
export function plannedVersion({ database }: PeopleDatabase, id: number): StoredAgentVersion | null {
  const text = database.prepare('SELECT version FROM attempt WHERE id = ?').get(id)?.['version']
  return typeof text === 'string' ? agentVersion.parse(JSON.parse(text)) : null
}

/** Times that a file is read in all: one that ends the process each time would end it for ever. */
const READINGS_MAX = 3

/** Counts a reading of a file, which begins. */
export function countReading({ database }: PeopleDatabase, id: number): void {
  database.prepare('UPDATE attempt SET readings = readings + 1 WHERE id = ?').run(id)
}

/** Takes a reading back that the file did not end. */
export function uncountReading({ database }: PeopleDatabase, id: number): void {
  database.prepare('UPDATE attempt SET readings = max(readings - 1, 0) WHERE id = ?').run(id)
}

/**
 * The choices of a hand-in whose reading a process did not end, for one reading more; null: an older version of the program wrote it, or
 * it was read too often.
 */
export function wishOf({ database }: PeopleDatabase, id: number): AttemptWish | null {
  const found = database.prepare('SELECT wish FROM attempt WHERE id = ? AND readings < ?').get(id, READINGS_MAX)
  const text = found?.['wish']
  return typeof text === 'string' ? attemptWish.parse(JSON.parse(text)) : null
}

/** True if a hand-in of this file is recorded that was not refused, or not before a time (ms since the epoch). */
export function isRecorded({ database }: PeopleDatabase, sha256: Sha256, refusedFrom: number): boolean {
  const found = database
    .prepare("SELECT 1 FROM attempt WHERE sha256 = ? AND (state <> 'refused' OR at >= ?) LIMIT 1")
    .get(sha256, refusedFrom)
  return found !== undefined
}

const row = z.object({
  ...{ id: z.int(), team: z.string(), person: z.string().nullable(), contest: z.string().nullable() },
  ...{ game: z.string(), file: z.string(), sha256: z.string(), at: z.int(), state: attemptState },
  ...{ reason: z.string().nullable(), receipt: z.int().nullable(), given_back: z.int() },
})

function attemptIn(value: unknown): StoredAttempt {
  const { given_back: givenBack, ...attempt } = row.parse(value)
  return { ...attempt, isGivenBack: givenBack !== 0 }
}

/** Takes choices and notes out of all hand-ins that were read, and out of the unused parts of the file. Throws the system's error. */
export function forgetWishes({ database }: PeopleDatabase): void {
  database.exec("UPDATE attempt SET wish = NULL WHERE state <> 'received'; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
}

/** Takes the names of the files that a person handed in out of their attempts, with choices and notes; the kind of file stays. */
export function eraseFileNames({ database }: PeopleDatabase, person: PersonId): void {
  const rename = database.prepare('UPDATE attempt SET file = ?, wish = NULL WHERE id = ?')
  for (const { id, file } of attemptsBy({ database }, person)) rename.run(`erased${extname(file)}`, id)
  database
    .prepare(
      "UPDATE attempt SET version = json_remove(version, '$.handIn.note') WHERE person = ? AND version IS NOT NULL",
    )
    .run(person)
}
