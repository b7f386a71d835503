import { expect, test } from 'vitest'
import type { DossierItem } from '../../../main/contract/evidence/dossiers.ts'
import { fingerprint, generateKey, keyText, signingKey } from '../../../main/histories/keys.ts'
import { games } from '../../../main/referees/games.ts'
import { checkDossier, type CheckOptions } from '../../../main/services/evidence/check-dossier.ts'
import { canonicalText, sha256 } from '../../../main/histories/canonical.ts'
import { recordOf } from '../../../main/services/evidence/told-lines.ts'
import { signedManifest } from '../../../main/services/evidence/dossier-folder.ts'
import { noPython, pythonVerdicts } from './python-verifier.ts'
import { edited, resigned, sampleFiles, sampleHistory, sampleKey } from './sample-dossier.ts'

const files = await sampleFiles()
const key = keyText(sampleKey.publicKey)
const other = signingKey(generateKey())!
const options = (more: Partial<CheckOptions> = {}): CheckOptions => ({
  known: new Map([[key, 'the class']]),
  games: (id) => games.get(id),
  ...more,
})
const history = [...files.keys()].find((path) => path.endsWith('.jsonl'))!
const codeOf = { genuine: 0, 'signer-unknown': 4, 'not-genuine': 1 } as const

type Changes = Readonly<Record<string, Uint8Array | null>>

/** Changes to the files with a manifest that fits them, as whoever has a key can make it. */
function signedAgain(changes: Changes, signer = sampleKey): Changes {
  const changed = new Map(files)
  changed.delete('manifest.json')
  for (const [path, bytes] of Object.entries(changes)) {
    if (bytes === null) changed.delete(path)
    else changed.set(path, bytes)
  }
  const hashes = new Map([...changed].map(([path, bytes]) => [path, sha256(bytes)]))
  return { ...changes, 'manifest.json': Buffer.from(signedManifest(hashes, signer)) }
}
function withChanges(changes: Changes): Map<string, Uint8Array> {
  const changed = new Map<string, Uint8Array | null>([...files, ...Object.entries(changes)])
  return new Map([...changed].flatMap(([path, bytes]) => (bytes === null ? [] : [[path, bytes]])))
}

test('a dossier is genuine with the key of the class, and intact with an unknown signer without it', () => {
  const report = checkDossier(files, options())
  expect(report).toMatchObject({ verdict: 'genuine', problem: null, others: [] })
  expect(report.signer).toEqual({ name: 'the class', key, fingerprint: fingerprint(sampleKey.publicKey) })
  expect(report.histories).toEqual([
    { path: history, verdict: 'genuine', message: null, fingerprint: fingerprint(sampleKey.publicKey), replayed: true },
  ])
  expect(report.items.map(({ problem, told }) => [problem, told])).toEqual(Array(7).fill([null, null]))
  expect(checkDossier(files, options({ known: new Map() }))).toMatchObject({
    verdict: 'signer-unknown',
    histories: [{ verdict: 'signer-unknown' }],
  })
  expect(checkDossier(files, options({ keys: [other.publicKey] }))).toMatchObject({
    verdict: 'not-genuine',
    histories: [{ verdict: 'not-genuine' }],
  })
})

test('a check reports its progress within each history', () => {
  let calls = 0
  checkDossier(files, options({ onProgress: () => void calls++ }))
  // Verifying reports each hundredth, and telling each line.
  expect(calls).toBeGreaterThan(sampleHistory.toString().split('\n').length)
})

type Event = DossierItem & { readonly kind: 'event' }
const dossierWith = (edit: (items: Event[]) => void): Changes => ({
  'dossier.json': edited(files.get('dossier.json')!, ({ items }: { items: Event[] }) => edit(items)),
})
const firstWith = (change: (item: Event) => object): Changes =>
  dossierWith((items) => void (items[0] = { ...items[0]!, ...change(items[0]!) } as Event))

const againWith = (change: object): Changes =>
  dossierWith((items) => void (items[5] = { ...items[5]!, ...change } as never))

/** Dossiers that say what is not so, signed by the class all the same: the item that both verifiers find. */
const untrue: Readonly<Record<string, readonly [item: number, changes: Changes]>> = {
  'a hash of another line': [0, firstWith(({ reference }) => ({ reference: { ...reference, hash: 'a'.repeat(64) } }))],
  'a line that does not exist': [0, firstWith(({ reference }) => ({ reference: { ...reference, line: 999 } }))],
  'another event': [0, firstWith(({ reference }) => ({ reference: { ...reference, move: 2 } }))],
  'another match': [0, firstWith(({ reference }) => ({ reference: { ...reference, match: 7 } }))],
  'another head': [0, firstWith(({ reference }) => ({ reference: { ...reference, head: 'a'.repeat(64) } }))],
  'another time': [0, firstWith(({ facts }) => ({ facts: { ...facts, at: 1e6 } }))],
  'other words of the record': [0, firstWith(({ facts }) => ({ facts: { ...facts, record: '{"k":"input"}' } }))],
  'other players': [0, firstWith(({ facts }) => ({ facts: { ...facts, players: ['x', 'y'] } }))],
  'another text of a rule': [
    4,
    dossierWith((items) => void (items[4] = { ...items[4]!, text: 'Rule 5. Everything is allowed.' } as never)),
  ],
  'another version that is said to have played': [5, againWith({ agent: 'a'.repeat(64) })],
  'the version that played, said to be another one': [5, againWith({ isPinned: false })],
  'an agent in a seat that the match does not have': [5, againWith({ seat: 9, isPinned: false })],
  'an answer to another line': [5, againWith({ facts: { kind: 'input', at: 1e6, record: '', players: [] } })],
  'a missing rule': [4, { [[...files.keys()].find((path) => path.startsWith('rules/'))!]: null }],
  'a missing history': [0, { [history]: null }],
}

