import { existsSync } from 'node:fs'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import {
  addAttempt,
  attemptsAround,
  attemptsIn,
  attemptsOf,
  countReading,
  filesOf,
  forgetPlan,
  planAttempt,
  setAttempt,
  uncountReading,
  usedLateDays,
  type StoredAttempt,
  type UsedLateDays,
} from '../../administrator/people/attempts.ts'
import { activePolicies } from '../../administrator/classroom/active-versions.ts'
import { teamClosing } from '../../administrator/classroom/team-closing.ts'
import type { PeopleDatabase } from '../../administrator/people/people-database.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ContestId, EntrantId, GameId, Sha256 } from '../../contract/ids.ts'
import { attemptsLeft, type Attempt, type AttemptsLeft } from '../../contract/people/attempts.ts'
import { lateDaysLeft, membersInTime } from '../../contract/people/closing-time.ts'
import { verdictOnHandIn, verdictSentence, type TimeVerdict } from '../../contract/people/time-verdict.ts'
import type { HandInRecord } from '../../contract/people/hand-in.ts'
import type { PersonId } from '../../contract/people/people.ts'
import type { Receipt } from '../../contract/people/receipts.ts'
import type { Team } from '../../contract/people/teams.ts'
import type { Classroom, StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import type { Becomes } from '../../contract/procedures/procedures.ts'
import type { Belonging } from '../../contract/players/agents.ts'
import type { OfferedToolchain } from '../../contract/players/toolchains.ts'
import { addSubmission, type AddedSubmission } from '../agents/hand-in.ts'
import { presentAgent } from '../pseudonyms/present-names.ts'
import { contestFolder } from '../machine/data-folder.ts'
import type { GivenFile, InRoom } from '../packages/uploaded-packages.ts'
import { requireLive, teamNumbered } from '../people/teams.ts'
import { keepFile, keptFile, type KeptFiles } from './kept-files.ts'
import { preventedBy, reasonForTeam } from './reasons.ts'
import { withRecord, type Recorded } from './repeats.ts'
import { addReceipt, nextNumber, nextTime, type ReceiptChain } from './receipt-chain.ts'

/** The parts of a class that receive the hand-ins of its teams. */
export interface Receiving {
  readonly home: ClassFolder
  readonly people: PeopleDatabase
  readonly chain: ReceiptChain
  readonly kept: KeptFiles
  /** The attempts whose files are being read at this moment. */
  readonly underway: Set<number>
  /** ms since the epoch. */
  now(): number
  /** The beginning of the day of a time, by the clocks of the class. ms since the epoch. */
  beginningOfDay(at: number): number
}

/** A file that a team hands in. */
export interface TeamHandIn {
  readonly file: GivenFile
  /** null: that of the contest, or of the team's agents. */
  readonly game: GameId | null
  readonly team: Team
  /** null: the person at the program's machine. */
  readonly person: PersonId | null
  /** null: for no contest. */
  readonly contest: ContestId | null
  /** The agent that it becomes a version of, or the name of a new one; null: the only one of the team in this game, or a new one. */
  readonly agent: EntrantId | null
  readonly policies?: Belonging['policies']
  readonly note?: string
  /** The time at which the file had arrived, by which it is judged. ms since the epoch. Absent: now. */
  readonly at?: number
  /** Reads the file when there is room for that. Absent: at once. */
  readonly inRoom?: InRoom
}

/** The answer to an accepted hand-in. */
export interface Received extends AddedSubmission {
  readonly attempt: number
  readonly receipt: Receipt
  /** About the time of the hand-in, a sentence. */
  readonly time: string
}

/**
 * Receives a file of a team. The order of writes: the file, its row as an attempt, the receipt, the version, the answer. A process that
 * is killed in between leaves what `recoverHandIns` completes, or `readAgain` reads. Throws ExpectedError 'usage' if the file is not an agent or the
 * team has no attempts left; the file is kept in the first case.
 */
export async function receive(room: Receiving, handIn: TeamHandIn): Promise<Received> {
  const { home, people } = room
  const { file, person, contest, agent, policies, note, at = room.now() } = handIn
  const game = gameOf(home.content, handIn)
  const becomes = becomesOf(home.content, { game, team: handIn.team, agent })
  checkContest(home.content, contest, game)
  const why = whyNotNow(room, handIn.team, person)
  if (why !== null) throw why
  const sha256 = await keepFile(room.kept, file, handIn.team.id, filesOf(people, handIn.team.id, person))
  // Its members may have renamed it or left meanwhile. With this attempt it stays in the class, whoever leaves.
  const team = requireLive(teamNumbered(home.content, handIn.team.id))
  // Others of the team may have used the attempt while the file was written. Nothing waits between this and its row.
  const tooMany = whyNotNow(room, team, person)
  const { id, members } = team
  const wish = {
    // By the time when it is read again the team may have more agents.
    agent: becomes.what === 'version' ? becomes.of : agent,
    ...(policies === undefined ? {} : { policies: [...policies] }),
    ...(note === undefined ? {} : { note }),
  }
  const attempt = addAttempt(people, {
    team: id,
    members,
    person,
    contest,
    game,
    file: file.fileName,
    sha256,
    at,
    wish,
  })
  if (tooMany !== null) {
    setAttempt(people, attempt, 'refused', tooMany.message)
    throw tooMany
  }
  room.underway.add(attempt)
  return readAttempt(room, { ...handIn, attempt, at, game, team, becomes, sha256 })
}

/** A file of a team that is safe, with its row. */
export interface Arrived extends Omit<TeamHandIn, 'file' | 'game' | 'agent'> {
  readonly attempt: number
  readonly at: number
  readonly file: Pick<GivenFile, 'fileName'>
  readonly game: GameId
  readonly becomes: Becomes
  readonly sha256: Sha256
  /** It is read again, and stays unread if the machine prevents that, or `signal` stops it. Absent: somebody waits for the answer. */
  readonly again?: { readonly signal: AbortSignal | undefined }
}

const atOnce: InRoom = (work) => work()

/** Reads a file that is safe, gives its receipt and adds its version. Rejects like `receive`; the row has the reason then. */
export async function readAttempt(room: Receiving, arrived: Arrived): Promise<Received> {
  const { home, people } = room
  const { attempt, at, file, game, team, contest, becomes, sha256, policies, inRoom = atOnce } = arrived
  const { id } = team
  let receipt: Receipt | undefined
  let time = ''
  const complete = async (version: StoredAgentVersion, known: StoredAgentVersion | undefined): Promise<Recorded> => {
    const verdict = timeVerdict(room, team, contest, at)
    const n = nextNumber(room.chain)
    const isPlaying = known !== undefined && (activePolicies(home.content.agents).get(known) ?? []).length > 0
    const recorded = withRecord(version, recordOf(arrived, n, verdict), known, isPlaying)
    if (contest !== null && recorded.isNew) time = verdictSentence(verdict)
    const uses = recorded.isNew && verdict.is === 'late' ? verdict.uses : null
    planAttempt(people, attempt, n, recorded.version, uses)
    receipt = addReceipt(room.chain, {
      ...{
        team: teamNumbered(home.content, id).name,
        agent: version.manifest.name,
        version: version.number ?? 1,
        sha256,
      },
      received: new Date(at).toISOString(),
      at: new Date(nextTime(room.chain, Math.max(at, room.now()))).toISOString(),
      ...{ contest, time: verdict.is },
    })
    return recorded
  }
  try {
    const added = await inRoom(() => {
      countReading(people, attempt)
      return addSubmission(home, {
        file: { fileName: file.fileName, path: keptFile(room.kept, sha256) },
        toolchains: offeredBy(home.content, contest),
        ...{ game, becomes, at, belonging: policies === undefined ? {} : { policies } },
        team: { id, name: team.name, complete },
        signal: arrived.again?.signal,
      })
    })
    setAttempt(people, attempt, 'waiting')
    return { ...added, attempt, receipt: receipt!, time }
  } catch (error) {
    // With a receipt it is not voided: it is completed before the next one, or at the next start.
    if (receipt === undefined) endUnread(room, arrived, error)
    throw error
  } finally {
    room.underway.delete(attempt)
  }
}

/** The row of a file that has no receipt, because of an error. */
function endUnread({ people }: Receiving, { attempt, again }: Arrived, error: unknown): void {
  const by = again === undefined ? null : preventedBy(error)
  if (by === null) {
    const isRefused = error instanceof ExpectedError && error.kind === 'usage'
    setAttempt(people, attempt, isRefused ? 'refused' : 'void', reasonForTeam(error))
    return
  }
  // It was in time, perhaps, and nobody is told now that it has to be handed in again.
  forgetPlan(people, attempt)
  if (by !== 'reader') uncountReading(people, attempt)
}

function recordOf({ person, contest, note }: Arrived, receipt: number, verdict: TimeVerdict): HandInRecord {
  const uses = verdict.is === 'late' ? verdict.uses : null
  return {
    ...{ receipt, by: person, contest, time: verdict.is },
    ...(uses === null ? {} : { uses }),
    ...(note === undefined || note === '' ? {} : { note }),
  }
}

/** The agent that a hand-in becomes, chosen before the file is read. Throws ExpectedError `name-missing`. */
export function becomesOf(
  { agents }: Pick<Classroom, 'agents'>,
  { game, team, agent }: Pick<TeamHandIn, 'team' | 'agent'> & { readonly game: GameId },
): Becomes {
  const own = agents.filter((each) => each.owner === team.id && each.manifest.game === game)
  const names = [...new Set(own.map(({ manifest }) => manifest.name))]
  if (agent !== null) {
    const present = presentAgent({ agents: own }, team.id, agent)
    return names.includes(present) ? { what: 'version', of: present } : { what: 'agent', name: agent }
  }
  const [only] = names
  if (only === undefined) return { what: 'agent', name: null }
  if (names.length === 1) return { what: 'version', of: only }
  throw new ExpectedError(
    'usage',
    'name-missing',
    `The team has ${names.length} agents for this game: say which one this is a version of.`,
  )
}

/** The game of a hand-in. Throws ExpectedError `game-unknown` if it names none, and nothing else tells. */
export function gameOf(
  { contests, agents }: Classroom,
  { game, contest, agent, team }: Pick<TeamHandIn, 'game' | 'contest' | 'agent' | 'team'>,
): GameId {
  if (game !== null) return game
  const entry = contests.find(({ id }) => id === contest)
  if (entry !== undefined) return entry.description.game
  const own = agents.filter(({ owner, manifest }) => owner === team.id && (agent === null || manifest.name === agent))
  const [only, ...others] = new Set(own.map(({ manifest }) => manifest.game))
  if (only !== undefined && others.length === 0) return only
  throw new ExpectedError('usage', 'game-unknown', 'Say for which game the agent is: nothing else tells.')
}

export function checkContest({ contests }: Classroom, contest: ContestId | null, game: GameId): void {
  if (contest === null) return
  const entry = contests.find(({ id }) => id === contest)
  if (entry === undefined) throw new ExpectedError('usage', 'contest-unknown', `There is no contest "${contest}".`)
  if (entry.description.game !== game)
    throw new ExpectedError(
      'usage',
      'other-game',
      `The contest "${entry.description.title}" is one of ${entry.description.game}.`,
    )
}

/** The toolchains that a contest offers; undefined: any will do. */
export const offeredBy = (
  { contests }: Pick<Classroom, 'contests'>,
  contest: ContestId | null,
): readonly OfferedToolchain[] | undefined => contests.find(({ id }) => id === contest)?.description.toolchains

/**
 * The attempts of a team today, or if fewer are left, those of the person who hands in: hand-ins of the teams in which they were today
 * count for them, so that nobody has more by going from team to team.
 */
export function attemptsToday(
  room: Receiving,
  team: Team,
  person: PersonId | null,
): { readonly used: number; readonly left: number | null } {
  const from = room.beginningOfDay(room.now())
  const counted = (attempts: readonly StoredAttempt[]): AttemptsLeft =>
    attemptsLeft(attempts.map(countedAttempt), room.home.content.handInRules.attemptsADay)
  const ofTeam = counted(attemptsOf(room.people, team.id, from))
  if (person === null) return ofTeam
  const ofPerson = counted(attemptsAround(room.people, person, from))
  return ofPerson.used > ofTeam.used ? ofPerson : ofTeam
}

function countedAttempt({ at, state, isGivenBack }: StoredAttempt): Attempt {
  return { at, state: state === 'received' ? 'waiting' : state, isGivenBack }
}

/** Files of a team, and of a person, that are read at a time: each may have to be built, and others wait for that. */
const UNDERWAY_MAX = 2
/** Refused files of a team, and of a person, in an hour. They cost no attempt, but as much as a look. */
const REFUSED_MAX = 20
const HOUR = 60 * 60 * 1_000

/** Why a file cannot be handed in at this moment; null: it can. */
function whyNotNow(room: Receiving, team: Team, person: PersonId | null): ExpectedError | null {
  return whyNoAttempt(room, team, person) ?? (person === null ? null : whyTooMany(room, team, person))
}

function whyTooMany({ people, underway, now }: Receiving, team: Team, person: PersonId): ExpectedError | null {
  const read = attemptsIn(people, 'received').filter(({ id }) => underway.has(id))
  const most = (isMeant: (attempt: StoredAttempt) => boolean): boolean => read.filter(isMeant).length >= UNDERWAY_MAX
  if (most((each) => each.team === team.id) || most((each) => each.person === person))
    return new ExpectedError(
      'usage',
      'busy',
      `${UNDERWAY_MAX} files of the team are being read: hand this one in when they are done.`,
    )
  const from = now() - HOUR
  const ofPerson = attemptsAround(people, person, from).filter((each) => each.person === person)
  const refused = [attemptsOf(people, team.id, from), ofPerson].map(
    (attempts) => attempts.filter(({ state }) => state === 'refused').length,
  )
  if (Math.max(...refused) < REFUSED_MAX) return null
  return new ExpectedError(
    'usage',
    'limit-reached',
    `${REFUSED_MAX} files of the team, or of you, were refused within an hour: try the next one on your own machine, and hand it in later.`,
  )
}

/** null: there is one left. */
function whyNoAttempt(room: Receiving, team: Team, person: PersonId | null): ExpectedError | null {
  const { left, used } = attemptsToday(room, team, person)
  if (left !== 0) return null
  return new ExpectedError(
    'usage',
    'attempts-used',
    `The ${used} attempts of today are used: by the team, or by you in another one. A failed trial gives its attempt back once an hour.`,
  )
}

/** Why no hand-in for a contest plays in it any more, a sentence; null: its entries were not closed. */
function whyClosed(
  { folder, content }: Pick<ClassFolder, 'folder' | 'content'>,
  contest: ContestId | null,
): string | null {
  const entry = content.contests.find(({ id }) => id === contest)
  if (entry === undefined) return null
  const { id, state, goesOn, entriesUntil } = entry
  if (state === 'ended') return 'The contest has ended.'
  if (state === 'cancelled') return 'The contest was cancelled.'
  if (goesOn === true || existsSync(contestFolder(folder, id))) return 'The contest has begun.'
  // A contest without a deadline has no entries that could be closed.
  const hadEntries = content.deadlines.some((each) => each.contest === id)
  return hadEntries && entriesUntil === undefined ? 'The entries of the contest are closed.' : null
}

/**
 * The verdict on the time of a hand-in of a team. `at`: when its bytes had arrived, ms since the epoch. `used`: the late days of the
 * other hand-ins.
 */
export function timeVerdict(
  { home, people }: { readonly home: Pick<ClassFolder, 'folder' | 'content'>; readonly people: PeopleDatabase },
  team: Team,
  contest: ContestId | null,
  at: number,
  used: readonly UsedLateDays[] = usedLateDays(people),
): TimeVerdict {
  const because = whyClosed(home, contest)
  if (because !== null) return { is: 'kept', because }
  const { content } = home
  const deadline = content.deadlines.find((each) => each.contest === contest)
  const closing = teamClosing(content, team, contest)
  if (deadline === undefined || closing === null) return { is: 'on-time' }
  const left = new Map(
    membersInTime(team, closing.at).map(
      (person) => [person, lateDaysLeft(content.handInRules.lateDays, person, used)] as const,
    ),
  )
  const ofTeam = used.filter((each) => each.team === team.id && each.contest === contest)
  const already = ofTeam.reduce((sum, { days }) => sum + days, 0)
  return verdictOnHandIn(at, Date.parse(closing.at), deadline, left, already)
}
