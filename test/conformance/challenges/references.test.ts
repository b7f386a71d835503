import { describe, expect, test } from 'vitest'
import { tryOutGame } from '../../../grammars/play-test/play-test.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { answersInScripts } from '../../../main/services/challenges/reference-scripts.ts'
import { accepted, challengeOf } from '../../unit/challenges/shipped.ts'
import { machines } from '../../unit/play-test/own-games.ts'

const amounts = { predicates: 2, instances: 2, solutions: 4, variations: 25, small: 0, ways: 0, largest: 0 }

/** The results of all references of a challenge, with those in JavaScript in their boxes. */
async function resultsOf(source: string): Promise<ReturnType<typeof tryOutGame>['test']> {
  const challenge = challengeOf(source)
  const config = accepted(challenge.config({})).value
  const random = randomStream('5'.repeat(64))
  const tried = tryOutGame(challenge, { config, random, now: () => 0, withinMs: 1, amounts })
  return tried.withScripts(await answersInScripts(challenge, config, tried.trials))
}

describe('a hostile reference harms nothing but itself', () => {
  test.each([
    ['ends by an error', 'function solve() { throw new Error("left") }', 'left'],
    ['looks for files', 'function solve() { return require("node:fs") }', 'require'],
    ['defines no function', 'const solved = 1', 'solve(instance, config)'],
  ])('%s', async (_, script, reason) => {
    const source = `${machines}reference "s" good javascript {{ ${script} }}`
    const { playable, references, warnings } = await resultsOf(source)
    expect(references).toMatchObject([{ instances: 1, refused: 1, ok: false }])
    expect(references[0]!.problem).toContain(reason)
    expect([playable, warnings.map(({ code }) => code)]).toEqual([false, ['reference-failed']])
  })

  test.each([
    ['takes all memory', 'function solve() { const all = []; for (;;) all.push(new Array(1e6).fill(1.5)) }'],
    [
      'answers without end',
      'function solve() { const all = []; for (let i = 0; i < 3e7; i++) all.push(i); return all }',
    ],
    ['writes without end', 'function solve() { for (;;) console.log("x".repeat(1e5)) }'],
  ])('%s', async (_, script) => {
    const source = `${machines}reference "s" good javascript {{ ${script} }}`
    const { references, warnings } = await resultsOf(source)
    expect(references.map(({ ok }) => ok)).not.toContain(true)
    expect(warnings.map(({ code }) => code)).toEqual([references[0]!.late ? 'reference-slow' : 'reference-failed'])
  })

  test('never answers', async () => {
    const source = `${machines}reference "s" good javascript {{ function solve() { for (;;); } }}`
    const { playable, references, warnings } = await resultsOf(source)
    expect(references).toMatchObject([{ instances: 0, late: true, ok: null }])
    expect([playable, warnings.map(({ code }) => code)]).toEqual([true, ['reference-slow']])
  })
})
