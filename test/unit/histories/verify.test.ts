import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import { canonicalText, sha256 } from '../../../main/histories/canonical.ts'
import { chainLine, linkHash, saltOf, tagOf, type ChainValue } from '../../../main/histories/chain.ts'
import { createExporter, type Consoles, type Exporter } from '../../../main/histories/export.ts'
import { merkleTree } from '../../../main/histories/merkle.ts'
import { rootText } from '../../../main/histories/segments/seal-texts.ts'
import { mixedSeed, seedOfMatch } from '../../../main/histories/derived-seeds.ts'
import { scanContest } from '../../../main/histories/segments/contest-scan.ts'
import { bytesSource } from '../../../main/histories/history-source.ts'
import { showMatch } from '../../../main/histories/print-match.ts'
import { verifyMatch, type VerifyOptions } from '../../../main/histories/verify.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { config, games, nonce, openToy, otherKey, playToy, testKey } from './toy.ts'
import { refusal } from '../../refusal.ts'

const key = testKey()
const folder = temporaryFolder('histories')
let exporter: Exporter
let sample: string

beforeAll(async () => {
  const { writer } = await openToy(folder, key, 3_000)
  for (const match of [4, 2, 0, 7, 5]) {
    writer.append(playToy(match, match + 1, { turns: match }))
    await writer.commit()
  }
  await writer.close()
  const scan = await scanContest({ dir: folder, contest: 'toy-1', key: key.publicKey })
  if (!scan.ok) throw new Error(scan.damage.message)
  exporter = await createExporter(scan, key)
  sample = await textOf(4, 'none')
})

async function textOf(match: number, consoles: Consoles): Promise<string> {
  let text = ''
  for await (const piece of exporter.pieces(match, consoles)) text += piece
  return text
}

function verify(
  text: string,
  options: VerifyOptions = { keys: [key.publicKey], games },
): ReturnType<typeof verifyMatch> {
  return verifyMatch(Buffer.from(text), options)
}

type Body = { [key: string]: Json } & { k?: string; digest?: string; salt?: string }

/** The file as a forger with another key would make it: bodies changed, every hash and signature made anew. */
function forge(text: string, change: (bodies: Body[]) => Body[]): string {
  const signer = otherKey()
  const bodies = text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { b: Body }).b)
  let head: ChainValue = ''
  let out = ''
  for (const body of change(bodies)) {
    if (body.k === 'proof') {
      const { root } = merkleTree([head])
      const signature = signer.sign(rootText('toy-1', 1, root))
      Object.assign(body, { head, index: 0, count: 1, path: [], root, key: signer.publicKey, signature })
    }
    const text = canonicalText(body)
    const digest = body.k === 'redacted' ? (body.digest ?? '') : sha256(text)
    const h = linkHash(body.k === 'blob' ? '' : head, tagOf(body.k ?? ''), digest)
    if (body.k !== 'blob') head = h
    out += chainLine(text, h)
  }
  return out
}

test('every exported match verifies, with what the file says of it', async () => {
  for (const match of [0, 2, 4, 5, 7]) {
    const verdict = verify(await textOf(match, 'none'))
    if (!verdict.ok) throw new Error(`${verdict.line}: ${verdict.message}`)
    expect(verdict.match).toMatchObject({
      contest: 'toy-1',
      match,
      game: 'toy',
      inputs: match + 3,
      faults: 1,
      redacted: 2,
      count: 5,
      keyChecked: true,
      replayed: true,
      notes: [],
    })
    expect(verdict.match.root).toBe(exporter.root?.root)
  }
})

test('a public export leaves out what agents printed, a team sees its own, a panel all; all verify to one head', async () => {
  const [all, none, own, theirs] = await Promise.all(
    (['all', 'none', [1], [0]] as const).map((consoles) => textOf(4, consoles)),
  )
  expect(all).toContain('alice must not read this')
  expect(own).toBe(all)
  expect(none).not.toContain('alice must not')
  expect(none).not.toContain('secret.js')
  expect(theirs).toBe(none)
  const heads = [all, none].map((text) => verify(text!)).map((verdict) => verdict.ok && verdict.match.head)
  expect(heads[0]).toBe(heads[1])
})

