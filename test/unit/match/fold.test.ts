import { describe, expect, test } from 'vitest'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { MatchEvent } from '../../../main/contract/procedures/procedures.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import { reader } from '../../../renderer/games/specker/digests.ts'
import { rules, type View } from '../../../renderer/games/specker/rules.ts'
import { linesIn } from '../../../renderer/games/specker/sentences.ts'
import { foldStretch } from '../../../renderer/games/fold.ts'
import { createOutline } from '../../../renderer/games/match-outline.ts'
import { createStretches } from '../../../renderer/screens/match/stretches.ts'
import { allOf, beginning, events, material, offer, sale, turn, viewAfter } from './played.ts'

const start = beginning(2)
const folded = (history: readonly MatchEvent[]) => {
  const stretch = foldStretch(rules, start, 'public', reader, 0, null, history)
  return { ...stretch, digests: allOf(stretch) }
}

describe('folding a match', () => {
  test('digests hold accounts, rounds and what happened, each with the action that caused it', () => {
    const { broken, digests } = folded(events(sale))
    expect(broken).toBeNull()
    expect(digests.map(({ round, seat }) => [round, seat])).toEqual([
      [1, 0],
      [1, 1],
      [2, 0],
      [2, 1],
      [3, 0],
    ])
    const told = digests.map(({ happenings }) => happenings.map(({ event, action }) => [event.type, action]))
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
    expect(digests.map(({ accounts }) => accounts[0])).toEqual([10, 10.5, 10.5, 9.5, 9.5].map((e) => e * 1e9))
    // Raw material and predicate came in other events; the state before has them.
    expect(
      digests[3]!.happenings.map(({ seller, evidence }) => [seller, evidence.predicate, evidence.instance]),
    ).toEqual([
      [0, { relations: [22] }, material],
      [0, { relations: [2] }, null],
    ])
  })

  test('faults and console lines are events in which nothing happens to the accounts', () => {
    const fault: MatchEvent = { n: 9, at: 5, kind: 'fault', seat: 1, fault: { kind: 'timeout', text: 'Too slow.' } }
    const said: MatchEvent = { n: 10, at: 6, kind: 'console', seat: 0, text: 'hm' }
    const lost = { type: 'fault', seat: 1, fault: { kind: 'timeout', text: 'Too slow.' } }
    const { digests } = folded([...events(sale.slice(0, 1)), fault, said, ...events([lost])])
    expect(digests.map(({ kind, note }) => [kind, note?.text ?? null])).toEqual([
      ['turn', null],
      ['fault', 'Too slow.'],
      ['console', 'hm'],
      ['turn', null],
    ])
    const last = digests[3]!.happenings[0]!.event
    expect(last).toMatchObject({ type: 'removed', rule: 'time-limit', seat: 1 })
  })

  test('a history that the rules refuse, or an invalid one, stops in words and keeps what came before', () => {
    expect(folded(events([sale[0]!, sale[0]!]))).toMatchObject({
      broken: 'Event 2 does not follow the rules: It is the turn of seat 1, not of seat 0.',
      digests: { length: 1 },
    })
    expect(folded(events([{ seat: 0, type: 'turn' }])).broken).toMatch(/^Event 1 cannot be read: /)
  })

  test('views are those of the rules, whatever way one jumps', () => {
    const { viewAt } = folded(events(sale))
    for (const position of [5, 0, 3, 4, 1, 2, 5, 2, 2]) {
      expect(viewAt(position)).toEqual(viewAfter(start, sale.slice(0, position)))
    }
  })

  test('from any saved state on, digests and views are the same as from the beginning', () => {
    const whole = folded(events(sale))
    for (let from = 1; from < sale.length; from++) {
      const { digests, viewAt } = foldStretch(
        rules,
        start,
        'public',
        reader,
        from,
        savedAfter(from),
        events(sale).slice(from),
      )
      expect(digests).toEqual(whole.digests.slice(from))
      for (const position of [sale.length, from]) expect(viewAt(position)).toEqual(whole.viewAt(position))
    }
  })
})

/** The rules' saved state after some turns, as it comes from the program. */
function savedAfter(turns: number, inputs: readonly Json[] = sale, { config, seats, seed } = start): Json {
  const fold = eraseGame(specker).fold(config, seats, seed)
  for (const input of inputs.slice(0, turns)) expect(fold.apply(input)).toBeNull()
  return JSON.parse(JSON.stringify(fold.save())) as Json
}

