import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { readFirstScreen } from '../../../main/app/read-first-screen.ts'
import { hostCaller } from '../../../main/contract/people/caller.ts'
import { ExpectedError } from '../../../main/contract/expected-error.ts'

test('the overview is read once, as the person at this machine, who sees every contest', () => {
  const overview = vi.fn().mockResolvedValue({ agents: 0, contests: [], attention: [] })
  readFirstScreen({ handlers: { 'class.overview': overview } })
  expect(overview.mock.calls).toEqual([[{}, hostCaller]])
})

test('a failure does not end the program', async () => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  try {
    const damaged = new ExpectedError('host', 'internal-error', 'The histories cannot be read.')
    readFirstScreen({ handlers: { 'class.overview': vi.fn().mockRejectedValue(damaged) } })
    await nextTurn()
    expect(unhandled).not.toHaveBeenCalled()
  } finally {
    process.off('unhandledRejection', unhandled)
  }
})
