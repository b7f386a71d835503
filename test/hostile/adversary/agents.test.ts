import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { start, cli } from '../../conformance/cli/process.ts'

interface Report {
  readonly seats: readonly {
    readonly rank: number
    readonly removed: boolean
    readonly reason?: string
    readonly faults: readonly { readonly kind: string; readonly text: string }[]
  }[]
}

const folder = mkdtempSync(join(tmpdir(), 'tartaglia-adversary-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0

/** Plays an agent whose turn is `body` against the baby. The match must be judged, not void. */
async function againstBaby(body: string): Promise<Report['seats'][number]> {
  const file = join(folder, `villain-${String((files += 1))}.js`)
  writeFileSync(file, `module.exports = class { turn(view) { ${body} } }`)
  const args = [cli, 'match', 'play', file, 'baby', '--isolation', 'none', '--json']
  const { code, stdout, stderr } = await start(process.execPath, args).ended
  expect(stderr).toBe('')
  expect(code).toBe(0)
  const [villain, baby] = (JSON.parse(stdout) as Report).seats
  expect(baby).toMatchObject({ rank: 1, removed: false, faults: [] })
  return villain!
}

/*
 * A worker that falls over its own report of a bad answer would make the match void: a loser could always play again. The
 * sentence about an answer quotes it, and is cut; the cut must not fall inside a character.
 */
test.each([0, 1])('a name of surrogate pairs, cut %i units in', async (shift) => {
  const villain = await againstBaby(
    `return { actions: [], ['y'.repeat(3_000 + ${String(shift)}) + '😀'.repeat(2_000)]: 1 }`,
  )
  expect(villain).toMatchObject({ rank: 2, removed: true, faults: [{ kind: 'invalid' }] })
  expect(villain.reason?.isWellFormed()).toBe(true)
})

test('a removal for memory has the same reason in every run', async () => {
  const villain = await againstBaby('const held = []; for (;;) held.push(new Uint8Array(30e6).fill(1))')
  expect(villain.reason).toBe('The agent used more than the 512 MB of memory that are allowed.')
})

test.each([
  [
    'ten thousand offers',
    'return Array.from({ length: 10_000 }, () => ({ type: "offer", predicate: { relations: [1] }, price: 0 }))',
  ],
  [
    'a megabyte of one predicate',
    'return [{ type: "offer", predicate: { relations: Array.from({ length: 250_000 }, (_, n) => n % 256) }, price: 1 }, { type: "solve", challenge: 9, solution: 0 }]',
  ],
  [
    'numbers that grow when written anew',
    'return [{ type: "offer", predicate: { relations: Array(40_000).fill(1e20) }, price: 1 }]',
  ],
  [
    'names that mean something to JavaScript',
    'return JSON.parse(\'{"actions":[{"type":"offer","predicate":{"relations":[1],"__proto__":{"a":1}},"price":0}]}\')',
  ],
  ['an action of a kind that all objects have', 'return [{ type: "constructor" }]'],
  [
    'eighty thousand unknown names',
    'return Object.fromEntries(Array.from({ length: 80_000 }, (_, n) => ["k" + n, n]))',
  ],
  [
    'a nest of five hundred',
    'let deep = {}; for (let n = 0; n < 505; n++) deep = { relations: deep }; return [{ type: "offer", predicate: deep, price: 0 }]',
  ],
  ['an error as long as a book', 'throw new Error("😀".repeat(90_000))'],
  [
    'a stack that is all white space',
    'throw Object.defineProperty(new Error("m"), "stack", { get: () => "\\n ".repeat(20_000) })',
  ],
])('%s: removed, and the other wins', async (_what, body) => {
  expect(await againstBaby(body)).toMatchObject({ rank: 2, removed: true })
})
