import { readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { isForegroundStat, listenForAddressRequests } from '../../../main/cli/address-requests.ts'

test.each([
  ['in the foreground', '4242 (node) S 4000 4242 3999 34816 4242 4194304 1 2', true],
  ['in the background', '4242 (node) S 4000 4242 3999 34816 3999 4194304 1 2', false],
  ['without a terminal', '4242 (node) S 1 4242 4242 0 -1 4194304 1 2', true],
  ['with a name of its own', '4242 (a ) b (c) S 4000 4242 3999 34816 3999 4194304 1 2', false],
])('a process %s', (_, line, expected) => {
  expect(isForegroundStat(line)).toBe(expected)
})

test('SIGUSR1 asks for an address until nobody listens', async () => {
  const asked = vi.fn()
  const requests = listenForAddressRequests(asked)
  process.kill(process.pid, 'SIGUSR1')
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce())
  requests.stop()
  expect(process.listenerCount('SIGUSR1')).toBe(0)
})

// A process in the background of its terminal does not read.
const inForeground = process.platform === 'linux' && isForegroundStat(readFileSync('/proc/self/stat', 'latin1'))

test.runIf(inForeground)('Enter asks for an address in a terminal, other keys and a pipe do not', async () => {
  const real = Object.getOwnPropertyDescriptor(process, 'stdin')!
  const typed = (isTTY: boolean): PassThrough => {
    const stdin = Object.assign(new PassThrough(), { isTTY })
    Object.defineProperty(process, 'stdin', { ...real, get: () => stdin })
    return stdin
  }
  try {
    const asked = vi.fn()
    const terminal = typed(true)
    const requests = listenForAddressRequests(asked)
    expect(requests.byEnter).toBe(true)
    terminal.write('help')
    terminal.write('\n')
    await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce())
    requests.stop()
    expect([terminal.isPaused(), terminal.listenerCount('data'), process.listenerCount('SIGCONT')]).toEqual([
      true,
      0,
      0,
    ])
    const pipe = typed(false)
    const deaf = listenForAddressRequests(asked)
    pipe.write('\n')
    expect([deaf.byEnter, pipe.listenerCount('data')]).toEqual([false, 0])
    deaf.stop()
  } finally {
    Object.defineProperty(process, 'stdin', real)
  }
})
