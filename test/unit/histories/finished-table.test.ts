import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../../../main/histories/canonical.ts'
import { createFinishedTable, type FinishedTable } from '../../../main/histories/segments/finished-table.ts'
import type { FinishedRow } from '../../../main/histories/segments/finished-pages.ts'
import { largeTree, merkleTree, rootFrom } from '../../../main/histories/merkle.ts'
import { createNumberSet } from '../../../main/contract/number-set.ts'
import type { FinishedRun } from '../../../main/histories/segments/run-index.ts'

const names = ['ann', 'bob', 'carl', 'dora']

function runOf(match: number, entrants: readonly string[], counts: readonly number[] = []): FinishedRun {
  return {
    match,
    attempt: 1,
    run: match + 7,
    head: sha256(`head ${match}`),
    // Every second seat is removed; faults of others are counted.
    outcome: { places: entrants.map((_, seat) => ({ seat, rank: 1, score: 0, removed: seat % 2 === 1 })) },
    state: sha256('state'),
    entrants,
    faults: entrants.map((_, seat) => counts[seat] ?? 0),
    printed: entrants.map((_, seat) => counts.at(-1 - seat) ?? 0),
    isolation: 'none',
    ms: 1,
    from: { segment: match + 1, byte: (match * 1_000) % 2 ** 32 },
    to: { segment: match + 2, byte: 4_294_967_295 - match },
  }
}

const rowOf = ({ match, run, entrants, faults, printed, from, to }: FinishedRun): FinishedRow => {
  const removals = faults.map((count, seat) => (seat % 2 === 1 && count === 0 ? 1 : 0))
  return { match, run, entrants, faults, printed, removals, from, to }
}

const runs = fc
  .uniqueArray(
    fc.record({
      match: fc.oneof(fc.nat(4_000), fc.nat(50_000_000)),
      entrants: fc.shuffledSubarray(names, { minLength: 1 }),
      counts: fc.array(fc.constantFrom(0, 1, 3, 65_534, 65_535, 65_536, 3_000_000), { maxLength: 4 }),
    }),
    { selector: ({ match }) => match, maxLength: 60 },
  )
  .map((list) => list.map(({ match, entrants, counts }) => runOf(match, entrants, counts)))

function tableOf(list: readonly FinishedRun[]): FinishedTable {
  const table = createFinishedTable()
  for (const run of list) table.add(run)
  return table
}

test('whatever comes in any order, rows are what they were, in the order of their numbers', () => {
  fc.assert(
    fc.property(runs, fc.nat(70), fc.nat(70), fc.subarray(names), (list, offset, limit, of) => {
      const table = tableOf(list)
      const sorted = list.toSorted((a, b) => a.match - b.match)
      const rows = sorted.map(rowOf)
      expect(table.size).toBe(rows.length)
      expect([...table.values()]).toEqual(rows)
      expect([...table.keys()]).toEqual(rows.map(({ match }) => match))
      for (const row of rows) expect(table.get(row.match)).toEqual(row)
      for (const { match } of rows) {
        const other = list.some((run) => run.match === match + 1)
        expect([table.has(match), table.has(match + 1)]).toEqual([true, other])
      }
      expect(table.page({ offset, limit })).toEqual({ rows: rows.slice(offset, offset + limit), total: rows.length })
      const theirs = rows.filter(({ entrants }) => entrants.some((name) => of.includes(name)))
      expect(table.page({ offset, limit }, { players: [new Set(of)] })).toEqual({
        rows: theirs.slice(offset, offset + limit),
        total: theirs.length,
      })
      const troubled = theirs.filter(({ faults, removals }) => [...faults, ...removals].some((count) => count > 0))
      const [first = '', second = ''] = of
      for (const [wanted, all] of [
        [{ players: [new Set(of)], faults: true }, troubled],
        [
          { players: [new Set([first]), new Set([second])] },
          rows.filter(({ entrants }) => entrants.includes(first) && entrants.includes(second)),
        ],
      ] as const) {
        expect(table.page({ offset, limit }, wanted)).toEqual({
          rows: all.slice(offset, offset + limit),
          total: all.length,
        })
      }
      for (const what of [['faults'], ['printed'], ['faults', 'removals']] as const) {
        const noticed = rows.filter((row) =>
          row.entrants.some((name, seat) => of.includes(name) && what.some((each) => row[each][seat]! > 0)),
        )
        expect([...table.noticed(what, new Set(of))]).toEqual(noticed)
      }
      for (const name of names) {
        const own = rows.flatMap(({ entrants, faults, printed, removals }) => {
          const seat = entrants.indexOf(name)
          return seat === -1 ? [] : [{ faults: faults[seat]!, printed: printed[seat]!, removals: removals[seat]! }]
        })
        expect(table.faults().get(name) ?? 0).toBe(own.reduce((sum, { faults }) => sum + faults, 0))
        expect(table.removals().get(name) ?? 0).toBe(own.reduce((sum, { removals }) => sum + removals, 0))
        expect(table.printed().get(name) ?? 0).toBe(own.filter(({ printed }) => printed > 0).length)
      }
    }),
  )
})

