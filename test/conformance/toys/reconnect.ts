import * as z from 'zod'
import { faultKind } from '../../../main/contract/faults.ts'
import type { Game, Rules } from '../../../main/contract/game/game.ts'
import type { Table } from '../../../main/contract/game/table.ts'
import type { Wire, WireEffect } from '../../../main/contract/game/wire.ts'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { Json } from '../../../main/contract/json.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { askAtOnce } from '../../../main/referees/ask-at-once.ts'
import { broken, lineOf, lineReader } from './json-lines.ts'

/**
 * Toy (c), after Cows and Herders on the wire: each step both players are given a number and answer with its double, for
 * a point. A player may drop and come back; then it is told of the start again, with the first time of it.
 */
const config = z.strictObject({ steps: z.int().min(1).default(4) })
type Config = z.infer<typeof config>

const seat = z.int().min(0).max(1)
const input = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('answer'), seat, step: z.int().min(0), double: z.int() }),
  z.strictObject({ type: z.literal('skip'), seat, step: z.int().min(0), why: faultKind }),
  z.strictObject({ type: z.literal('late'), seat }),
  z.strictObject({ type: z.literal('away'), seat, away: z.boolean() }),
])
type Input = z.infer<typeof input>

const answer = z.strictObject({ double: z.int() })
type Answer = z.infer<typeof answer>

interface State {
  readonly numbers: readonly number[]
  /** The next step of each seat. */
  step: number[]
  scores: number[]
  late: number[]
  away: boolean[]
}

const rules: Rules<Config, State, Input, Json> = {
  initial({ steps }, _seats, seed) {
    const next = randomStream(seed)
    const numbers = Array.from({ length: steps }, () => next() % 1_000)
    return { numbers, step: [0, 0], scores: [0, 0], late: [0, 0], away: [false, false] }
  },
  apply(state, move) {
    if (move.type === 'away') {
      if (state.away[move.seat] === move.away) return 'that is known'
      state.away[move.seat] = move.away
      return null
    }
    if (move.type === 'late') {
      state.late[move.seat]!++
      return null
    }
    const number = state.numbers[move.step]
    if (number === undefined || move.step !== state.step[move.seat]) return 'this is another step'
    state.step[move.seat]!++
    if (move.type === 'answer' && move.double === 2 * number) state.scores[move.seat]!++
    return null
  },
  view: ({ step, scores, away }) => ({ step: [...step], scores: [...scores], away: [...away] }),
  save: (state) => structuredClone({ ...state }),
  load: (saved) => structuredClone(saved) as unknown as State,
  outcome({ numbers, step, scores }) {
    if (step.some((each) => each < numbers.length)) return null
    const rank = (score: number): number => 1 + scores.filter((other) => other > score).length
    return { places: scores.map((score, player) => ({ seat: player, rank: rank(score), score, removed: false })) }
  },
}

async function referee(table: Table<Json, Answer, Input, State>, _config: Config, limits: { moveMs: number }) {
  const posts = table.seats.map(({ id }) => ({ seat: id, body: 0 }))
  const { numbers } = table.state
  table.tell(posts, { type: 'start', steps: numbers.length })
  for (const [step, number] of numbers.entries()) {
    const questions = posts.map((post) => ({ post, message: { type: 'step', step, number } }))
    const replies = await askAtOnce(table, questions, limits.moveMs, {
      other(arrival) {
        const { seat: from } = arrival.post
        if (arrival.type === 'joined') table.commit({ type: 'away', seat: from, away: false }, 'public')
        if (arrival.type === 'left') table.commit({ type: 'away', seat: from, away: true }, 'public')
        if (arrival.type === 'answer' && arrival.late) table.commit({ type: 'late', seat: from }, 'public')
      },
    })
    for (const [i, { seat: from }] of posts.entries()) {
      const reply = replies[i]!
      if ('fault' in reply) table.commit({ type: 'skip', seat: from, step, why: reply.fault.kind }, 'public')
      else table.commit({ type: 'answer', seat: from, step, ...reply.value }, 'public')
    }
  }
  table.tell(posts, { type: 'end' })
}

/** Lines of JSON; a question carries its number and its deadline, the answer repeats the number. Pings end here. */
function wire(): Wire<Json, Answer> {
  const lines = lineReader()
  let start: Json = null
  const write = (value: Json): WireEffect<never> => ({ type: 'write', bytes: lineOf(value) })
  const read = (line: Record<string, Json> | null, at: number): WireEffect<Answer> => {
    if (line === null) return broken(false) as WireEffect<never>
    if (line['type'] === 'ping') return write({ type: 'pong', payload: line['payload']!, at })
    const { id, ...value } = line
    // The game's schema restricts it further.
    return { type: 'answer', to: typeof id === 'number' ? id : null, value: value as Answer }
  }
  return {
    joined() {
      lines.clear()
      return start === null ? [{ type: 'ready' }] : [write(start), { type: 'ready' }]
    },
    receive: (chunk, at) => lines.read(chunk).map((line) => read(line, at)),
    left: () => [],
    send(message, question, at) {
      const told = message as Record<string, Json>
      if (question !== null) return [write({ ...told, id: question.number, deadline: at + question.limitMs })]
      if (told['type'] === 'start') start = { ...told, at }
      return [write(told['type'] === 'start' ? start : message)]
    },
    withdrawn: () => [],
  }
}

/** Its types as they are, for games that are it with another dialogue. */
export const doubling: Game<Config, State, Input, Json, Answer, Json> = {
  id: 'toy-reconnect',
  title: 'Drop and come back',
  version: 1,
  config,
  input,
  answer,
  seats: (_config, entrants) =>
    entrants === 2 ? [0, 1].map((id) => ({ id, entrant: id, role: 'player', bodies: 1 })) : 'Two play.',
  rules,
  referee,
  script: { adapter: '(agent) => agent' },
  dialogue: { wire, network: { plain: true, rejoins: true } },
}

export const reconnect = eraseGame(doubling)
