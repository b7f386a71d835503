import { countAudit } from '../../administrator/people/audit.ts'
import { attemptsOf, giveBack } from '../../administrator/people/attempts.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { EXTENSIONS_MAX } from '../../contract/people/closing-time.ts'
import type { Caller } from '../../contract/people/caller.ts'
import { withRules } from '../../contract/people/hand-in.ts'
import type { ContestId } from '../../contract/ids.ts'
import type { PersonId } from '../../contract/people/people.ts'
import type { PeopleDatabase } from '../../administrator/people/people-database.ts'
import { ATTEMPTS_SHOWN } from '../../contract/people/team-procedures.ts'
import type { Team, TeamId } from '../../contract/people/teams.ts'
import { checkNewMembers } from '../../services/cases/concerned.ts'
import {
  attemptsView,
  followClosings,
  handIn,
  placeOf,
  receiptFile,
  receiptsOf,
  teamDeadline,
} from '../../services/hand-in/class-hand-ins.ts'
import { pauseVersion, withdrawVersion } from '../../services/hand-in/version-decisions.ts'
import { whileArriving } from '../../services/hand-in/arriving.ts'
import { inFlight } from '../../services/hand-in/in-flight.ts'
import { judgeAgain } from '../../services/hand-in/judge-again.ts'
import { lookForTeam, noteOnVersion } from '../../services/hand-in/look.ts'
import { headOf } from '../../services/hand-in/receipt-chain.ts'
import {
  changeTeam,
  formTeam,
  inviteTo,
  isLive,
  joinTeam,
  leaveTeam,
  renameTeam,
  requireLive,
  requireTeam,
  teamNumbered,
  teamView,
  teamWith,
} from '../../services/people/teams.ts'
import { newsSince, studentHome, type Visit } from '../../services/homes/student-home.ts'
import { practiceHistory } from '../../services/hand-in/practice.ts'
import { beginPractice, practiceOfTeam } from '../../services/homes/practice-choices.ts'
import { enterContest, enterReceived } from '../entered-hand-ins.ts'
import type { Rooms } from '../rooms.ts'
import type { HandlersOf } from './handlers-of.ts'

/** The procedures of teams, of their hand-ins, receipts and deadlines, and of the homes of their members. */
export function teamHandlers(
  rooms: Rooms,
): HandlersOf<'teams' | 'handIn' | 'receipts' | 'deadlines' | 'student' | 'practice'> {
  return { ...ofTeams(rooms), ...ofHandIns(rooms), ...ofDeadlines(rooms), ...ofHome(rooms), ...ofPractice(rooms) }
}

/** The team that a call names, or the caller's own. Throws ExpectedError 'usage' if there is none. */
const teamFor = ({ home }: Pick<Rooms, 'home'>, team: TeamId | null, { person }: Caller): Team =>
  team === null ? requireTeam(home.content, person) : teamNumbered(home.content, team)

function ofPractice(rooms: Rooms): HandlersOf<'practice'> {
  const { home, handIns, matches, views } = rooms
  return {
    'practice.get': ({ team }, caller) => {
      const viewer = caller.role === 'student' ? caller.person : null
      return practiceOfTeam(rooms, teamFor(rooms, team, caller), viewer, views.of(caller).seesContest)
    },
    async 'practice.begin'(wish, caller) {
      const team = requireLive(requireTeam(home.content, caller.person))
      const sees = views.of(caller).seesContest
      return { match: await beginPractice(rooms, team, { ...wish, person: personOf(caller) }, sees) }
    },
    'practice.match': async ({ team, match }, caller) => ({
      file: await matches.open(practiceHistory(handIns, teamFor(rooms, team, caller), match)),
    }),
  }
}

function ofHome(rooms: Rooms): HandlersOf<'student'> {
  const { home, views } = rooms
  const viewOf = (caller: Caller): Visit => ({
    ...{ person: caller.person, team: teamWith(home.content, caller.person) },
    sees: views.of(caller).seesContest,
  })
  return {
    'student.home': ({ since }, caller) => studentHome(rooms, viewOf(caller), since),
    'student.news': ({ since }, caller) => newsSince(rooms, viewOf(caller), since),
    'student.losses': (_, caller) => rooms.losses.of(viewOf(caller)),
  }
}

