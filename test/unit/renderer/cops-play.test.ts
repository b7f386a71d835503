import { describe, expect, test } from 'vitest'
import type { PlayLine } from '../../../main/contract/procedures/human-match.ts'
import type { Json } from '../../../main/contract/json.ts'
import { questionFor, skeletonMessage } from '../../../main/referees/cops/player-messages.ts'
import type { State } from '../../../main/referees/cops/state.ts'
import { claimsKnown, isAlone, planFor, pushesOf, warningOf } from '../../../renderer/games/cops/play/defaults.ts'
import { answerIn, emptyDraft, goalsIn, modeIn, refusalIn } from '../../../renderer/games/cops/play/draft.ts'
import { sessionOf, type Session } from '../../../renderer/games/cops/play/session.ts'
import { endingOf, taskOf, twistNewsOf } from '../../../renderer/games/cops/play/words.ts'
import { answerOf, begun, plays, says } from '../cops/stage.ts'

const twist = { rules: '2005-twist' }

/** The view of a seat that is asked now: the world, and the questions of the step. */
function sessionFor(state: State, seat: number, ...earlier: readonly unknown[]): Session {
  const values = [skeletonMessage(state, seat), ...earlier, questionFor(state, seat)]
  const dialogue = values.map((value): PlayLine => ({ from: 'table', value: value as Json }))
  return sessionOf({ dialogue, question: { number: 1, msLeft: 1 } })!
}

/** Answers for all until the step is as wanted; returns what the seat was asked before. */
function until(state: State, step: State['step'], seat: number): unknown[] {
  const told: unknown[] = []
  while (state.step !== step) {
    if (state.waiting.includes(seat)) told.push(questionFor(state, seat))
    for (const each of [...state.waiting]) says(state, each, answerOf(state, each))
  }
  return told
}

/** The robber has $1000 and stands on r9; C2 is bribed if it is listed. */
function robbed(listed: boolean) {
  const state = begun(twist)
  plays(state, { 0: { loc: 'r9' } })
  plays(state, listed ? { 2: { market: 'turncoat' } } : {})
  return state
}

describe('a person who plays Cops & Robbers', () => {
  test('moves by the mode that they choose at headquarters', () => {
    const state = begun()
    plays(state)
    const session = sessionFor(state, 1, ...until(state, 'move', 1))
    const draft = { ...emptyDraft(1), modes: new Map([['C1', 'cop-car' as const]]) }
    expect(goalsIn(session, emptyDraft(1), 'C1')).toEqual(['r0', 'r1', 'r19'])
    expect(goalsIn(session, draft, 'C1')).toEqual(['r0', 'r1', 'r10'])
    // r19 cannot be reached by car: the robot stays.
    const wrong = { ...draft, goals: new Map([['C1', 'r19']]) }
    expect(answerIn(session, wrong)).toEqual({ type: 'move', loc: 'r0', ptype: 'cop-car' })
    expect(refusalIn(session, wrong)).toBeNull()
  })

  test('follows the elected plan at first, also into a car', () => {
    const state = begun()
    plays(state)
    const told = until(state, 'plan', 1)
    for (const seat of [1, 2, 3, 4, 5])
      says(state, seat, { type: 'plan', plan: [{ bot: 'C1', loc: 'r10', ptype: 'cop-car', world: 2 }] })
    told.push(questionFor(state, 1))
    for (const seat of [1, 2, 3, 4, 5]) says(state, seat, answerOf(state, seat))
    const session = sessionFor(state, 1, ...told)
    expect(modeIn(session, emptyDraft(1), 'C1')).toBe('cop-car')
    expect(answerIn(session, emptyDraft(1))).toEqual({ type: 'move', loc: 'r10', ptype: 'cop-car' })
  })

  test('claims with a certainty that is a number', () => {
    const state = begun()
    plays(state)
    const session = sessionFor(state, 1)
    const draft = { ...emptyDraft(1), claimed: 'r5', certainty: 101 }
    expect(refusalIn(session, draft)).toMatch(/whole number from −100/)
    expect(refusalIn(session, { ...draft, certainty: null })).toMatch(/whole number/)
    expect(refusalIn(session, { ...draft, certainty: -40 })).toBeNull()
    expect(claimsKnown(session).map(({ loc, certainty }) => [loc, certainty])).toEqual([
      ['r1', -100],
      ['r19', -100],
    ])
  })
})

