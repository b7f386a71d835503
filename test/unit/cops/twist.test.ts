import { describe, expect, test } from 'vitest'
import { rules } from '../../../main/referees/cops/rules.ts'
import { COPS, lootOf } from '../../../main/referees/cops/state.ts'
import { worldMessage } from '../../../main/referees/cops/player-messages.ts'
import { begun, plays, robberWalks, waitsUntil, type Wish } from './stage.ts'

const twist = (settings: object = {}, modes: readonly ('cop-foot' | 'cop-car')[] = []) =>
  begun({ rules: '2005-twist', ...settings }, modes)

const scoresOf = (state: ReturnType<typeof begun>) => rules.outcome(state)!.places.map(({ score }) => score)

/** A robber that has robbed r9 and stands on r10, in world 4; the cops of `listed` are on the market since world 1. */
function robbed(listed: readonly number[], settings: object = {}) {
  const state = twist(settings)
  plays(state, { 0: { loc: 'r9' } })
  plays(state, Object.fromEntries(listed.map((seat): [number, Wish] => [seat, { market: 'turncoat' }])))
  robberWalks(state, 'r10')
  plays(state)
  return state
}

describe('bribes', () => {
  test('they make brains dirty in the listed order, cost nothing and show the robber', () => {
    const state = robbed([2, 4])
    plays(state, { 0: { asks: true, choose: ['C4', 'C2'] } })
    expect(state.brains.map(({ bribed }) => bribed)).toEqual([null, null, 1, null, 0, null])
    expect(lootOf(state)).toBe(1_000)
    const dirty = worldMessage(state, 4, 'inform')
    const clean = worldMessage(state, 1, 'inform')
    expect([dirty.twist!.dirty, clean.twist!.dirty]).toEqual([['C2', 'C4'], []])
    expect([dirty, clean].map(({ players }) => players.some(({ bot }) => bot === 'R'))).toEqual([true, false])
    expect([rules.view(state, 4).robber, rules.view(state, 1).robber, rules.view(state, 'public').robber]).toEqual([
      'r10',
      null,
      null,
    ])
  })

  test('dirty cops take part in the rounds of even worlds; where nobody is elected, the robber is', () => {
    const state = robbed([2])
    plays(state, { 0: { asks: true, choose: ['C2'] } })
    plays(state)
    expect([state.world, state.waiting]).toEqual([6, [0, 2]])
    // Nobody else may read off who is dirty.
    expect([rules.view(state, 1).waiting, rules.view(state, 2).waiting]).toEqual([[], [0, 2]])
    plays(state, { 0: { ballot: ['R', 'C2'] }, 2: { ballot: ['C2', 'R'] } })
    // Alone in worlds 0, 2 and 4, and now.
    expect(state.brains.map(({ scoundrelElected }) => scoundrelElected)).toEqual([4, 0, 0, 0, 0, 0])
  })

  test('a robber without $50 cannot ask', () => {
    const state = twist()
    plays(state, { 0: { asks: true } })
    expect(state.brains[0]!.disqualified).toBe('The robber needs $50 of loot to ask for the market.')
  })

  test('a player that is not on the market cannot be chosen', () => {
    const state = robbed([2])
    plays(state, { 0: { asks: true, choose: ['C3'] } })
    expect(state.brains[0]!.disqualified).toBe('C3 is not on the black market.')
  })
})

describe('pushes', () => {
  test('a robber that asks in vain must push, which costs $50 that clean cops do not see', () => {
    const state = robbed([])
    plays(state, { 0: { asks: true, push: { bot: 'C3', loc: 'r1' } } })
    expect([state.bots[2]!.node, lootOf(state)]).toEqual([1, 950])
    expect([worldMessage(state, 1, 'inform').loot, rules.view(state, 1).loot, rules.view(state, 0).loot]).toEqual([
      1_000, 1_000, 950,
    ])
  })

  test.each([
    ['no push', {}, /must push/],
    ['a push that moves nobody', { push: { bot: 'C3', loc: 'r0' } }, /cannot be pushed/],
    ['a push that is too far', { push: { bot: 'C3', loc: 'r5' } }, /cannot be pushed/],
  ])('%s disqualifies', (_, wish, why) => {
    const state = robbed([])
    plays(state, { 0: { asks: true, ...wish } })
    expect(state.brains[0]!.disqualified).toMatch(why)
  })

  test('nobody is pushed once somebody was on the market', () => {
    const state = robbed([2])
    plays(state, { 0: { asks: true, push: { bot: 'C3', loc: 'r1' } } })
    expect(state.brains[0]!.disqualified).toMatch(/may push only/)
  })
})

