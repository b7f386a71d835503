import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import type { Gradebook, OwnGrade } from '../../../main/contract/grades/gradebook.ts'
import type { Visitor } from '../../../main/contract/people/caller.ts'
import type { ProcedureName } from '../../../main/contract/procedures/procedures.ts'
import { lockedPerson, namesState } from '../../../main/contract/people/locked-names.ts'
import { erasePersonCalled } from '../../../main/services/people/people-command.ts'
import { refusal } from '../../refusal.ts'
import { openPlace, openRoom } from './classroom.ts'
import { callers, court, playedContest, wishFor } from './court.ts'
import { namesIn, reads, type LookedAt } from './what-leaves.ts'
import { beginSessions, makeRoleClass, otherStudent } from './role-class.ts'

/** The reason of a grade that was not released. */
const ORAL = 'An oral exam that nobody knows of'
/** Objects that the class does not have. */
const nowhere = {
  component: 'f'.repeat(64),
  dossier: '00000000-0000-4000-8000-000000000000',
  item: '00000000-0000-4000-8000-000000000000',
}
const PASSPHRASE = 'four words and a lamp'
const place = openPlace('service-locked')
afterAll(() => place.remove())

test('in a class whose names are locked a contest is played, ruled on and graded, and no file names anybody', async () => {
  const data = join(place.folder, 'data')
  const made = await makeRoleClass(data)
  const home = await openClassFolder(data)
  await home.change(({ people }) => {
    for (const person of people) person.name = `Lovelace ${person.id.slice(0, 1)}`
  })
  const names = home.content.people.flatMap(({ name, email }) => [name, email!])
  await home.setPassphrase(null, PASSPHRASE)
  await home.close()
  await expect(erasePersonCalled(data, lockedPerson('5'.repeat(16)), false)).rejects.toEqual(refusal('names-locked'))

  const room = await openRoom(data)
  const { content } = room.service.accounts.home
  expect(namesState(content)).toBe('locked')
  beginSessions(room.service.accounts)
  const { call, red, assistant, educator } = callers(room)
  const { contest, reference } = await playedContest(room, made)

  const guest: Visitor = { kind: 'guest' }
  /** The texts that somebody who may only read is given, and finds in none of them. */
  const givenTo = async (visitor: Visitor, id: string, forbidden: readonly string[]): Promise<readonly string[]> => {
    const those = { ...made.own, ...nowhere, contest, open: made.announced, case: id }
    const found: string[] = []
    for (const [name, input] of Object.entries(reads) as [ProcedureName, (of: LookedAt) => object][]) {
      const reply = await call(visitor, name, input(those))
      if (namesIn(JSON.stringify(reply), forbidden).length > 0) found.push(name)
    }
    return found
  }
  const ownGrade = async (visitor: Visitor): Promise<OwnGrade | null> =>
    ((await call(visitor, 'grades.mine', {})) as { readonly value: OwnGrade | null }).value

  const scheme = `grade = place("${contest}")`
  await room.call('grades.setScheme', { scheme })
  // Nothing was released, neither what is computed nor what was given by hand.
  await room.call('grades.setManual', { person: '4'.repeat(16), manual: { value: 7, reason: ORAL } })
  expect(await Promise.all([red, otherStudent].map(ownGrade))).toEqual([null, null])
  for (const visitor of [guest, red, otherStudent]) expect(await givenTo(visitor, made.own.case, [ORAL])).toEqual([])
  await room.call('grades.setManual', { person: '4'.repeat(16), manual: null })
  await room.call('grades.release', {})
  const book = (): Promise<Gradebook> => room.call('grades.book', {})
  const shown = ({ rows }: Gradebook) =>
    rows.map(({ name, computed, changedTo }) => [name, computed?.value, changedTo?.value])
  const [before] = [await book()]
  const students = ['3', '4'].map((digit) => lockedPerson(digit.repeat(16)))
  expect(before.rows.map(({ name }) => name).toSorted()).toEqual(students)
  expect(before.rows.map(({ changedTo }) => changedTo)).toEqual([null, null])

  // A student files, both sides argue, the panel of staff votes and rules.
  const asks = [{ type: 'removal', entrant: 'blanche' }]
  const filed = (await call(red, 'cases.file', await wishFor(room, reference, contest, { asks }))) as {
    readonly value: { readonly case: string }
  }
  const { act, hear, judge, view } = court(room, filed.value.case)
  await act(assistant, { do: 'admitted', reason: 'So be it.', penalties: [[], asks] })
  await act(otherStudent, { do: 'answered', text: 'No.', evidence: [], salt: null })
  await hear([red, otherStudent])
  await judge('yes')
  await expect
    .poll(async () => (await room.call('contests.get', { contest })).ruled?.rulings.at(-1)?.remedies)
    .toEqual(asks)
  expect((await view(educator)).people.map(({ name }) => name)).toContain(students[1])

  // The ruling changes the released grade of the team that was removed, whose student reads it under a new release.
  const ruled = await book()
  const releasedTo = (name: string) => {
    const { release, rows } = ruled
    return { releasedAt: release!.at, ...rows.find((each) => each.name === name)!.released }
  }
  // Until the next release each student has what was released to them, and nothing else.
  await room.call('grades.setManual', { person: '3'.repeat(16), manual: { value: 7, reason: ORAL } })
  expect(await Promise.all([red, otherStudent].map(ownGrade))).toEqual(students.map(releasedTo))
  for (const visitor of [guest, red, otherStudent]) expect(await givenTo(visitor, filed.value.case, [ORAL])).toEqual([])
  await room.call('grades.setManual', { person: '3'.repeat(16), manual: null })
  const changed = ruled.rows.filter(({ changedTo }) => changedTo !== null).map(({ name }) => name)
  expect(changed).toContain(students[1])
  expect(shown(ruled)).not.toEqual(shown(before))
  const [blue] = ruled.rows.filter(({ name }) => name === students[1])
  await room.call('grades.release', {})
  const own = (await call(otherStudent, 'grades.mine', {})) as { readonly value: OwnGrade }
  expect(own.value.computed.value).toBe(blue!.computed!.value)
  expect(own.value.computed.value).not.toBe(before.rows.find(({ name }) => name === students[1])!.computed!.value)

  expect(await givenTo(guest, filed.value.case, names)).toEqual([])
  const texts = readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name} ${readFileSync(join(entry.parentPath, entry.name), 'latin1')}`)
  expect(names.filter((name) => texts.some((text) => text.includes(name)))).toEqual([])

  // Unlocked, the same grades are of the people themselves.
  await room.call('names.unlock', { passphrase: PASSPHRASE })
  const unlocked = await book()
  expect(unlocked.rows.map(({ name, computed }) => [name, computed?.value])).toContainEqual([
    'Lovelace 4',
    blue!.computed!.value,
  ])
  expect((await view(educator)).people.map(({ name }) => name)).toContain('Lovelace 4')
  // Announcements, arguments and rulings of that time name nobody now, either, but a student's own side and staff.
  expect(await givenTo(guest, filed.value.case, names)).toEqual([])
  const ofOthers = (digit: string): readonly string[] => names.filter((name) => name.includes(digit))
  expect(await givenTo(red, filed.value.case, ofOthers('3'))).toContain('me.get')
  expect(await givenTo(red, filed.value.case, ofOthers('4'))).toEqual([])
  expect(await givenTo(otherStudent, filed.value.case, ofOthers('3'))).toEqual([])
  await room.service.close()
}, 240_000)
