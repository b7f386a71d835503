import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toText } from '../../../grammars/formulas/numbers/fraction.ts'
import type { Json } from '../../../grammars/json.ts'
import { accepted, challengeOf, SHIPPED, sourceOf } from '../challenges/shipped.ts'

const pageOf = (name: string): string =>
  readFileSync(new URL(`../../../docs/handouts/${name}.md`, import.meta.url), 'utf8')

/** The parts that `npm run handouts` writes. */
const made = /<!-- (picture|numbers) -->[^]*?<!-- \/\1 -->/g
const fraction = /\b\d+\/\d+\b/g

/** Fractions of the prose that no example shows, each with the value that its sentence claims. */
const claimed: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  // The maximum of 3p(1 - p)² is at p = 1/3.
  'max-csp': { '4/9': Math.max(...Array.from({ length: 301 }, (_, i) => 3 * (i / 300) * (1 - i / 300) ** 2)) },
  // The factor of 1/2^k for one literal; and, of a variable with either value, 3 of 4 pairs of values satisfy a clause of two.
  'max-sat': { '1/2': 2 ** -1, '3/4': 1 - 2 ** -2 },
  // A bound of 0 and a difference of 9.
  'number-partition': { '1/10': (1 + 0) / (1 + 9) },
  // Exactly one of three variables is 1 in three of eight rows.
  'pseudo-boolean': { '3/8': [0, 1, 2, 3, 4, 5, 6, 7].filter((row) => [1, 2, 4].includes(row)).length / 8 },
}

test.each(SHIPPED)(
  'a fraction in the prose of the page on %s is the quality of its example, or a listed one',
  (name) => {
    const page = pageOf(name)
    const example = new Set(Array.from(page.matchAll(made), ([part]) => part.match(fraction) ?? []).flat())
    const prose = new Set(page.replace(made, '').match(fraction) ?? [])
    const values = [...prose].filter((text) => !example.has(text)).map((text) => [text, valueOf(text)] as const)
    const listed = claimed[name] ?? {}
    expect(values.map(([text]) => text).toSorted()).toEqual(Object.keys(listed).toSorted())
    for (const [text, value] of values) expect([text, value]).toEqual([text, expect.closeTo(listed[text]!, 4)])
  },
)

/** The orders of some cities after the first one; a tour and its reverse are one. */
function orders(left: readonly number[]): readonly (readonly number[])[] {
  if (left.length === 0) return [[]]
  return left.flatMap((first) => orders(left.filter((other) => other !== first)).map((rest) => [first, ...rest]))
}

/** Numbers of thousands in the prose, each with what its sentence counts. */
const counted: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  // A question supposes a sack of this size.
  knapsack: { '1,000,000': 1_000_000 },
  'pseudo-boolean': { '1,024': Array.from({ length: 10 }).reduce<number>((count) => 2 * count, 1) },
  'set-cover': { '4,096': Array.from({ length: 12 }).reduce<number>((count) => 2 * count, 1) },
  'travelling-salesman': { '2,520': orders([2, 3, 4, 5, 6, 7, 8]).filter((order) => order[0]! < order.at(-1)!).length },
}

test.each(SHIPPED)('a large number in the prose of the page on %s is what it counts', (name) => {
  const prose = pageOf(name).replace(made, '')
  const values = [...new Set(prose.match(/\b\d{1,3}(?:,\d{3})+\b/g) ?? [])]
  const listed = counted[name] ?? {}
  expect(values.toSorted()).toEqual(Object.keys(listed).toSorted())
  for (const text of values) expect([text, Number(text.replaceAll(',', ''))]).toEqual([text, listed[text]])
})

test('every calculation in the prose of the pages is right', () => {
  const side = String.raw`\d+(?:\.\d+)?(?: [+·/] \d+)*`
  const calculation = new RegExp(String.raw`(?<![\d.·/+^] ?)(${side}) = (${side})(?![\d/])`, 'g')
  const found = SHIPPED.flatMap((name) => [...pageOf(name).replace(made, '').matchAll(calculation)])
  const calculations = found.filter(([, left, right]) => /[+·/]/.test(`${left}${right}`))
  expect(calculations.length).toBeGreaterThan(8)
  for (const [text, left, right] of calculations) expect([text, resultOf(left!)]).toEqual([text, resultOf(right!)])
})

/** The value of a sum of products and quotients. */
function resultOf(side: string): number {
  const terms = side.split(' + ').map((term) => {
    const [first, ...rest] = term.split(' ')
    let value = Number(first)
    for (let at = 0; at < rest.length; at += 2) {
      const by = Number(rest[at + 1])
      value = rest[at] === '/' ? value / by : value * by
    }
    return value
  })
  return terms.reduce((sum, term) => sum + term, 0)
}

function valueOf(text: string): number {
  const [part, whole] = text.split('/').map(Number)
  return part! / whole!
}

/** All lists of four numbers from 1 to `most`. */
function fours(most: number): readonly (readonly number[])[] {
  const pick = [0, 1, 2, 3]
  return Array.from({ length: most ** 4 }, (_, code) => pick.map((at) => (Math.floor(code / most ** at) % most) + 1))
}

/** The solutions of raw material with four vertices. */
const solutions: Readonly<Record<string, readonly Json[]>> = {
  'graph-colouring': fours(3).map((colours) => ({ colours })),
  'vertex-cover': fours(2).map((chosen) => ({ cover: [1, 2, 3, 4].filter((vertex) => chosen[vertex - 1] === 2) })),
}

test.each(Object.keys(solutions))(
  'the page on %s says that nothing is better than its example, and nothing is',
  (name) => {
    const page = pageOf(name)
    const challenge = challengeOf(sourceOf(name))
    const config = accepted(challenge.config({})).value
    const instance = challenge.values.parse(/^raw material: (.*)$/m.exec(page)![1]!, 'Instance')
    if (!instance.ok) throw new Error(instance.problem.message)
    const qualities = solutions[name]!.filter(
      (solution) => challenge.feasible(config, instance.value, solution) === null,
    ).map((solution) => {
      const quality = challenge.quality(config, instance.value, solution)
      if (typeof quality === 'string') throw new Error(quality)
      return quality
    })
    const best = qualities.toSorted((a, b) => Number(a.n * b.d - b.n * a.d)).at(-1)!
    expect(toText(best)).toBe(/so its quality is (\S+)\. No solution is better\.$/m.exec(page)![1])
  },
)
