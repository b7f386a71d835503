import * as z from 'zod'
import { faultKind, type FaultKind } from '../../../main/contract/faults.ts'
import type { Game, Rules } from '../../../main/contract/game/game.ts'
import type { Table } from '../../../main/contract/game/table.ts'
import type { MoveWireHost, Wire, WireEffect } from '../../../main/contract/game/wire.ts'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { Json } from '../../../main/contract/json.ts'

/**
 * Toy (d), after Lambda Punter's offline mode: a process a move. Each move a player adds its step to a total that it
 * finds only in the state handed to it, and says how many questions its process has seen. The wire carries the state.
 */
const config = z.strictObject({
  moves: z.int().min(1).default(3),
  /** How each seat is to behave, by move: the toy's agent does what it is told. */
  acts: z.array(z.array(z.string())).default([]),
})
type Config = z.infer<typeof config>

const seat = z.int().min(0).max(9)
const input = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('move'), seat, total: z.int(), seen: z.int() }),
  z.strictObject({ type: z.literal('pass'), seat, why: faultKind }),
])
type Input = z.infer<typeof input>

const answer = z.union([
  z.strictObject({ total: z.int(), seen: z.int() }),
  z.strictObject({ stopped: z.literal(true) }),
])
type Answer = z.infer<typeof answer>

interface State {
  readonly moves: number
  totals: number[][]
}

const rules: Rules<Config, State, Input, Json> = {
  initial: ({ moves }, seats) => ({ moves, totals: seats.map(() => []) }),
  apply({ moves, totals }, move) {
    const mine = totals[move.seat]
    if (mine === undefined || mine.length >= moves) return 'no move is due'
    if (move.type === 'move' && move.seen !== 1) return 'this process has seen another question'
    mine.push(move.type === 'move' ? move.total : (mine.at(-1) ?? 0))
    return null
  },
  view: ({ totals }) => structuredClone(totals),
  save: (state) => structuredClone({ ...state }),
  load: (saved) => structuredClone(saved) as unknown as State,
  outcome({ moves, totals }) {
    if (totals.some((mine) => mine.length < moves)) return null
    const scores = totals.map((mine) => mine.at(-1)!)
    const rank = (score: number): number => 1 + scores.filter((other) => other > score).length
    return { places: scores.map((score, player) => ({ seat: player, rank: rank(score), score, removed: false })) }
  },
}

async function referee(table: Table<Json, Answer, Input, State>, { moves, acts }: Config, limits: { moveMs: number }) {
  const { moveMs } = limits
  for (let move = 0; move <= moves; move++) {
    for (const { id } of table.seats) {
      const post = { seat: id, body: 0 }
      const message = { type: move === moves ? 'stop' : 'move', act: acts[id]?.[move] ?? 'good' }
      const question = table.ask({ post, message, limitMs: moveMs })
      let arrival = await table.next(Infinity)
      while (arrival === 'time' || !('to' in arrival) || arrival.to !== question) arrival = await table.next(Infinity)
      if (move === moves) continue
      const pass = (why: FaultKind): void => void table.commit({ type: 'pass', seat: id, why }, 'public')
      if (arrival.type === 'fault') pass(arrival.fault.kind)
      else if (!('total' in arrival.value)) pass('invalid')
      else {
        const { total, seen } = arrival.value
        if (table.commit({ type: 'move', seat: id, total, seen }, 'public') !== null) pass('invalid')
      }
    }
  }
}

/**
 * `n:json`, n in bytes. A process greets, gets one message with the state that the one before it gave, answers with a new one
 * and is closed; `stop` is answered by its end.
 */
function moveWire({ state }: MoveWireHost): Wire<Json, Answer> {
  let bytes = Buffer.alloc(0)
  let stopping: number | null = null
  const frame = (value: Json): WireEffect<Answer> => {
    const json = Buffer.from(JSON.stringify(value))
    return { type: 'write', bytes: Buffer.concat([Buffer.from(`${String(json.length)}:`), json]) }
  }
  let asked: number | null = null
  const fault = (text: string): WireEffect<Answer> => ({
    type: 'fault',
    ...(asked === null ? {} : { to: asked }),
    fault: { kind: 'protocol', text },
    gone: false,
  })
  const read = (value: Record<string, Json>): WireEffect<Answer>[] => {
    if (typeof value['me'] === 'string') return [frame({ you: value['me'] }), { type: 'ready' }]
    const { state: next = null, ...answered } = value
    const refusal = state.keep(next)
    if (refusal !== null) return [fault(refusal), { type: 'close' }]
    return [{ type: 'answer', to: null, value: answered as Answer }, { type: 'close' }]
  }
  return {
    joined() {
      bytes = Buffer.alloc(0)
      return []
    },
    receive(chunk) {
      bytes = Buffer.concat([bytes, chunk])
      const effects: WireEffect<Answer>[] = []
      for (;;) {
        const colon = bytes.indexOf(':')
        if (colon < 0) return effects
        const length = Number(bytes.subarray(0, colon).toString())
        if (!Number.isInteger(length)) return [...effects, fault('The length is not a number.'), { type: 'close' }]
        if (bytes.length < colon + 1 + length) return effects
        const json = bytes.subarray(colon + 1, colon + 1 + length).toString()
        bytes = bytes.subarray(colon + 1 + length)
        try {
          effects.push(...read(JSON.parse(json) as Record<string, Json>))
        } catch {
          return [...effects, fault('This is not JSON.'), { type: 'close' }]
        }
        // A process has one answer, and one state.
        if (effects.at(-1)?.type === 'close') return effects
      }
    },
    left() {
      if (stopping !== null) return [{ type: 'answer', to: stopping, value: { stopped: true } }]
      return bytes.length > 0 ? [fault('The message is cut off.')] : []
    },
    send(message, question) {
      asked = question?.number ?? null
      stopping = (message as Record<string, Json>)['type'] === 'stop' ? asked : null
      return [frame({ ...(message as Record<string, Json>), state: state.value })]
    },
    withdrawn: () => [{ type: 'close' }],
  }
}

const game: Game<Config, State, Input, Json, Answer, Json> = {
  id: 'toy-offline',
  title: 'A process a move',
  version: 1,
  config,
  input,
  answer,
  seats: (_config, entrants) =>
    Array.from({ length: entrants }, (_, id) => ({ id, entrant: id, role: 'player', bodies: 1 })),
  rules,
  referee,
  script: { adapter: '(agent) => agent' },
  dialogue: { moveWire: (_config, _post, _seats, host) => moveWire(host) },
}

export const offline = eraseGame(game)
