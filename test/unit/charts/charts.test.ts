import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accountLines, apart, thinned, type Series } from '../../../renderer/charts/accounts.ts'
import { heatMapOf, partOf, stretchesOf } from '../../../renderer/charts/heat-map.ts'
import { intervalsFor, wholeTicks } from '../../../renderer/charts/axis.ts'
import { isUneven, ladderOf } from '../../../renderer/charts/ladder.ts'
import type { StandingRow } from '../../../main/contract/procedures/procedures.ts'

const row = (agent: string, points: number, rank = 1): StandingRow => {
  return { agent, rank, points, matches: 1, wins: 0, faults: 0, removals: 0, score: 0 }
}

describe('ladder', () => {
  test('points and intervals lie on one scale that begins at 0', () => {
    const { rungs, ticks } = ladderOf([row('a', 30), row('b', 10)], new Map([['a', [25, 40]]]))
    expect(rungs.map(({ at, from, to }) => [at, from, to])).toEqual([
      [0.75, 0.625, 1],
      [0.25, null, null],
    ])
    expect(ticks.map(({ value }) => value)).toEqual([0, 10, 20, 30, 40])
    expect(ticks.at(-1)?.at).toBe(1)
  })
  test('after unequally many matches it is of points per match, and it still begins at 0', () => {
    const uneven = [
      { ...row('a', 14_580), matches: 20 },
      { ...row('b', 12_059), matches: 10 },
    ]
    expect(isUneven(uneven)).toBe(true)
    expect(isUneven([row('a', 30), row('b', 10)])).toBe(false)
    const { rungs, ticks } = ladderOf(uneven, new Map([['b', [1_000, 1_500]]]), 5, 'per match')
    expect(ticks[0]).toEqual({ value: 0, at: 0 })
    expect(rungs[0]!.at / rungs[1]!.at).toBeCloseTo(729 / 1_205.9)
    expect(rungs[1]!.from! / rungs[1]!.at).toBeCloseTo(1_000 / 1_205.9)
  })
  test('intervals that are far wider than the scores do not press these together, and are open where they go on', () => {
    const { rungs, ticks } = ladderOf(
      [row('a', 30), row('b', 20)],
      new Map([
        ['a', [25, 40]],
        ['b', [10, 300]],
      ]),
    )
    expect(ticks.at(-1)?.value).toBeLessThanOrEqual(50)
    expect(rungs[0]!.at).toBeGreaterThan(0.5)
    expect(rungs[0]!.ends).toEqual([rungs[0]!.from, rungs[0]!.to])
    expect([rungs[1]!.to, rungs[1]!.ends]).toEqual([1, [rungs[1]!.from]])
  })
  test('scores below 0 lead to the left of it', () => {
    const { rungs, zero, ticks, rung } = ladderOf([row('a', 30), row('b', -10)], new Map([['b', [-20, 0]]]))
    expect(ticks.map(({ value }) => value)).toEqual([-20, -10, 0, 10, 20, 30])
    expect([zero, rungs[0]!.at, rungs[1]!.at, rungs[1]!.from, rungs[1]!.to]).toEqual([0.4, 1, 0.2, 0, 0.4])
    expect(rung(row('c', -50)).at).toBe(0)
    expect(ladderOf([row('a', 30)], new Map([['a', [-5, 40]]])).zero).toBe(0)
  })
  test('its ticks have room beside each other', () => {
    // One value alone would say nothing of the scale, and a scale that goes on to 50 would be half empty.
    const narrow = ladderOf([row('a', 31)], new Map(), 1)
    expect(narrow.ticks.map(({ value }) => value)).toEqual([0, 20])
    expect(narrow.rungs[0]!.at).toBeGreaterThan(0.8)
    const ticksOf = (points: number) => ladderOf([row('a', points)]).ticks.map(({ value }) => value)
    expect(ticksOf(310)).toEqual([0, 100, 200, 300])
    for (const points of [6, 13, 77, 350, 1_993, 123_456]) {
      expect(ticksOf(points).length).toBeLessThanOrEqual(6)
      expect(ticksOf(points).length).toBeGreaterThanOrEqual(3)
    }
  })
  test('nobody has points yet: everybody stands at 0', () => {
    const { rungs, ticks } = ladderOf([row('a', 0), row('b', 0)])
    expect(rungs.map(({ at }) => at)).toEqual([0, 0])
    expect(ticks.length).toBeGreaterThan(1)
    expect(ladderOf([]).rungs).toEqual([])
  })
})

