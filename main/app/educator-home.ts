import { statfs } from 'node:fs/promises'
import { newestAttempts, type StoredAttempt } from '../administrator/people/attempts.ts'
import { isMember, type Accounts } from '../administrator/people/accounts.ts'
import type { ClassFolder } from '../administrator/classroom/classroom.ts'
import { lastEntries } from '../administrator/classroom/team-closing.ts'
import type { ContestId } from '../contract/ids.ts'
import { closingTime, extensionsInForce, type Deadline } from '../contract/people/closing-time.ts'
import {
  REASON_MAX,
  type EducatorHome,
  type HomeDeadline,
  type HomeEvent,
  type HomeExtension,
  type HomeHandIn,
  type HomeStudent,
  type HomeTeam,
} from '../contract/people/educator-home.ts'
import type { FirstStep } from '../contract/people/first-steps.ts'
import type { Classroom } from '../contract/procedures/classroom.ts'
import type { ContestSummary } from '../contract/procedures/procedures.ts'
import { classMembers } from '../services/people/class-people.ts'
import { sampleTitles } from '../services/contests/descriptions/sample-class.ts'
import type { ContestPages } from '../services/contests/running/contest-pages.ts'
import { nextTime } from '../services/contests/recurring/recurrence-times.ts'
import type { WallClock } from '../services/contests/recurring/wall-clock.ts'
import type { Reruns } from '../services/evidence/reruns.ts'
import type { HandIns } from '../services/hand-in/class-hand-ins.ts'
import { standstillOf } from '../services/hand-in/receipt-chain.ts'
import type { UpdateNotice } from '../services/machine/update-notice.ts'
import type { Network } from '../portal/network.ts'

/** The sources of the home. */
interface HomeRooms {
  readonly home: ClassFolder
  readonly accounts: Accounts
  readonly handIns: Pick<HandIns, 'chain' | 'durations' | 'now' | 'waiting'>
  readonly pages: Pick<ContestPages, 'active'>
  readonly reruns: Pick<Reruns, 'list'>
  readonly network?: Pick<Network, 'state'> | undefined
  readonly updates: Pick<UpdateNotice, 'sentences'>
  /** Its zone is that of a class without one. */
  readonly clock: Pick<WallClock, 'zone'>
}

