import { describe, expect, test } from 'vitest'
import { createBeliefs, expected } from '../../../agents/haggle/knowledge/beliefs.ts'
import { outcomesOf, type Outcomes } from '../../../agents/haggle/knowledge/outcomes.ts'
import { createPartner } from '../../../agents/haggle/knowledge/partner.ts'
import { bestPlan } from '../../../agents/haggle/knowledge/plan.ts'
import { worth, type Share } from '../../../agents/haggle/knowledge/shares.ts'
import Tartaglia from '../../../agents/haggle/tartaglia.ts'

const unlikely = (): number => {
  throw new Error('nothing is drawn')
}

describe('beliefs', () => {
  test('hold every valuation of the same total but my own', () => {
    const beliefs = createBeliefs([2, 1], [1, 2], 100, unlikely)
    expect(beliefs.valuations).toEqual([
      [0, 4],
      [2, 0],
    ])
    expect([...beliefs.chances]).toEqual([0.5, 0.5])
    expect(expected(beliefs)).toEqual([1, 2])
  })

  test('follow the likelihoods', () => {
    const beliefs = createBeliefs([1, 1], [3, 0], 100, unlikely)
    beliefs.learn((valuation) => [0.1, 0.2, 0.7][valuation]!)
    beliefs.learn((valuation) => [0.5, 0.5, 0][valuation]!)
    expect(beliefs.valuations).toEqual([
      [0, 3],
      [1, 2],
      [2, 1],
    ])
    expect(beliefs.chances[0]).toBeCloseTo(1 / 3)
    expect(beliefs.chances[1]).toBeCloseTo(2 / 3)
    expect(beliefs.chances[2]).toBe(0)
  })

  test('are an even selection where there are too many', () => {
    const { valuations } = createBeliefs([1, 1], [0, 100], 10, unlikely)
    expect(valuations.map(([first]) => first)).toEqual([1, 11, 21, 31, 41, 51, 61, 71, 81, 91])
  })
})

test('outcomes say what remains for the partner, and what of it is worth nothing to it', () => {
  const outcomes = outcomesOf(
    [2, 1],
    [3, 4],
    [
      [0, 1],
      [2, 0],
    ],
    [
      [0, 10],
      [5, 0],
    ],
  )
  expect(outcomes.mine).toEqual([4, 6])
  expect([...outcomes.theirs]).toEqual([0, 10, 10, 0])
  expect([...outcomes.wasted]).toEqual([1, 0, 0, 1])
})

