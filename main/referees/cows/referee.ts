import type { Arrival, Post, RefereeLimits, Table } from '../../contract/game/table.ts'
import { askAtOnce, type PostReply } from '../ask-at-once.ts'
import { mapOf, type Config } from './config.ts'
import type { Input } from './input.ts'
import type { Answer, HerderAction, Message } from './messages.ts'
import { perceptionOf } from './perception.ts'
import type { State } from './state.ts'

/** Steps in which a body that has dropped is waited for until the deadline. After them it skips at once until it is back. */
const PATIENCE = 10

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
  /** Bodies that are not connected, with the steps in which they are still waited for. */
  const away = new Map<Post, number>()
  const other = (arrival: Arrival<Answer>): void => {
    const post = posts.find(({ seat, body }) => seat === arrival.post.seat && body === arrival.post.body)!
    if (arrival.type === 'joined') away.delete(post)
    else if (arrival.type === 'left') away.set(post, PATIENCE)
    // A connection that did not come before the match.
    else if (arrival.type === 'fault' && arrival.to === null && arrival.fault.kind === 'timeout') away.set(post, 0)
  }
  await askAtOnce(
    table,
    posts.map((post) => ({ post, message: start(post) })),
    startMs,
    { start: true, other },
  )
  while (table.state.step < config.steps) {
    const { state } = table
    const asked = posts.filter((post) => away.get(post) !== 0)
    for (const [post, steps] of away) away.set(post, Math.max(0, steps - 1))
    // If nobody is left to be asked, somebody may come back within the time of the step.
    if (asked.length === 0) {
      const arrival = await table.next(table.now() + moveMs)
      if (arrival !== 'time') other(arrival)
    }
    const replies = await askAtOnce(
      table,
      asked.map((post) => ({ post, message: perceptionOf(state, post) })),
      moveMs,
      { other },
    )
    const answers = new Map(asked.map((post, at) => [post, actionOf(replies[at])]))
    const actions = table.seats.map(({ id }) =>
      posts.filter(({ seat }) => seat === id).map((post) => answers.get(post) ?? null),
    )
    const refusal = table.commit({ type: 'step', step: state.step, actions }, 'public')
    if (refusal !== null) throw new Error(refusal)
  }
}

function actionOf(reply: PostReply<Answer> | undefined): HerderAction | null {
  return reply !== undefined && 'value' in reply && 'action' in reply.value ? reply.value.action : null
}