describe('heads', () => {
  const pair = ['ann', 'bob']
  const headsOf = (rows: readonly FinishedRow[]): Buffer =>
    Buffer.concat(rows.map(({ match }) => Buffer.from(sha256(`head ${match}`), 'hex')))
  const again = {
    read: (rows: readonly FinishedRow[]) => Promise.resolve(headsOf(rows)),
    changed: () => new Error('x'),
  }
  // The first page is whole, the second has a gap, and a few stand far away.
  const numbers = [...Array.from({ length: 2_500 }, (_, at) => at).filter((at) => at !== 1_500), 90_000, 90_007]

  test('those in memory and those that are read again come in the order of the matches', async () => {
    const asked: number[] = []
    const table = tableOf(numbers.toReversed().map((match) => runOf(match, pair)))
    const leaves = table.leaves()
    const heads = await leaves.heads(0, leaves.count, {
      ...again,
      read: (rows) => (asked.push(rows.length), again.read(rows)),
    })
    expect(heads).toEqual(numbers.map((match) => sha256(`head ${match}`)))
    expect(asked).toEqual([1_024])
    expect(await leaves.heads(1_020, 1_030, again)).toEqual(heads.slice(1_020, 1_030))
    expect([0, 1_499, 1_500, 1_501, 90_000, 90_007, 90_008].map(leaves.indexOf)).toEqual([
      0, 1_499, -1, 1_500, 2_499, 2_500, -1,
    ])
  })

  test('a head that is another one when it is read again is noticed', async () => {
    const leaves = tableOf(numbers.map((match) => runOf(match, pair))).leaves()
    const forged = { ...again, read: (rows: readonly FinishedRow[]) => Promise.resolve(headsOf(rows).fill(0, 5, 6)) }
    await expect(leaves.heads(0, 1, forged)).rejects.toThrow('x')
    expect(await leaves.heads(2_000, 2_001, forged)).toEqual([sha256('head 2001')])
  })

  test('leaves are those that were finished when they were asked for', async () => {
    const table = tableOf([3, 5, 1_023].map((match) => runOf(match, pair)))
    const leaves = table.leaves()
    for (let match = 0; match < 1_024; match++) if (!table.has(match)) table.add(runOf(match, pair))
    expect(leaves.count).toBe(3)
    expect(leaves.indexOf(4)).toBe(-1)
    expect(await leaves.heads(0, 3, again)).toEqual([3, 5, 1_023].map((match) => sha256(`head ${match}`)))
  })
})

test.each([1, 2, 1_023, 1_024, 1_025, 2_048, 5_000])(
  'a large tree of %i heads is the tree of them all',
  async (count) => {
    const heads = Array.from({ length: count }, (_, at) => sha256(`${at}`))
    const whole = merkleTree(heads)
    let most = 0
    const large = await largeTree(count, (from, to) => {
      most = Math.max(most, to - from)
      return Promise.resolve(heads.slice(from, to))
    })
    expect([large.root, large.count]).toEqual([whole.root, whole.count])
    for (const index of new Set([0, count >> 1, Math.min(count - 1, 1_024), count - 1])) {
      const path = await large.path(index)
      expect(path).toEqual(whole.path(index))
      expect(rootFrom(heads[index]!, index, count, path)).toBe(whole.root)
    }
    expect(most).toBeLessThanOrEqual(1_024)
  },
)

test('a set of numbers is one', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(10_000), fc.maxSafeNat())), (list) => {
      const [set, like] = [createNumberSet(), new Set<number>()]
      for (const number of list) {
        expect(set.add(number)).toBe(!like.has(number))
        like.add(number)
      }
      for (const number of list) expect([set.has(number), set.has(number + 1)]).toEqual([true, like.has(number + 1)])
    }),
  )
})