describe('accusations', () => {
  function bribed() {
    const state = robbed([2])
    plays(state, { 0: { asks: true, choose: ['C2'] } })
    expect(state.world).toBe(5)
    return state
  }

  test('the bots of an accused brain move for its accuser', () => {
    const state = bribed()
    plays(state, { 3: { accuse: ['C2'] } })
    expect([state.brains[2]!.out, state.bots[1]!.controller]).toEqual([true, 3])
    expect(state.accusations).toEqual([{ accuser: 3, accused: 2, world: 5 }])
    plays(state)
    expect(state.waiting).toEqual([1, 3, 4, 5])
    plays(state)
    expect(state.end).toBeNull()
  })

  test('of several accusers the order rotates: in world 5 the third of the skeleton is first', () => {
    const state = bribed()
    plays(state, { 1: { accuse: ['C2'] }, 5: { accuse: ['C2'] } })
    expect(state.accusations).toEqual([{ accuser: 5, accused: 2, world: 5 }])
    expect(state.brains[1]!.liar).toBe(false)
  })

  test('a false accusation ends the list, forbids others and costs half of the points', () => {
    const state = bribed()
    plays(state, { 1: { accuse: ['C3', 'C2'] } })
    expect([state.brains[1]!.liar, state.brains[2]!.out]).toEqual([true, false])
    plays(state)
    plays(state, { 1: { accuse: ['C2'] } })
    expect(state.brains[1]!.disqualified).toBe('After a false accusation there are no others.')
  })
})

