import { createHook } from 'node:async_hooks'
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Decrypter, Encrypter } from 'age-encryption'
import { beforeAll, expect, test, vi } from 'vitest'
import { openClassFolder, readClass, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { decryptedBehind, encryptedBehind } from '../../../main/administrator/classroom/passphrase-file.ts'
import { addAttempt, setAttempt } from '../../../main/administrator/people/attempts.ts'
import { countAudit } from '../../../main/administrator/people/audit.ts'
import { openClassToLookAt } from '../../../main/administrator/classroom/read-only-class.ts'
import { unlockNames } from '../../../main/administrator/people/unlock-names.ts'
import { closeAccounts, openAccounts } from '../../../main/administrator/people/accounts.ts'
import { changeGradebook } from '../../../main/administrator/classroom/gradebook-file.ts'
import { openClassroom } from '../../../main/app/classroom-service.ts'
import { signIn } from '../../../main/administrator/people/sign-in.ts'
import { hostCaller } from '../../../main/contract/people/caller.ts'
import { lockedPerson, namesState } from '../../../main/contract/people/locked-names.ts'
import { pseudonymWords } from '../../../main/contract/people/pseudonyms.ts'
import { importRoster, newSlips } from '../../../main/services/people/class-people.ts'
import { setPassphrase } from '../../../main/services/people/passphrase.ts'
import { exportClass } from '../../../main/services/archive/export-class.ts'
import { importClass } from '../../../main/services/archive/import-class.ts'
import { erasePerson } from '../../../main/services/people/erase-person.ts'
import { listPeople, namesStateOf, setPassphraseOf } from '../../../main/services/people/people-command.ts'
import { setPseudonyms } from '../../../main/services/pseudonyms/pseudonyms.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const PASSPHRASE = 'four words and a lamp'
const ADA = 'a'.repeat(16)
const TEAM = 'b'.repeat(16)
/** Everything in the class of `classWithNames` that names somebody. */
const names = ['Ada Lovelace', 'ada@example.org', '004711', 'Analysts', "Ada's best", 'by Ada, in haste', 'Ada is ill']

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

test('a wrong passphrase, a short one, and none are refused, and nothing is changed', async () => {
  const data = locked()
  const before = readFileSync(join(data, 'class.json'))
  await inClass(data, async (home) => {
    await expect(home.unlock('four words and a lump')).rejects.toEqual(refusal('passphrase-wrong'))
    await expect(home.setPassphrase(null, 'another passphrase')).rejects.toEqual(refusal('passphrase-wrong'))
    await expect(home.setPassphrase(PASSPHRASE, 'short')).rejects.toEqual(refusal('passphrase-short'))
    // The present one was right.
    expect(namesState(home.content)).toBe('unlocked')
  })
  expect(readFileSync(join(data, 'class.json'))).toEqual(before)
})

test('a passphrase is changed and removed, and copies of former days end with it', async () => {
  const data = locked()
  await inClass(data, (home) => home.setPassphrase(PASSPHRASE, 'another passphrase'))
  await inClass(data, async (home) => {
    await expect(home.unlock(PASSPHRASE)).rejects.toEqual(refusal('passphrase-wrong'))
    await home.setPassphrase('another passphrase', null)
    expect(home.content.names).toBeUndefined()
  })
  expect((await readClass(data)).people[0]!.name).toBe('Ada Lovelace')
  expect(readFileSync(join(data, 'class-copies', dayCopy(data)), 'utf8')).toContain('Ada Lovelace')
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

test('commands unlock with the file that the environment names', async () => {
  const data = locked()
  const file = join(temporaryFolder('given'), 'passphrase.txt')
  writeFileSync(file, `${PASSPHRASE}\n`)
  const next = join(temporaryFolder('given'), 'next.txt')
  writeFileSync(next, 'another passphrase\r\nand more')
  expect((await readClass(data)).people[0]!.name).toBe(lockedPerson(ADA))
  vi.stubEnv('TARTAGLIA_PASSPHRASE_FILE', file)
  expect((await readClass(data)).people[0]!.name).toBe('Ada Lovelace')
  const archive = join(temporaryFolder('given'), 'class.tar.gz')
  await exportClass(data, { path: archive, overwrite: false }, null)
  expect(await setPassphraseOf(data, next)).toBe('unlocked')
  // The file is that of the former passphrase: whatever needs no names goes on.
  expect((await readClass(data)).people[0]!.name).toBe(lockedPerson(ADA))
  expect((await openClassToLookAt(data)).notices).toHaveLength(1)
  await expect(namesStateOf(data)).rejects.toEqual(refusal('passphrase-wrong'))
  vi.stubEnv('TARTAGLIA_PASSPHRASE_FILE', next)
  expect(await setPassphraseOf(data, null)).toBe('none')
  // An archive of another class, or of another time, is imported locked.
  const imported = join(temporaryFolder('given'), 'imported')
  await importClass(archive, imported, { identities: null })
  await expect(listPeople(imported)).rejects.toEqual(refusal('passphrase-wrong'))
  vi.unstubAllEnvs()
  expect((await readClass(imported)).people[0]!.name).toBe(lockedPerson(ADA))
  expect((await readClass(data)).people[0]!.name).toBe('Ada Lovelace')
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

test('a file may begin with a byte-order mark, and letters with accents may be typed as they are', async () => {
  const data = classWithNames()
  const file = join(temporaryFolder('marked'), 'passphrase.txt')
  writeFileSync(file, `\uFEFF${'vier Wörter und eine Lampe'.normalize('NFD')}\r\n`)
  expect(await setPassphraseOf(data, file)).toBe('unlocked')
  await inClass(data, (home) => home.unlock('vier Wörter und eine Lampe'.normalize('NFC')))
  // Notepad saves UTF-16 too: nobody could type what it was read as.
  writeFileSync(file, '\uFEFFfour words and a lamp', 'utf16le')
  await expect(setPassphraseOf(classWithNames(), file)).rejects.toEqual(refusal('not-utf8'))
  writeFileSync(file, 'a'.repeat(201))
  await expect(setPassphraseOf(classWithNames(), file)).rejects.toEqual(refusal('passphrase-long'))
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

test('guesses at the passphrase wait, and the audit log has each', async () => {
  await inClass(locked(), async (home) => {
    const accounts = openAccounts(home, () => 1_000_000)
    const guesses = [1, 2, 3, 4, 5]
    for (const guess of guesses)
      await expect(unlockNames(accounts, home, `wrong ${guess}`, ADA)).rejects.toEqual(refusal('passphrase-wrong'))
    await expect(unlockNames(accounts, home, PASSPHRASE, ADA)).rejects.toEqual(refusal('too-many'))
    expect(countAudit(accounts.people, 'names.unlock.refused', 0)).toBe(guesses.length)
    expect(namesState(home.content)).toBe('locked')
    closeAccounts(accounts)
  })
})

test('guesses at the passphrase by changing it wait with those by unlocking, and a class without one is free to set it', async () => {
  await inClass(locked(), async (home) => {
    const accounts = openAccounts(home, () => 1_000_000)
    const change = (present: string | null) =>
      setPassphrase(accounts, home, { present, next: 'another passphrase' }, ADA)
    for (const guess of ['wrong 1', null, 'wrong 3'])
      await expect(change(guess)).rejects.toEqual(refusal('passphrase-wrong'))
    for (const guess of ['wrong 4', 'wrong 5'])
      await expect(unlockNames(accounts, home, guess, ADA)).rejects.toEqual(refusal('passphrase-wrong'))
    await expect(change(PASSPHRASE)).rejects.toEqual(refusal('too-many'))
    expect(countAudit(accounts.people, 'names.unlock.refused', 0)).toBe(5)
    closeAccounts(accounts)
    // Nothing was changed.
    await home.unlock(PASSPHRASE)
  })
  await inClass(classWithNames(), async (home) => {
    const accounts = openAccounts(home, () => 1_000_000)
    for (let times = 0; times < 7; times++)
      await expect(setPassphrase(accounts, home, { present: null, next: 'short' }, ADA)).rejects.toEqual(
        refusal('passphrase-short'),
      )
    closeAccounts(accounts)
  })
})

test('pseudonyms that are drawn while names are locked have no word of a name, and a missing word names nobody', async () => {
  const data = classWithNames()
  const [firsts, seconds] = pseudonymWords
  // Half of the roster's words could be drawn if the placeholders were asked.
  const surnames = seconds.slice(0, 32)
  await inClass(data, async (home) => {
    await home.change(({ people, teams, agents }) => {
      for (const [at, surname] of surnames.entries()) {
        const id = at.toString(16).padStart(16, '1')
        people.push({ ...people[0]!, id, name: `Zoe ${surname}`, email: `${id}@example.org`, ids: {} })
        teams.push({ id, name: `Team ${at}`, members: [id], formed: '2026-11-01T00:00:00.000Z' })
      }
      agents.length = 0
    })
    await home.setPassphrase(null, PASSPHRASE)
    // Each writing has the same words: who compares two learns nothing.
    await home.change(({ people }) => void (people[0]!.section = 'B'))
  })
  const { names: lock } = JSON.parse(readFileSync(join(data, 'class.json'), 'utf8')) as { names: { drawn: string[] } }
  const missing = [...firsts, ...seconds].filter((word) => !lock.drawn.includes(word))
  expect(lock.drawn.filter((word) => surnames.includes(word))).toEqual([])
  expect(missing.filter((word) => !surnames.includes(word)).length).toBeGreaterThan(10)
  await inClass(data, async (home) => {
    expect(namesState(home.content)).toBe('locked')
    await setPseudonyms(home, true)
    const drawn = home.content.teams.filter(({ id }) => id !== TEAM).flatMap(({ name }) => name.split(' '))
    expect(drawn.length).toBe(2 * surnames.length)
    expect(drawn.filter((word) => !lock.drawn.includes(word))).toEqual([])
    const kept = JSON.parse(readFileSync(join(data, 'class.json'), 'utf8')) as { names: { drawn: string[] } }
    expect(kept.names.drawn).toEqual(lock.drawn)
  })
})

test('two files of a locked class do not tell the word of a name that came between them, and later names change no words', async () => {
  const data = classWithNames()
  const drawn = (): readonly string[] =>
    (JSON.parse(readFileSync(join(data, 'class.json'), 'utf8')) as { names: { drawn: string[] } }).names.drawn
  const add = (home: ClassFolder, name: string) =>
    home.change(({ people }) => {
      const id = people.length.toString(16).padStart(16, '1')
      people.push({ ...people[0]!, id, name, email: `${id}@example.org`, ids: {} })
    })
  await inClass(data, (home) => home.setPassphrase(null, PASSPHRASE))
  const first = drawn()
  const word = first.at(-1)!
  await inClass(data, async (home) => {
    await home.unlock(PASSPHRASE)
    await add(home, `Zoe ${word}`)
    const next = drawn()
    expect(next).not.toContain(word)
    expect(first.filter((each) => !next.includes(each)).length).toBeGreaterThan(5)
    await add(home, 'Zoe Lovelace')
    expect(drawn()).toEqual(next)
  })
})

test('files behind a passphrase are those of age, and their scrypt is not computed on the main thread', async () => {
  const jobs: string[] = []
  const watch = createHook({ init: (_, type) => void jobs.push(type) }).enable()
  const own = await encryptedBehind(PASSPHRASE, 'a text')
  expect(jobs).toContain('SCRYPTREQUEST')
  watch.disable()
  const reader = new Decrypter()
  reader.addPassphrase(PASSPHRASE)
  expect(await reader.decrypt(own, 'text')).toBe('a text')
  const writer = new Encrypter()
  writer.setPassphrase(PASSPHRASE)
  writer.setScryptWorkFactor(10)
  expect(await decryptedBehind(PASSPHRASE, await writer.encrypt('another'))).toBe('another')
  await expect(decryptedBehind('another passphrase', own)).rejects.toThrow()
  // The work that a file asks for has a limit.
  const heavy = Buffer.from(Buffer.from(own).toString('latin1').replace(/ 16\n/, ' 63\n'), 'latin1')
  await expect(decryptedBehind(PASSPHRASE, heavy)).rejects.toThrow()
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

let plain: string
let lockedOnce: string
beforeAll(async () => {
  plain = await madeClass()
  lockedOnce = copyOf(plain)
  await inClass(lockedOnce, (home) => home.setPassphrase(null, PASSPHRASE))
})

function copyOf(folder: string): string {
  const data = temporaryFolder('passphrase')
  cpSync(folder, data, { recursive: true })
  return data
}
const classWithNames = (): string => copyOf(plain)
const locked = (): string => copyOf(lockedOnce)

/** A class with a name in each place that a passphrase locks, and with a copy of a former day. */
async function madeClass(): Promise<string> {
  const data = temporaryFolder('passphrase')
  const at = '2026-11-01T00:00:00.000Z'
  await inClass(data, async (home) => {
    await home.change((content) => {
      const marks = { email: 'ada@example.org', ids: { school: '004711' }, section: 'Analysts' }
      content.people.push({ id: ADA, name: 'Ada Lovelace', ...marks, role: 'student', added: at })
      content.teams.push({ id: TEAM, name: 'Amber Heron', called: "Ada's best", members: [ADA], formed: at })
      content.agents.push({
        ...{ hash: 'c'.repeat(64), owner: TEAM, submitted: at, smoke: null },
        manifest: { name: 'Amber Heron', team: 'Amber Heron', game: 'specker', kind: 'script' },
        handIn: { receipt: 1, by: ADA, contest: null, time: 'on-time', note: 'by Ada, in haste' },
      })
      content.extensions.push({
        ...{ of: { who: 'person', person: ADA }, contest: 'cup-1', reason: 'Ada is ill', by: null, at },
        until: '2026-11-02T00:00:00.000Z',
      })
    })
    // The first write of a day copies what was there before it.
    await home.change((content) => void (content.settings.tourSeen = true))
  })
  return data
}

/** Those of some words that are in a file of a folder, or in its name. */
function namesIn(folder: string, words: readonly string[] = names): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const texts = files.map((name) => {
    const path = join(folder, name)
    return name + (statSync(path).isFile() ? readFileSync(path, 'latin1') : '')
  })
  return words.filter((word) => texts.some((text) => text.includes(word)))
}

const dayCopy = (data: string): string => {
  const [copy] = readdirSync(join(data, 'class-copies'))
  return copy!
}

async function inClass(data: string, work: (home: ClassFolder) => Promise<void>): Promise<void> {
  const home = await openClassFolder(data)
  try {
    await work(home)
  } finally {
    await home.close()
  }
}
