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
