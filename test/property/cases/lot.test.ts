import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PanelKind } from '../../../main/contract/cases/cases.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import { drawLot, type LotInput } from '../../../main/services/cases/lot.ts'
import { repeats } from '../../long.ts'
import { idOf, people } from '../../unit/cases/record.ts'

const input = (seed: string, more: Partial<LotInput> = {}): LotInput => ({
  ...{ seed, salts: ['5'.repeat(64)], people: people(10), out: new Set<string>(), volunteers: new Set<string>() },
  ...{ volunteersFirst: false, panel: 3, earlier: [] },
  ...more,
})

test('each student without a part is drawn as often as any other, at each place (chi-square, fixed seeds)', () => {
  const draws = 6_000
  for (const place of [0, 2]) {
    const counts = new Map<string, number>()
    for (let at = 0; at < draws; at++) {
      const id = drawLot(input(sha256(`${at}`))).panel[place]!
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    expect(counts.size).toBe(10)
    const expected = draws / 10
    const chi = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    // 9 degrees of freedom: one fair lot of 10 000 exceeds 33.7.
    expect(chi).toBeLessThan(33.7)
  }
})

test('a lot depends on the seed and on each salt, and not on the order of the people', () => {
  const one = drawLot(input('a'.repeat(64)))
  expect(drawLot(input('a'.repeat(64), { people: people(10).toReversed() }))).toEqual(one)
  const others = [input('b'.repeat(64)), input('a'.repeat(64), { salts: ['6'.repeat(64)] })].map((each) =>
    drawLot(each),
  )
  for (const other of others) expect([...other.panel, ...other.reserve]).not.toEqual([...one.panel, ...one.reserve])
})

test('leaving somebody out moves nobody else', () => {
  const ids = fc.subarray(Array.from({ length: 10 }, (_, at) => idOf(16 + at)))
  fc.assert(
    fc.property(fc.nat(), ids, ids, fc.boolean(), (n, out, volunteers, volunteersFirst) => {
      const order = (left: readonly string[]): readonly string[] => {
        const more = { out: new Set(left), volunteers: new Set(volunteers), volunteersFirst }
        const { panel, reserve } = drawLot(input(sha256(`${n}`), more))
        return [...panel, ...reserve]
      }
      expect(order(out)).toEqual(order([]).filter((id) => !out.includes(id)))
    }),
    { numRuns: repeats({ short: 100, long: 2_000 }) },
  )
})

test('volunteers come first, those who are out never, and staff only where students are too few', () => {
  const ids = fc.subarray(Array.from({ length: 10 }, (_, at) => idOf(16 + at)))
  const options = fc.tuple(fc.nat(), ids, ids, fc.boolean(), fc.constantFrom<PanelKind>('all', 3, 5, 7), ids)
  fc.assert(
    fc.property(options, ([n, out, volunteers, volunteersFirst, panel, earlier]) => {
      const lot = drawLot(
        input(sha256(`${n}`), {
          ...{ out: new Set(out), volunteers: new Set(volunteers), volunteersFirst, panel, earlier },
        }),
      )
      const order = [...lot.panel, ...lot.reserve]
      expect(new Set(order).size).toBe(order.length)
      expect(order.filter((id) => out.includes(id))).toEqual([])
      const fresh = Array.from({ length: 10 }, (_, at) => idOf(16 + at)).filter(
        (id) => !out.includes(id) && !earlier.includes(id),
      )
      // All fresh students stand before staff, and these before the first panel.
      expect(order.slice(0, fresh.length).toSorted()).toEqual(fresh)
      expect(order.slice(fresh.length, fresh.length + 2)).toEqual([idOf(5), idOf(6)])
      expect(lot.filled).toEqual(lot.panel.slice(fresh.length))
      const own = fresh.filter((id) => volunteers.includes(id))
      if (volunteersFirst) expect(order.slice(0, own.length).toSorted()).toEqual(own)
      if (panel !== 'all') expect(lot.panel.length).toBe(Math.min(panel + (earlier.length > 0 ? 2 : 0), order.length))
    }),
    { numRuns: repeats({ short: 100, long: 2_000 }) },
  )
})
