import { afterAll, expect, test } from 'vitest'
import * as z from 'zod'
import { limits } from '../../../main/contract/limits.ts'
import { openStage, reportOf } from '../../conformance/verbs/stage.ts'

const stage = openStage('adversary')
afterAll(() => stage.remove())
let number = 0

/** Plays an agent whose turn is `body` against the baby, with all the time in the world. The match must be judged, not void. */
async function removedByBaby(body: string, more: object = {}): Promise<void> {
  const name = `villain-${String((number += 1))}`
  const agent = stage.write(`${name}.js`, `module.exports = class { turn(view) { ${body} } }`)
  const contest = stage.contest(`${name}.json`, {
    entrants: [
      { name: 'villain', agent },
      { name: 'baby', agent: `${stage.agents}/baby.js` },
    ],
    ...more,
  })
  const ended = await stage.run('contest', 'run', contest, '--json', '--data', `${stage.folder}/${name}`)
  expect(ended.stderr).not.toMatch(/does not count|interrupted|worker/)
  expect(ended.code).toBe(0)
  const { matches, standings } = reportOf(ended)
  expect(matches).toEqual({ total: 1, played: 1, void: 0 })
  expect(standings).toMatchObject([
    { agent: 'baby', rank: 1, removals: 0, faults: 0 },
    { agent: 'villain', rank: 2, removals: 1 },
  ])
}

/*
 * A worker that falls over its own report of a bad answer would make the match void: a loser could always play again. The
 * sentence about an answer quotes it, and is cut; the cut must not fall inside a character.
 */
test.each([0, 1])('a name of surrogate pairs, cut %i units in', (shift) =>
  removedByBaby(`return { actions: [], ['y'.repeat(3_000 + ${String(shift)}) + '😀'.repeat(2_000)]: 1 }`),
)

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
])('%s: removed, and the other wins', (_what, body) => removedByBaby(body))

// Each takes six bytes in a history, whose lines have a longest.
test('as much as the console may ever hold, in characters that grow, at once', async () => {
  const { maximum } = z.toJSONSchema(limits).properties?.['consoleBytes'] as { maximum: number }
  await removedByBaby(`console.log('\\x01'.repeat(${String(maximum - 1)})); return []`, {
    limits: { consoleBytes: maximum, memoryMb: 2_048, startMs: 120_000, moveMs: 120_000 },
  })
})
