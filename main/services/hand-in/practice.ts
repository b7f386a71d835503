import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { storedAgentFile, storedAgentKind } from '../../administrator/classroom/agents.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { PRIVATE_FOLDER } from '../../administrator/classroom/private-files.ts'
import {
  addPractice,
  newestPractice,
  practiceNumbered,
  setPractice,
  usedPractice,
  type StoredPractice,
} from '../../administrator/people/practice-matches.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { PersonId } from '../../contract/people/people.ts'
import { PRACTICE_KEPT, type Practice } from '../../contract/people/practice.ts'
import type { Team } from '../../contract/people/teams.ts'
import type { StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import { makeFolder } from '../../histories/durable.ts'
import { MachineError } from '../../histories/machine-error.ts'
import type { Agents } from '../agents/class-agents.ts'
import { shippedAgents } from '../agents/opponents.ts'
import type { PracticeOrder, Verdict } from '../agents/smoke-matches.ts'
import type { Contests } from '../contests/kept/class-contests.ts'
import { modelOf } from '../contests/kept/practice.ts'
import { keptReason, reasonForTeam } from './reasons.ts'
import type { Receiving } from './receive.ts'

// Practice matches of teams. They take turns with trials in the queue of hand-ins and are played by the same player.

/** A practice match that takes longer is stopped, since others wait for their trials. ms. */
const PRACTICE_MS_MAX = 5 * 60_000
const TEXT_MAX = 8_000

/** The parts of a class that play the practice matches of its teams. */
export interface Practising extends Pick<Receiving, 'home' | 'people' | 'now' | 'beginningOfDay'> {
  /** Plays a match. Rejects with ExpectedError if it was not played to its end. */
  playPractice(match: StoredPractice, version: StoredAgentVersion, order: PracticeEnds): Promise<Verdict>
  /** True: the class is being closed. */
  closed: boolean
}

/** The file for the history of a match, and the beginning of its time. */
type PracticeEnds = Pick<PracticeOrder, 'exportTo' | 'begin'>

/** The practice matches of a team that count today, and how many are left. `viewer` null: for the team alone. */
export function practiceToday(
  { home, people, now, beginningOfDay }: Omit<Practising, 'playPractice' | 'closed'>,
  team: Team,
  viewer: PersonId | null,
): Pick<Practice, 'used' | 'left' | 'perDay'> {
  const perDay = home.content.handInRules.practiceADay
  const used = usedPractice(people, team.id, viewer, beginningOfDay(now()))
  return { used, left: Math.max(0, perDay - used), perDay }
}

/** A practice match that somebody asks for. */
export type PracticeWish = Omit<StoredPractice, 'id' | 'team' | 'at' | 'state' | 'text'>

/** Adds a match that waits for its turn; returns its id. Throws ExpectedError 'usage' if the budget of the day is used. */
export function addPracticeMatch(
  room: Omit<Practising, 'playPractice' | 'closed'>,
  team: Team,
  wish: PracticeWish,
): number {
  const { left, perDay } = practiceToday(room, team, wish.person)
  if (left === 0)
    throw new ExpectedError(
      'usage',
      'attempts-used',
      perDay === 0
        ? 'The educator of this class allows no practice matches.'
        : `The ${perDay} practice matches of today are used: by the team, or by you in another one.`,
    )
  const id = addPractice(room.people, team.members, { ...wish, team: team.id, at: room.now() })
  // This one takes the place of the oldest one that is kept.
  const former = newestPractice(room.people, team.id, PRACTICE_KEPT + 1)[PRACTICE_KEPT]
  if (former !== undefined) void drop(room.home, former.id)
  return id
}

const fileOf = ({ folder }: Pick<ClassFolder, 'folder'>, id: number): string => join(folder, 'practice', `${id}.jsonl`)

/** Deletes the history of a match. A file that cannot be deleted stays, and nobody is shown it. */
async function drop(home: Pick<ClassFolder, 'folder'>, id: number): Promise<void> {
  await rm(fileOf(home, id), { force: true }).catch(() => undefined)
}

/** Plays a match whose turn has come and keeps its result. Rejects on unexpected errors, which are kept as well. */
export async function playPracticeMatch(room: Practising, id: number): Promise<void> {
  const { home, people } = room
  const match = practiceNumbered(people, id)
  if (match?.state !== 'waiting') return
  const version = ownVersion(home, match)
  if (version === undefined) {
    setPractice(people, id, 'void', 'The version was removed before its turn.')
    return
  }
  makeFolder(join(home.folder, 'practice'), PRIVATE_FOLDER)
  const exportTo = { path: fileOf(home, id), overwrite: true, mode: 0o600 }
  const time: { limit: AbortSignal | null } = { limit: null }
  const begin = (): AbortSignal => (time.limit = AbortSignal.timeout(PRACTICE_MS_MAX))
  try {
    const { ok, text } = await room.playPractice(match, version, { exportTo, begin })
    setPractice(people, id, ok ? 'played' : 'failed', text.slice(0, TEXT_MAX))
  } catch (error) {
    // When the classroom is closed the match goes on waiting.
    if (room.closed) return
    if (time.limit?.aborted === true)
      setPractice(people, id, 'failed', 'It was stopped, because it took more than 5 minutes.')
    else setPractice(people, id, 'void', reasonForTeam(error))
    if (!(error instanceof ExpectedError || error instanceof MachineError)) throw error
  } finally {
    const isKept = newestPractice(people, match.team, PRACTICE_KEPT).some((each) => each.id === id)
    if (!isKept) await drop(home, id)
  }
}

function ownVersion({ content }: Pick<ClassFolder, 'content'>, match: StoredPractice): StoredAgentVersion | undefined {
  return content.agents.find(
    ({ hash, manifest, owner }) => hash === match.version && manifest.name === match.agent && owner === match.team,
  )
}

/** Plays practice matches with the agents of a class, as its trials are played. */
export function createPracticePlayer(sources: {
  readonly home: ClassFolder
  readonly agents: Pick<Agents, 'practise'>
  readonly contests: Pick<Contests, 'complete'>
}): Practising['playPractice'] {
  const { home, agents, contests } = sources
  return async (match, version, ends) => {
    const { game, opponent, against, contest } = match
    const shipped = (await shippedAgents(game)).find(({ agent }) => agent === opponent)
    const file = shipped?.name ?? storedAgentFile(home.folder, opponent, storedAgentKind(home.folder, opponent))
    const seed = randomBytes(32).toString('hex')
    // A contest that was deleted meanwhile has no conditions any more.
    const isThere = home.content.contests.some(({ id }) => id === contest)
    const conditions = isThere ? { conditions: await modelOf(contests, game, contest) } : {}
    return agents.practise(version, { ...ends, ...conditions, against: { file, name: against, seed } })
  }
}

/** The newest practice matches of a team, newest first. */
export function practiceView({ home, people }: Pick<Receiving, 'home' | 'people'>, team: Team): Practice['matches'] {
  const names = new Map(home.content.people.map(({ id, name }) => [id, name]))
  return newestPractice(people, team.id, PRACTICE_KEPT).map((match) => {
    const { id, at, person, agent, number, against, state, text } = match
    return {
      ...{ id, agent, version: number, against, state, text: keptReason(text) },
      at: new Date(at).toISOString(),
      by: names.get(person) ?? null,
      isKept: isPlayed(match) && existsSync(fileOf(home, id)),
    }
  })
}

const isPlayed = ({ state }: StoredPractice): boolean => state === 'played' || state === 'failed'

/** The history of a team's practice match. Throws ExpectedError 'usage' if the team has no such match, or it is not kept. */
export function practiceHistory({ home, people }: Pick<Receiving, 'home' | 'people'>, team: Team, id: number): string {
  const match = newestPractice(people, team.id, PRACTICE_KEPT).find((each) => each.id === id)
  const path = fileOf(home, id)
  if (match === undefined || !isPlayed(match) || !existsSync(path))
    throw new ExpectedError(
      'usage',
      'match-unknown',
      `There is no history of this practice match: those of the newest ${PRACTICE_KEPT} of a team are kept.`,
    )
  return path
}
