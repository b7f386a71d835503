import { expect, test } from 'vitest'
import { createTurns } from '../../../main/services/evidence/in-turn.ts'

test('work that is stopped while it waits lets the next in its turn, and its person ask again', async () => {
  const inTurn = createTurns('Wait.')
  const first = Promise.withResolvers<null>()
  const order: string[] = []
  const work = (name: string) => async () => void order.push(name)
  const running = inTurn('anna', async () => {
    await first.promise
    order.push('anna')
  })
  const stop = new AbortController()
  const waiting = inTurn('ben', work('ben'), stop.signal)
  const next = inTurn('cleo', work('cleo'), new AbortController().signal)
  await expect(inTurn('ben', work('ben'))).rejects.toMatchObject({ code: 'busy' })
  stop.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'stopped' })
  const again = inTurn('ben', work('ben again'))
  // Nobody has overtaken the one whose work is not done.
  expect(order).toEqual([])
  first.resolve(null)
  await Promise.all([running, next, again])
  expect(order).toEqual(['anna', 'cleo', 'ben again'])
})
