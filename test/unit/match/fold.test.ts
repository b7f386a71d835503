import { describe, expect, test } from 'vitest'
import type { MatchEvent } from '../../../main/contract/procedures.ts'
import { createFold, type Fold } from '../../../renderer/screens/match/fold.ts'
import { foldAll } from '../../../renderer/screens/match/load.ts'
import { createPages } from '../../../renderer/screens/match/pages.ts'
import { actionAt, createReader, rules, type Digest, type View } from '../../../renderer/screens/match/specker.ts'
import { beginning, events, material, sale, turn, viewAfter } from './played.ts'

const start = beginning(2)
const never = (): boolean => false

function folded(history: readonly MatchEvent[], every?: number) {
  const { reader, origins } = createReader()
  const fold = createFold(rules, start, reader, every)
  fold.push(history, never)
  return { fold, origins }
}

describe('folding a match', () => {
  test('digests hold accounts, rounds and what happened, each with the action that caused it', () => {
    const { fold, origins } = folded(events(sale))
    expect(fold.broken).toBeNull()
    expect(fold.digests.map(({ round, seat }) => [round, seat])).toEqual([
      [1, 0],
      [1, 1],
      [2, 0],
      [2, 1],
      [3, 0],
    ])
    const told = fold.digests.map(({ happenings }) => happenings.map(({ event, action }) => [event.type, action]))
    expect(told).toEqual([
      [['offered', 0]],
      [['accepted', 0]],
      [
        ['delivered', 0],
        ['offered', 1],
      ],
      [
        ['solved', 0],
        ['reoffered', 1],
      ],
      [['removed', 0]],
    ])
    expect(fold.digests.map(({ accounts }) => accounts[0])).toEqual([10, 10.5, 10.5, 9.5, 9.5].map((e) => e * 1e9))
    expect(origins.delivery.get(0)).toEqual({ index: 2, action: 0 })
    // The reoffer goes back to the offer that first held its predicate.
    expect(origins.offer.get(2)).toEqual({ index: 2, action: 1 })
  })

  test('faults and console lines are events in which nothing happens to the accounts', () => {
    const fault: MatchEvent = { n: 9, at: 5, kind: 'fault', seat: 1, fault: { kind: 'timeout', text: 'Too slow.' } }
    const said: MatchEvent = { n: 10, at: 6, kind: 'console', seat: 0, text: 'hm' }
    const lost = { type: 'fault', seat: 1, fault: { kind: 'timeout', text: 'Too slow.' } }
    const { fold } = folded([...events(sale.slice(0, 1)), fault, said, ...events([lost])])
    expect(fold.digests.map(({ kind, note }) => [kind, note?.text ?? null])).toEqual([
      ['turn', null],
      ['fault', 'Too slow.'],
      ['console', 'hm'],
      ['turn', null],
    ])
    const last = fold.digests[3]!.happenings[0]!.event
    expect(last).toMatchObject({ type: 'removed', rule: 'time-limit', seat: 1 })
  })

  test('a history that the rules refuse, or that is none, stops in words and keeps what came before', () => {
    expect(folded(events([sale[0]!, sale[0]!])).fold).toMatchObject({
      broken: 'Event 2 does not follow the rules: It is the turn of seat 1, not of seat 0.',
      digests: { length: 1 },
    })
    expect(folded(events([{ seat: 0, type: 'turn' }])).fold.broken).toMatch(/^Event 1 cannot be read: /)
  })

  test('a push ends where enough is enough', () => {
    const { reader } = createReader()
    const fold = createFold(rules, start, reader)
    expect(fold.push(events(sale), () => true)).toBe(1)
    expect(fold.digests).toHaveLength(1)
  })
})

/** Many quiet turns: no offers, nothing owed. */
const quiet = beginning(2, { maxTurns: 3000 })
const long = Array.from({ length: 5000 }, (_, at) => turn(at % 2))

