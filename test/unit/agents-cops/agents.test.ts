import { expect, test } from 'vitest'
import { Belief, type World } from '../../../agents/cops/knowledge/belief.ts'
import baby from '../../../agents/cops/baby.ts'
import house from '../../../agents/cops/house.ts'
import tartaglia from '../../../agents/cops/tartaglia.ts'
import { townOf, type Skeleton } from '../../../agents/cops/knowledge/town.ts'
import { madeTown, playTown, type CopsPackage } from './played-town.ts'

const packages: Readonly<Record<string, CopsPackage>> = { baby, house, tartaglia }

const seeds = ['a', 'b', 'c', 'd']
const sum = (robber: string, cops: string) => {
  const all = seeds.map((seed) => playTown(packages[robber]!, packages[cops]!, madeTown(seed)))
  return {
    caught: all.filter(({ caught }) => caught).length,
    points: all.reduce((s, m) => s + (m.caught ? 0 : m.loot), 0),
  }
}

test('the tracking cop catches more robbers than the house, which catches more than the baby', () => {
  const [baby5, house5, tracker5] = ['baby', 'house', 'tartaglia'].map((cops) => sum('house', cops).caught)
  expect(tracker5).toBeGreaterThan(house5!)
  expect(house5).toBeGreaterThanOrEqual(baby5!)
  expect(tracker5).toBeGreaterThanOrEqual(3)
})

test('the safe robber gets away from the house more often than the baby does', () => {
  expect(sum('tartaglia', 'house').points).toBeGreaterThan(sum('baby', 'house').points)
})

/** A row of corners a, b, c, d, e, f, g with the robber at d and headquarters at a. */
const row: Skeleton = {
  name: 'C',
  robber: 'R',
  cops: ['C'],
  nodes: [...'abcdefg'].map((loc, x) => ({
    loc,
    tag: loc === 'a' ? 'hq' : loc === 'd' ? 'robber-start' : 'ordinary',
    x,
    y: 0,
  })),
  edges: [...'abcdef'].map((from, at) => ({ from, to: 'bcdefg'[at]!, type: 'foot' as const })),
}
const seen = (world: number, loc: string, smell: number, evidence: World['evidence'] = []): World => {
  return { world, loot: 0, banks: [], evidence, smell, players: [{ bot: 'C', loc, ptype: 'cop-foot' }] }
}
const likely = (belief: Belief, world: number): string => {
  const at = belief.at(world)
  return belief.town.names.filter((_, corner) => at[corner]! > 1e-9).join('')
}

test('a belief spreads with each move of the robber, and smells narrow it', () => {
  const belief = new Belief(townOf(row))
  expect(likely(belief, 1)).toBe('cde')
  // Two moves away on foot is c; not smelling anything rules out what is nearer than three.
  belief.see(seen(1, 'a', 0), 'C', 'R')
  expect(likely(belief, 1)).toBe('de')
  belief.see(seen(3, 'b', 2), 'C', 'R')
  expect(likely(belief, 3)).toBe('d')
  expect(likely(belief, 5)).toBe('cde')
})

test('evidence of a past world counts from that world on; a lie that contradicts what is seen does not', () => {
  const belief = new Belief(townOf(row))
  belief.see(seen(13, 'a', 0, [{ loc: 'g', world: 8 }]), 'C', 'R')
  // In world 8 at g: in 9, 11 and 13 three more moves.
  expect(likely(belief, 13)).toBe('defg')
  belief.hear([{ bot: 'R', loc: 'b', ptype: 'robber', world: 13, certainty: 100 }], 'R')
  expect(likely(belief, 13)).toBe('defg')
})

test('the safe robber pushes or bribes a cop that is close, and only in the second rule set', () => {
  const { move, bribe } = tartaglia.robber({ ...row, name: 'R' })
  const twist = { dirty: [], control: [] }
  const world = (loc: string): World => ({
    ...seen(2, loc, 0),
    loot: 1_000,
    players: [
      { bot: 'C', loc, ptype: 'cop-foot' },
      { bot: 'R', loc: 'g', ptype: 'robber' },
    ],
  })
  expect(move(world('f'))).toBe('g')
  const close = { ...world('f'), twist }
  expect([bribe(null, close), bribe(null, { ...world('a'), twist }), bribe(null, { ...close, loot: 49 })]).toEqual([
    true,
    false,
    false,
  ])
  expect(move(close, [])).toMatchObject({ push: { bot: 'C', loc: 'e' } })
  expect(move(close, ['C'])).toMatchObject({ choose: ['C'] })
  // Whoever was on the market is out by now: nobody may be pushed.
  const taken = { ...twist, control: [{ brain: 'C', bot: 'D' }] }
  expect(move({ ...close, twist: taken }, [])).not.toHaveProperty('push')
  // Worlds of earlier matches list all robots.
  expect(move({ ...close, twist: { ...twist, control: [{ brain: 'C', bot: 'C' }] } }, [])).toHaveProperty('push')
  // A bribed cop does not keep the robber away from a corner, although its own robot is not listed.
  expect(bribe(null, { ...close, twist: { ...twist, dirty: ['C'] } })).toBe(false)
})

test('a cop of the house denies where it smells nothing, and denies nothing in even worlds, in which nobody smells', () => {
  const cop = house.cop(row)
  expect(cop.inform(seen(3, 'b', 0)).map(({ loc, certainty }) => [loc, certainty])).toEqual([
    ['a', -100],
    ['c', -100],
  ])
  expect(cop.inform(seen(4, 'b', 0))).toEqual([])
})