describe('the model of the partner', () => {
  const counts = [1, 1, 2]
  const all: readonly Share[] = [0, 1].flatMap((a) => [0, 1].flatMap((b) => [0, 1, 2].map((c) => [a, b, c])))
  const valuations = [
    [4, 6, 0],
    [0, 2, 4],
    [8, 0, 1],
  ]
  const outcomes = outcomesOf(counts, [6, 2, 1], all, valuations)
  const silence = { offered: null, demanded: null, firm: false }
  const row = (share: Share): number => all.findIndex((other) => other.join() === share.join()) * valuations.length

  test('accepts the more often the more it gets, and never nothing', () => {
    for (const seat of [0, 1]) {
      const partner = createPartner(seat, counts, 10, 5)
      for (const turn of [0, 1, 2, 3, 4]) {
        const accepts = partner.accepts(turn, outcomes, silence)
        const byWorth = [...outcomes.theirs].map((dollars, cell) => [dollars, accepts[cell]!] as const)
        for (const [dollars, chance] of byWorth) {
          expect(chance > 0).toBe(dollars > 0)
          for (const [more, likelier] of byWorth) if (more > dollars) expect(likelier).toBeGreaterThanOrEqual(chance)
        }
      }
    }
  })

  test('is resigned in its last turn in seat 1 only', () => {
    const little = row([1, 0, 1]) + 2
    expect(outcomes.theirs[little]).toBe(1)
    expect(createPartner(1, counts, 10, 5).accepts(4, outcomes, silence)[little]).toBeGreaterThan(0.9)
    expect(createPartner(1, counts, 10, 5).accepts(3, outcomes, silence)[little]).toBeLessThan(0.01)
    expect(createPartner(0, counts, 10, 5).accepts(4, outcomes, silence)[little]).toBeLessThan(0.01)
  })

  test('insists on half in its last turn rather if it has never moved', () => {
    const partner = createPartner(1, counts, 10, 5)
    const firm = partner.accepts(4, outcomes, { ...silence, firm: true })
    const moved = partner.accepts(4, outcomes, silence)
    for (const [cell, dollars] of outcomes.theirs.entries()) {
      if (dollars > 0 && dollars < 5) expect(firm[cell]).toBeLessThan(moved[cell]!)
      else expect(firm[cell]).toBe(moved[cell])
    }
    // Before its last turn it makes no difference.
    expect(partner.accepts(3, outcomes, { ...silence, firm: true })).toEqual(partner.accepts(3, outcomes, silence))
  })

  test('an agent that demands the same all the time is left more at last', () => {
    const ultimatum = (demands: readonly Share[]): Share => {
      const agent = new Tartaglia(0, [3, 2, 1], [1, 2, 3], 5)
      let demand = agent.offer()
      for (const left of demands) demand = agent.offer(left)
      return demand!
    }
    const stubborn = ultimatum(Array.from({ length: 4 }, () => [1, 0, 0]))
    const moving = ultimatum([
      [0, 0, 0],
      [1, 0, 0],
      [2, 0, 0],
      [1, 0, 0],
    ])
    expect(worth(stubborn, [1, 2, 3])).toBeLessThan(worth(moving, [1, 2, 3]))
  })

  test('is softer once it has conceded', () => {
    const partner = createPartner(0, counts, 10, 5)
    const cell = row([0, 1, 0]) + 1
    expect(outcomes.theirs[cell]).toBe(8)
    const firm = partner.accepts(4, outcomes, { offered: [1, 0, 0], demanded: null, firm: false })[cell]!
    const soft = partner.accepts(4, outcomes, { offered: [1, 0, 1], demanded: null, firm: false })[cell]!
    expect(firm).toBe(partner.accepts(4, outcomes, silence)[cell])
    expect(soft).toBeGreaterThan(firm)
  })

  test('divides certainty among its demands, whatever it values', () => {
    for (const said of [silence, { offered: [0, 0, 2], demanded: [1, 1, 0], firm: false }]) {
      for (const turn of [0, 4]) {
        const leaves = createPartner(0, counts, 10, 5).leaves(turn, outcomes, said)
        for (const at of valuations.keys()) {
          const sum = all.reduce((total, share) => total + leaves[row(share) + at]!, 0)
          expect(sum).toBeCloseTo(1)
        }
      }
    }
  })

  test('leaves what is worth nothing to it, and later what it has heard', () => {
    const partner = createPartner(1, counts, 10, 5)
    const [free, dear] = [row([0, 0, 2]), row([0, 1, 0])]
    const leaves = partner.leaves(0, outcomes, silence)
    expect(leaves[free]).toBeGreaterThan(5 * leaves[dear]!)
    const heard = partner.leaves(3, outcomes, { offered: null, demanded: [0, 1, 0], firm: false })
    const unheard = partner.leaves(3, outcomes, { offered: null, demanded: [1, 0, 0], firm: false })
    expect(heard[dear]).toBeGreaterThan(unheard[dear]!)
  })
})