describe('the second phase as its text is written', () => {
  const asWritten = { secondPhase: 'as-written' }

  /** C2 is bribed in world 4; world 5 begins. */
  function bribed(settings: object = {}) {
    const state = robbed([2], { ...asWritten, ...settings })
    plays(state, { 0: { asks: true, choose: ['C2'] } })
    return state
  }
  const newsOf = (state: ReturnType<typeof begun>, seat: number) => worldMessage(state, seat, 'inform').twist!

  test('accusing after a false accusation is legal and ignored, in the same message and later', () => {
    const state = bribed()
    plays(state, { 1: { accuse: ['C3', 'C2'] } })
    plays(state)
    plays(state, { 1: { accuse: ['C2'] } })
    expect([state.end, state.brains[1]!.refused, state.brains[2]!.out]).toEqual([null, null, false])
    expect(state.falseAccusations).toEqual([{ accuser: 1, accused: 3, world: 5 }])
  })

  test('false accusations are announced to everybody, in order; true ones show in who moves whom', () => {
    const state = bribed()
    expect(newsOf(state, 1).control).toEqual([])
    plays(state, { 1: { accuse: ['C3'] }, 4: { accuse: ['C2'] }, 5: { accuse: ['C5'] } })
    // In world 5 the third cop of the skeleton is heard first.
    const accusations = [
      { accuser: 'C5', accused: 'C5', world: 5 },
      { accuser: 'C1', accused: 'C3', world: 5 },
    ]
    for (const seat of [0, 1, 3, 4, 5])
      expect(newsOf(state, seat)).toEqual({ dirty: [], control: [{ brain: 'C4', bot: 'C2' }], accusations })
    expect(rules.view(state, 'public').falseAccusations).toEqual(state.falseAccusations)
  })

  test('the name of a bot that was taken over means the brain that controls it', () => {
    const state = bribed()
    plays(state, { 3: { accuse: ['C2'], market: 'turncoat' } })
    plays(state, { 0: { asks: true, choose: ['C3'] } })
    plays(state, { 4: { accuse: ['C2'] }, 5: { accuse: ['C2', 'C3'] } })
    expect([state.brains[3]!.out, state.bots.map(({ controller }) => controller)]).toEqual([true, [1, 4, 4, 4, 5]])
    expect(state.falseAccusations).toEqual([])
    plays(state)
    plays(state, { 5: { accuse: ['C2'] } })
    expect(state.falseAccusations).toEqual([{ accuser: 5, accused: 4, world: 9 }])
  })

  test('dirty brains are told in the order of the bribes, the last one last', () => {
    const state = robbed([2, 3, 4], asWritten)
    plays(state, { 0: { asks: true, choose: ['C4', 'C2'] } })
    plays(state)
    plays(state, { 0: { asks: true, choose: ['C3'] } })
    expect([newsOf(state, 0).dirty, newsOf(state, 2).dirty, newsOf(state, 5).dirty]).toEqual([
      ['C4', 'C2', 'C3'],
      ['C4', 'C2', 'C3'],
      [],
    ])
  })

  test.each([
    [1, 50],
    [3, 49],
    [5, 49],
    [199, 0],
  ])('a brain that is listed in world %i of a whole game and never taken gets %i points', (world, points) => {
    const state = twist(asWritten)
    waitsUntil(state, world)
    plays(state, { 2: { market: 'turncoat' } })
    waitsUntil(state, 200)
    expect([state.end, scoresOf(state)[2]]).toEqual(['escaped', points * 10])
  })

  test('a brain that is bribed later keeps what it earned while it waited', () => {
    const state = robbed([2], { ...asWritten, lastWorld: 12 })
    waitsUntil(state, 8)
    plays(state, { 0: { asks: true, choose: ['C2'] } })
    waitsUntil(state, 12)
    // Worlds 2, 4 and 6, an eighth of $1000, and the last bribe.
    expect(scoresOf(state)[2]).toBe(10 + 1_250 + 600)
  })

  test('the bonus for evidence is for the bot that has found most, and goes to its controller', () => {
    const state = bribed({ lastWorld: 14 })
    plays(state, { 3: { accuse: ['C2'] } })
    // Three cops have found two, one and one; the brain of the last two has as many altogether.
    for (const [bot, found] of [
      [0, 2],
      [1, 1],
      [2, 1],
    ] as const)
      Object.assign(state.bots[bot]!, { found })
    Object.assign(state.brains[3]!, { found: 2 })
    waitsUntil(state, 14)
    const { earned } = rules.outcome(state)!
    expect((earned as { evidence: number }[]).map(({ evidence }) => evidence)).toEqual([0, 600, 0, 0, 0, 0])
  })

  test('cops with a world of the setting list themselves then, whatever they announce', () => {
    const state = twist({ ...asWritten, marketWorlds: [3, 0], lastWorld: 8 })
    plays(state)
    plays(state, { 3: { market: 'turncoat' }, 4: { market: 'turncoat' }, 5: { market: 'turncoat' } })
    waitsUntil(state, 8)
    expect(state.brains.map(({ listedIn }) => listedIn)).toEqual([null, null, null, 1, null, 3])
  })
})

describe('scores', () => {
  test('an escape: a dirty brain gets an eighth of the loot, and who waited on the market half a point a world', () => {
    const state = robbed([2, 4], { lastWorld: 12 })
    plays(state, { 0: { asks: true, choose: ['C2'] } })
    waitsUntil(state, 12)
    // C1 is elected in all cops' rounds; C2 is the last one that was bribed, and its plan never wins. C4 waited in worlds 2 to 10.
    expect(scoresOf(state)).toEqual([8_750, 600, 1_250 + 600, 0, 20, 0])
  })

  test('a capture: clean brains get a fifth for each bot, dirty and accused ones nothing', () => {
    const state = robbed([2])
    plays(state, { 0: { asks: true, choose: ['C2'] } })
    plays(state, { 3: { accuse: ['C2'], ptype: 'cop-car' } })
    robberWalks(state, 'r10')
    plays(state, { 3: { loc: 'r10' } })
    expect(state.end).toBe('caught')
    expect(state.catchers).toEqual([3])
    const [robber, , dirty, accuser, other] = scoresOf(state)
    expect([robber, dirty, accuser, other]).toEqual([0, 0, 2 * 10_000 + 600, 10_000])
  })

  test('half of the points are lost with a false accusation, rounded up', () => {
    const state = robbed([], { lastWorld: 8 })
    plays(state)
    plays(state, { 1: { accuse: ['C2'] } })
    waitsUntil(state, 8)
    expect(scoresOf(state)).toEqual([10_000, 300, 0, 0, 0, 0])
    expect(COPS.map((seat) => state.brains[seat]!.liar)).toEqual([true, false, false, false, false])
  })
})