describe('views at any position', () => {
  test('are those of the rules, whatever way one jumps', async () => {
    const history = events(sale)
    const { fold } = folded(history, 2)
    const read = async (from: number, to: number) => history.slice(from, to)
    for (const position of [5, 0, 3, 4, 1, 2, 5, 2, 2]) {
      expect(await fold.viewAt(position, read)).toEqual(viewAfter(start, sale.slice(0, position)))
    }
  })

  test('calls that overlap do not share a state', async () => {
    const history = events(sale)
    const { fold } = folded(history, 2)
    const read = async (from: number, to: number) => history.slice(from, to)
    const views = await Promise.all([1, 5, 3, 2].map((position) => fold.viewAt(position, read)))
    expect(views).toEqual([1, 5, 3, 2].map((position) => viewAfter(start, sale.slice(0, position))))
  })

  test('need a few events of a long match only', async () => {
    const history = events(long)
    const { reader } = createReader()
    const fold = createFold(rules, quiet, reader, 4)
    fold.push(history, never)
    let most = 0
    const read = async (from: number, to: number) => {
      most = Math.max(most, to - from)
      return history.slice(from, to)
    }
    for (const position of [4999, 17, 2500, 5000, 0, 3333]) {
      const view = (await fold.viewAt(position, read)) as View
      expect(view.round).toBe(1 + Math.floor(position / 2))
    }
    // 5000 events and 512 snapshots at most: the distance has doubled from 4 to 16.
    expect(most).toBeLessThan(16)
  })
})

describe('reading a match page by page', () => {
  function served(history: readonly MatchEvent[]) {
    const asked: number[] = []
    const fetch = async (offset: number, limit: number) => {
      asked.push(offset)
      return { items: history.slice(offset, offset + limit), offset, total: history.length }
    }
    return { asked, fetch }
  }

  test('pages are fetched once while they are kept, and again when they were dropped', async () => {
    const history = events(long)
    const { asked, fetch } = served(history)
    const pages = createPages(fetch, { size: 10, keep: 2 })
    expect(await pages.read(5, 15)).toEqual(history.slice(5, 15))
    expect(await pages.read(12, 12)).toEqual([])
    await pages.read(0, 20)
    expect(asked).toEqual([0, 10])
    await pages.read(40, 41)
    await pages.read(10, 11)
    await pages.read(0, 1)
    expect(asked).toEqual([0, 10, 40, 0])
  })

  test('pages that come shorter than asked for, because their events are large, are filled up', async () => {
    const history = events(long)
    const short = async (offset: number, limit: number) => ({
      items: history.slice(offset, offset + Math.min(limit, 3)),
      offset,
      total: history.length,
    })
    const pages = createPages(short, { size: 10 })
    expect(await pages.read(5, 25)).toEqual(history.slice(5, 25))
    expect(await pages.read(0, history.length)).toEqual(history)
  })

  test('a page that could not be had is asked for again', async () => {
    let fails = true
    const pages = createPages(async (offset) => {
      if (fails) throw new Error('gone')
      return { items: events(sale), offset, total: 5 }
    })
    await expect(pages.read(0, 5)).rejects.toThrow('gone')
    fails = false
    expect(await pages.read(0, 5)).toHaveLength(5)
  })

  const around = { now: () => 0, breathe: async () => undefined, progress: () => undefined, wanted: () => true }

  test('the whole match is folded, with a breath wherever time is up', async () => {
    const pages = createPages(served(events(sale)).fetch, { size: 2 })
    const { reader } = createReader()
    const fold = createFold(rules, start, reader)
    let time = 0
    let breaths = 0
    const breathe = async () => void (breaths += 1)
    await foldAll(fold, pages, 5, { ...around, now: () => (time += 100), breathe })
    expect(fold.digests).toHaveLength(5)
    expect(breaths).toBe(4)
  })

  test('nobody folds on for a screen that was left', async () => {
    const pages = createPages(served(events(sale)).fetch, { size: 2 })
    const { reader } = createReader()
    const fold: Fold<unknown, Digest> = createFold(rules, start, reader)
    await foldAll(fold, pages, 5, { ...around, wanted: () => fold.digests.length === 0, now: () => 0 })
    expect(fold.digests).toHaveLength(5)
    const other = createFold(rules, start, createReader().reader)
    await foldAll(other, pages, 5, { ...around, wanted: () => false })
    expect(other.digests).toHaveLength(0)
  })
})

test('the action behind a happening is found in its event', () => {
  const [first] = events([sale[2]!])
  expect(actionAt(first, 0)).toEqual({ type: 'deliver', challenge: 0, instance: material })
  expect(actionAt(first, 7)).toBeNull()
  expect(actionAt(undefined, 0)).toBeNull()
  expect(actionAt({ n: 1, at: 0, kind: 'input', input: { type: 'fault', seat: 0 } }, 0)).toBeNull()
})
