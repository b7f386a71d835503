import { expect } from 'vitest'
import type { World } from '../../../agents/cops/knowledge/belief.ts'
import type { Skeleton } from '../../../agents/cops/knowledge/town.ts'
import type { Answer } from '../../../main/referees/cops/answer.ts'
import { config } from '../../../main/referees/cops/config.ts'
import { makeTown, townOptions, townText } from '../../../main/referees/cops/kinds.ts'
import { rules } from '../../../main/referees/cops/rules.ts'

type Agent = Record<string, (...given: unknown[]) => unknown>

/** The exports of a script of Cops & Robbers. */
export interface CopsPackage {
  readonly name: string
  readonly starts: string
  readonly robber: unknown
  readonly cop: unknown
}

export interface PlayedTown {
  readonly caught: boolean
  /** The world in which the match ended. */
  readonly world: number
  readonly loot: number
}

/** The text of a made town. */
export const madeTown = (seed: string): string => townText(makeTown(townOptions.parse({ seed })))

/** Plays a match through the rules, with five times the same cop; what seats are told comes from their views. */
export function playTown(robber: CopsPackage, cop: CopsPackage, map: string): PlayedTown {
  const state = rules.initial(config.parse({ map }), [], '')
  const of = (seat: number): CopsPackage => (seat === 0 ? robber : cop)
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
    const make = (seat === 0 ? of(seat).robber : of(seat).cop) as (game: Skeleton) => unknown
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
  return { caught: state.end === 'caught', world: state.world, loot: state.loot }
}
