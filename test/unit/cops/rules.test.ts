import { describe, expect, test } from 'vitest'
import { contests } from '../../../main/referees/cops/contests/pods.ts'
import { rules } from '../../../main/referees/cops/rules.ts'
import { COPS, isRobbersWorld } from '../../../main/referees/cops/state.ts'
import { smellOf } from '../../../main/referees/cops/streets.ts'
import { answerOf, begun, fails, plays, robberWalks, says, vaultOf, waitsUntil } from './stage.ts'

const scoresOf = (state: ReturnType<typeof begun>) => rules.outcome(state)!.places.map(({ score }) => score)

describe('larceny and transfers', () => {
  test('a theft belongs to the turn in which the robber moves onto the bank', () => {
    const state = begun()
    robberWalks(state, 'r9')
    expect(state.world).toBe(1)
    expect([state.loot, vaultOf(state, 'r9'), vaultOf(state, 'r12')]).toEqual([1_000, 0, 1_000])
    expect(rules.view(state, 3).robber).toBe('r9')
    plays(state)
    robberWalks(state, 'r10')
    expect(rules.view(state, 3).robber).toBeNull()
  })

  test('eight worlds later each bank gives a sixth of the difference, and the money is all there', () => {
    const state = begun()
    robberWalks(state, 'r9', 'r10')
    waitsUntil(state, 8)
    expect(vaultOf(state, 'r9')).toBe(0)
    plays(state)
    expect(state.world).toBe(9)
    expect([vaultOf(state, 'r9'), vaultOf(state, 'r12')]).toEqual([830, 834])
  })

  test('staying on a bank robs it again, and the robbery comes before the transfer', () => {
    const state = begun()
    robberWalks(state, 'r9', 'r9', 'r9', 'r9', 'r9')
    // World 9: robbed in turn 8 (nothing there), then the transfer for turn 0.
    expect([state.world, state.loot, vaultOf(state, 'r9')]).toEqual([9, 1_000, 830])
    robberWalks(state, 'r9')
    // World 11: the 830 are taken, and the transfer for turn 2 fills up from 834: 5 times 139.
    expect([state.loot, vaultOf(state, 'r9')]).toEqual([1_830, 695])
  })
})

describe('evidence', () => {
  test('it is left in worlds 8, 16, ... and lasts for 24', () => {
    const state = begun()
    waitsUntil(state, 8)
    expect(state.evidence).toEqual([])
    robberWalks(state, 'r11')
    expect(state.evidence).toEqual([{ node: 10, world: 8 }])
    waitsUntil(state, 32)
    expect(state.evidence.map(({ world }) => world)).toEqual([8, 16, 24])
    plays(state)
    expect(state.evidence.map(({ world }) => world)).toEqual([16, 24, 32])
  })

  test('each cop that is there gets a copy, and it is gone', () => {
    const state = begun({}, ['cop-car', 'cop-car'])
    waitsUntil(state, 8)
    robberWalks(state, 'r11')
    plays(state, { 1: { loc: 'r10' }, 2: { loc: 'r10' } })
    robberWalks(state, 'r12')
    expect(state.bots.map(({ evidence }) => evidence.map(({ world }) => world))).toEqual([[8], [8], [], [], []])
    expect(state.evidence).toEqual([])
    expect(rules.view(state, 1).cops.map(({ evidence }) => evidence)).toEqual([
      [{ loc: 'r10', world: 8 }],
      null,
      null,
      null,
      null,
    ])
    plays(state)
    plays(state)
    expect(state.brains.map(({ found }) => found)).toEqual([0, 1, 1, 0, 0, 0])
  })
})

