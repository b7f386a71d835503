import type { Arrival, Post, Question, Table } from '../../../main/contract/game/table.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { WireEffect } from '../../../main/contract/game/wire.ts'
import type { Answer } from '../../../main/referees/cops/answer.ts'
import { config as configSchema, type Config } from '../../../main/referees/cops/config.ts'
import type { Input } from '../../../main/referees/cops/input.ts'
import { mustPush, marketOf } from '../../../main/referees/cops/legality.ts'
import type { Message } from '../../../main/referees/cops/messages.ts'
import { referee } from '../../../main/referees/cops/referee.ts'
import { rules } from '../../../main/referees/cops/rules.ts'
import {
  botName,
  isAsWritten,
  isDirty,
  lootOf,
  nameOf,
  ROBBER,
  roundSeats,
  type State,
} from '../../../main/referees/cops/state.ts'
import { distancesFrom } from '../../../main/referees/cops/town.ts'
import { copsWire } from '../../../main/referees/cops/wire/wire.ts'

/** The messages between the server (S) and the programs of a game (C), by seat, and its end. */
export interface RecordedGame {
  readonly config: Config
  readonly log: readonly (readonly (readonly ['S' | 'C', string])[])[]
  readonly end: State['end']
  readonly world: number
  /** In tenths of a point. */
  readonly scores: readonly number[]
  /** Seats that were disqualified. */
  readonly removed: readonly number[]
  /** The state at the end, as histories hash it. */
  readonly saved: Json
}

export interface RandomGame {
  readonly maps: readonly string[]
  /** A number from 0 to 1. */
  readonly chance: () => number
  /** Settings besides those that are drawn. */
  readonly settings?: Partial<Config>
  /** Called with each input of the rules. */
  onInput?(input: Input): void
}

/**
 * Plays a game by the referee, the rules and the wire, with programs that say what comes into their mind: legal messages for the
 * most part, in many forms, and illegal or malformed ones.
 */
export async function playRandomGame({
  maps,
  chance,
  settings = {},
  onInput = () => undefined,
}: RandomGame): Promise<RecordedGame> {
  const below = (count: number): number => Math.floor(chance() * count)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
  const illegal = pick(['stands-still', 'stands-still', 'disqualified'] as const)
  const config = configSchema.parse({
    ...settings,
    map: pick(maps),
    rules: pick(['2005', '2005-twist', '2005-twist'] as const),
    illegal,
    mcgruffs: below(6),
    lastWorld: pick([20, 60, 100, 200]),
  })
  const state = rules.initial(config, [], '')
  const say = talker(state, {
    chance,
    names: pick([
      ['X', 'X', 'X', 'X2', 'b', 'a'],
      ['Rob', 'z', 'Ann', 'ann', 'B_1', '-'],
    ]),
    errors: illegal === 'stands-still' ? pick([0, 0.01, 0.05]) : pick([0, 0, 0.001]),
    chases: pick([0, 0, 0.05, 0.3]),
    lists: pick([0, 0.005, 0.3, 0.3]),
    accuses: pick([0, 0.5, 0.5]),
    asks: pick([0, 0.3, 0.9]),
  })
  const log = [0, 1, 2, 3, 4, 5].map((): (readonly ['S' | 'C', string])[] => [])
  await referee(tableOf(state, log, onInput, say, below), config, { startMs: 1, moveMs: 1 })
  const { places } = rules.outcome(state)!
  return {
    config,
    log,
    end: state.end,
    world: state.world,
    scores: places.map(({ score }) => score),
    removed: places.filter(({ removed }) => removed).map(({ seat }) => seat),
    saved: rules.save(state),
  }
}

