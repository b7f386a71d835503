import { expect, test } from 'vitest'
import { Belief, type World } from '../../../agents/cops/knowledge/belief.ts'
import baby from '../../../agents/cops/baby.ts'
import house from '../../../agents/cops/house.ts'
import tartaglia from '../../../agents/cops/tartaglia.ts'
import { townOf, type Skeleton } from '../../../agents/cops/knowledge/town.ts'
import { madeTown, playTown, type CopsPackage } from './played-town.ts'

type Agent = Record<string, (...given: unknown[]) => unknown>
interface Package {
  readonly name: string
  readonly starts: string
  readonly robber: unknown
  readonly cop: unknown
}
const packages: Readonly<Record<string, Package>> = { baby, house, tartaglia }

/** Plays a match through the rules; what seats are told comes from their views. */
function played(robber: string, cops: string, seed: string) {
  const settings = config.parse({ map: townText(makeTown(townOptions.parse({ seed }))) })
  const state = rules.initial(settings, [], '')
  const of = (seat: number): Package => packages[seat === 0 ? robber : cops]!
  const say = (seat: number, answer: unknown): void =>
    expect(rules.apply(state, { type: 'said', seat, answer: answer as Answer })).toBeNull()
  for (const seat of [0, 1, 2, 3, 4, 5]) {
    const { name, starts } = of(seat)
    say(seat, { type: 'register', bot: name, ptype: seat === 0 ? 'robber' : starts })
  }
  const { names } = rules.view(state, 'panel')
  const { nodes, edges } = state.town
  const skeleton = { robber: names[0]!, cops: names.slice(1).sort(), nodes, edges }
  const agents = names.map((name, seat) => {
    const { robber: asRobber, cop } = of(seat) as { robber: unknown; cop: unknown }
    const make = (seat === 0 ? asRobber : cop) as (game: Skeleton) => unknown
    return make({ ...skeleton, name }) as Agent
  })
  const worldOf = (seat: number): World => {
    const view = rules.view(state, seat)
    const cop = view.cops[seat - 1]
    const seen = view.robber === null ? [] : [{ bot: names[0]!, loc: view.robber, ptype: 'robber' as const }]
    const players = [...view.cops.map(({ loc, ptype }, at) => ({ bot: names[at + 1]!, loc, ptype })), ...seen]
    return {
      ...view,
      evidence: cop?.evidence ?? [],
      smell: cop?.smell ?? 0,
      players: players.sort((a, b) => (a.bot < b.bot ? -1 : 1)),
    }
  }
  while (rules.outcome(state) === null) {
    const { step, waiting, world } = state
    const round = rules.view(state, 'panel').round
    const from = (what: 'informs' | 'plans', key: string) =>
      [1, 2, 3, 4, 5].map((seat) => ({ bot: names[seat]!, [key]: round?.[what][seat] ?? [] }))
    for (const seat of [...waiting]) {
      const [agent, seen] = [agents[seat]!, worldOf(seat)]
      if (seat === 0) say(seat, { type: 'move', loc: agent['move']!(seen), ptype: 'robber' })
      else if (step === 'inform') say(seat, { type: 'inform', informs: agent['inform']?.(seen) ?? [] })
      else if (step === 'plan')
        say(seat, { type: 'plan', plan: agent['plan']?.(from('informs', 'informs'), seen) ?? [] })
      else if (step === 'vote')
        say(seat, { type: 'vote', ballot: agent['vote']?.(from('plans', 'plan'), seen) ?? skeleton.cops })
      else {
        const winner = typeof state.winner !== 'number' ? null : names[state.winner]!
        say(seat, { type: 'move', ...(agent['move']!(winner, seen) as object) })
      }
    }
    expect(state.world).toBeGreaterThanOrEqual(world)
  }
  // An agent of ours never does what is illegal.
  expect(state.end).not.toBe('disqualified')
  return { caught: state.end === 'caught', loot: state.loot }
}

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
