import { expect, test } from 'vitest'
import { ExpectedError } from '../../../main/contract/expected-error.ts'
import { createAskers } from '../../../main/services/record/askers.ts'

/** A question that is answered when it is stopped, and never before. */
function endless(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new ExpectedError('stopped', 'stopped', 'It was stopped.')))
  })
}

test('a new question of a person stops the one that nobody can stop any more, and none of somebody else', async () => {
  const askers = createAskers()
  const [anna, ben] = [
    { who: 'anna', atATime: 1 },
    { who: 'ben', atATime: 1 },
  ]
  const left = askers.answer(anna, 'of a page that was closed', endless)
  let isBens = true
  const bens = askers.answer(ben, 'other', endless).catch(() => (isBens = false))
  const next = askers.answer(anna, 'next', () => Promise.resolve(isBens))
  await expect(left).rejects.toMatchObject({ code: 'stopped' })
  expect(await next).toBe(true)
  askers.stop('ben', 'other')
  await bens
  expect(isBens).toBe(false)
})

test('of several new questions at once the last one is answered, one at a time', async () => {
  const askers = createAskers()
  const anna = { who: 'anna', atATime: 1 }
  let now = 0
  const ask = (request: string, answer: (signal: AbortSignal) => Promise<string>): Promise<string> =>
    askers.answer(anna, request, async (signal) => {
      expect(++now).toBe(1)
      try {
        return await answer(signal)
      } finally {
        now--
      }
    })
  const all = await Promise.allSettled([
    ...['1', '2', '3'].map((request) => ask(request, endless)),
    ask('4', () => Promise.resolve('answered')),
  ])
  expect(all.map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as ExpectedError).code))).toEqual([
    ...['stopped', 'stopped', 'stopped'],
    'answered',
  ])
  await expect(
    Promise.all([ask('5', () => Promise.resolve('')), ask('5', () => Promise.resolve(''))]),
  ).rejects.toMatchObject({ code: 'busy' })
})
