import { createHook } from 'node:async_hooks'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Decrypter, Encrypter } from 'age-encryption'
import { expect, test, vi } from 'vitest'
import { readClass } from '../../../main/administrator/classroom/classroom.ts'
import { decryptedBehind, encryptedBehind } from '../../../main/administrator/classroom/passphrase-file.ts'
import { countAudit } from '../../../main/administrator/people/audit.ts'
import { openClassToLookAt } from '../../../main/administrator/classroom/read-only-class.ts'
import { unlockNames } from '../../../main/administrator/people/unlock-names.ts'
import { closeAccounts, openAccounts } from '../../../main/administrator/people/accounts.ts'
import { lockedPerson, namesState } from '../../../main/contract/people/locked-names.ts'
import { setPassphrase } from '../../../main/services/people/passphrase.ts'
import { exportClass } from '../../../main/services/archive/export-class.ts'
import { importClass } from '../../../main/services/archive/import-class.ts'
import { listPeople, namesStateOf, setPassphraseOf } from '../../../main/services/people/people-command.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { ADA, PASSPHRASE, classesWithNames, dayCopy, inClass } from './class-with-names.ts'

const { classWithNames, locked } = classesWithNames()

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
