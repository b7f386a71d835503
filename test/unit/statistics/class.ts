import { readFileSync } from 'node:fs'
import type { Encounter } from '../../../main/services/contests/statistics/targeting.ts'
import { config as speckerConfig, type Config } from '../../../main/referees/specker/config.ts'
import { encountersOf } from '../../../main/referees/specker/analysis/encounters.ts'
import type { Input } from '../../../main/referees/specker/input.ts'
import { bundle, ENERGY, type Action, type TurnMessage } from '../../../main/referees/specker/messages.ts'
import { rules } from '../../../main/referees/specker/rules.ts'
import type { State } from '../../../main/referees/specker/state.ts'
import { startMessage, turnMessage } from '../../../main/referees/specker/referee/views.ts'
import { AGENTS, configOf, generator } from '../agents-specker/table.ts'

/** How somebody plays. Those who treat everybody alike differ in all but `target`. */
export interface Manner {
  readonly name: string
  /** Added to every price it asks, in energy. */
  readonly markup: number
  /** Added to every price it is ready to pay. */
  readonly appetite: number
  /** Clauses of its raw material, about. */
  readonly clauses: number
  /** The opponent that it treats differently, and the behaviour. */
  readonly target?: { readonly name: string; readonly by: 'purchases' | 'prices' | 'material' }
}

const OTHERS: readonly Manner[] = [
  { name: 'anna', markup: 0.05, appetite: 0, clauses: 3 },
  { name: 'berta', markup: 0.2, appetite: 0.2, clauses: 5 },
  { name: 'clara', markup: -0.1, appetite: -0.1, clauses: 2 },
]

const challenge = readFileSync(new URL('../../../grammars/challenges/max-sat.challenge', import.meta.url), 'utf8')
const TYPES = [
  { length: 1, positives: 0 },
  { length: 1, positives: 1 },
]
const WORTH = [0.5, 0.5, 0.6]
const PREDICATES = [[TYPES[0]!], [TYPES[1]!], TYPES]

export interface Size {
  readonly matches: number
  /** A match; everybody sits as often in each seat. */
  readonly players: number
  readonly rounds: number
}

/** The evidence of a whole contest about targeting. */
export function contest(focus: Manner, seed: number, { matches, players, rounds }: Size): Encounter[] {
  const config = speckerConfig.parse({
    challenge,
    challengeConfig: { maxVars: 3, maxClauses: 8, maxClauseLength: 1 },
    maxTurns: rounds,
    init: 50 * ENERGY,
    acceptOrReoffer: 'one',
  })
  const random = generator(seed)
  return Array.from({ length: matches }, (_, match) => {
    const met = OTHERS.map((_, at) => OTHERS[(at + match) % OTHERS.length]!).slice(0, players - 1)
    const table = met.toSpliced(match % players, 0, focus)
    return encountersOf(config, players, play(config, table, random)).map((each) => {
      return { ...each, agent: table[each.seat]!.name, other: table[each.other]!.name, match }
    })
  }).flat()
}

const SHIPPED = ['baby', 'minmax', 'cautious', 'greedy', 'sampler'] as const

/** A contest of agents that ship, four a match. */
export function shippedContest(seed: number): Encounter[] {
  const own = { maxVars: 4, maxClauses: 8, maxClauseLength: 2 }
  const config = speckerConfig.parse(configOf('max-sat', own, { maxTurns: 8, init: 50 * ENERGY }))
  const real = Math.random
  Math.random = generator(seed)
  try {
    return Array.from({ length: 8 }, (_, match) => {
      const table = [0, 1, 2, 3].map((seat) => SHIPPED[(seat + match) % SHIPPED.length]!)
      const state = begun(config, table.length)
      const players = table.map((name, seat) => new AGENTS[name](startMessage(state, seat)))
      const inputs = inputsOf(state, (seat, view) => {
        return bundle.parse(JSON.parse(JSON.stringify(players[seat]!.turn(view)))).actions
      })
      return encountersOf(config, table.length, inputs).map((each) => {
        return { ...each, agent: table[each.seat]!, other: table[each.other]!, match }
      })
    }).flat()
  } finally {
    Math.random = real
  }
}