describe('moves', () => {
  test('one-way streets hold for cars, and long roads are for them alone', () => {
    const { town } = begun()
    expect([...town.car[0]!].sort()).toEqual([1, 10])
    expect([...town.foot[0]!].sort()).toEqual([1, 19])
    expect([1, 2, 3, 18, 10].map((robber) => smellOf(town, { node: 0, mode: 'cop-foot' }, robber))).toEqual([
      1, 2, 0, 2, 0,
    ])
    expect([1, 2, 19, 10, 0].map((robber) => smellOf(town, { node: 0, mode: 'cop-car' }, robber))).toEqual([
      1, 0, 0, 1, 0,
    ])
  })

  test('a cop changes its mode only at the hq, and moves as it will travel', () => {
    const state = begun()
    plays(state)
    plays(state, { 1: { loc: 'r10', ptype: 'cop-car' }, 2: { loc: 'r1' } })
    // The first cop went by the long road and caught the robber at its start.
    expect([state.end, state.catchers]).toEqual(['caught', [1]])
    const other = begun()
    plays(other)
    plays(other, { 2: { loc: 'r1' } })
    plays(other)
    plays(other, { 2: { loc: 'r2', ptype: 'cop-car' } })
    expect([other.end, other.brains[2]!.disqualified]).toEqual([
      'disqualified',
      'C2 can change to cop-car only at the hq.',
    ])
  })

  test.each([
    ['a place that does not exist', { loc: 'r99' }],
    ['a place that is too far', { loc: 'r12' }],
  ])('the robber is disqualified for %s, and nobody scores', (_, wish) => {
    const state = begun()
    plays(state, { 0: wish })
    expect([state.end, scoresOf(state)]).toEqual(['disqualified', [0, 0, 0, 0, 0, 0]])
    expect(rules.outcome(state)!.places[0]).toMatchObject({ rank: 6, removed: true })
  })

  test('a robber that moves onto a cop is caught before it robs', () => {
    const state = begun({}, ['cop-car'])
    robberWalks(state, 'r11', 'r12')
    plays(state, { 1: { loc: 'r10' } })
    expect(state.loot).toBe(1_000)
    robberWalks(state, 'r11', 'r10')
    expect([state.end, state.world]).toEqual(['caught', 7])
    expect(scoresOf(state)).toEqual([0, 11_200, 10_000, 10_000, 10_000, 10_000])
  })
})

describe('faults', () => {
  test('McGruffs stand still, others are disqualified', () => {
    const state = begun({ mcgruffs: 2 })
    plays(state)
    for (const seat of COPS.slice(0, 4)) says(state, seat, answerOf(state, seat))
    fails(state, 5)
    expect([state.step, state.brains[5]!.refused]).toEqual(['plan', 'It was late.'])
    fails(state, 1)
    for (const seat of COPS.slice(1)) says(state, seat, answerOf(state, seat))
    expect([state.end, state.brains[1]!.disqualified]).toEqual(['disqualified', 'It was late.'])
  })

  test('nothing is expected from a brain that is gone, and all others play on', () => {
    const state = begun({ illegal: 'stands-still', lastWorld: 20 })
    fails(state, 0, true)
    expect(state.world).toBe(1)
    fails(state, 3, true)
    waitsUntil(state, 20)
    expect([state.end, state.world]).toEqual(['escaped', 20])
  })

  test('an input that nobody waits for is refused and changes nothing', () => {
    const state = begun()
    const before = rules.save(state)
    expect(rules.apply(state, { type: 'said', seat: 1, answer: { type: 'inform', informs: [] } })).toBe(
      'Nothing is expected from seat 1 now.',
    )
    expect(rules.save(state)).toEqual(before)
  })
})

describe('the end', () => {
  test('the robber has escaped in world 200, after 101 worlds of its own and 100 of the cops', () => {
    const state = begun()
    robberWalks(state, 'r9', 'r10')
    const shown = { robber: 2, cops: 1 }
    while (state.end === null) {
      if (isRobbersWorld(state)) shown.robber += 1
      else shown.cops += 1
      plays(state)
    }
    // World 200 is told and asks for nothing.
    expect([shown, state.world, state.end]).toEqual([{ robber: 100, cops: 100 }, 200, 'escaped'])
    expect(scoresOf(state)).toEqual([10_000, 600, 0, 0, 0, 0])
  })

  test('bonuses are shared, and a bonus that nobody has earned is not awarded', () => {
    const state = begun({ lastWorld: 4 })
    plays(state)
    plays(state, Object.fromEntries(COPS.map((seat) => [seat, { ballot: ['C2', 'C1', 'C3', 'C4', 'C5'] }])))
    plays(state)
    plays(state, Object.fromEntries(COPS.map((seat) => [seat, { ballot: ['C3', 'C1', 'C2', 'C4', 'C5'] }])))
    expect(scoresOf(state)).toEqual([0, 0, 300, 300, 0, 0])
  })

  test('contests count points, of which scores are tenths', () => {
    const state = begun()
    robberWalks(state, 'r9', 'r10')
    waitsUntil(state, 200)
    expect(contests.points!(rules.outcome(state)!)).toEqual([1_000, 60, 0, 0, 0, 0])
  })

  test('a fifth of the banks is a whole number of tenths', () => {
    const state = begun({}, ['cop-car'])
    state.vaults[0] = 3
    plays(state)
    plays(state, { 1: { loc: 'r10' } })
    expect(scoresOf(state).slice(2)).toEqual([10_006, 10_006, 10_006, 10_006])
  })
})
