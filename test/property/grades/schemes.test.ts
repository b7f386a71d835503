import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GradedContest, TeamInContest } from '../../../main/contract/grades/grade-terms.ts'
import { contestWith, student, valuesBy } from '../../unit/grades/made-facts.ts'

const people = ['ann', 'bob', 'cleo', 'dan']
/** Doubles are mostly tiny; these reach all thresholds. */
const figure = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100)
const contest = fc.record({
  places: fc.array(figure, { minLength: 4, maxLength: 4 }),
  late: fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }),
})
const contests = fc.array(contest, { minLength: 2, maxLength: 4 })

/** The measures of a team in a contest that make a grade better. */
const measures = ['place', 'points', 'share', 'tied', 'against'] as const
type Measure = (typeof measures)[number]
const measure = fc.constantFrom(...measures)

/** The same scheme by another measure than places. */
const by = (scheme: string, measured: Measure): string =>
  measured === 'against'
    ? scheme.replaceAll(/place\(([^)]*)\)/g, 'against($1, "baby")')
    : scheme.replaceAll('place(', `${measured}(`)

/** Contests in which the figures stand in this measure. */
function made(
  all: readonly { readonly places: readonly number[]; readonly late: readonly number[] }[],
  measured: Measure = 'place',
): GradedContest[] {
  const facts = (figure: number): Partial<TeamInContest> =>
    measured === 'against' ? { against: { baby: { better: figure, met: 100 } } } : { [measured]: figure }
  return all.map(({ places, late }, at) =>
    contestWith(
      `w${at}`,
      Object.fromEntries(people.map((name, who) => [name, { ...facts(places[who]!), late: late[who]! }])),
    ),
  )
}

/** A grade that rises with each figure: everything but late days. */
const rising = fc.constantFrom(
  'grade = mean(place(contests))',
  'grade = mean(drop(1, place(contests)))',
  'grade = sum(best(2, place(contests)))',
  'grade = weighted(70, mean(place(contests)), 30, max(place(contests)))',
  'grade = cap(sum(place(contests)) * 2, 150) - 3 * sum(late(contests))',
  'grade = step(min(place(contests)), 10, 20, 50, 60, 90, 100)',
  'grade = round(place("w0") / 3, 1)',
)

test('a higher figure never lowers a grade, and changes none of the others, in each measure', () => {
  fc.assert(
    fc.property(rising, measure, contests, fc.nat(3), figure, (scheme, measured, all, who, more) => {
      const text = by(scheme, measured)
      const before = valuesBy(
        text,
        made(all, measured),
        people.map((name) => student(name)),
      )
      const raised = all.map(({ places, late }) => ({
        places: places.map((each, at) => (at === who ? each + more : each)),
        late,
      }))
      const after = valuesBy(
        text,
        made(raised, measured),
        people.map((name) => student(name)),
      )
      for (const [at, name] of people.entries()) {
        if (at === who) expect(after[name]).toBeGreaterThanOrEqual(before[name]! - 1e-9)
        else expect(after[name]).toBe(before[name])
      }
    }),
    { numRuns: 200 },
  )
})

test('the order of students changes no grade, on a curve too', () => {
  const text = fc.oneof(rising, fc.constant('grade = curve(mean(place(contests)), 70, 12)'))
  fc.assert(
    fc.property(text, contests, fc.shuffledSubarray(people, { minLength: 4 }), (scheme, all, order) => {
      const straight = valuesBy(
        scheme,
        made(all),
        people.map((name) => student(name)),
      )
      const shuffled = valuesBy(
        scheme,
        made(all),
        order.map((name) => student(name)),
      )
      for (const name of people) expect(shuffled[name]).toBeCloseTo(straight[name]!, 6)
    }),
    { numRuns: 50 },
  )
})

test('weights sum to all: equal figures give that figure, and other sums are refused', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 }), figure, fc.integer({ min: 1, max: 50 }), (weight, value, more) => {
      const all = made([{ places: [value, value, value, value], late: [0, 0, 0, 0] }])
      const text = (other: number) => `grade = weighted(${weight}, place("w0"), ${other}, place("w0"))`
      expect(valuesBy(text(100 - weight), all, [student('ann')])['ann']).toBeCloseTo(value, 6)
      expect(() => valuesBy(text(100 - weight + more), all, [student('ann')])).toThrow('weights-sum')
    }),
    { numRuns: 50 },
  )
})

test('a curve has the mean and the deviation that were asked for, and keeps the order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 4, maxLength: 4 }), (places) => {
      fc.pre(new Set(places).size > 1)
      const values = valuesBy(
        'grade = curve(place("w0"), 60, 15)',
        made([{ places, late: [0, 0, 0, 0] }]),
        people.map((name) => student(name)),
      )
      const all = people.map((name) => values[name]!)
      const mean = all.reduce((sum, each) => sum + each, 0) / 4
      expect(mean).toBeCloseTo(60, 6)
      expect(Math.sqrt(all.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 4)).toBeCloseTo(15, 6)
      for (const [i, a] of places.entries())
        for (const [j, b] of places.entries()) if (a > b) expect(all[i]).toBeGreaterThan(all[j]!)
    }),
    { numRuns: 50 },
  )
})
