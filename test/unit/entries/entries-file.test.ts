import { createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { isNameOfEntry, nameWithSchool } from '../../../main/contract/contests/entries.ts'
import { isSignedEntry } from '../../../main/histories/keys.ts'
import { readEntries, writeEntries } from '../../../main/services/entries/entries-file.ts'
import { given, newKey, script, signedFile } from './school.ts'

const key = newKey()

test('what is written is read again: the statements, and the packages byte for byte', () => {
  const packed = ['anna', 'bert'].map((name) => given(key, script(name), { name, policies: ['01*'] }))
  const file = writeEntries('Liceo Padova', packed, key)
  expect(file).toEqual(signedFile(key, packed))
  const opened = readEntries('padova.entries', file)
  expect(opened).toMatchObject({ school: 'Liceo Padova', key: key.publicKey })
  expect(opened.entries.map(({ entry, bytes }) => [entry, Buffer.from(bytes)])).toEqual(
    packed.map(({ entry, bytes }) => [entry, bytes]),
  )
  expect(opened.entries.map(({ manifest }) => manifest)).toEqual(
    ['anna', 'bert'].map((name) => ({ name, game: 'specker', kind: 'script', policies: ['01*'] })),
  )
})

test('the same agents give the same file', () => {
  const packed = [given(key, script('anna'))]
  expect(writeEntries('Liceo Padova', packed, key)).toEqual(writeEntries('Liceo Padova', packed, key))
})

test('the signature is Ed25519 over the canonical text of the statement, written out here by hand', () => {
  const bytes = script('anna')
  const { entry } = given(key, bytes)
  const { package: agent } = entry.statement
  const text = `{"game":"specker","key":"${key.publicKey}","kind":"script","name":"anna","package":"${agent}","school":"Liceo Padova","signs":"tartaglia entry","submitted":"2026-11-20T08:00:00.000Z"}`
  const x = Buffer.from(key.publicKey, 'hex').toString('base64url')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  expect(verify(null, Buffer.from(text), publicKey, Buffer.from(entry.signature, 'hex'))).toBe(true)
})

test.each(['name', 'school', 'package', 'submitted', 'game'] as const)(
  'a statement whose %s is changed is not signed',
  (field) => {
    const { entry } = given(key, script('anna'))
    expect(isSignedEntry(entry)).toBe(true)
    const changed = { ...entry.statement, [field]: `${entry.statement[field]}0` }
    expect(isSignedEntry({ ...entry, statement: changed })).toBe(false)
  },
)

const padova = { name: 'anna', school: 'Liceo Padova' }

test.each([
  ['anna', true],
  ['anna · Liceo Padova', true],
  ['anna 2', true],
  ['anna · Liceo Padova 17', true],
  ['bert', false],
  ['Anna', false],
  ['anna 1', false],
  ['anna 02', false],
  ['anna · Liceo Verona', false],
  ['anna Liceo Padova', false],
])('"%s" as a name of the entry "anna": %s', (name, is) => expect(isNameOfEntry(name, padova)).toBe(is))

test('a long pseudonym is cut so that its school fits', () => {
  const long = { name: 'x'.repeat(64), school: 'y'.repeat(40) }
  expect(Array.from(nameWithSchool(long))).toHaveLength(64)
  expect(isNameOfEntry(nameWithSchool(long), long)).toBe(true)
})
