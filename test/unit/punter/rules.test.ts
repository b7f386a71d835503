import { describe, expect, test } from 'vitest'
import { rules } from '../../../main/referees/punter/rules.ts'
import { scoreOf } from '../../../main/referees/punter/state.ts'
import {
  begun,
  claim,
  completed,
  mapText,
  misses,
  option,
  pass,
  pathMap,
  plays,
  SAMPLE,
  seatsOf,
  splurge,
} from './stage.ts'

const scores = (state: ReturnType<typeof begun>): number[] => state.punters.map(scoreOf)

describe('claims', () => {
  test('a river is had by who claims it first, in either direction', () => {
    const state = begun(2)
    expect(plays(state, claim(1, 0))).toBeNull()
    expect(plays(state, claim(0, 1))).toBe('The river 0-1 belongs to punter 0.')
    expect(plays(state, claim(0, 1))).toBe('The river 0-1 is already your own.')
    expect(plays(state, claim(0, 5))).toBe('There is no river 0-5.')
    expect(plays(state, claim(0, 99))).toBe('There is no river 0-99.')
  })

  test('an illegal claim is a pass, and a pass is what the others are told', () => {
    const state = begun(2)
    plays(state, claim(0, 5))
    expect(state.punters[0]!.last).toEqual({ pass: { punter: 0 } })
    expect(state.moves).toBe(1)
  })

  test('a claim counts for the seat whose turn it is, whatever it calls itself, and is told in its name', () => {
    const state = begun(2)
    plays(state, { claim: { punter: 1, source: 1, target: 0 } })
    expect(state.punters[0]!.last).toEqual({ claim: { punter: 0, source: 1, target: 0 } })
    expect(rules.view(state, 'public').rivers).toMatchObject([{ owner: 0, claimedAt: 0, holder: null }])
  })

  test('a player that is not on turn is not heard', () => {
    const state = begun(2)
    expect(rules.apply(state, { type: 'move', seat: 1, move: pass })).toBe('It is the turn of seat 0.')
    expect(rules.apply(state, { type: 'move', seat: 7, move: pass })).toBe('There is no seat 7.')
    expect(state.moves).toBe(0)
  })

  test('a self-loop can be claimed and earns nothing', () => {
    const state = begun(2, {
      map: mapText(
        [0, 1],
        [
          [0, 0],
          [0, 1],
        ],
        [0],
      ),
    })
    expect(plays(state, claim(0, 0))).toBeNull()
    expect(scores(state)).toEqual([0, 0])
  })
})

describe('scores', () => {
  test('the examples of section 3.1: the shortest way counts, whoever has it; two mines count in both directions', () => {
    const state = begun(2)
    for (const [alice, bob] of [
      [claim(1, 2), claim(1, 7)],
      [claim(2, 3), claim(7, 5)],
      [claim(3, 4), pass],
    ] as const) {
      plays(state, alice)
      plays(state, bob)
    }
    // Alice: 2, 3 and 4 from mine 1, at 1, 1 and 2.
    expect(scores(state)).toEqual([1 + 1 + 4, 1 + 4 + 1 + 4])
  })

  test('sites that cannot be reached bring nothing, and several components are one map', () => {
    const state = begun(2, {
      map: mapText(
        [5, 70, 8, 9],
        [
          [5, 70],
          [8, 9],
        ],
        [5],
      ),
    })
    plays(state, claim(8, 9))
    plays(state, claim(5, 70))
    expect(rules.outcome(state)?.places).toMatchObject([
      { rank: 2, score: 0 },
      { rank: 1, score: 1 },
    ])
  })
})

describe('the end', () => {
  test('comes after as many moves as there are rivers, also in the middle of a round', () => {
    const state = begun(5)
    for (let move = 0; move < 11; move++) plays(state, pass)
    expect(rules.outcome(state)).toBeNull()
    plays(state, pass)
    expect(rules.outcome(state)?.places).toHaveLength(5)
    expect(rules.apply(state, { type: 'move', seat: 2, move: pass })).toBe('The match is over.')
  })

  test('duplicate rivers are merged in either direction, so that R shrinks; self-loops are kept', () => {
    const state = begun(2, {
      map: mapText(
        [0, 1, 2],
        [
          [0, 1],
          [1, 0],
          [0, 1],
          [1, 2],
          [2, 2],
        ],
        [0],
      ),
    })
    expect(rules.view(state, 'public').most).toBe(3)
  })

  test('equal punters share a rank: one more than the number of those above', () => {
    const state = begun(4, { map: pathMap(4) })
    for (const move of [claim(0, 1), pass, claim(3, 4), pass]) plays(state, move)
    expect(rules.outcome(state)!.places.map(({ rank }) => rank)).toEqual([1, 2, 2, 2])
  })
})

