import { writeFile } from 'node:fs/promises'
import { gradebookIfReadable } from '../../administrator/classroom/gradebook-file.ts'
import { requireNames } from '../../administrator/classroom/name-lock.ts'
import { memberOf, type Accounts } from '../../administrator/people/accounts.ts'
import { auditLines, brokenAuditLine, firstAuditLine } from '../../administrator/people/audit.ts'
import { confirmDevice, deviceRequest } from '../../administrator/people/devices.ts'
import { admitGuests, endGuests, guestsUntil } from '../../administrator/people/guests.ts'
import { changeClassCode, classCode } from '../../administrator/people/joining.ts'
import { typedCode } from '../../administrator/people/one-time-codes.ts'
import { sessionsOf, type Session } from '../../administrator/people/sessions.ts'
import { changePassword, endOneSession, endOtherSessions } from '../../administrator/people/sign-in.ts'
import { unlockNames } from '../../administrator/people/unlock-names.ts'
import type { CaseId } from '../../contract/cases/cases.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Caller } from '../../contract/people/caller.ts'
import type { AuditEntry } from '../../contract/people/audit.ts'
import type { Me, OwnSession } from '../../contract/people/people-procedures.ts'
import { searchKey } from '../../contract/names.ts'
import { namesState, type NamesState } from '../../contract/people/locked-names.ts'
import type { Person, PersonId } from '../../contract/people/people.ts'
import { isPseudonymous } from '../../contract/people/pseudonyms.ts'
import { checkLeaving, judgedCase } from '../../services/cases/concerned.ts'
import {
  admitPerson,
  changePerson,
  classMembers,
  importRoster,
  newSlips,
  previewRoster,
  removePerson,
} from '../../services/people/class-people.ts'
import { erasePerson } from '../../services/people/erase-person.ts'
import { setPassphrase } from '../../services/people/passphrase.ts'
import { wishPseudonym } from '../../services/pseudonyms/pseudonyms.ts'
import { ownDataZip } from '../../services/homes/own-data.ts'
import type { Rooms } from '../rooms.ts'
import type { HandlersOf } from './handlers-of.ts'

/** The procedures of the people of a class, of everybody's own account, and of the audit log. */
export function peopleHandlers({
  home,
  accounts,
  signals,
  contests,
  cases,
  caseDeadlines,
  dossiers,
  downloads,
}: Rooms): HandlersOf<'me' | 'people' | 'guests' | 'audit' | 'names'> {
  const touched = async <T>(change: Promise<T>): Promise<T> => {
    const done = await change
    signals.touch('people')
    // Nobody who has left waits as a judge until the next deadline.
    caseDeadlines.look()
    return done
  }
  const judged = (person: PersonId): CaseId | null => judgedCase(cases, person)
  return {
    ...ownHandlers(accounts),
    async 'me.pseudonym'({ isWished }, caller) {
      await wishPseudonym(home, account(accounts, caller).person, isWished)
      contests.renamed()
      signals.touch('agents')
      return null
    },
    async 'me.download'(_, caller) {
      const { person } = account(accounts, caller)
      const gradebook = await gradebookIfReadable(home.folder)
      const places = { accounts, folder: home.folder, cases, dossiers, gradebook }
      const download = await downloads.beginFile(caller, async (path) =>
        writeFile(path, await ownDataZip(places, person)),
      )
      return { download, fileName: 'my-data.zip' }
    },
    ...guestHandlers(accounts),
    ...nameHandlers(accounts, home, signals),
    'me.get': async (_, caller) => ({
      ...whoIs(accounts, caller),
      isReadOnly: home.isReadOnly || caller.isSeen === true,
      ...(caller.isSeen === true ? { isSeen: true } : {}),
      ...(caller.playsByHand === true ? { playsByHand: true } : {}),
    }),
    async 'people.list'() {
      const open = classCode(accounts)
      return {
        people: classMembers(accounts),
        classCode: open === null ? null : { code: open.code, until: open.until.toISOString() },
      }
    },
    'people.preview': async ({ content }) => previewRoster(requireNames(home.content).people, bytesOf(content), judged),
    'people.import': ({ content }, caller) => touched(importRoster(accounts, bytesOf(content), caller, judged)),
    async 'people.change'({ person, name, role }, caller) {
      // Guests judge nothing.
      if (role === 'guest') checkLeaving(cases, person)
      const change = { ...(name === undefined ? {} : { name }), ...(role === undefined ? {} : { role }) }
      await touched(changePerson(accounts, person, change, caller))
      return null
    },
    async 'people.remove'({ person }, caller) {
      checkLeaving(cases, person)
      await touched(removePerson(accounts, person, caller))
      return null
    },
    async 'people.erase'({ person }, caller) {
      await touched(erasePerson(accounts, home, person, caller))
      signals.touch('grades')
      return null
    },
    async 'people.code'({ person }, caller) {
      const [slip] = await touched(newSlips(accounts, [person], caller))
      return slip!
    },
    'people.slips': ({ people }, caller) => touched(newSlips(accounts, people, caller)),
    async 'people.admit'({ person }, caller) {
      await touched(admitPerson(accounts, person, caller))
      return null
    },
    async 'people.joining'({ open }) {
      changeClassCode(accounts, open)
      signals.touch('people')
      return null
    },
    async 'audit.list'({ offset, limit, search, deeds }) {
      const members = accounts.home.content.people
      const names = new Map(members.map(({ id, name }) => [id, name]))
      const key = searchKey(search.trim())
      const people = key === '' ? [] : members.filter(({ name }) => searchKey(name).includes(key)).map(({ id }) => id)
      const wanted = { deeds, search: search.trim(), people }
      const { total, items } = auditLines(accounts.people, offset, limit, wanted)
      const entries = items.map(({ n, at, person, did, what }): AuditEntry => ({
        ...{ n, at: new Date(at).toISOString(), did, what },
        by: person === null ? null : { id: person, name: names.get(person) ?? '' },
      }))
      const brokenAt = await brokenAuditLine(accounts.people)
      return { total, items: entries, brokenAt, keptFrom: firstAuditLine(accounts.people) }
    },
  }
}

