import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { readClass } from '../../../main/administrator/classroom/classroom.ts'
import { addAttempt, setAttempt } from '../../../main/administrator/people/attempts.ts'
import { closeAccounts, openAccounts } from '../../../main/administrator/people/accounts.ts'
import { changeGradebook } from '../../../main/administrator/classroom/gradebook-file.ts'
import { openClassroom } from '../../../main/app/classroom-service.ts'
import { signIn } from '../../../main/administrator/people/sign-in.ts'
import { hostCaller } from '../../../main/contract/people/caller.ts'
import { lockedPerson, namesState } from '../../../main/contract/people/locked-names.ts'
import { importRoster, newSlips } from '../../../main/services/people/class-people.ts'
import { setPassphrase } from '../../../main/services/people/passphrase.ts'
import { erasePerson } from '../../../main/services/people/erase-person.ts'
import { setPseudonyms } from '../../../main/services/pseudonyms/pseudonyms.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { ADA, PASSPHRASE, TEAM, classesWithNames, dayCopy, inClass, names, namesIn } from './class-with-names.ts'

const { classWithNames, locked } = classesWithNames()

test('without the passphrase nothing in the folder names anybody, and with it everything is as it was', async () => {
  const data = classWithNames()
  expect(namesIn(data)).toEqual(names)
  const before = await readClass(data)
  await inClass(data, (home) => home.setPassphrase(null, PASSPHRASE))
  expect(namesIn(data)).toEqual([])
  await inClass(data, async (home) => {
    expect(namesState(home.content)).toBe('locked')
    expect(home.content.people).toMatchObject([{ id: ADA, name: lockedPerson(ADA), ids: {} }])
    await home.unlock(PASSPHRASE)
    const { names: lock, ...rest } = home.content
    expect({ ...rest, revision: 0 }).toEqual({ ...before, revision: 0 })
    expect(lock?.parts).toEqual([])
    // A change of an unlocked class is written as the first one was.
    await home.change((content) => {
      content.people[0]!.section = 'Analysts'
      content.people[0]!.email = 'countess@example.org'
    })
  })
  expect(namesIn(data, [...names, 'countess'])).toEqual([])
  await inClass(data, async (home) => {
    await home.unlock(PASSPHRASE)
    expect(home.content.people[0]!.email).toBe('countess@example.org')
  })
})

test('a locked class goes on, with placeholders, and loses nothing that is written meanwhile', async () => {
  const data = locked()
  await inClass(data, async (home) => {
    await home.change((content) => {
      content.settings.locale = 'en-GB'
      content.agents[0]!.handIn!.note = 'second thoughts of Ada Lovelace'
      content.extensions.push({ ...content.extensions[0]!, at: '2026-11-03T00:00:00.000Z', reason: 'Ada is ill again' })
    })
    // Names of teams are public; a pseudonym needs no name of a person.
    await setPseudonyms(home, true)
  })
  expect(namesIn(data, [...names, 'second thoughts', 'ill again'])).toEqual([])
  await inClass(data, async (home) => {
    await home.unlock(PASSPHRASE)
    expect(home.content.people).toMatchObject([
      { name: 'Ada Lovelace', email: 'ada@example.org', ids: { school: '004711' } },
    ])
    expect(home.content.agents[0]!.handIn!.note).toBe('second thoughts of Ada Lovelace')
    expect(home.content.extensions.map(({ reason }) => reason)).toEqual(['Ada is ill', 'Ada is ill again'])
    expect(home.content.teams[0]!.called).toBe("Ada's best")
  })
})

test('a locked class refuses to add, rename and erase people, and to sign them in', async () => {
  const data = locked()
  await inClass(data, async (home) => {
    const accounts = openAccounts(home)
    const roster = Buffer.from('Ada Lovelace\nBert Miller\n')
    const place = { address: '192.0.2.7', agent: 'test' }
    await expect(importRoster(accounts, roster, hostCaller)).rejects.toEqual(refusal('names-locked'))
    await expect(signIn(accounts, { name: 'Ada Lovelace', password: 'x' }, place, [])).rejects.toEqual(
      refusal('names-locked'),
    )
    await home.change((content) => {
      content.people[0]!.removed = '2026-11-04T00:00:00.000Z'
    })
    await changeGradebook(home, (file) => ({
      ...file,
      manual: [{ person: ADA, value: 1, reason: 'oral exam' }],
    }))
    const before = readFileSync(join(data, 'gradebook.json'))
    await expect(erasePerson(accounts, home, ADA, hostCaller)).rejects.toEqual(refusal('names-locked'))
    await expect(newSlips(accounts, [ADA], hostCaller)).rejects.toEqual(refusal('names-locked'))
    // A refused erasing has erased nothing.
    expect(readFileSync(join(data, 'gradebook.json'))).toEqual(before)
    closeAccounts(accounts)
  })
})