/** The person who calls. Only people of the class have a team. */
function personOf({ person }: Caller): PersonId {
  if (person === null)
    throw new ExpectedError('usage', 'team-needed', 'Only students of the class have a team: sign in as one.')
  return person
}

/** Teams that a person forms in a day: each takes a name that nobody else gets. */
const FORMED_MAX = 10
const DAY = 24 * 60 * 60 * 1_000

/** Throws ExpectedError `limit-reached` if a person has formed too many teams within a day, as the audit log has it. */
function checkFormed(people: PeopleDatabase, person: PersonId, now: number): void {
  if (countAudit(people, 'teams.form', now - DAY, person) < FORMED_MAX) return
  throw new ExpectedError(
    'usage',
    'limit-reached',
    `You have formed ${FORMED_MAX} teams within a day: join one, or form the next one tomorrow.`,
  )
}

function ofTeams({ home, signals, contests, handIns, cases, caseDeadlines }: Rooms): HandlersOf<'teams'> {
  const now = (): Date => new Date(handIns.now())
  /** A team that is joined or renamed may get another public name, or a pseudonym. */
  const renamed = async <T>(change: Promise<T>): Promise<T> => {
    const done = await change
    contests.renamed()
    signals.touch('agents')
    return done
  }
  /** Judges of a case who have joined a team concerned do not judge it. */
  const moved = async <T>(change: Promise<T>): Promise<T> => {
    const done = await renamed(change)
    caseDeadlines.look()
    return done
  }
  return {
    async 'teams.mine'(_, { person }) {
      const team = teamWith(home.content, person)
      return team === undefined ? null : teamView(home.content, team)
    },
    async 'teams.form'({ name }, caller) {
      const person = personOf(caller)
      checkFormed(handIns.people, person, handIns.now())
      return teamView(home.content, await formTeam(home, name, person, now()))
    },
    'teams.invite': async (_, caller) => ({ invitation: await inviteTo(home, personOf(caller)) }),
    'teams.join': async ({ invitation }, caller) =>
      teamView(home.content, await moved(joinTeam(home, invitation, personOf(caller), now()))),
    async 'teams.leave'(_, caller) {
      await moved(leaveTeam(home, personOf(caller), ({ id }) => attemptsOf(handIns.people, id).length > 0))
      return null
    },
    async 'teams.rename'({ name }, { person }) {
      const { id } = requireTeam(home.content, person)
      await renamed(renameTeam(home, id, name))
      return teamView(home.content, teamNumbered(home.content, id))
    },
    'teams.list': async () => home.content.teams.filter(isLive).map((team) => teamView(home.content, team)),
    async 'teams.change'(change) {
      checkNewMembers(cases, change.team, change.members)
      const team = await moved(changeTeam(home, change, now()))
      return teamView(home.content, team)
    },
  }
}