describe('in the second phase, a person', () => {
  test('as the robber is asked about nothing while it is alone, and may ask only with $50', () => {
    const state = begun(twist)
    const session = sessionFor(state, 0)
    expect([isAlone(session), session.twist!.whyNotAsk]).toEqual([true, expect.stringContaining('$50')])
    expect(answerIn(session, emptyDraft(0))).toEqual({ type: 'inform', informs: [] })
  })

  test('pushes the nearest cop away at first', () => {
    const state = robbed(false)
    const told = until(state, 'bribe', 0)
    expect(taskOf(sessionFor(state, 0, ...told))).toMatch(/or ask first/)
    told.push(questionFor(state, 0))
    says(state, 0, { type: 'bribe', asks: true })
    const values: PlayLine[] = [skeletonMessage(state, 0), ...told].map((value) => ({
      from: 'table',
      value: value as Json,
    }))
    const dialogue: PlayLine[] = [
      ...values,
      { from: 'person', value: { type: 'bribe', asks: true } },
      { from: 'table', value: questionFor(state, 0) as Json },
    ]
    const session = sessionOf({ dialogue, question: { number: 2, msLeft: 1 } })!
    expect(session.twist!.mustPush).toBe(true)
    expect(pushesOf(session)).toHaveLength(5)
    const answer = answerIn(session, emptyDraft(2))
    expect(answer).toMatchObject({ type: 'robber-orders', choose: null, push: { loc: 'r19' } })
    expect(refusalIn(session, emptyDraft(2))).toBeNull()
    expect(refusalIn(session, { ...emptyDraft(2), push: { bot: 'C1', loc: 'r5' } })).toMatch(/cannot be pushed/)
  })

  test('a person who is dirty gives nothing away, keeps off the robber, and is warned of catching it', () => {
    const state = robbed(true)
    plays(state, { 0: { asks: true, choose: ['C2'] } })
    const session = sessionFor(state, 2, ...until(state, 'move', 2))
    expect([session.twist!.isDirty, session.drawn.robber]).toEqual([true, 'r9'])
    expect(claimsKnown(session)).toEqual([])
    // Among r0, r1 and r19 the last is furthest from r9 in the picture, in which the ring is a line.
    expect(planFor(session).map(({ loc }) => loc)).toEqual(Array(5).fill('r19'))
    expect(warningOf(session, new Map([['C2', 'r9']]))).toMatch(/bribed cop gets nothing/)
    expect(answerIn(session, { ...emptyDraft(3), lists: true, accuse: ['C3'] })).toMatchObject({
      market: null,
      accuse: [],
    })
    expect(twistNewsOf(session)).toEqual(['The robber has bribed you: you get an eighth of its loot if it escapes.'])
  })

  test.each(['earlier', 'as-written'])('as a dirty cop plans for the robots of dirty brains (%s)', (secondPhase) => {
    const state = begun({ ...twist, secondPhase })
    plays(state, { 0: { loc: 'r9' } })
    plays(state, { 2: { market: 'turncoat' }, 4: { market: 'turncoat' } })
    plays(state, { 0: { asks: true, choose: ['C4'] } })
    plays(state, { 2: { accuse: ['C4'] } })
    plays(state, { 0: { asks: true, choose: ['C2'] } })
    plays(state)
    const session = sessionFor(state, 2, ...until(state, 'plan', 2))
    expect(planFor(session).map(({ bot }) => bot)).toEqual(['C2', 'C4'])
    // A false accusation is announced; a true one shows in who moves whom.
    plays(state)
    plays(state, { 1: { accuse: ['C3'] } })
    const news = twistNewsOf(sessionFor(state, 5))
    expect(news).toEqual(
      secondPhase === 'earlier'
        ? ['C2 accused C4 rightly in world 3.', 'C2 moves C4 after a true accusation.']
        : ['C1 accused C3 wrongly in world 7.', 'C2 moves C4 after a true accusation.'],
    )
  })

  test('reads what their points are for', () => {
    const places = [0, 1, 2, 3, 4, 5].map((seat) => ({ seat, rank: 1 + seat, score: 9_100, removed: false }))
    const earned = places.map(() => ({
      base: 8_500,
      evidence: 0,
      plans: 600,
      capture: 0,
      bribe: 0,
      market: 0,
      penalty: 0,
    }))
    const names = ['Human', ...Array<string>(5).fill('baby')]
    expect(endingOf({ seat: 0, names, result: { outcome: { places, earned, end: 'escaped' } } })).toBe(
      'You finish 1st of 6 with 910 points. 850 of the robber’s loot, 60 for elected plans. The robber has escaped.',
    )
    expect(endingOf({ seat: 0, names, result: null })).toBe('')
  })
})