function nameHandlers(accounts: Accounts, home: Rooms['home'], signals: Rooms['signals']): HandlersOf<'names'> {
  const changed = async (change: Promise<void>): Promise<NamesState> => {
    await change
    signals.touch('people')
    return namesState(home.content)
  }
  return {
    'names.state': async () => namesState(home.content),
    'names.unlock': ({ passphrase }, { person }) => changed(unlockNames(accounts, home, passphrase, person)),
    'names.setPassphrase': (change, { person }) => changed(setPassphrase(accounts, home, change, person)),
    'names.forget': () => changed(home.forgetNames()),
  }
}

function guestHandlers(accounts: Accounts): HandlersOf<'guests'> {
  return {
    async 'guests.get'() {
      const until = guestsUntil(accounts)
      return until === null ? null : { until: until.toISOString() }
    },
    'guests.admit': async ({ until }) => ({ path: `/?guest=${admitGuests(accounts, new Date(until))}` }),
    async 'guests.end'() {
      endGuests(accounts)
      return null
    },
  }
}

function ownHandlers(accounts: Accounts): Omit<HandlersOf<'me'>, 'me.get' | 'me.pseudonym' | 'me.download'> {
  const { people, devices, now } = accounts
  return {
    async 'me.password'(passwords, caller) {
      await changePassword(accounts, account(accounts, caller), passwords)
      return null
    },
    async 'me.sessions'(_, caller) {
      const { person, session } = account(accounts, caller)
      return sessionsOf(people, person, now()).map((each) => shown(each, session))
    },
    async 'me.endOthers'(_, caller) {
      return endOtherSessions(accounts, account(accounts, caller))
    },
    async 'me.endSession'({ session }, caller) {
      endOneSession(accounts, account(accounts, caller), session)
      return null
    },
    async 'me.device'({ userCode }, caller) {
      account(accounts, caller)
      const request = deviceRequest(devices, typedCode(userCode), now())
      if (request === null) throw noDevice()
      return { address: request.address, agent: request.agent, made: new Date(request.made).toISOString() }
    },
    async 'me.confirmDevice'({ userCode }, caller) {
      const { person } = account(accounts, caller)
      if (!confirmDevice(devices, typedCode(userCode), person, now())) throw noDevice()
      return null
    },
  }
}

function whoIs(accounts: Accounts, { role, person, team }: Caller): Omit<Me, 'isReadOnly'> {
  const { home } = accounts
  const member = person === null ? null : memberOf(accounts, person)
  const own = home.content.teams.find(({ id }) => id === team)
  return {
    role: role ?? 'guest',
    person: member === null ? null : publicPart(member),
    team: own === undefined ? null : { id: own.id, name: own.name },
    ...(member !== null && isPseudonymous(home.content, member)
      ? { pseudonym: home.content.settings.pseudonyms ? 'class' : 'wish' }
      : {}),
  }
}

function publicPart({ id, name, email, section }: Person): Pick<Person, 'id' | 'name' | 'email' | 'section'> {
  return { id, name, ...(email === undefined ? {} : { email }), ...(section === undefined ? {} : { section }) }
}

/** The account of a caller. Throws ExpectedError `account-missing` for those who have none. */
function account(
  accounts: Accounts,
  { person, session }: Caller,
): { readonly person: string; readonly session: string } {
  if (person === null || session === null || memberOf(accounts, person) === null)
    throw new ExpectedError(
      'usage',
      'account-missing',
      'This window belongs to the person at this machine, who has no account of their own to change.',
    )
  return { person, session }
}

function shown({ id, kind, made, seen, address, agent }: Session, own: string): OwnSession {
  const times = { made: new Date(made).toISOString(), seen: new Date(seen).toISOString() }
  return { id, kind, ...times, address, agent, isThis: id === own }
}

function noDevice(): ExpectedError {
  return new ExpectedError(
    'usage',
    'device-unknown',
    'No terminal waits with this code: look at the code once more, or begin again in the terminal.',
  )
}

function bytesOf(content: string): Uint8Array {
  return Buffer.from(content, 'base64')
}
