import { readFileSync } from 'node:fs'
import type { Json } from '../../../main/contract/json.ts'
import type { Outcome } from '../../../main/contract/outcome.ts'
import { config as speckerConfig } from '../../../main/referees/specker/config.ts'
import { bundle } from '../../../main/referees/specker/messages.ts'
import { rules } from '../../../main/referees/specker/rules.ts'
import type { State } from '../../../main/referees/specker/state.ts'
import { startMessage, turnMessage } from '../../../main/referees/specker/views.ts'
import Baby from '../../../agents/specker/baby.ts'
import Cautious from '../../../agents/specker/cautious.ts'
import Gambler from '../../../agents/specker/gambler.ts'
import Greedy from '../../../agents/specker/greedy.ts'
import Minmax from '../../../agents/specker/minmax.ts'
import ReofferOnly from '../../../agents/specker/reoffer-only.ts'
import Sampler from '../../../agents/specker/sampler.ts'
import Tartaglia from '../../../agents/specker/tartaglia.ts'

export const AGENTS = {
  baby: Baby,
  cautious: Cautious,
  gambler: Gambler,
  greedy: Greedy,
  minmax: Minmax,
  'reoffer-only': ReofferOnly,
  sampler: Sampler,
  tartaglia: Tartaglia,
}
export type AgentName = keyof typeof AGENTS
export const NAMES = Object.keys(AGENTS) as AgentName[]

/** A config of the game for a challenge that ships; `own` are the challenge's settings. */
export function configOf(challenge: 'max-csp' | 'max-sat', own: Json, game: { readonly [key: string]: Json }): Json {
  const file = new URL(`../../../grammars/challenges/${challenge}.challenge`, import.meta.url)
  return { challenge: readFileSync(file, 'utf8'), challengeConfig: own, ...game }
}

/** A small seeded generator of numbers in [0, 1). */
export function generator(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface Played {
  readonly outcome: Outcome
  readonly removals: State['removals']
  /** Every bundle in order, as text: equal texts mean equal matches. */
  readonly transcript: string
}

/** Called around each turn of an agent, for measurements. */
export type Around = (name: AgentName, turn: () => unknown) => unknown

/** Plays a whole match through the real rules, every agent with its own seeded Math.random. */
export function playMatch(
  names: readonly AgentName[],
  config: Json,
  seed: number,
  around: Around = (_, turn) => turn(),
): Played {
  const seats = names.map((_, id) => ({ id, entrant: id, role: 'player', bodies: 1 }))
  const state = rules.initial(speckerConfig.parse(config), seats, '0'.repeat(64))
  const real = Math.random
  const transcript: string[] = []
  try {
    const players = names.map((name, seat) => {
      const random = generator(seed * 1_000 + seat)
      Math.random = random
      return { name, random, agent: new AGENTS[name](passed(startMessage(state, seat))) }
    })
    while (state.turn !== null) {
      const seat = state.turn
      const { name, random, agent } = players[seat]!
      Math.random = random
      const answer = passed(around(name, () => agent.turn(passed(turnMessage(state, seat)))))
      transcript.push(JSON.stringify(answer))
      const refusal = rules.apply(state, { type: 'turn', seat, actions: bundle.parse(answer).actions })
      if (refusal !== null) throw new Error(refusal)
    }
  } finally {
    Math.random = real
  }
  return { outcome: rules.outcome(state)!, removals: state.removals, transcript: transcript.join('\n') }
}

/** A value as it looks after crossing a boundary as JSON text. */
function passed<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}
