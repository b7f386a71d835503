import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { generateKey, keyText, signingKey } from '../../../main/histories/keys.ts'
import { saying } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../cli/environment.ts'
import { chainOf, key, linesOf } from './receipt-chain.ts'

const folder = temporaryFolder('receipts')
const keyFile = join(folder, 'class.pub')
writeFileSync(keyFile, `${keyText(key.publicKey)}\n`)
const chain = chainOf([1, 2, 3])
const lines = linesOf(chain)

/** Writes a file of lines; returns its path. */
function file(name: string, ...content: readonly string[]): string {
  const path = join(folder, name)
  writeFileSync(path, content.map((line) => `${line}\n`).join(''))
  return path
}

interface Answer {
  readonly ok: boolean
  readonly files: readonly { readonly verdict: string; readonly line?: number; readonly message?: string }[]
}
async function verify(...args: readonly string[]): Promise<{ readonly code: number; readonly answer: Answer }> {
  const { code, stdout } = await run('receipt', 'verify', ...args, '--data', join(folder, 'none'), '--json')
  return { code, answer: JSON.parse(stdout) as Answer }
}

describe('receipt verify', () => {
  test('has the exit codes of history verify', async () => {
    const one = file('2.json', lines[1]!)
    expect(await verify(one, '--key', keyFile)).toMatchObject({ code: 0, answer: { ok: true } })
    expect(await verify(one)).toMatchObject({ code: 4, answer: { files: [{ verdict: 'signer-unknown' }] } })
    const other = keyText(signingKey(generateKey())!.publicKey)
    expect(await verify(one, '--key', other)).toMatchObject({ code: 1 })
    const changed = file('changed.json', lines[1]!.replace('"team":"Rot', '"team":"Rut'))
    expect(await verify(changed)).toMatchObject({ code: 1, answer: { files: [{ verdict: 'not-genuine' }] } })
    expect(await verify(join(folder, 'missing.json'), '--key', keyFile)).toMatchObject({ code: 2 })
  })

  test('says what the receipt proves', async () => {
    const { stdout } = await run('receipt', 'verify', file('2.json', lines[1]!), '--key', keyFile)
    for (const fact of ['genuine', 'receipt 2', 'Rot Ω', 'week-1', '1'.repeat(64), '2026-11-29T20:00:02.500Z'])
      expect(stdout).toContain(fact)
  })

  test('finds the line of a chain that was taken away, and a receipt that a chain no longer has', async () => {
    const whole = file('chain.jsonl', ...lines)
    const receipt = file('3.json', lines[2]!)
    expect(await verify(whole, receipt, '--key', keyFile)).toMatchObject({ code: 0 })
    const without = file('without.jsonl', lines[0]!, lines[2]!)
    expect(await verify(without, '--key', keyFile)).toMatchObject({ code: 1, answer: { files: [{ line: 2 }] } })
    // A shorter chain holds by itself: the receipt of its end shows that something is missing.
    const shorter = file('shorter.jsonl', lines[0]!, lines[1]!)
    const { code, answer } = await verify(shorter, receipt, '--key', keyFile)
    expect([code, answer.files.map(({ verdict }) => verdict)]).toEqual([1, ['genuine', 'not-genuine']])
    // So does a chain that the holder of the key has signed anew.
    const anew = linesOf(chainOf([1, 2, 3], (body) => (body.n === 2 ? { ...body, team: 'Blue' } : body)))
    expect((await verify(file('anew.jsonl', ...anew), receipt, '--key', keyFile)).code).toBe(1)
  })

  test('judges a chain of one line, one that another key has signed, and one of another class', async () => {
    const other = signingKey(generateKey())!
    const messages = async (...args: readonly string[]): Promise<readonly (string | undefined)[]> =>
      (await verify(...args)).answer.files.map(({ verdict, message }) => message ?? verdict)
    const receipt = file('3.json', lines[2]!)
    // A chain that was cut to one line is told from a receipt by its name.
    const rest = file('rest.jsonl', lines[0]!)
    expect(await messages(rest, receipt, '--key', keyFile)).toEqual(['genuine', saying(rest, 1)])
    expect(await messages(file('late.jsonl', lines[2]!), '--key', keyFile)).toEqual([saying(1, 3)])
    expect((await verify(file('1.json', lines[0]!), receipt, '--key', keyFile)).code).toBe(0)
    // Signed with another key, in the name of the class and under its own.
    const forged = chainOf([1, 2, 3], (body) => ({ ...body, class: key.fingerprint }), other)
    expect(await messages(file('forged.jsonl', ...linesOf(forged)), '--key', keyFile)).toEqual([saying('another key')])
    const foreign = file('foreign.jsonl', ...linesOf(chainOf([1, 2, 3], undefined, other)))
    expect(await messages(foreign, '--key', keyFile)).toEqual([saying(other.fingerprint)])
    expect(await messages(receipt, foreign)).toEqual([saying(foreign), 'signer-unknown'])
    expect(await messages(receipt, foreign, file('chain.jsonl', ...lines))).toEqual(Array(3).fill('signer-unknown'))
    const mixed = [lines[0]!, ...linesOf(chainOf([1, 2], (body) => ({ ...body, previous: chain[0]!.h, n: 2 }), other))]
    expect(await messages(file('mixed.jsonl', ...mixed.slice(0, 2)))).toEqual([saying('another class')])
    // Two chains of one class that contradict each other; one that goes on does not.
    const anew = file('anew.jsonl', ...linesOf(chainOf([1, 2, 3], (body) => ({ ...body, team: 'Blue' }))))
    const two = file('two.jsonl', ...lines.slice(0, 2))
    expect(await messages(anew, two, '--key', keyFile)).toEqual([saying(two, 2), saying(anew, 2)])
    expect(await messages(file('chain.jsonl', ...lines), two, '--key', keyFile)).toEqual(['genuine', 'genuine'])
  })
})

const hasBoth = [['python3', '--version'] as const, ['openssl', 'version'] as const].every(
  ([command, argument]) => spawnSync(command, [argument]).status === 0,
)

test.skipIf(!hasBoth)('the verifier in Python that docs/receipts.md prints agrees (needs python3, openssl)', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../../docs/receipts.md'), 'utf8')
  const script = join(folder, 'verify.py')
  writeFileSync(script, /```python\n(.*?)```/s.exec(docs)![1]!)
  const check = (path: string): readonly [number | null, string] => {
    const { status, stdout, stderr } = spawnSync('python3', [script, path, keyFile], { encoding: 'utf8' })
    return [status, stdout + stderr]
  }
  expect(check(file('2.json', lines[1]!))).toEqual([0, expect.stringContaining('genuine, 1 receipts')])
  const later = linesOf(chainOf([1], (body) => ({ ...body, received: '2026-11-29T20:00:01.001Z' })))
  expect(check(file('later.json', ...later))).toEqual([1, expect.stringContaining('received')])
  expect(check(file('chain.jsonl', ...lines))).toEqual([0, expect.stringContaining(chain.at(-1)!.h)])
  expect(check(file('without.jsonl', lines[0]!, lines[2]!))).toEqual([1, expect.stringContaining(':2: not genuine')])
  expect(check(file('changed.json', lines[1]!.replace('"n":2', '"n":3')))).toEqual([1, expect.stringContaining('hash')])
})
