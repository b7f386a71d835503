import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exchanged, exchangeOf } from '../../../grammars/challenges/formats/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { accepted, challengeOf, sourceOf } from '../../unit/challenges/shipped.ts'
import { cspInstances, satInstances } from './generators.ts'
import { anyText } from '../../any-text.ts'

test.each(['wcnf', 'wcnf-2022'])('max-sat written as %s is read again as it was', (format) => {
  const dimacs = exchangeOf(challengeOf(sourceOf('max-sat')))!
  fc.assert(
    fc.property(satInstances, (instance) => {
      const written = dimacs.write(instance as Json, format)
      if (!written.ok) throw new Error(written.error)
      expect(dimacs.read(written.text)).toMatchObject({ ok: true, material: { instance, notes: [] } })
    }),
    { numRuns: 200 },
  )
})

test("max-csp written as the course's text is read again as it was", () => {
  const course = exchangeOf(challengeOf(sourceOf('max-csp')))!
  const relations = fc.uniqueArray(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(relations.chain(cspInstances), (instance) => {
      const written = course.write(instance as Json)
      if (!written.ok) throw new Error(written.error)
      expect(course.read(written.text)).toMatchObject({ ok: true, material: { instance } })
    }),
    { numRuns: 200 },
  )
})

/** The parts of raw material that a format has room for: no labels of vertices, and no order of members. */
const KEPT: Readonly<Record<string, (instance: Json) => unknown>> = {
  'graph-colouring': (instance) => instance,
  'vertex-cover': (instance) => {
    const { colours, edges } = instance as { colours: readonly Json[]; edges: Json }
    return { vertices: colours.length, edges }
  },
  'travelling-salesman': (instance) => instance,
  'set-cover': (instance) => {
    const { sets } = instance as { sets: readonly { cost: number; members: readonly number[] }[] }
    // Numbers that no set has get no row, so the members are numbered anew.
    const numbers = [...new Set(sets.flatMap(({ members }) => members))].toSorted((a, b) => a - b)
    return sets.map(({ cost, members }) => [
      cost,
      members.map((member) => numbers.indexOf(member)).toSorted((a, b) => a - b),
    ])
  },
}

test.each(Object.keys(KEPT))(
  '200 random pieces of raw material of %s are written and read again as they were',
  (name) => {
    const challenge = challengeOf(sourceOf(name))
    const exchange = exchangeOf(challenge)!
    const config = accepted(challenge.config({})).value
    const random = randomStream('4'.repeat(64))
    const texts = new Set<string>()
    for (let i = 0; i < 200; i++) {
      const { value } = accepted(challenge.sampler.predicate(config, random))
      const instance = accepted(challenge.sampler.instance(config, value, random)).value
      const written = exchange.write(instance)
      if (!written.ok) throw new Error(written.error)
      const read = exchange.read(written.text)
      if (!read.ok) throw new Error(`${read.problem.message}\n${written.text}`)
      expect(KEPT[name]!(read.material.instance)).toEqual(KEPT[name]!(instance))
      texts.add(written.text)
    }
    expect(texts.size).toBeGreaterThan(150)
  },
)

describe.each(exchanged)('any text of %s is read or refused with a place in it, and nothing is thrown', (name) => {
  const exchange = exchangeOf(challengeOf(sourceOf(name)))!
  const word = fc.constantFrom(
    'p',
    'c',
    'cnf',
    'wcnf',
    'h',
    '0',
    '-0',
    '1',
    '-2',
    '3',
    '22',
    ':',
    '22:',
    '%',
    '\n',
    'x',
    '9e9',
  )
  const nearly = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '))
  const texts = fc.oneof(
    nearly,
    nearly.map((text) => `p cnf 3 1\n${text}`),
    nearly.map((text) => `p 3 1\n${text}`),
  )
  test.each([
    ['noise', anyText({ maxLength: 100 })],
    ['nearly right', texts],
  ])('%s', (_, source) => {
    fc.assert(
      fc.property(source, (text) => {
        const read = exchange.read(text)
        if (read.ok) {
          const again = exchange.write(read.material.instance)
          expect(again.ok && exchange.read(again.text).ok).toBe(true)
        } else {
          expect(read.problem.at.offset).toBeLessThanOrEqual(text.length)
          expect(read.problem.message).toMatch(/\.$/)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
