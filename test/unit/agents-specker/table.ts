import { readFileSync } from 'node:fs'
import type { Json } from '../../../main/contract/json.ts'
import type { Outcome } from '../../../main/contract/game/outcome.ts'
import { config as speckerConfig } from '../../../main/referees/specker/config.ts'
import { bundle, type TurnMessage } from '../../../main/referees/specker/messages.ts'
import { rules } from '../../../main/referees/specker/rules.ts'
import type { State } from '../../../main/referees/specker/state.ts'
import { startMessage, turnMessage } from '../../../main/referees/specker/referee/views.ts'
import Baby from '../../../agents/specker/baby.ts'
import Cautious from '../../../agents/specker/cautious.ts'
import Gambler from '../../../agents/specker/gambler.ts'
import Greedy from '../../../agents/specker/greedy.ts'
import Minmax from '../../../agents/specker/minmax.ts'
import ReofferOnly from '../../../agents/specker/reoffer-only.ts'
import Sampler from '../../../agents/specker/sampler.ts'
import Tartaglia from '../../../agents/specker/tartaglia.ts'
import Kit from '../../../agents/kits/specker/typescript/agent.ts'

export const AGENTS = {
  baby: Baby,
  cautious: Cautious,
  gambler: Gambler,
  greedy: Greedy,
  minmax: Minmax,
  'reoffer-only': ReofferOnly,
  sampler: Sampler,
  tartaglia: Tartaglia,
  /** The agent with which students begin. */
  kit: Kit,
}
export type AgentName = keyof typeof AGENTS
export const NAMES = Object.keys(AGENTS) as AgentName[]

/** A config of the game for a challenge that ships; `own` are the challenge's settings. */
export function configOf(challenge: string, own: Json, game: { readonly [key: string]: Json }): Json {
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
    const play = (seat: number, view: TurnMessage, seen?: number): void => {
      const { name, random, agent } = players[seat]!
      Math.random = random
      const answer = passed(around(name, () => agent.turn(passed(view))))
      transcript.push(JSON.stringify(answer))
      const { actions } = bundle.parse(answer)
      const refusal = rules.apply(state, { type: 'turn', seat, actions, ...(seen === undefined ? {} : { seen }) })
      if (refusal !== null) throw new Error(refusal)
    }
    while (state.turn !== null) play(state.turn, turnMessage(state, state.turn))
    if (state.choices.mode === 'asynchronous') playWithoutTurns(state, play)
  } finally {
    Math.random = real
  }
  return { outcome: rules.outcome(state)!, removals: state.removals, transcript: transcript.join('\n') }
}

/** In how many of `count` matches of two, each sitting first in every other one, `one` ends above `other`. */
export function winsOf(one: AgentName, other: AgentName, config: Json, count: number): number {
  let wins = 0
  for (let match = 0; match < count; match++) {
    const seat = match % 2
    const { places } = playMatch(seat === 0 ? [one, other] : [other, one], config, match).outcome
    if (places[seat]!.rank < places[1 - seat]!.rank) wins++
  }
  return wins
}

/** How often everybody is asked while there is trade, where there are no turns. */
const PASSES = 8

/** Everybody is told what happened and answers before anybody's answer arrives; then all arrive. */
function playWithoutTurns(state: State, play: (seat: number, view: TurnMessage, seen: number) => void): void {
  for (let pass = 0; rules.outcome(state) === null; pass++) {
    if (pass === PASSES) rules.apply(state, { type: 'close' })
    const seen = state.dropped + state.events.length
    const views = present(state).map((seat) => ({ seat, view: turnMessage(state, seat) }))
    for (const { seat, view } of views) {
      if (rules.outcome(state) === null && !state.players[seat]!.removed) play(seat, view, seen)
    }
    if (pass > PASSES + 20) throw new Error('the match does not end')
  }
}

function present({ players }: State): number[] {
  return players.flatMap(({ removed }, seat) => (removed ? [] : [seat]))
}

/** A value as it looks after crossing a boundary as JSON text. */
function passed<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}
