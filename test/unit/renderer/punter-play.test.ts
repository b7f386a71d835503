import { describe, expect, test } from 'vitest'
import type { Play, PlayLine } from '../../../main/contract/procedures/human-match.ts'
import type { Json } from '../../../main/contract/json.ts'
import { setupMessages } from '../../../main/referees/punter/referee.ts'
import { extended, moveLabel, moveOf, riversOf, routeIn, routeOf } from '../../../renderer/games/punter/play/draft.ts'
import { sessionOf } from '../../../renderer/games/punter/play/session.ts'
import { begun, claim, pass } from '../punter/stage.ts'

const told = (value: unknown): PlayLine => ({ from: 'table', value: value as Json })
const said = (value: unknown): PlayLine => ({ from: 'person', value: value as Json })
const question: Play['question'] = { number: 1, msLeft: 1_000 }
const settings = { options: true, splurges: true, futures: true }
const [setup] = setupMessages(begun(2, settings))
const first = { type: 'move', moves: [pass, pass] }

describe('a person who plays Lambda Punter', () => {
  test('is asked for futures first, then for moves', () => {
    expect(sessionOf({ dialogue: [], question: null })).toBeNull()
    expect(sessionOf({ dialogue: [told(setup)], question })).toMatchObject({ asks: 'futures', me: 0 })
    const ready = said({ ready: 0, futures: [{ source: 1, target: 4 }] })
    const session = sessionOf({ dialogue: [told(setup), ready, told(first)], question })!
    expect(session.asks).toBe('move')
    expect(session.view.punters[0]!.futures).toMatchObject([{ source: 1, target: 4, worth: 8 }])
    // One map for all messages, so that it is not laid out anew.
    const next = sessionOf({ dialogue: [told(setup), ready, told(first), said(claim(0, 1))], question: null })!
    expect(next.layout).toBe(session.layout)
    expect(next).toMatchObject({ asks: null, moves: [{ claim: { punter: 0, source: 0, target: 1 } }] })
  })

  test('chooses a claim, an option of a river that another has, or a splurge', () => {
    const later = { type: 'move', moves: [claim(0, 1), claim(3, 4)] }
    const session = sessionOf({ dialogue: [told(setup), told(first), told(later)], question })!
    const label = (...route: number[]): string => moveLabel(moveOf(session, route)!)
    expect(moveOf(session, [])).toBeNull()
    expect(label(1, 2)).toBe('Claim 1-2')
    expect(label(4, 3)).toBe('Buy the option of 4-3')
    expect(label(0, 1)).toBe('Claim 0-1')
    expect(label(1, 3, 5)).toBe('Splurge 1-3-5')
    expect(riversOf(session, [1, 3, 99, 5])).toEqual([3])
    expect(routeOf(session.layout, 3)).toEqual([1, 3])
  })

  test('makes a route longer and shorter by clicks', () => {
    expect(extended([], [1, 3])).toEqual([1, 3])
    expect(extended([1, 3], [5, 3])).toEqual([1, 3, 5])
    expect(extended([1, 3], [0, 1])).toEqual([3, 1, 0])
    expect(extended([1, 3, 5], [3, 5])).toEqual([1, 3])
    expect(extended([1, 3], [1, 3])).toEqual([])
    expect(extended([1, 3, 5], [0, 7])).toEqual([0, 7])
  })

  test.each([
    ['3-4', [3, 4]],
    [' 3 4, 7', [3, 4, 7]],
    ['', []],
    ['3', null],
    ['a-b', null],
  ])('writes %j', (text, route) => {
    expect(routeIn(text)).toEqual(route)
  })
})