describe('heat map', () => {
  const table = {
    names: ['a', 'b', 'c'],
    better: [
      [0, 1, 0],
      [3, 0, 0.5],
      [0, 0.5, 0],
    ],
    met: [
      [0, 4, 0],
      [4, 0, 1],
      [0, 1, 0],
    ],
  }
  test('follows the standings, best first', () => {
    const { names, cells } = heatMapOf(table, [row('b', 3), row('a', 1), row('c', 0)])
    expect(names).toEqual(['b', 'a', 'c'])
    expect(cells[0]).toEqual([
      null,
      { met: 4, better: 3, share: 0.75, lean: 0.5 },
      { met: 1, better: 0.5, share: 0.5, lean: 0 },
    ])
    expect(cells[1]![2]).toEqual({ met: 0, better: 0, share: null, lean: 0 })
  })
  test('a part of it keeps its names', () => {
    const part = partOf(
      heatMapOf(table, [row('b', 3), row('a', 1), row('c', 0)]),
      { from: 1, most: 2 },
      { from: 0, most: 2 },
    )
    expect(part.rows).toEqual(['a', 'c'])
    expect(part.columns).toEqual(['b', 'a'])
    expect(part.cells[0]![0]).toEqual({ met: 4, better: 1, share: 0.25, lean: -0.5 })
  })
  test('scores are means; the best mean leans most, the least to the other side, and nobody where all are alike', () => {
    const scored = {
      names: ['a', 'b'],
      better: [
        [0, 30],
        [12, 0],
      ],
      met: [
        [0, 4],
        [4, 0],
      ],
      scores: true as const,
    }
    const { cells, scores } = heatMapOf(scored, [row('a', 30), row('b', 12)])
    expect(scores).toBe(true)
    expect(cells[0]![1]).toEqual({ met: 4, better: 30, share: 7.5, lean: 1 })
    expect(cells[1]![0]).toEqual({ met: 4, better: 12, share: 3, lean: -1 })
    const alike = {
      ...scored,
      better: [
        [0, 12],
        [12, 0],
      ],
    }
    expect(
      heatMapOf(alike, [])
        .cells.flat()
        .map((cell) => cell?.lean),
    ).toEqual([undefined, 0, 0, undefined])
    // An entrant without matches is nobody's least.
    const third = {
      names: ['a', 'b', 'c'],
      better: [
        [0, 30, 0],
        [12, 0, 0],
        [0, 0, 0],
      ],
      met: [
        [0, 4, 0],
        [4, 0, 0],
        [0, 0, 0],
      ],
      scores: true as const,
    }
    expect(heatMapOf(third, []).cells[1]![0]!.lean).toBe(-1)
  })
  test('many entrants fall into stretches, all of them in one', () => {
    expect(stretchesOf(25, 12)).toEqual([0, 12, 24].map((from) => ({ from, most: 12 })))
    expect([stretchesOf(24, 24), stretchesOf(0, 24)]).toEqual([[{ from: 0, most: 24 }], [{ from: 0, most: 24 }]])
  })
})

const series = (values: readonly number[]): Series => ({ length: values.length, at: (position) => values[position]! })

describe('accounts over time', () => {
  test('a line is stepped: an account stays until something happens', () => {
    const { paths, ends, ticks } = accountLines(
      series([10, 10, 20]),
      1,
      4,
      { least: 0, most: 20 },
      { width: 100, height: 40 },
    )
    expect(paths).toEqual(['M0,20L25,20L25,20L50,20L50,0'])
    expect(ends).toEqual([{ x: 50, y: 0 }])
    expect(ticks[0]).toEqual({ value: 0, y: 40 })
  })
  test('places on the axis and positions of the match are the same thing', () => {
    const lines = accountLines(series([1]), 1, 50, { least: 0, most: 1 }, { width: 500, height: 40 })
    for (const position of [0, 1, 17, 50]) expect(lines.positionAt(lines.x(position) + 3)).toBe(position)
    expect(lines.positionAt(-20)).toBe(0)
    expect(lines.positionAt(9_999)).toBe(50)
  })
  test('a match without events draws all the same', () => {
    const below = accountLines(series([-5, 10]), 1, 2, { least: -5, most: 10 }, { width: 100, height: 40 })
    expect(below.y(-5)).toBe(40)
    expect(below.ticks.map(({ value }) => value)).toContain(-5)
    expect(accountLines(series([]), 2, 0, { least: 0, most: 0 }, { width: 100, height: 40 }).paths).toEqual(['', ''])
  })
  test('thinning keeps both ends, every peak and the order, and is short', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1000), { minLength: 1, maxLength: 400 }),
        fc.integer({ min: 1, max: 40 }),
        (values, columns) => {
          const points = thinned(series(values), 0, columns)
          expect(points.length).toBeLessThanOrEqual(Math.max(columns * 4, 4))
          expect(points[0]).toEqual([0, values[0]])
          expect(points.at(-1)).toEqual([values.length - 1, values.at(-1)])
          expect(Math.max(...points.map(([, value]) => value))).toBe(Math.max(...values))
          expect(Math.min(...points.map(([, value]) => value))).toBe(Math.min(...values))
          expect(points.every(([position], at) => at === 0 || position > points[at - 1]![0])).toBe(true)
        },
      ),
      { numRuns: 100 },
    )
  })
})

describe('an axis', () => {
  test('has no more labels than it has room for', () => {
    expect([320, 110, 40].map((length) => intervalsFor(length, '15,000', 5))).toEqual([5, 1, 1])
    expect(intervalsFor(110, '100', 5)).toBe(2)
  })
  test('ends at its total, and no label is there twice', () => {
    expect(wholeTicks(10, 5)).toEqual([0, 2, 4, 6, 8, 10])
    expect(wholeTicks(2, 5)).toEqual([0, 1, 2])
    expect(wholeTicks(7, 2)).toEqual([0, 4, 7])
    expect(wholeTicks(10, 0)).toEqual([0, 10])
    expect(wholeTicks(0, 5)).toEqual([0])
  })
})

test('marks that would overlap are moved upwards, the others stay', () => {
  const marks = [
    { x: 0, y: 50 },
    { x: 5, y: 48 },
    { x: 6, y: 50 },
    { x: 60, y: 50 },
  ]
  const placed = apart(marks, 18)
  expect(placed[0]).toEqual({ x: 0, y: 50 })
  expect(placed[3]).toEqual({ x: 60, y: 50 })
  for (const [i, a] of placed.entries()) {
    for (const b of placed.slice(i + 1)) {
      expect(Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y))).toBeGreaterThanOrEqual(18)
    }
  }
})
