import * as z from 'zod'
import { faultKind } from '../../../main/contract/faults.ts'
import type { Game, Rules } from '../../../main/contract/game/game.ts'
import type { Table } from '../../../main/contract/game/table.ts'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { Json } from '../../../main/contract/json.ts'

/**
 * Toy (b), after asynchronous Specker: goods lie on a table, and whoever first says that it takes one has it. Nobody is
 * asked, ever. A player numbers what it says from 1, so that lost order shows. It ends when nothing is left, or by the bell.
 */
const config = z.strictObject({ goods: z.int().min(1).default(4), bellMs: z.int().min(1).default(60_000) })
type Config = z.infer<typeof config>

const seat = z.int().min(0)
const said = z.strictObject({ n: z.int().min(1), take: z.int().min(0) })
type Said = z.infer<typeof said>
const input = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('take'), seat, ...said.shape }),
  z.strictObject({ type: z.literal('out'), seat, why: faultKind }),
  z.strictObject({ type: z.literal('bell') }),
])
type Input = z.infer<typeof input>

interface State {
  owner: (number | null)[]
  last: number[]
  out: boolean[]
  rung: boolean
}

const rules: Rules<Config, State, Input, Json> = {
  initial: ({ goods }, seats) => ({
    owner: Array<null>(goods).fill(null),
    last: seats.map(() => 0),
    out: seats.map(() => false),
    rung: false,
  }),
  apply(state, move) {
    if (state.rung) return 'the bell has rung'
    if (move.type === 'bell') {
      state.rung = true
      return null
    }
    if (state.out[move.seat] !== false) return 'this player is out'
    if (move.type === 'out') {
      state.out[move.seat] = true
      return null
    }
    if (move.n !== state.last[move.seat]! + 1) return `this is number ${String(move.n)}, out of order`
    if (state.owner[move.take] === undefined) return 'there is no such thing'
    if (state.owner[move.take] !== null) return 'it is taken'
    state.owner[move.take] = move.seat
    state.last[move.seat] = move.n
    return null
  },
  view: (state) => structuredClone({ ...state }),
  save: (state) => structuredClone({ ...state }),
  load: (saved) => structuredClone(saved) as unknown as State,
  outcome({ owner, out, rung }) {
    if (!rung) return null
    const scores = out.map((_, player) => owner.filter((each) => each === player).length)
    const rank = (score: number): number => 1 + scores.filter((other) => other > score).length
    return {
      places: scores.map((score, player) => ({ seat: player, rank: rank(score), score, removed: out[player]! })),
    }
  },
}

async function referee(table: Table<Json, Said, Input, State>, { goods, bellMs }: Config) {
  const posts = table.seats.map(({ id }) => ({ seat: id, body: 0 }))
  table.tell(posts, { type: 'open', goods })
  const bell = table.now() + bellMs
  const { owner, out } = table.state
  while (owner.includes(null) && out.includes(false)) {
    const arrival = await table.next(bell)
    if (arrival === 'time') break
    const { post } = arrival
    if (arrival.type === 'said') {
      const refusal = table.commit({ type: 'take', seat: post.seat, ...arrival.value }, 'public')
      if (refusal !== null) table.tell([post], { type: 'refused', ...arrival.value, why: refusal })
      else table.tell(posts, { type: 'taken', seat: post.seat, ...arrival.value })
    } else if (arrival.type === 'fault') {
      table.commit({ type: 'out', seat: post.seat, why: arrival.fault.kind }, 'public')
      table.dismiss(post.seat)
    }
  }
  table.commit({ type: 'bell' }, 'public')
}

const game: Game<Config, State, Input, Json, Said, Json> = {
  id: 'toy-market',
  title: 'Unasked speech',
  version: 1,
  config,
  input,
  answer: said,
  seats: (_config, entrants) =>
    Array.from({ length: entrants }, (_, id) => ({ id, entrant: id, role: 'buyer', bodies: 1 })),
  rules,
  referee,
  script: { adapter: '(agent) => agent' },
}

export const market = eraseGame(game)
