import { expect, test } from 'vitest'
import { ExpectedError } from '../../../main/contract/expected-error.ts'
import type { Following } from '../../../main/services/background-tasks.ts'
import { rerunLimit, withinTime } from '../../../main/services/matches/replay/rerun-limit.ts'
import { refusal } from '../../refusal.ts'

test('a run may take twice the recorded time, at least a minute and at most ten', () => {
  expect([0, 30_000, 45_000, 300_000, 7_200_000].map(rerunLimit)).toEqual([60_000, 60_000, 90_000, 600_000, 600_000])
})

/** Work that ends when it is stopped. */
const endless = ({ signal }: Following): Promise<never> =>
  new Promise((_, reject) => {
    const stop = (): void => reject(new ExpectedError('stopped', 'stopped', 'It is not run any more.'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
  })
const onPart = (): void => undefined

test('a run that does not end is stopped with its limit, and one that a person stops is not said to be late', async () => {
  const { signal } = new AbortController()
  await expect(withinTime(10, { signal, onPart }, endless)).rejects.toThrow(refusal('rerun-limit'))
  const stopped = { signal: AbortSignal.abort(), onPart }
  await expect(withinTime(60_000, stopped, endless)).rejects.toThrow(refusal('stopped'))
  await expect(withinTime(60_000, { signal, onPart }, () => Promise.resolve('done'))).resolves.toBe('done')
  const failing = (): Promise<never> => Promise.reject(new Error('broken'))
  await expect(withinTime(60_000, { signal, onPart }, failing)).rejects.toThrow('broken')
})