/** A table without processes: each question goes through the wire of its seat, and answers arrive in any order. */
function tableOf(
  state: State,
  log: (readonly ['S' | 'C', string])[][],
  onInput: (input: Input) => void,
  say: (seat: number) => string,
  below: (count: number) => number,
): Table<Message, Answer, Input, State> {
  const wires = log.map(() => copsWire())
  const arrivals: Arrival<Answer>[] = []
  let number = 0
  const perform = (post: Post, effects: readonly WireEffect<Answer>[]): void => {
    const arrive = (arrival: Arrival<Answer>): unknown => arrivals.splice(below(arrivals.length + 1), 0, arrival)
    for (const effect of effects) {
      if (effect.type === 'write') log[post.seat]!.push(['S', new TextDecoder().decode(effect.bytes)])
      if (effect.type === 'answer')
        arrive({ at: 0, post, type: 'answer', to: effect.to ?? 0, late: false, value: effect.value, tookMs: 1 })
      if (effect.type === 'fault')
        arrive({ at: 0, post, type: 'fault', to: effect.to ?? null, fault: effect.fault, gone: effect.gone })
    }
  }
  for (const [seat, wire] of wires.entries()) perform({ seat, body: 0 }, wire.joined(0))
  return {
    seats: log.map((_, id) => ({ id, entrant: id, role: id === ROBBER ? 'robber' : 'cop', bodies: 1 })),
    state,
    now: () => 0,
    random: () => () => 0,
    ask({ post, message, limitMs }: Question<Message>) {
      number += 1
      const wire = wires[post.seat]!
      perform(post, wire.send(message, { number, limitMs }, 0))
      const text = say(post.seat)
      log[post.seat]!.push(['C', text])
      perform(post, wire.receive(new TextEncoder().encode(text), 0))
      return number
    },
    withdraw: () => undefined,
    dismiss: () => undefined,
    tell(posts, message) {
      for (const post of posts) perform(post, wires[post.seat]!.send(message, null, 0))
    },
    next: () => Promise.resolve(arrivals.shift() ?? 'time'),
    commit(input) {
      onInput(input)
      return rules.apply(state, input)
    },
  }
}

interface Temper {
  readonly chance: () => number
  /** By seat. */
  readonly names: readonly string[]
  /** How often a message is wrong, a cop goes after the robber, lists itself, accuses; how often the robber asks for the market. */
  readonly errors: number
  readonly chases: number
  readonly lists: number
  readonly accuses: number
  readonly asks: number
}

type Words = readonly (string | number)[]

const nonsense = [
  'hello',
  'mov: x',
  ' mov: a robber',
  'mov: a  robber',
  'reg: a robber',
  'vote\\\nvote/',
  'bribe',
  'plan\\\nplan/',
  'inf\\\ninf: a b robber 201 0\ninf/',
  'inf\\\ninf: a b robber 20 -101\ninf/',
  'nobribe:',
  'bribe:',
]