test('what the program tells of events in numbers is what the window makes of them', () => {
  const lost = { type: 'fault', seat: 1, fault: { kind: 'crash', text: 'It fell over.' } }
  for (const inputs of [sale, [...sale.slice(0, 3), lost], [turn(0, offer([22], 1), offer([2], 1)), turn(1)]]) {
    const { digests } = folded(events(inputs))
    const fold = eraseGame(specker).fold(start.config, start.seats, start.seed)
    for (const [at, input] of inputs.entries()) {
      const told = fold.outline(input)
      if (typeof told === 'string') throw new Error(told)
      const { round, seat, accounts } = digests[at]!
      expect(told).toMatchObject({ round, seat, lines: linesIn(digests[at]!) })
      expect(fold.levels()).toEqual(accounts)
      const gone = digests[at]!.happenings.flatMap(({ event }, line) =>
        event.type === 'removed' || event.type === 'voided' ? [{ seat: event.seat, kind: event.type, line }] : [],
      )
      expect(told.marks).toEqual(gone)
    }
  }
})

/** Many quiet turns: no offers, nothing owed. */
const quiet = beginning(2, { maxTurns: 3000 })
const long = Array.from({ length: 5000 }, (_, at) => turn(at % 2))

describe('looking at a long match', () => {
  function opened({ known = long.length, short = Infinity, fails = (): boolean => false } = {}) {
    const asked: string[] = []
    const history = events(long)
    const states = Array.from({ length: 49 }, (_, at) => (at + 1) * 100)
    const fold = eraseGame(specker).fold(quiet.config, quiet.seats, quiet.seed)
    const saved = new Map<number, Json>()
    for (const [at, input] of long.entries()) {
      if (states.includes(at)) saved.set(at, fold.save())
      fold.apply(input)
    }
    const far = { known }
    const stretches = createStretches({
      states,
      known: () => far.known,
      async state(position) {
        asked.push(`state ${position}`)
        if (fails()) throw new Error('gone')
        return { position, state: saved.get(position)! }
      },
      async events(offset, limit) {
        asked.push(`events ${offset}`)
        return { items: history.slice(offset, offset + Math.min(limit, short)), offset, total: history.length }
      },
      fold: (from, state, some) => foldStretch(rules, quiet, 'public', reader, from, state, some),
    })
    return { ...stretches, asked, far }
  }

  test('any place takes one state and the few events behind it', async () => {
    const { viewAt, asked } = opened()
    for (const position of [4999, 17, 2500, 5000, 0, 3333]) {
      const view = (await viewAt(position)) as View
      expect(view.round).toBe(1 + Math.floor(position / 2))
    }
    expect(asked).toEqual([
      'state 4900',
      'events 4900',
      'events 0',
      'state 2400',
      'events 2400',
      'state 3300',
      'events 3300',
    ])
  })

  test('a digest is asked for by looking at it, and is there when it has come', async () => {
    const { digest, digestOf, asked } = opened()
    expect(digest(4321)).toBeUndefined()
    expect(digest(4322)).toBeUndefined()
    expect(await digestOf(4321)).toMatchObject({ round: 2161, seat: 1 })
    expect(digest(4322)).toMatchObject({ round: 2162, seat: 0 })
    expect(asked).toEqual(['state 4300', 'events 4300'])
  })

  test('pages that come shorter than asked for, because their events are large, are filled up', async () => {
    const { digestOf } = opened({ short: 7 })
    expect((await digestOf(199))?.round).toBe(100)
  })

  test('what the program has not read yet comes later, also for who has asked before', async () => {
    const { digestOf, viewAt, far } = opened({ known: 0 })
    expect(((await viewAt(0)) as View).round).toBe(1)
    far.known = 30
    const early = digestOf(10)
    far.known = 100
    expect((await digestOf(99))?.round).toBe(50)
    expect((await early)?.round).toBe(6)
    await expect(digestOf(100)).rejects.toThrow('Event 101 is not known yet.')
  })

  test('stretches looked at longest ago are forgotten, and asked for again', async () => {
    const many = opened()
    for (let event = 50; event < 5000; event += 100) await many.digestOf(event)
    expect(many.asked.filter((what) => what === 'events 0')).toHaveLength(1)
    expect(many.digest(50)).toBeDefined()
  })

  test('what could not be had is asked for again', async () => {
    let broken = true
    const { digestOf } = opened({ fails: () => broken })
    await expect(digestOf(150)).rejects.toThrow('gone')
    broken = false
    expect((await digestOf(150))?.round).toBe(76)
  })
})

test('an outline grows page by page; a position has what its last event left', () => {
  const outline = createOutline(3, 2, 'public')
  const page = { marks: [], swings: [], restricted: [], initial: [5, 5], states: [], last: false, broken: null }
  outline.add({ ...page, from: 0, at: [1, 2], round: [1, 1], seat: [0, -1], lines: [1, 2], levels: [4, 6, 9, 1] })
  expect([outline.length, outline.most]).toEqual([2, 9])
  expect([0, 1, 2].map((position) => outline.level(position, 0))).toEqual([5, 4, 9])
  expect([outline.seat(0), outline.seat(1), outline.seat(2)]).toEqual([0, null, null])
  outline.add({ ...page, from: 2, at: [7], round: [2], seat: [1], lines: [1], levels: [3, 3], last: true })
  expect([outline.length, outline.at(2), outline.round(2), outline.level(3, 1)]).toEqual([3, 7, 2, 3])
})
