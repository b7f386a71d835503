import type { Fault } from '../contract/faults.ts'
import { giveUpAfterMs } from '../contract/limits.ts'
import type { Ms } from '../contract/clock.ts'
import type { Arrival, Post, Table } from '../contract/game/table.ts'

/** An answer, or a fault. `gone`: nothing more will come from the post. */
export type PostReply<A> = { readonly value: A } | { readonly fault: Fault; readonly gone: boolean }

/**
 * Asks several posts at once and waits until each has answered or failed, or until `enough` have: the rest is withdrawn
 * and has no reply. Answers to other questions go to `other`.
 */
export async function askAtOnce<M, A, I, S>(
  table: Table<M, A, I, S>,
  questions: readonly { readonly post: Post; readonly message: M }[],
  limitMs: Ms,
  options: {
    readonly enough?: number
    /** As `Question.start`. */
    readonly start?: true
    readonly other?: (arrival: Arrival<A>) => void
  } = {},
): Promise<readonly (PostReply<A> | undefined)[]> {
  const replies = questions.map((): PostReply<A> | undefined => undefined)
  const { start = false } = options
  const open = new Map(questions.map(({ post, message }, i) => [table.ask({ post, message, limitMs, start }), i]))
  const needed = options.enough ?? questions.length
  // Players report their own time-outs; this is for one that does not even do that.
  const deadline = table.now() + giveUpAfterMs(limitMs)
  while (open.size > questions.length - needed) {
    const arrival = await table.next(deadline)
    if (arrival === 'time') {
      for (const place of open.values())
        replies[place] = { fault: { kind: 'timeout', text: 'No answer came in time.' }, gone: false }
      break
    }
    const to = 'to' in arrival ? arrival.to : null
    const place = to === null ? undefined : open.get(to)
    if (to === null || place === undefined) options.other?.(arrival)
    else {
      open.delete(to)
      if (arrival.type === 'answer') replies[place] = { value: arrival.value }
      if (arrival.type === 'fault') replies[place] = { fault: arrival.fault, gone: arrival.gone }
    }
  }
  for (const question of open.keys()) table.withdraw(question)
  return replies
}