function ofHandIns(rooms: Rooms): HandlersOf<'handIn' | 'receipts'> {
  const { home, signals, uploads, handIns } = rooms
  const teamOf = (team: TeamId | null, caller: Caller): Team => teamFor(rooms, team, caller)
  return {
    async 'handIn.submit'({ file, team, policies, ...more }, caller) {
      const handing = requireLive(teamOf(team, caller))
      const wish = { ...more, team: handing, person: caller.person }
      const asked = policies === undefined ? wish : { ...wish, policies }
      return inFlight(rooms.inFlight, async () => {
        // The file has arrived: neither its time nor the closing of entries depends on when there is room to read it, nor on a crash.
        const handed = await whileArriving(handIns, wish, (at) =>
          uploads.useInRoom(
            file,
            (given, inRoom) => handIn(handIns, { ...asked, at, file: given, inRoom }),
            handing.id,
          ),
        )
        const { name, attempt, receipt, time } = handed
        const entered = await enterReceived(rooms, handing, handed)
        const note = [handed.note, entered].filter((each) => each !== null).join(' ')
        const { b, h, s } = receipt
        return { attempt, agent: name, receipt: b, head: h, signature: s, note: note === '' ? null : note, time }
      })
    },
    'handIn.look'({ file, team, ...more }, caller) {
      const handing = teamOf(team, caller)
      const { person } = caller
      return uploads.read(
        file,
        (given) => lookForTeam(handIns, { ...more, file: given, team: handing, person }),
        handing.id,
      )
    },
    async 'handIn.attempts'({ team, before = null, limit = ATTEMPTS_SHOWN }, caller) {
      const viewer = caller.role === 'student' ? caller.person : null
      return attemptsView(handIns, teamOf(team, caller), viewer, { before, limit })
    },
    'handIn.queue': async ({ team }, caller) => placeOf(handIns, teamOf(team, caller)),
    async 'handIn.giveBack'({ attempt }) {
      giveBack(handIns.people, attempt)
      return null
    },
    async 'handIn.withdraw'({ name, agent }) {
      await withdrawVersion(handIns, name, agent)
      return null
    },
    async 'handIn.note'({ name, agent, note }) {
      await noteOnVersion(home, name, agent, note.trim())
      handIns.onChange()
      return null
    },
    async 'handIn.pause'({ name, agent, reason }) {
      await pauseVersion(handIns, name, agent, reason)
      return null
    },
    'handIn.rules': async () => home.content.handInRules,
    async 'handIn.setRules'(change) {
      await home.change((content) => {
        content.handInRules = withRules(content.handInRules, change)
      })
      signals.touch('agents')
      return null
    },
    'receipts.list': async ({ team }, caller) => receiptsOf(handIns, teamOf(team, caller)),
    'receipts.get': async ({ team, n }, caller) => receiptFile(handIns, teamOf(team, caller), n),
    'receipts.head': async () => headOf(handIns.chain),
  }
}

/** Follows a deadline or an extension that has changed: files that were too late may be in time now. */
async function judgedAgain(rooms: Rooms, contest: ContestId): Promise<void> {
  const { handIns, home, changed } = rooms
  for (const { owner, manifest } of await judgeAgain(handIns, contest)) {
    const team = home.content.teams.find(({ id }) => id === owner)
    if (team !== undefined) await enterContest(rooms, { contest, team, agent: manifest.name })
  }
  await followClosings(handIns)
  changed(contest)
}

function ofDeadlines(rooms: Rooms): HandlersOf<'deadlines'> {
  const { home, contests, handIns, signals } = rooms
  return {
    async 'deadlines.get'({ contest }, { person }) {
      contests.entry(contest)
      return teamDeadline(handIns, teamWith(home.content, person), contest)
    },
    async 'deadlines.set'({ contest, closes, late, rules }) {
      await contests.setDeadline({ contest, closes, late }, rules)
      await judgedAgain(rooms, contest)
      if (rules !== undefined) signals.touch('agents')
      return null
    },
    async 'deadlines.extend'(extension, { person }) {
      contests.entry(extension.contest)
      const at = new Date(handIns.now()).toISOString()
      await home.change(({ extensions, teams, people }) => {
        const { of } = extension
        if (of.who === 'team') requireLive(teamNumbered({ teams }, of.team))
        else if (!people.some(({ id }) => id === of.person))
          throw new ExpectedError('usage', 'person-unknown', 'This person is not in the class.')
        if (extensions.length >= EXTENSIONS_MAX)
          throw new ExpectedError('usage', 'limit-reached', `A class has at most ${EXTENSIONS_MAX} extensions.`)
        extensions.push({ ...extension, by: person, at })
      })
      await judgedAgain(rooms, extension.contest)
      return null
    },
    async 'deadlines.extensions'({ contest }) {
      contests.entry(contest)
      return home.content.extensions.filter((each) => each.contest === contest)
    },
  }
}