describe('setup', () => {
  test('nobody moves before everybody was heard of; who is not ready is a zombie at once', () => {
    const state = rules.initial(completed({}), seatsOf(2), '')
    expect(rules.apply(state, { type: 'ready', seat: 1, futures: [] })).toBeNull()
    expect(rules.apply(state, { type: 'ready', seat: 1, futures: [] })).toBe('Seat 1 has been set up.')
    expect(rules.apply(state, { type: 'move', seat: 0, move: pass })).toBe('Not everybody has been set up.')
    misses(state, 'timeout')
    expect(state.punters[0]!.zombie).toBe('It was not ready: It made a timeout.')
    // Its first turn is over already.
    expect(rules.view(state, 'public')).toMatchObject({ moves: 1, turn: 1 })
  })
})

describe('time-outs and zombies', () => {
  const rounds = { map: pathMap(100) }
  const round = (state: ReturnType<typeof begun>, first: () => unknown): void => {
    first()
    plays(state, pass)
  }

  test('ten time-outs in total make a zombie, whatever lies between them', () => {
    const state = begun(2, rounds)
    for (let count = 1; count <= 9; count++) {
      round(state, () => misses(state, count % 2 === 0 ? 'timeout' : 'stall'))
      round(state, () => plays(state, pass))
    }
    expect(state.punters[0]!.zombie).toBeNull()
    misses(state)
    expect(state.punters[0]!.zombie).toBe('It timed out 10 times.')
  })

  test('in a row, each answer resets the count', () => {
    const state = begun(2, { ...rounds, timeouts: 'in-a-row', maxTimeouts: 2 })
    round(state, () => misses(state))
    round(state, () => plays(state, claim(99, 77)))
    round(state, () => misses(state))
    round(state, () => misses(state, 'invalid'))
    round(state, () => misses(state))
    expect(state.punters[0]!.zombie).toBeNull()
    round(state, () => misses(state))
    expect(state.punters[0]!.zombie).toBe('It timed out 2 times in a row.')
  })

  test('a message that is not a move is a pass and not a time-out', () => {
    const state = begun(2, { ...rounds, maxTimeouts: 1 })
    misses(state, 'invalid')
    expect(state.punters[0]).toMatchObject({ zombie: null, timeouts: 0, refused: 'It made a invalid.', credit: 1 })
  })

  test('a player that is gone is a zombie whose turns are passes; its rivers and futures still score', () => {
    const state = begun(2, { map: pathMap(6), futures: true }, [[{ source: 0, target: 1 }]])
    round(state, () => plays(state, claim(0, 1)))
    misses(state, 'crash', true)
    for (let move = 0; move < 2; move++) plays(state, pass)
    expect(rules.outcome(state)).toMatchObject({
      places: [
        { seat: 0, rank: 1, score: 1 + 1, removed: true, reason: 'It made a crash.' },
        { seat: 1, rank: 2, score: 0, removed: false },
      ],
    })
  })

  test('where all are zombies the match is over', () => {
    const state = begun(2)
    misses(state, 'crash', true)
    misses(state, 'crash', true)
    expect(rules.outcome(state)?.places.map(({ removed }) => removed)).toEqual([true, true])
  })
})