/** The people, teams, deadlines and machine of a class at this moment. */
export async function educatorHome({
  home,
  accounts,
  handIns,
  pages,
  reruns,
  network,
  clock,
  updates,
}: HomeRooms): Promise<EducatorHome> {
  const { content } = home
  const now = handIns.now()
  const students = studentsOf(accounts)
  const { durations, waiting } = handIns
  return {
    now: new Date(now).toISOString(),
    done: stepsDone(content, students, network?.state().isOpen === true),
    students,
    teams: teamsOf(content, newestAttempts(accounts.people)),
    asking: content.people
      .filter(({ asking, removed }) => asking === true && removed === undefined)
      .map(({ id, name, added }) => ({ person: id, name, since: added })),
    deadlines: deadlinesOf(content, now),
    queue: {
      waiting: waiting.filter((each) => 'receipt' in each).length,
      msEach: durations.length === 0 ? null : Math.round(mean(durations) / content.settings.trialsAtOnce),
    },
    reruns: reruns.list().map(({ person, ...rerun }) => ({
      ...rerun,
      name: content.people.find(({ id }) => id === person)?.name ?? null,
    })),
    disk: await diskOf(home.folder),
    next: nextOf(content, await pages.active(), now, content.settings.timeZone || clock.zone()),
    notices: standstillOf(handIns.chain),
    news: updates.sentences(),
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length

function studentsOf(accounts: Accounts): readonly HomeStudent[] {
  const teams = new Map(accounts.home.content.teams.flatMap(({ id, members }) => members.map((each) => [each, id])))
  return classMembers(accounts)
    .filter((member) => member.role === 'student' && isMember(member))
    .map(({ id, name, hasPassword, codeUntil, seen }) => ({
      ...{ person: id, name, team: teams.get(id) ?? null, seen },
      access: hasPassword ? 'account' : codeUntil === null ? 'no-code' : 'code',
    }))
}

function teamsOf(
  { teams, agents }: Pick<Classroom, 'teams' | 'agents'>,
  newest: ReadonlyMap<string, StoredAttempt>,
): readonly HomeTeam[] {
  const working = new Set(
    agents.flatMap(({ owner, smoke }) => (owner !== undefined && smoke?.ok === true ? owner : [])),
  )
  return teams
    .filter(({ members }) => members.length > 0)
    .map(({ id, name }) => {
      const last = newest.get(id)
      return { id, name, last: last === undefined ? null : handInOf(last), hasWorking: working.has(id) }
    })
}

function handInOf({ at, file, contest, state, reason }: StoredAttempt): HomeHandIn {
  const short = reason !== null && reason.length > REASON_MAX ? `${reason.slice(0, REASON_MAX - 1)}…` : reason
  return { at: new Date(at).toISOString(), file, contest, state, reason: short }
}

/** The first steps that are done. The sample contests, which ship, are not a step of the educator. */
function stepsDone(
  { settings, contests, deadlines }: Classroom,
  students: readonly HomeStudent[],
  isOpen: boolean,
): readonly FirstStep[] {
  const hasSignedIn = students.some(({ access }) => access === 'account')
  const done: Record<FirstStep, boolean> = {
    name: settings.school !== '',
    roster: students.length > 0,
    // The class is closed between lessons: students who have signed in got in once.
    network: isOpen || hasSignedIn,
    game: settings.game !== '',
    kit: settings.game !== '' && settings.kitGiven,
    practice: contests.some(({ description: { title } }) => !sampleTitles.has(title)),
    deadline: deadlines.length > 0,
  }
  return (Object.keys(done) as FirstStep[]).filter((step) => done[step])
}

/** The deadlines that are not over for everybody, and those of contests that have not ended, the next one first. */
function deadlinesOf(content: Classroom, now: number): readonly HomeDeadline[] {
  return content.deadlines
    .flatMap((deadline) => {
      const entry = content.contests.find(({ id }) => id === deadline.contest)
      if (entry === undefined || entry.archived === true) return []
      const extensions = extensionsOf(content, deadline)
      const isOver = [deadline.closes, ...extensions.map(({ until }) => until)].every((each) => Date.parse(each) < now)
      if (isOver && entry.state !== 'open') return []
      const { entries } = entry.registration ?? { entries: null }
      return {
        ...{ ...deadline, title: entry.description.title, teams: handedInFor(content, deadline.contest), extensions },
        registered: entries === null ? null : new Set(entries.map(({ team }) => team)).size,
      }
    })
    .toSorted((a, b) => a.closes.localeCompare(b.closes))
}

function handedInFor({ agents }: Pick<Classroom, 'agents'>, contest: ContestId): number {
  return new Set(
    agents.flatMap(({ owner, handIn }) => (owner !== undefined && handIn?.contest === contest ? owner : [])),
  ).size
}

/** The extensions that give somebody more time. A person who left, or a team without members, needs none. */
function extensionsOf({ extensions, teams, people }: Classroom, deadline: Deadline): readonly HomeExtension[] {
  return [...extensionsInForce(extensions, deadline.contest)].flatMap(({ of, until, reason }) => {
    if (until <= deadline.closes) return []
    const team = teams.find(({ id, members }) =>
      of.who === 'team' ? id === of.team && members.length > 0 : members.includes(of.person),
    )
    const name =
      of.who === 'team' ? team?.name : people.find((person) => person.id === of.person && isMember(person))?.name
    if (name === undefined) return []
    const closing = team === undefined ? null : { team: team.name, ...closingTime(deadline, team, extensions) }
    return { who: of.who, name, until, reason, closing }
  })
}

/** Contests that run or wait for the cores, then recurring ones and announced ones in the order of their times. */
function nextOf(
  content: Classroom,
  active: readonly ContestSummary[],
  now: number,
  zone: string,
): readonly HomeEvent[] {
  const going = active
    .filter(({ person }) => !person)
    .map(({ contest, title, state }): HomeEvent => ({ contest, title, what: state, at: null }))
  const recurring = content.recurring
    .filter(({ paused }) => paused !== true)
    .map((each): HomeEvent => {
      const at = new Date(nextTime(each, zone, now)).toISOString()
      return { contest: each.id, title: each.description.title, what: 'recurring', at }
    })
  const announced = content.deadlines.flatMap((deadline): readonly HomeEvent[] => {
    const entry = content.contests.find(({ id }) => id === deadline.contest)
    if (entry?.state !== 'open' || going.some(({ contest }) => contest === entry.id)) return []
    const { id, description, entriesUntil = deadline.closes } = entry
    return [
      {
        contest: id,
        title: description.title,
        what: 'open',
        at: lastEntries(content, { ...entry, entriesUntil }),
      },
    ]
  })
  const timed = [...recurring, ...announced].toSorted((a, b) => (a.at ?? '').localeCompare(b.at ?? ''))
  return [...going, ...timed]
}

async function diskOf(folder: string): Promise<EducatorHome['disk']> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { free: bavail * bsize, total: blocks * bsize }
  } catch {
    return null
  }
}