test('the digest of a private line cannot be guessed from what is public', async () => {
  const all = await textOf(4, 'all')
  const body = all.split('\n').map((line) => (line === '' ? {} : (JSON.parse(line) as { b: Body }).b))
  const printed = body.find(({ k }) => k === 'console')!
  expect(printed.salt).not.toBe(saltOf(nonce, Number(printed.n)))
  expect(sample).not.toContain(printed.salt)
})

test('without a key it names the key that it was signed with; with a wrong one it fails', () => {
  const verdict = verify(sample, { games })
  expect(verdict).toMatchObject({ ok: true, match: { keyChecked: false, key: key.publicKey, notes: [] } })
  const lines = sample.split('\n').length - 1
  expect(verify(sample, { games, keys: [otherKey().publicKey] })).toMatchObject({ ok: false, line: lines })
})

test('without the rules, or with another version, it says that nothing was replayed', () => {
  const none = verify(sample, { keys: [key.publicKey] })
  expect(none.ok && none.match.replayed).toBe(false)
  const newer = verify(sample, { games: (id) => ({ ...games(id)!, version: 4 }) })
  expect(newer.ok && newer.match.notes[0]).toContain('version 3 of the rules, but this is version 4')
})

test('a forger who makes all hashes anew is found by the signature', () => {
  const forged = forge(sample, (bodies) => bodies)
  expect(verify(forged, { games })).toMatchObject({ ok: true })
  expect(verify(forged)).toMatchObject({ ok: false, line: forged.split('\n').length - 1 })
})

test.each([
  ['an input changed', 'outcome', (b: Body) => b.k === 'input' && b.n === 1 && (b.input = { seat: 0, add: 2 })],
  [
    'an input that the rules refuse',
    'input',
    (b: Body) => b.k === 'input' && b.n === 1 && (b.input = { seat: 9, add: 1 }),
  ],
  ['an invalid input', 'input', (b: Body) => b.k === 'input' && b.n === 1 && (b.input = [[]])],
  ['another state', 'checkpoint', (b: Body) => b.k === 'checkpoint' && (b.state = sha256('x'))],
  ['another outcome', 'outcome', (b: Body) => b.k === 'outcome' && (b.outcome = { places: [] })],
  ['another seed', 'outcome', (b: Body) => b.k === 'outcome' && (b.seed = sha256('other'))],
  ['a salt of its own', 'input', (b: Body) => b.salt !== undefined && (b.salt = sha256('x'))],
  ['an audience narrowed afterwards', 'input', (b: Body) => b.k === 'input' && b.n === 1 && (b.audience = 'sealed')],
  ['a proof of another match', 'proof', (b: Body) => b.k === 'proof' && (b.match = 3)],
  ['a blob changed', 'blob', (b: Body) => b.k === 'blob' && (b.value = { ...config, goal: 11 })],
  ['a field more', 'header', (b: Body) => b.k === 'header' && (b.extra = 1)],
])('forged: %s', (_what, kind, change) => {
  const forged = forge(sample, (bodies) => {
    for (const body of bodies) change(body)
    return bodies
  })
  expect(forged).not.toBe(sample)
  const verdict = verify(forged, { games })
  if (verdict.ok) throw new Error('it verifies')
  const body = (JSON.parse(forged.split('\n')[verdict.line - 1]!) as { b: Body }).b
  // A changed first input is seen at the first state that depends on it.
  expect([kind, ...(kind === 'outcome' ? ['checkpoint'] : [])]).toContain(body.k)
})

