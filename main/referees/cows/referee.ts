import type { Post, RefereeLimits, Table } from '../../contract/game.ts'
import { askAtOnce, type Reply } from '../ask-at-once.ts'
import { mapOf, type Config } from './config.ts'
import type { Input } from './input.ts'
import type { Answer, HerderAction, Message } from './messages.ts'
import { perceptionOf } from './perception.ts'
import type { State } from './state.ts'

/** Starts all bodies, then asks all of them at once in each step. A body without an answer skips; the others play on. */
export async function referee(
  table: Table<Message, Answer, Input, State>,
  config: Config,
  { startMs, moveMs }: RefereeLimits,
): Promise<void> {
  const { width, height } = table.state
  const { corrals } = mapOf(config)
  const posts = table.seats.flatMap(({ id, bodies }): Post[] =>
    Array.from({ length: bodies }, (_, body) => ({ seat: id, body })),
  )
  const start = ({ seat }: Post): Message => ({
    type: 'start',
    opponent: `seat ${1 - seat}`,
    steps: config.steps,
    width,
    height,
    corral: seat === 0 ? corrals[0] : corrals[1],
  })
  await askAtOnce(
    table,
    posts.map((post) => ({ post, message: start(post) })),
    startMs,
    { start: true },
  )
  while (table.state.step < config.steps) {
    const { state } = table
    const replies = await askAtOnce(
      table,
      posts.map((post) => ({ post, message: perceptionOf(state, post) })),
      moveMs,
    )
    const actions = table.seats.map(({ id }) =>
      replies.filter((_, at) => posts[at]!.seat === id).map((reply) => actionOf(reply)),
    )
    const refusal = table.commit({ type: 'step', step: state.step, actions }, 'public')
    if (refusal !== null) throw new Error(refusal)
  }
}

function actionOf(reply: Reply<Answer> | undefined): HerderAction | null {
  return reply !== undefined && 'value' in reply && 'action' in reply.value ? reply.value.action : null
}
