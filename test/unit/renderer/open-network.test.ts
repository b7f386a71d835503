import { cleanup, render, screen } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import type { NetworkState } from '../../../main/contract/procedures/network.ts'
import NetworkDialog from '../../../renderer/frame/network-dialog.svelte'
import StatusLine from '../../../renderer/frame/status-line.svelte'

const FINGERPRINT = '3f'.repeat(32)
const address = 'https://192.0.2.7:8443'
const open: NetworkState = {
  ...{ isOpen: true, addresses: [address], by: 'class' },
  ...{ fingerprint: FINGERPRINT, keyFingerprint: null },
}
const facts = vi.hoisted(() => ({ network: null as unknown, running: [] as unknown[], isServed: false }))
vi.mock(import('../../../renderer/frame/network.svelte.ts'), () => ({
  network: {
    get state() {
      return facts.network as NetworkState | null
    },
    isShown: false,
    wasShown: false,
  },
  followNetwork: () => () => undefined,
}))
vi.mock(import('../../../renderer/frame/running.svelte.ts'), () => ({
  running: { contests: facts.running as never[], states: null, known: true },
  followRunning: () => () => undefined,
}))
vi.mock(import('../../../renderer/connection/channel.ts'), async (original) => ({
  ...(await original()),
  isServed: () => facts.isServed,
}))
vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(() => Promise.resolve([])) as never,
}))

afterEach(() => {
  cleanup()
  Object.assign(facts, { network: null, isServed: false })
  facts.running.length = 0
})

test('the dialog of an open class shows its address and the whole fingerprint of its certificate', async () => {
  facts.network = open
  render(NetworkDialog, { open: true })
  await screen.findByText(address)
  expect(document.querySelector('[role=dialog] code, dialog code')?.textContent).toBe(FINGERPRINT)
  cleanup()
  // An educator's own certificate is known to browsers.
  facts.network = { ...open, by: 'own' }
  render(NetworkDialog, { open: true })
  await screen.findByText(address)
  expect(document.querySelector('[role=dialog] code, dialog code')).toBeNull()
})

test('the status line says that the computer stays awake while a contest runs or the class is open, in the desktop app alone', () => {
  const isAwake = (): boolean => {
    cleanup()
    render(StatusLine, { onpalette: vi.fn(), onshortcuts: vi.fn(), help: '#/help' })
    return screen.queryByText('This computer stays awake.') !== null
  }
  expect(isAwake()).toBe(false)
  facts.network = open
  expect(isAwake()).toBe(true)
  facts.isServed = true
  expect(isAwake()).toBe(false)
  Object.assign(facts, { network: null, isServed: false })
  const progress = { done: 1, total: 3, msLeft: null }
  facts.running.push({ contest: 'week-1', title: 'Week 1', state: 'running', progress })
  expect(isAwake()).toBe(true)
})
