import { expect, test } from 'vitest'
import { createInFlight, inFlight, landAll } from '../../../main/services/hand-in/in-flight.ts'

test('a class that closes waits for the hand-ins in flight, and receives no further one', async () => {
  const room = createInFlight()
  const written = Promise.withResolvers<string>()
  const answer = inFlight(room, () => written.promise)
  let isLanded = false
  const landed = landAll(room, 60_000).then(() => (isLanded = true))
  await expect(inFlight(room, () => Promise.resolve('late'))).rejects.toMatchObject({ code: 'classroom-closed' })
  expect(isLanded).toBe(false)
  written.resolve('receipt')
  expect(await answer).toBe('receipt')
  await landed
  expect(room.answers.size).toBe(0)
})

test('one that fails holds nothing up, and one that takes too long is left to the next start', async () => {
  const room = createInFlight()
  await expect(inFlight(room, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(room.answers.size).toBe(0)
  const never = Promise.withResolvers<string>()
  void inFlight(room, () => never.promise)
  await landAll(room, 1)
  expect(room.answers.size).toBe(1)
})
