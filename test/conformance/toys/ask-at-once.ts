import type { Fault } from '../../../main/contract/faults.ts'
import type { Arrival, Ms, Post, Table } from '../../../main/contract/game.ts'

export type Reply<A> = { readonly value: A } | { readonly fault: Fault }

/**
 * Asks several posts at once and waits until each has answered or failed, or until `enough` have: the rest is withdrawn
 * and has no reply. What answers no question of this round goes to `other`.
 */
export async function askAtOnce<M, A, I, S>(
  table: Table<M, A, I, S>,
  questions: readonly { readonly post: Post; readonly message: M }[],
  limitMs: Ms,
  options: { readonly enough?: number; readonly other?: (arrival: Arrival<A>) => void } = {},
): Promise<readonly (Reply<A> | undefined)[]> {
  const replies = questions.map((): Reply<A> | undefined => undefined)
  const open = new Map(questions.map(({ post, message }, i) => [table.ask({ post, message, limitMs }), i]))
  const needed = options.enough ?? questions.length
  while (open.size > questions.length - needed) {
    const arrival = await table.next(Infinity)
    if (arrival === 'time') break
    const settles = arrival.type === 'answer' || arrival.type === 'fault' ? arrival : null
    const place = settles?.to == null ? undefined : open.get(settles.to)
    if (settles === null || place === undefined || settles.to === null) {
      options.other?.(arrival)
      continue
    }
    open.delete(settles.to)
    replies[place] = settles.type === 'answer' ? { value: settles.value } : { fault: settles.fault }
  }
  for (const question of open.keys()) table.withdraw(question)
  return replies
}
