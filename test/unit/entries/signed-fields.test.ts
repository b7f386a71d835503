import { expect, test } from 'vitest'
import { entryStatement, type EntryStatement } from '../../../main/contract/contests/entries.ts'
import type { HeaderBody } from '../../../main/contract/histories/history.ts'
import { canonicalText } from '../../../main/histories/canonical.ts'
import { entriesText, isSignedEntry, signedBy, signEntry } from '../../../main/histories/keys.ts'
import { rootText, sealText } from '../../../main/histories/segments/seal-texts.ts'
import { verifyEntries } from '../../../main/histories/verify-entries.ts'
import { given, newKey, script, signedFile, statement } from './school.ts'

const [key, otherKey] = [newKey(), newKey()]
const bytes = script('anna')
const full: Required<EntryStatement> = {
  ...statement(key, bytes),
  policies: ['01*'],
  packages: ['python3'],
  source: 'shown',
} as Required<EntryStatement>

/** Another value for each field of a statement, of the form that its schema asks for where there is one. */
const others: { readonly [F in keyof Required<EntryStatement>]: unknown } = {
  signs: 'tartaglia entries',
  school: 'Liceo Milano',
  key: otherKey.publicKey,
  name: 'bert',
  game: 'haggle',
  kind: 'program',
  package: '0'.repeat(64),
  submitted: '2026-11-21T08:00:00.000Z',
  policies: ['1**'],
  packages: ['python2'],
  source: 'hidden',
}
const fields = Object.keys(others) as (keyof EntryStatement)[]

test('the tests below change every field of a statement', () => {
  expect(fields).toEqual(Object.keys(entryStatement.shape))
})

test.each(fields)('a statement whose field %s is changed or left out is not signed', (field) => {
  const { signature } = signEntry(full, key)
  expect(isSignedEntry({ statement: full, signature })).toBe(true)
  const changed = { ...full, [field]: others[field] } as EntryStatement
  expect(isSignedEntry({ statement: changed, signature })).toBe(false)
  const without = Object.fromEntries(Object.entries(full).filter(([name]) => name !== field)) as EntryStatement
  expect(isSignedEntry({ statement: without, signature })).toBe(false)
})

/** Verifies a match of Specker in which the entrant "anna" plays this package, by a description with her entry. */
function verified(entry: unknown) {
  const header = { game: 'specker', seats: [{ id: 0, name: 'anna', agent: full.package }] }
  const description = { entrants: [{ name: 'anna', entry }] } as never
  return verifyEntries(description, header as unknown as HeaderBody)
}

test('a statement about the package that played counts', () => {
  const entry = signEntry(full, key)
  expect(verified(entry)).toEqual({ entries: [{ seat: 0, name: 'anna', statement: full }], notes: [] })
})

// A school may sign what it likes about its other agents; no such statement is about this seat.
test.each([
  ['package', full.package],
  ['name', 'anna'],
  ['game', 'specker'],
] as const)('a well-signed statement with another %s is refused', (field, played) => {
  const entry = signEntry({ ...full, [field]: others[field] } as EntryStatement, key)
  expect(isSignedEntry(entry)).toBe(true)
  expect(verified(entry)).toMatchObject({
    expected: others[field],
    found: played,
    message: expect.stringContaining('Liceo Padova') as unknown,
  })
})

test.each(fields)('a statement whose field %s was changed after it was signed never counts', (field) => {
  const changed = { ...full, [field]: others[field] }
  const found = verified({ statement: changed, signature: signEntry(full, key).signature })
  if ('message' in found) expect(found.message).toContain('whose signature does not hold')
  else expect(found).toEqual({ entries: [], notes: [expect.stringContaining('it proves nothing')] })
})

test.each([
  ['school', (manifest) => ({ ...manifest, school: 'Liceo Milano' })],
  ['key', (manifest) => ({ ...manifest, key: otherKey.publicKey })],
  ['format', (manifest) => ({ ...manifest, format: 'tartaglia-entries/2' })],
  ['list of entries', (manifest) => ({ ...manifest, entries: manifest.entries.slice(1) })],
  ['order of entries', (manifest) => ({ ...manifest, entries: manifest.entries.toReversed() })],
] satisfies [string, (manifest: Manifest) => object][])(
  'the signature of an entries file covers its %s',
  (_, change) => {
    const packed = ['anna', 'bert'].map((name) => given(key, script(name), { name }))
    const line = signedFile(key, packed).toString().split('\n')[0]!
    const { manifest, signature } = JSON.parse(line) as { manifest: Manifest; signature: string }
    expect(signedBy(key.publicKey, entriesText(manifest), signature)).toBe(true)
    expect(signedBy(key.publicKey, entriesText(change(manifest) as Manifest), signature)).toBe(false)
  },
)
type Manifest = Parameters<typeof entriesText>[0]

test('the signatures of a history cover each field of a seal and of a root', () => {
  const seal = { contest: 'c', segment: 1, bytes: 2, lines: 3, sha256: 'a'.repeat(64) }
  const seals = [seal, ...Object.keys(seal).map((field) => ({ ...seal, [field]: field === 'contest' ? 'd' : 9 }))]
  const roots = [
    rootText('c', 1, 'a'.repeat(64)),
    rootText('d', 1, 'a'.repeat(64)),
    rootText('c', 2, 'a'.repeat(64)),
    rootText('c', 1, 'b'.repeat(64)),
  ]
  const texts = [...seals.map((each) => sealText(each as typeof seal)), ...roots, canonicalText(full)]
  expect(new Set(texts).size).toBe(1 + 5 + 4 + 1)
})