/** The sample as a match of a contest that has ended, with this phrase of the class; `change` spoils it. */
function revealed(phrase: string | null, change: (bodies: Body[]) => void = () => undefined): string {
  return forge(sample, (bodies) => {
    const seed = seedOfMatch(mixedSeed('Brescia', phrase ?? undefined), 4, 'sha256')
    const published = {
      seed: sha256(`seed:${nonce}Brescia`),
      ...(phrase === null ? {} : { classPhrase: true, phrase }),
    }
    const header = bodies.find(({ k }) => k === 'header')!
    const old = bodies.find(({ k, sha256: name }) => k === 'blob' && name === header.description)!
    Object.assign(old, { value: published, sha256: sha256(canonicalText(published)) })
    Object.assign(header, { description: old.sha256, commitment: sha256(seed + nonce) })
    Object.assign(
      bodies.find(({ k }) => k === 'outcome')!,
      { seed },
    )
    Object.assign(bodies.at(-1)!, { reveal: { seed: 'Brescia', nonce } })
    change(bodies)
    return bodies
  })
}
const published = (bodies: readonly Body[]): Record<string, Json> =>
  bodies.find(({ k, value }) => k === 'blob' && value !== null && typeof value === 'object' && 'seed' in value)!
    .value as Record<string, Json>
/** After a change of the description, its hash in the file. */
const named = (bodies: readonly Body[]): void => {
  const blob = bodies.find(({ value }) => value === published(bodies))!
  blob.sha256 = sha256(canonicalText(blob.value))
  bodies.find(({ k }) => k === 'header')!.description = blob.sha256
}

test('where a contest reveals its seed, the seed of the match must follow from it and from the phrase of the class', () => {
  expect(verify(sample, {})).toMatchObject({ ok: true, match: { revealed: null } })
  const revealedIn = (text: string): unknown => {
    const verdict = verify(text, {})
    return verdict.ok ? verdict.match.revealed : verdict.message
  }
  expect(revealedIn(revealed(null))).toEqual({ seed: 'Brescia', phrase: null })
  expect(revealedIn(revealed('sixteen cows'))).toEqual({ seed: 'Brescia', phrase: 'sixteen cows' })

  const otherPhrase = revealed('sixteen cows', (bodies) => {
    published(bodies).phrase = 'seventeen cows'
    named(bodies)
  })
  expect(revealedIn(otherPhrase)).toBe('the seed of the match does not follow from that of the contest')
  const noPhrase = revealed('sixteen cows', (bodies) => {
    delete published(bodies).phrase
    named(bodies)
  })
  expect(revealedIn(noPhrase)).toBe('the contest asked for a phrase of the class, and its description has none')
  const otherSeed = revealed('sixteen cows', (bodies) => (bodies.at(-1)!.reveal = { seed: 'Milan', nonce }))
  expect(revealedIn(otherSeed)).toBe('the revealed seed and nonce do not match the commitment of the contest')
})

test('only private lines can be redacted', () => {
  const lines = sample.split('\n')
  const at = lines.findIndex((line) => line.includes('"k":"fault"'))
  const { b, h } = JSON.parse(lines[at]!) as { b: Body; h: string }
  const redacted = { digest: sha256(canonicalText(b)), k: 'redacted', n: b.n!, r: b.r! }
  lines[at] = canonicalText({ b: redacted, h })
  expect(verify(lines.join('\n'), {})).toMatchObject({ ok: false, line: at + 1 })
})

test('lines removed, doubled, swapped or cut off are found where they are missing', () => {
  const lines = sample.split(/(?<=\n)/)
  for (let i = 0; i < lines.length; i++) {
    const removed = verify(lines.toSpliced(i, 1).join(''))
    expect(removed.ok, `removed ${i + 1}`).toBe(false)
    expect(!removed.ok && removed.line).toBeLessThanOrEqual(Math.max(i + 1, 3))
    expect(verify(lines.slice(0, i).join('')), `cut at ${i + 1}`).toMatchObject({ ok: false, line: i + 1 })
    expect(verify(lines.toSpliced(i, 0, lines[i]!).join('')), `doubled ${i + 1}`).toMatchObject({
      ok: false,
      line: i + 2,
    })
  }
  for (let i = 2; i + 1 < lines.length; i++) {
    const swapped = lines.toSpliced(i, 2, lines[i + 1]!, lines[i]!)
    expect(verify(swapped.join('')), `swapped ${i + 1}`).toMatchObject({ ok: false, line: i + 1 })
  }
})

