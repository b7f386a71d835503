import fc from 'fast-check'
import { expect, test } from 'vitest'
import { elect } from '../../../main/referees/cops/rules.ts'

/** Computed by hand from the nine steps. Candidates are A to E, a ballot is a word. */
const cases: readonly (readonly [ballots: readonly string[], winner: string | null, why: string])[] = [
  [['ABCDE', 'ABCDE', 'ABCDE', 'BACDE', 'CABDE'], 'A', 'three firsts are the only maximum'],
  [['ABCDE', 'BACDE', 'CABDE', 'DABCE', 'EABCD'], 'A', 'all tie, the first choices go, then A has four'],
  [['ABCDE', 'ACBDE', 'BACDE', 'BCADE', 'CABDE'], 'A', 'C is dropped, its ballot goes to A'],
  [['ABCDE', 'ACBDE', 'BACDE', 'BCADE', 'CBADE'], 'B', 'C is dropped, its ballot goes to B'],
  [['ABCDE', 'BCDEA', 'CDEAB', 'DEABC', 'EABCD'], null, 'a cycle ties until the ballots are empty'],
  [['EDCBA', 'EDCBA', 'DCBAE', 'CBAED', 'BAEDC'], 'E', 'two firsts beat one'],
  [['ABCDE', 'ABCDE', 'BACDE', 'BACDE', 'CDABE'], 'A', 'A and B tie at two, C is dropped, DABE becomes AB'],
  [['ABCDE', 'ABCDE', 'BACDE', 'BACDE', 'CDBAE'], 'B', 'the same the other way'],
  [['ABCDE', 'ABCDE', 'BACDE', 'BACDE'], null, 'A and B tie, the tops go, and the others tie as well'],
  [['ABCDE'], 'A', 'one ballot'],
  [['ABCDE', 'BACDE'], null, 'A and B stay; AB and BA tie, B and A tie, then nothing is left'],
  [[], null, 'no ballots'],
  [['ABCDE', 'ABCDE', 'BCADE', 'BCADE', 'ECBAD'], 'B', 'E and C are dropped, the last ballot is BA'],
]

test.each(cases)('%j elects %s: %s', (ballots, winner) => {
  const elected = elect([0, 1, 2, 3, 4], ballots.map(numbersOf))
  expect(elected === null ? null : 'ABCDE'[elected]).toBe(winner)
})

const numbersOf = (ballot: string): readonly number[] => [...ballot].map((letter) => 'ABCDE'.indexOf(letter))

/** The nine steps once more, read word by word as a machine that goes from step to step. */
function byTheBook(all: readonly number[], given: readonly (readonly number[])[]): number | null {
  let ballots: number[][] = []
  let running: number[] = []
  let top: number[] = []
  let counts = new Map<number, number>()
  let step = 1
  for (;;) {
    if (step === 1) ballots = given.map((ballot) => [...ballot])
    else if (step === 2) running = [...all]
    else if (step === 3) {
      if (running.length === 0 || ballots.filter((ballot) => ballot.length > 0).length === 0) return null
    } else if (step === 4) {
      if (running.length === 1) return running[0]!
    } else if (step === 5) {
      counts = new Map()
      for (const x of running) counts.set(x, ballots.filter((ballot) => ballot[0] === x).length)
    } else if (step === 6) {
      top = running.filter((x) => running.every((y) => counts.get(x)! >= counts.get(y)!))
    } else if (step === 7) {
      if (top.join() === running.join()) for (const ballot of ballots) ballot.shift()
    } else if (step === 8) running = [...top]
    else {
      ballots = ballots.map((ballot) => ballot.filter((x) => running.includes(x)))
      ballots = ballots.filter((ballot) => ballot.length > 0)
    }
    step = step === 9 ? 3 : step + 1
  }
}

test('every election is as the nine steps say', () => {
  const candidates = fc.integer({ min: 1, max: 6 }).map((size) => [...Array(size).keys()])
  const election = candidates.chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc.array(fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }), { maxLength: 6 }),
    ),
  )
  fc.assert(
    fc.property(election, ([all, ballots]) => {
      expect(elect(all, ballots)).toBe(byTheBook(all, ballots))
    }),
    { numRuns: 2_000 },
  )
})