test('a program that ends after class.json is written leaves no copy in the clear', async () => {
  const data = classWithNames()
  const copies = join(data, 'class-copies')
  const plain = readFileSync(join(data, 'class.json'))
  await inClass(data, (home) => home.setPassphrase(null, PASSPHRASE))
  // As it would be: copies and records are renewed after class.json.
  mkdirSync(copies, { recursive: true })
  for (const name of ['class-2026-11-01.json', 'class-form-3.json']) writeFileSync(join(copies, name), plain)
  const record = readdirSync(join(data, 'class-records', 'versions'))[0]!
  const path = join(data, 'class-records', 'versions', record)
  writeFileSync(path, readFileSync(path, 'utf8').replace('"note": "locked"', '"note": "by Ada, in haste"'))
  expect(namesIn(data)).toEqual(names)
  await inClass(data, async () => undefined)
  expect(namesIn(data)).toEqual([])
  expect(readdirSync(copies)).toEqual([dayCopy(data)])
})

test('a lost class.json comes back from the copy of a day, still locked', async () => {
  const data = locked()
  renameSync(join(data, 'class.json'), join(temporaryFolder('lost'), 'class.json'))
  await inClass(data, async (home) => {
    expect(namesState(home.content)).toBe('locked')
    await home.unlock(PASSPHRASE)
    expect(home.content.people[0]!.name).toBe('Ada Lovelace')
  })
})

test('a class with somebody who half joined, and with another passphrase in the environment, opens locked', async () => {
  const data = classWithNames()
  await inClass(data, async (home) => {
    await home.change(({ people }) => {
      people.push({ ...people[0]!, id: 'd'.repeat(16), name: 'Dora', asking: true })
    })
    await home.setPassphrase(null, PASSPHRASE)
  })
  const file = join(temporaryFolder('stale'), 'passphrase.txt')
  writeFileSync(file, 'another passphrase')
  vi.stubEnv('TARTAGLIA_PASSPHRASE_FILE', file)
  // A crash while class.json was written leaves a file with all names.
  writeFileSync(join(data, 'class.json.00000000-0000-4000-8000-000000000000.new'), names.join())
  const open = await openClassroom({ data, sample: false, workers: 1 })
  vi.unstubAllEnvs()
  const attention = (await open.handlers['class.overview']({}, hostCaller)).attention.map(({ text }) => text)
  expect(attention).toContainEqual(expect.stringMatching(/names stay locked/))
  const refused = open.handlers['people.remove']({ person: 'd'.repeat(16) }, hostCaller)
  await expect(refused).rejects.toEqual(refusal('names-locked'))
  expect(namesIn(data, [...names, 'Dora'])).toEqual([])
  const shown = (await open.handlers['teams.list']({}, hostCaller))[0]!
  const edit = (name: string): Promise<unknown> =>
    open.handlers['teams.change']({ team: TEAM, name, members: shown.members.map(({ person }) => person) }, hostCaller)
  // As the dialog sends back what it shows.
  await edit(shown.called!)
  await expect(edit('Berts')).rejects.toEqual(refusal('names-locked'))
  await open.handlers['names.unlock']({ passphrase: PASSPHRASE }, hostCaller)
  const left = (await open.handlers['class.overview']({}, hostCaller)).attention.map(({ text }) => text)
  expect(left).not.toContainEqual(expect.stringMatching(/names stay locked/))
  const { people, teams } = open.accounts.home.content
  expect([people.map(({ name }) => name), teams[0]!.name, teams[0]!.called]).toEqual([
    ['Ada Lovelace'],
    'Amber Heron',
    "Ada's best",
  ])
  await open.close()
})

test('notes of hand-ins that were read are taken out of the accounts, too', async () => {
  const data = classWithNames()
  await inClass(data, async (home) => {
    const accounts = openAccounts(home)
    const attempt = { team: TEAM, members: [ADA], person: ADA, contest: null, game: 'haggle', sha256: 'a'.repeat(64) }
    const id = addAttempt(accounts.people, { ...attempt, file: 'a.js', at: 1, wish: { agent: null, note: names[5]! } })
    setAttempt(accounts.people, id, 'passed')
    await setPassphrase(accounts, home, { present: null, next: PASSPHRASE }, null)
    closeAccounts(accounts)
  })
  expect(namesIn(data)).toEqual([])
})

test('damaged parts are refused, and the placeholders stay', async () => {
  const data = locked()
  const path = join(data, 'class.json')
  const written = JSON.parse(readFileSync(path, 'utf8')) as { names: { parts: string[] } }
  written.names.parts = [Buffer.from('age-encryption.org/v1\nnothing').toString('base64')]
  writeFileSync(path, JSON.stringify(written))
  await inClass(data, async (home) => {
    await expect(home.unlock(PASSPHRASE)).rejects.toEqual(refusal('names-damaged'))
    expect(namesState(home.content)).toBe('locked')
  })
})
