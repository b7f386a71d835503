import * as z from 'zod'
import { faultKind } from '../../../main/contract/faults.ts'
import type { Game, Rules } from '../../../main/contract/game/game.ts'
import type { Table } from '../../../main/contract/game/table.ts'
import type { Wire, WireEffect } from '../../../main/contract/game/wire.ts'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { Json } from '../../../main/contract/json.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { askAtOnce } from '../../../main/referees/ask-at-once.ts'
import { lineOf, lineReader } from './json-lines.ts'

/**
 * Toy (a), after Cows and Herders: two teams of three bodies, or as many as the config says. Each round every body sees a card of its own and plays it
 * or not, all at once under one deadline. A team scores the sum of the cards it played, or nothing above 15.
 */
const config = z.strictObject({
  rounds: z.int().min(1).max(1_000).default(3),
  bodies: z.int().min(1).max(6).default(3),
})
type Config = z.infer<typeof config>

const place = { seat: z.int().min(0).max(1), body: z.int().min(0).max(5) }
const input = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('play'), ...place, play: z.boolean() }),
  z.strictObject({ type: z.literal('skip'), ...place, why: faultKind }),
  z.strictObject({ type: z.literal('reveal') }),
])
type Input = z.infer<typeof input>

const answer = z.strictObject({ play: z.boolean() })
type Answer = z.infer<typeof answer>

interface State {
  readonly bodies: number
  readonly cards: readonly (readonly number[])[]
  round: number
  acted: (boolean | null)[]
  scores: number[]
}

/** The bodies of a team. */
const range = (bodies: number): readonly number[] => Array.from({ length: bodies }, (_, body) => body)

const rules: Rules<Config, State, Input, Json> = {
  initial({ rounds, bodies }, _seats, seed) {
    const next = randomStream(seed)
    const cards = Array.from({ length: rounds }, () => Array.from({ length: 2 * bodies }, () => next() % 10))
    return { bodies, cards, round: 0, acted: Array<null>(2 * bodies).fill(null), scores: [0, 0] }
  },
  apply(state, move) {
    const cards = state.cards[state.round]
    if (cards === undefined) return 'the match is over'
    if (move.type === 'reveal') {
      if (state.acted.includes(null)) return 'a body has not acted yet'
      for (const seat of [0, 1]) {
        const sum = range(state.bodies)
          .map((body) => seat * state.bodies + body)
          .reduce((total, i) => total + (state.acted[i] === true ? cards[i]! : 0), 0)
        state.scores[seat]! += sum > 15 ? 0 : sum
      }
      state.acted = Array<null>(2 * state.bodies).fill(null)
      state.round++
      return null
    }
    if (move.body >= state.bodies) return 'there is no such body'
    const i = move.seat * state.bodies + move.body
    if (state.acted[i] !== null) return 'this body has acted already'
    state.acted[i] = move.type === 'play' && move.play
    return null
  },
  view({ bodies, cards, round, scores }, viewer) {
    const now = cards[round] ?? []
    const seen =
      viewer === 'panel' ? now : viewer === 'public' ? [] : now.slice(viewer * bodies, viewer * bodies + bodies)
    return { round, scores, cards: seen }
  },
  save: ({ bodies, cards, round, acted, scores }) => structuredClone({ bodies, cards, round, acted, scores }),
  load: (saved) => structuredClone(saved) as unknown as State,
  outcome({ cards, round, scores }) {
    if (round < cards.length) return null
    const rank = (score: number): number => 1 + scores.filter((other) => other > score).length
    return { places: scores.map((score, seat) => ({ seat, rank: rank(score), score, removed: false })) }
  },
}

async function referee(table: Table<Json, Answer, Input, State>, _config: Config, limits: { moveMs: number }) {
  const { state } = table
  const posts = table.seats.flatMap((seat) => range(seat.bodies).map((body) => ({ seat: seat.id, body })))
  while (rules.outcome(state) === null) {
    const { round } = state
    const questions = posts.map((post, i) => ({
      post,
      message: { type: 'card', round, card: state.cards[round]![i]! },
    }))
    const replies = await askAtOnce(table, questions, limits.moveMs)
    for (const [i, post] of posts.entries()) {
      const reply = replies[i]!
      if ('fault' in reply) table.commit({ type: 'skip', ...post, why: reply.fault.kind }, 'public')
      else table.commit({ type: 'play', ...post, play: reply.value.play }, [post.seat])
    }
    table.commit({ type: 'reveal' }, 'public')
    table.tell(posts, { type: 'scores', round, scores: [...state.scores] })
  }
}

/** A line a message; questions and answers carry their numbers. */
function wire(): Wire<Json, Answer> {
  const lines = lineReader()
  return {
    joined() {
      lines.clear()
      return [{ type: 'ready' }]
    },
    receive: (chunk) =>
      lines.read(chunk).map((line): WireEffect<Answer> => {
        const { question = null, ...said } = line ?? {}
        return { type: 'answer', to: question as number | null, value: said as Answer }
      }),
    left: () => [],
    send: (message, question) => [
      { type: 'write', bytes: lineOf({ ...(message as object), question: question?.number ?? null }) },
    ],
    withdrawn: () => [],
  }
}

const game: Game<Config, State, Input, Json, Answer, Json> = {
  id: 'toy-teams',
  title: 'Three bodies a seat',
  version: 1,
  config,
  input,
  answer,
  seats: ({ bodies }, entrants) =>
    entrants === 2 ? [0, 1].map((id) => ({ id, entrant: id, role: 'team', bodies })) : 'Two teams play.',
  rules,
  referee,
  script: { adapter: '(agent) => agent' },
  dialogue: { wire },
}

export const teams = eraseGame(game)