function play(config: Config, table: readonly Manner[], random: () => number): Input[] {
  const state = begun(config, table.length)
  const inputs = inputsOf(state, (seat, view) => turn(table, seat, view, random))
  if (state.removals.length > 0) throw new Error(state.removals[0]!.violation.text)
  return inputs
}

function begun(config: Config, players: number): State {
  const seats = Array.from({ length: players }, (_, id) => ({ id, entrant: id, role: 'player', bodies: 1 }))
  return rules.initial(config, seats, '0'.repeat(64))
}

function inputsOf(state: State, act: (seat: number, view: TurnMessage) => Action[]): Input[] {
  const inputs: Input[] = []
  while (state.turn !== null) {
    const seat = state.turn
    const input: Input = { type: 'turn', seat, actions: act(seat, turnMessage(state, seat)) }
    rules.apply(state, input)
    inputs.push(input)
  }
  return inputs
}

const indexOf = (predicate: unknown): number =>
  PREDICATES.findIndex((each) => JSON.stringify(each) === JSON.stringify((predicate as { types: unknown }).types))

function turn(table: readonly Manner[], me: number, view: TurnMessage, random: () => number): Action[] {
  const { markup, appetite, clauses, target } = table[me]!
  const about = (value: number): number => value + (random() - 0.5) * 0.4
  const isTarget = (seat: number, by: string): boolean => target?.by === by && table[seat]!.name === target.name
  const actions: Action[] = []
  for (const { challenge: bought, predicate, buyer } of view.toDeliver) {
    const types = PREDICATES[indexOf(predicate)]!
    const count = isTarget(buyer, 'material') ? 8 : Math.max(1, Math.round(clauses + (random() - 0.5) * 4))
    const list = Array.from({ length: Math.min(8, count) }, (_, at) => {
      const { positives } = types[at % types.length]!
      return { weight: 1, literals: [(positives === 1 ? 1 : -1) * (1 + Math.floor(random() * 3))] }
    })
    actions.push({ type: 'deliver', challenge: bought, instance: { variables: 3, clauses: list } })
  }
  for (const { challenge: got } of view.toSolve) {
    const values = Array.from({ length: 3 }, () => Math.floor(random() * 2))
    actions.push({ type: 'solve', challenge: got, solution: { values } })
  }
  if (!view.trading) return actions
  const others = view.store.filter(({ seller }) => seller !== me)
  const liked = others.filter(({ price, predicate, seller }) => {
    if (target?.by === 'purchases') return isTarget(seller, 'purchases')
    return price === 0 || price < about(WORTH[indexOf(predicate)]! + appetite) * ENERGY
  })
  const chosen = liked[Math.floor(random() * liked.length)]
  const lowered = others.find(({ price }) => price >= ENERGY / 100)
  if (chosen !== undefined) actions.push({ type: 'accept', challenge: chosen.challenge })
  else if (lowered !== undefined) {
    actions.push({ type: 'reoffer', challenge: lowered.challenge, price: lowered.price - ENERGY / 100 })
  } else if (others[0] !== undefined) actions.push({ type: 'accept', challenge: others[0].challenge })
  const cheap = table.some((_, seat) => isTarget(seat, 'prices')) ? -0.3 : 0
  return [...actions, offer(view, (which) => about(WORTH[which]! + markup + cheap), lowered, random)]
}

/** A predicate, cheaper than all that are for sale where there are some. */
function offer(
  view: TurnMessage,
  ask: (which: number) => number,
  lowered: TurnMessage['store'][number] | undefined,
  random: () => number,
): Action {
  const first = Math.floor(random() * PREDICATES.length)
  const tried = PREDICATES.map((_, at) => (first + at) % PREDICATES.length)
  const lowest = (which: number): number =>
    Math.min(
      ENERGY + 1,
      ...view.store.filter(({ predicate }) => indexOf(predicate) === which).map(({ price }) => price),
      ...(lowered !== undefined && indexOf(lowered.predicate) === which ? [lowered.price - ENERGY / 100] : []),
    )
  const which = tried.find((each) => lowest(each) > 0) ?? first
  const wanted = Math.round(Math.min(1, Math.max(0, ask(which))) * ENERGY)
  return {
    type: 'offer',
    predicate: { types: PREDICATES[which]! },
    price: Math.max(0, Math.min(wanted, lowest(which) - 1)),
  }
}
