import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { files } from '../players/seats.ts'

const runner = new URL('../../unit/formulas/run.ts', import.meta.url).href
const heapMb = 384

/** The result of a formula in a process with a small heap; throws if that is exhausted. */
async function within(formula: string): Promise<string> {
  const code = `import { run } from '${runner}'; process.stdout.write(run(${JSON.stringify(formula)}))`
  const args = [`--max-old-space-size=${heapMb}`, '--no-warnings', '--input-type=module', '-e', code]
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  // A wrong budget would let it compute for minutes. Computing time, since the machine may be busy with other work.
  const limited = ['-c', 'ulimit -t 40; exec "$0" "$@"', files.nodeBinary, ...args]
  const child = spawn('sh', limited, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.on('close', resolve))
  const said = await text(child.stdout)
  expect(await ended).toBe(0)
  return said
}

const [a, b] = ['7'.repeat(600), '3'.repeat(599)]
const steps = /\btoo many steps\b/

test.each([
  ['sums of fractions of 600 digits', `sum(${a}/${b}1 * (i - i) + ${a}/${b}7 * (1 - 1) for i in 1..900000)`],
  ['products of them in a list', `length([i * (${a}/${b}1) for i in 1..4000000])`],
  ['comparisons of them', `count(i for i in 1..4000000 where ${a}/${b}1 < i/${b}7)`],
  ['small fractions that grow', 'sum(1/i for i in 1..900000)'],
  ['remainders of a long integer', `count(i for i in 1..4000000 where ${a} mod (i * ${a}) = 0)`],
  ['ranges with long ends', `sum(sum(1 for j in ${a}7 * i .. ${a} * i) for i in 1..4000000)`],
  [
    'distinct fractions',
    `count(i for i in 1..400000 where distinct([${Array.from({ length: 9 }, (_, n) => `(${a}/${b}${n})`).join(', ')}]))`,
  ],
])('%s use up the budget, and no more time than it gives', async (_, formula) => {
  expect(await within(formula)).toMatch(steps)
})

test.each([
  ['small fractions', 'length([i/3 for i in 1..9000000])'],
  ['empty lists', 'length([[] for i in 1..9000000])'],
  ['lists of lists', `length([[${Array<string>(40).fill('i').join(', ')}] for i in 1..4000000])`],
  ['ranges', 'length([1..100 for i in 1..4000000])'],
  ['nested lists of a loop each', 'length([[j for j in 1..1] for i in 1..4000000])'],
  ['long integers', `length([${a} * i for i in 1..4000000])`],
  ['lists that double', 'length(fold(s + s from s = [1] for i in 1..60))'],
  ['texts that double', 'length(fold(s + s from s = "ab" for i in 1..60))'],
  ['graphs of many vertices', 'count(i for i in 1..1000 where isAcyclic(4000000, [[1, 2]]))'],
  [
    'sets of lists that were searched',
    'count(i for i in 1..1000000 where "x" in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"])',
  ],
])('a list of %s does not fill a heap of 384 MB', async (_, formula) => {
  expect(await within(formula)).toMatch(steps)
})

test('what was within the budget before still is', async () => {
  expect(await within('sum(i for i in 1..9999000)')).toBe('49990005499500')
  expect(await within('sum(i / 7 for i in 1..70000)')).toBe('350005000')
  expect(await within('length([[i, i + 1] for i in 1..1000000])')).toBe('1000000')
})
