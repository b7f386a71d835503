import { expect, test } from 'vitest'
import { createSignals } from '../../../main/app/topic-signals.ts'

test('a value that was asked for earlier never comes after a later one, however long it takes', async () => {
  const asked: PromiseWithResolvers<string>[] = []
  const signals = createSignals(
    () => {
      asked.push(Promise.withResolvers())
      return asked.at(-1)!.promise
    },
    (error) => {
      throw error
    },
  )
  const told: unknown[] = []
  const changed = Promise.withResolvers<undefined>()
  signals.on('status', (value) => {
    told.push(value)
    if (value === 'running') changed.resolve(undefined)
  })
  signals.touch('status')
  await expect.poll(() => asked.length).toBe(2)
  asked[1]!.resolve('running')
  await changed.promise
  asked[0]!.resolve('nothing')
  await asked[0]!.promise
  await Promise.resolve()
  expect(told).toEqual(['running'])
  signals.close()
})

test('those who listen to a topic are counted until they stop', () => {
  const signals = createSignals(
    () => null,
    () => undefined,
  )
  const stops = [signals.on('status', () => undefined), signals.on('status', () => undefined)]
  signals.on('agents', () => undefined)
  expect(signals.listening('status')).toBe(2)
  for (const stop of stops) stop()
  expect(signals.listening('status')).toBe(0)
  signals.close()
})