/** Programs of all seats: what one says in the current step. */
function talker(state: State, temper: Temper): (seat: number) => string {
  const { chance } = temper
  const happens = (likelihood: number): boolean => chance() < likelihood
  const below = (count: number): number => Math.floor(chance() * count)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
  const mixed = <T>(list: readonly T[]): T[] =>
    list
      .map((each) => ({ each, at: chance() }))
      .sort((a, b) => a.at - b.at)
      .map(({ each }) => each)
  const line = (words: Words): string => words.join(happens(0.1) ? '\t' : ' ')
  const section = (name: string, rows: readonly Words[]): string[] => [
    `${name}\\`,
    ...rows.map((row) => line([`${name}:`, ...row])),
    `${name}/`,
  ]
  const { town, bots, brains } = state
  const locOf = (node: number): string => town.nodes[node]!.loc
  const anywhere = (): string => pick(town.nodes).loc
  const waysOf = (bot: number): readonly number[] =>
    (bots[bot]!.mode === 'cop-car' ? town.car : town.foot)[bots[bot]!.node]!

  const copTo = (bot: number, wrong: boolean): readonly [loc: string, ptype: string] => {
    const { node, mode } = bots[bot]!
    if (wrong) return happens(0.5) ? [anywhere(), pick(['cop-foot', 'cop-car', 'robber'])] : ['nowhere', mode]
    const next = node === town.hq ? pick(['cop-foot', 'cop-car'] as const) : mode
    const near = [node, ...(next === 'cop-car' ? town.car : town.foot)[node]!]
    const far = distancesFrom(state.robber, town.foot)
    const nearest = near.toSorted((a, b) => far[a]! - far[b]!)[0]!
    const others = near.filter((each) => each !== state.robber || happens(0.1))
    return [locOf(happens(temper.chases) ? nearest : others.length === 0 ? node : pick(others)), next]
  }

  const robberTo = (wrong: boolean): string => {
    if (wrong) return anywhere()
    const { robber, world } = state
    const free = [robber, ...town.foot[robber]!].filter((to) => happens(0.02) || bots.every(({ node }) => node !== to))
    if (free.length === 0) return locOf(robber)
    const far = distancesFrom(town.banks[Math.floor(world / 20) % town.banks.length]!, town.foot)
    return locOf(happens(0.7) ? free.toSorted((a, b) => far[a]! - far[b]!)[0]! : pick(free))
  }

  const orders = (seat: number, wrong: boolean): string[] => {
    const own = mixed([0, 1, 2, 3, 4].filter((bot) => bots[bot]!.controller === seat))
    const moves = own.map((bot) => [...copTo(bot, wrong), botName(state, bot)])
    if (wrong && happens(0.3)) moves.push([...copTo(0, false), botName(state, below(5))])
    const block = section('mov', moves)
    if (isDirty(brains[seat]!) !== (wrong && happens(0.2))) return block
    const accused = [1, 2, 3, 4, 5].filter((each) =>
      happens(isDirty(brains[each]!) ? temper.accuses : temper.accuses / 100),
    )
    const mayAccuse = !brains[seat]!.liar || wrong || isAsWritten(state)
    const names = mayAccuse ? mixed(accused).map((each) => [nameOf(state, each)]) : []
    const market = happens(temper.lists) ? 'turncoat:' : 'straight-arrow:'
    return ['cmov\\', market, ...block, ...section('acc', names), 'cmov/']
  }

  const robberOrders = (wrong: boolean): string[] => {
    const deed = (): string[] => {
      if (mustPush(state)) {
        const bot = pick([0, 1, 2, 3, 4].filter((each) => waysOf(each).length > 0))
        return [line(['psh:', botName(state, bot), wrong ? anywhere() : locOf(pick(waysOf(bot)))])]
      }
      if (!(state.asked || wrong) || happens(0.2)) return ['nobribe:']
      const chosen = marketOf(state).filter(() => happens(0.4))
      const names = [...chosen, ...(wrong ? [1 + below(5)] : [])].map((seat) => [nameOf(state, seat)])
      return section('chc', mixed(names))
    }
    return ['rmov\\', line(['mov:', robberTo(wrong), 'robber', nameOf(state, ROBBER)]), ...deed(), 'rmov/']
  }

  const lines = (seat: number, wrong: boolean): string[] => {
    switch (state.step) {
      case 'register':
        return [line(['reg:', temper.names[seat]!, seat === ROBBER ? 'robber' : pick(['cop-foot', 'cop-car'])])]
      case 'inform':
        return section(
          'inf',
          Array.from({ length: below(4) }, () => [
            pick(temper.names),
            pick([anywhere(), 'x']),
            pick(['cop-foot', 'cop-car', 'robber']),
            pick(['0', '007', '200', below(201)]),
            pick(['-0', '0100', '-100', below(201) - 100]),
          ]),
        )
      case 'plan':
        return section(
          'plan',
          Array.from({ length: below(4) }, () => [pick(temper.names), anywhere(), 'robber', below(201)]),
        )
      case 'vote': {
        const ballot = mixed(roundSeats(state)).map((each) => [nameOf(state, each)])
        return section('vote', wrong ? [...ballot, ...ballot.slice(0, 1)] : ballot)
      }
      case 'move':
        if (seat === ROBBER) return [line(['mov:', robberTo(wrong), 'robber'])]
        return state.config.rules === '2005' ? [line(['mov:', ...copTo(seat - 1, wrong)])] : orders(seat, wrong)
      case 'bribe':
        return [(lootOf(state) >= 50 || wrong) && happens(temper.asks) ? 'bribe:' : 'nobribe:']
      default:
        return robberOrders(wrong)
    }
  }

  return (seat) => {
    const wrong = state.step !== 'register' && happens(temper.errors)
    if (wrong && happens(0.4)) return `${pick(nonsense)}\n`
    const end = happens(0.2) ? '\r\n' : '\n'
    return lines(seat, wrong)
      .map((each) => `${each}${end}`)
      .join('')
  }
}