describe('the plan, against values worked out by hand', () => {
  /** One valuation a column. The partner's worths do not matter where the chances are given. */
  const outcomes = (mine: readonly number[], valuations: number): Outcomes => ({
    shares: mine.map((dollars) => [dollars]),
    valuations,
    mine,
    theirs: new Uint16Array(mine.length * valuations),
    wasted: new Uint8Array(mine.length * valuations),
  })
  const table = (...cells: readonly number[]): Float64Array => Float64Array.from(cells)
  const mute = (): null => null

  test('an ultimatum weighs what it brings against its chance', () => {
    const ultimatum = (greedy: number): ReturnType<typeof bestPlan> =>
      bestPlan(outcomes([10, 6], 1), table(1), [{ accepts: table(greedy, 1), leaves: null }], mute)
    expect(ultimatum(0.5)).toEqual({ row: 1, expectation: 6 })
    expect(ultimatum(0.7)).toEqual({ row: 0, expectation: 7 })
  })

  test('a refused demand is worth the counter-offer or what follows', () => {
    // The ultimatum: 10 at 0.5 or 6 at 0.9, which is 5.4. Before it the partner offers 6 or nothing, which makes
    // 0.5 * 6 + 0.5 * 5.4 = 5.7 of a refusal. Demanding 10 at 0.2 is then 6.56, and 6 at 0.5 is 5.85.
    const leaves = table(0, 0.5, 0.5)
    const steps = [
      { accepts: table(0.2, 0.5, 0), leaves },
      { accepts: table(0.5, 0.9, 0), leaves: null },
    ]
    const { row, expectation } = bestPlan(outcomes([10, 6, 0], 1), table(1), steps, () => leaves)
    expect(row).toBe(0)
    expect(expectation).toBeCloseTo(6.56)
  })

  test('a refusal tells which partner it is', () => {
    // One partner accepts 10 for me at 0.9, the other never; both leave me 4 at 0.9. By the odds of now a second demand of
    // 10 would be better than 4 (4.5 against 3.6). After a refusal it is not: then 4 is planned, and the whole is worth
    // 0.5 * (0.9 * 10 + 0.1 * 3.6) + 0.5 * 3.6 = 6.48.
    const accepts = table(0.9, 0, 0.9, 0.9)
    const steps = [
      { accepts, leaves: table(0, 0, 0, 0) },
      { accepts, leaves: null },
    ]
    const { row, expectation } = bestPlan(outcomes([10, 4], 2), table(0.5, 0.5), steps, () => table(0, 0, 0, 0))
    expect(row).toBe(0)
    expect(expectation).toBeCloseTo(6.48)
  })

  test('of two demands that nobody accepts, the one with the better reply', () => {
    const steps = [{ accepts: table(0, 0, 0), leaves: table(0, 0.5, 0.5) }]
    const replies = (row: number): Float64Array => (row === 1 ? table(0, 1, 0) : table(0, 0, 1))
    expect(bestPlan(outcomes([10, 6, 0], 1), table(1), steps, replies)).toEqual({ row: 1, expectation: 6 })
  })
})

describe('the reference agent', () => {
  test('in seat 0 stays hard until its ultimatum, which leaves what the partner has insisted on', () => {
    const agent = new Tartaglia(0, [1, 2, 3], [2, 1, 2], 5)
    let demand = agent.offer()!
    for (let turn = 1; turn < 4; turn++) {
      expect(demand[0]! * 2 + demand[1]! + demand[2]! * 2).toBeGreaterThanOrEqual(8)
      demand = agent.offer([1, 0, 0])!
    }
    const ultimatum = agent.offer([1, 0, 0])!
    expect(ultimatum[0]).toBe(1)
    expect(ultimatum[1]! + ultimatum[2]!).toBeLessThan(5)
  })

  test('in seat 1 concedes before the ultimatum, and takes whatever it is left', () => {
    const values = [2, 1, 2]
    const agent = new Tartaglia(1, [1, 2, 3], values, 5)
    const worths = [1, 2, 3, 4].map(() =>
      agent.offer([1, 0, 0])!.reduce((sum, count, type) => sum + count * values[type]!, 0),
    )
    expect(worths[3]).toBeLessThan(worths[0]!)
    expect(agent.offer([0, 1, 0])).toBeUndefined()
  })
})