describe('splurges and credit', () => {
  const settings = { splurges: true, map: pathMap(30) }

  test('a splurge of n rivers needs n - 1 earlier unspent passes and is one move', () => {
    const state = begun(1, settings)
    plays(state, pass)
    expect(plays(state, splurge(0, 1, 2, 3))).toBe('A splurge of 3 rivers needs 2 saved passes; you have 1.')
    // The refused one was a pass, too.
    expect(plays(state, splurge(0, 1, 2, 3))).toBeNull()
    expect(state).toMatchObject({ moves: 3, punters: [{ credit: 0 }] })
    expect(scores(state)).toEqual([1 + 4 + 9])
  })

  test('illegal and malformed moves and time-outs earn their credit, claims none, zombies none', () => {
    const state = begun(1, settings)
    const credits: number[] = []
    for (const turn of [
      () => plays(state, claim(7, 9)),
      () => misses(state, 'invalid'),
      () => misses(state, 'timeout'),
      () => plays(state, claim(0, 1)),
      () => plays(state, splurge(1, 2)),
      () => misses(state, 'crash', true),
    ]) {
      turn()
      credits.push(state.punters[0]!.credit)
    }
    expect(credits).toEqual([1, 2, 3, 3, 3, 3])
  })

  test.each([
    ['no river', splurge(0, 1, 3), 'The route takes a river 1-3, which there is not.'],
    ['one river twice', splurge(0, 1, 0), 'The route takes the river 1-0 twice.'],
    ['one that another has', splurge(5, 6, 7), 'The river 6-7 belongs to punter 1.'],
    ['its own', splurge(20, 21, 22), 'The river 20-21 is already your own.'],
    ['one site', splurge(4), 'The route of a splurge needs two sites at least.'],
    ['nothing', splurge(), 'The route of a splurge needs two sites at least.'],
  ])('the whole route or nothing: %s', (_, move, refusal) => {
    const state = begun(2, settings)
    for (const each of [claim(20, 21), claim(6, 7), pass, pass]) plays(state, each)
    expect(plays(state, move)).toBe(refusal)
    expect(state.punters[0]!.credit).toBe(2)
    expect(rules.view(state, 'public').rivers).toHaveLength(2)
  })

  test('sites may repeat', () => {
    const state = begun(1, {
      splurges: true,
      map: mapText(
        [0, 1, 2, 3],
        [
          [0, 1],
          [1, 2],
          [2, 0],
          [0, 3],
        ],
        [0],
      ),
    })
    for (let turn = 0; turn < 3; turn++) plays(state, pass)
    expect(plays(state, splurge(0, 1, 2, 0, 3))).toBeNull()
  })

  test('without the extension a splurge is a pass', () => {
    expect(plays(begun(2), splurge(0, 1))).toBe('Splurges are not a part of this match.')
  })
})

describe('options', () => {
  const settings = {
    options: true,
    map: mapText(
      [0, 1, 2, 3, 4],
      [
        [0, 1],
        [1, 2],
        [2, 3],
        [3, 4],
        [4, 0],
        [0, 2],
        [1, 3],
      ],
      [0],
    ),
  }

  test('a river of somebody else has one option; it counts for both', () => {
    const state = begun(3, settings)
    plays(state, claim(0, 1))
    expect(plays(state, option(1, 0))).toBeNull()
    expect(plays(state, option(0, 1))).toBe('The option of the river 0-1 is sold to punter 1.')
    expect(plays(state, option(0, 1))).toBe('The river 0-1 is already your own.')
    expect(scores(state)).toEqual([1, 1, 0])
    expect(rules.view(state, 'public').rivers).toEqual([{ river: 0, owner: 0, claimedAt: 0, holder: 1, soldAt: 1 }])
  })

  test('there are as many for each punter as mines; they earn no credit', () => {
    const state = begun(2, settings)
    plays(state, claim(0, 1))
    expect(plays(state, option(2, 3))).toBe('The river 2-3 belongs to nobody: it can be claimed.')
    plays(state, claim(1, 2))
    expect(plays(state, option(1, 0))).toBeNull()
    plays(state, pass)
    expect(state.punters[1]).toMatchObject({ options: 0, credit: 1 })
    expect(plays(state, option(1, 2))).toBe('You have no options left.')
  })

  test('a splurge takes options of rivers that others own, no more than there are left', () => {
    const state = begun(2, { ...settings, splurges: true })
    plays(state, claim(0, 1))
    plays(state, pass)
    plays(state, claim(1, 2))
    expect(plays(state, splurge(0, 1, 2))).toBe('The route needs 2 options; you have 1 left.')
    plays(state, pass)
    expect(plays(state, splurge(0, 1, 3))).toBeNull()
    expect(state.punters[1]).toMatchObject({ options: 0, credit: 1 })
    expect(scores(state)[1]).toBe(1 + 4)
  })

  test('with the extension off they are passes, and no route has any', () => {
    const state = begun(2, { map: SAMPLE, splurges: true })
    plays(state, claim(0, 1))
    expect(plays(state, option(0, 1))).toBe('Options are not a part of this match.')
    plays(state, pass)
    expect(plays(state, splurge(0, 1, 2))).toBe('The river 0-1 belongs to punter 0.')
  })
})