test('writes a file whole or not at all, and says which match is not finished', async () => {
  const file = join(folder, 'match.jsonl')
  await exporter.write(4, 'none', file)
  expect(readFileSync(file, 'utf8')).toBe(sample)
  await expect(exporter.write(3, 'none', join(folder, 'no.jsonl'))).rejects.toThrow(
    refusal('match-unfinished', 3, 'toy-1'),
  )
  await expect(exporter.write(4, 'none', join(folder, 'no', 'x'))).rejects.toThrow(
    `there is no folder ${join(folder, 'no')}`,
  )
  expect(() => readFileSync(join(folder, 'no.jsonl'))).toThrow()
})

test('shown to people, nothing in it steers a terminal', () => {
  const shown = [...showMatch(bytesSource(Buffer.from(sample)))].join('\n')
  expect(shown).toContain('match 4 of toy-1, attempt 1: toy, rules 3')
  expect(shown).toContain('seat 1, question 7: crash: The agent stopped.')
  expect(shown).toContain('over: seat 0 rank 1')
  expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})

test('of a standing only the lines that changed are shown, and all of them if there are more or fewer', () => {
  const still = ['c 1']
  const standings = [['a 0', 'b 0'], ['a 0', 'b 1'], ['a 0', 'b 1'], still, still, still, still]
  const toy = games('toy')!
  const told = standings.values()
  const narrated: typeof toy = {
    ...toy,
    fold: (...given) => ({
      ...toy.fold(...given),
      narrate: () => ({ lines: [{ text: 'a turn', rule: null }], standing: told.next().value! }),
    }),
  }
  const shown = [...showMatch(bytesSource(Buffer.from(sample)), () => narrated)].map((text) => text.trim())
  expect(shown.filter((text) => text.endsWith('a turn'))).toHaveLength(standings.length)
  expect(shown.filter((text) => /^[abc] \d$/.test(text))).toEqual(['a 0', 'b 0', 'b 1', 'c 1'])
})

test('a verdict says what was expected, what was found, and which line says so', () => {
  const state = sha256('x')
  const forged = forge(sample, (bodies) => {
    for (const body of bodies) if (body.k === 'checkpoint') body.state = state
    return bodies
  })
  const verdict = verify(forged, { games })
  if (verdict.ok) throw new Error('it verifies')
  const lines = forged.split('\n')
  expect(verdict).toMatchObject({ message: 'the replay reaches a different state', found: state })
  expect(verdict.expected).toMatch(/^(?!2d71)[0-9a-f]{64}$/)
  expect(verdict.text).toBe(lines[verdict.line - 1])
  expect(verdict.events).toBe(
    lines.slice(0, verdict.line).filter((line) => /"k":"(input|fault|console)"/.test(line)).length,
  )
  const tampered = lines.with(3, lines[3]!.replace(/"h":"../, '"h":"zz'.replace('zz', '00')))
  const found = /"h":"([0-9a-f]{64})"\}$/.exec(tampered[3]!)![1]
  const expected = /"h":"([0-9a-f]{64})"\}$/.exec(lines[3]!)![1]
  expect(verify(tampered.join('\n'))).toMatchObject({ line: 4, expected, found })
})

test('a hostile line is shown in part only, and a missing line is not shown', () => {
  const long = 'x'.repeat(100_000)
  expect(verify(`${long}\n`)).toMatchObject({ ok: false, line: 1, events: 0, text: 'x'.repeat(4_000) })
  const cut = sample.split(/(?<=\n)/).slice(0, -1)
  expect(verify(cut.join(''))).toMatchObject({ ok: false, line: cut.length + 1, text: null })
})