test.each(Object.entries(untrue))('an item does not hold: %s', (_, [item, changes]) => {
  const report = checkDossier(withChanges(signedAgain(changes)), options())
  expect(report.verdict).toBe('not-genuine')
  expect(report.items.findIndex(({ problem }) => problem !== null)).toBe(item)
})

test('another sentence is shown beside that of this program', () => {
  const changes = signedAgain(firstWith(({ reference }) => ({ reference: { ...reference, sentence: 'It cheats.' } })))
  const report = checkDossier(withChanges(changes), options())
  expect(report.items[0]!.told).toBe(
    JSON.parse(Buffer.from(files.get('dossier.json')!).toString()).items[0].reference.sentence,
  )
})

test('the sentence of a program that words the event otherwise, or in fewer sentences, is shown beside the kept one', () => {
  const changes = signedAgain(firstWith(({ reference }) => ({ reference: { ...reference, part: 3 } })))
  const unknown = checkDossier(withChanges(changes), options({ games: () => undefined }))
  expect(unknown).toMatchObject({ verdict: 'genuine', problem: null })
  expect(unknown.items[0]!.told).toMatch(/^Recorded: /)
  expect(checkDossier(withChanges(changes), options()).verdict).toBe('genuine')
})

test.each(['', 'a'])('a quoted record is the beginning of its line, also in the middle of an emoji (%j)', (before) => {
  const body = { k: 'input', n: 1, r: 1, at: 0, audience: 'public', input: `${before}${'🎲'.repeat(2_000)}` } as const
  expect(canonicalText(body).startsWith(recordOf(body as never))).toBe(true)
})

/** Folders whose files were changed: the verdict with the key of the class, and without a key. */
const folders: Readonly<
  Record<string, readonly [withKey: keyof typeof codeOf, without: keyof typeof codeOf, Changes]>
> = {
  unchanged: ['genuine', 'signer-unknown', {}],
  'a file that does not belong to it': ['genuine', 'signer-unknown', { 'readme.txt': Buffer.from('x') }],
  'signed by somebody else': ['not-genuine', 'signer-unknown', signedAgain({}, other)],
  'a history signed by somebody else': [
    'not-genuine',
    'signer-unknown',
    signedAgain({ [history]: Buffer.from(resigned(sampleHistory.toString(), other)) }),
  ],
  'a history cut off': ['not-genuine', 'not-genuine', signedAgain({ [history]: sampleHistory.subarray(0, 9_000) })],
  'a missing page': ['not-genuine', 'not-genuine', { 'index.html': null }],
  'a missing manifest': ['not-genuine', 'not-genuine', { 'manifest.json': null }],
  'a manifest that is not canonical': [
    'not-genuine',
    'not-genuine',
    { 'manifest.json': Buffer.concat([Buffer.from(' '), files.get('manifest.json')!]) },
  ],
  'an item of an unknown kind': ['not-genuine', 'not-genuine', signedAgain(againWith({ kind: 'asked-thrice' }))],
  'a dossier that is not JSON': ['not-genuine', 'not-genuine', signedAgain({ 'dossier.json': Buffer.from('{') })],
}

/** The worst of the verdicts on a dossier and its histories. */
function worst(changed: Changes, more: Partial<CheckOptions>): number {
  const { verdict, histories } = checkDossier(withChanges(changed), options(more))
  const all = [verdict, ...histories.map((each) => each.verdict)]
  return codeOf[(['not-genuine', 'signer-unknown', 'genuine'] as const).find((each) => all.includes(each))!]
}

test.each(Object.entries(folders))('a folder with %s', (_, [withKey, without, changes]) => {
  expect(worst(changes, { keys: [sampleKey.publicKey] })).toBe(codeOf[withKey])
  expect(worst(changes, { known: new Map() })).toBe(codeOf[without])
})

test.skipIf(noPython !== null)('verify.py comes to the same verdicts (needs python3)', () => {
  const changes = Object.values(folders).map(([, , change]) => change)
  const lies = Object.values(untrue).map(([, change]) => signedAgain(change))
  expect(pythonVerdicts(files, [...changes, ...lies], key).codes).toEqual([
    ...Object.values(folders).map(([withKey]) => codeOf[withKey]),
    ...lies.map(() => 1),
  ])
  expect(pythonVerdicts(files, changes).codes).toEqual(Object.values(folders).map(([, without]) => codeOf[without]))
})
