import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import type { ExportProgress } from '../../../main/contract/procedures/classes.ts'
import { askWhoCalls } from '../../../renderer/caller.svelte.ts'
import { call, sharedClient, subscribe } from '../../../renderer/connection/client.ts'
import { beginExport, exporting, followExports } from '../../../renderer/frame/exporting.svelte.ts'
import ExportProgressPart from '../../../renderer/frame/export-progress.svelte'
import { exportWords } from '../../../renderer/frame/export-words.ts'
import StatusLine from '../../../renderer/frame/status-line.svelte'

const facts = vi.hoisted(() => ({ running: [] as unknown[] }))
vi.mock(import('../../../renderer/frame/running.svelte.ts'), () => ({
  running: { contests: facts.running as never[], states: null, known: true },
  followRunning: () => () => undefined,
}))
vi.mock(import('../../../renderer/connection/link.svelte.ts'), async (original) => ({
  ...(await original()),
  link: { state: 'up', epoch: 0 } as never,
}))
vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
  subscribe: vi.fn(),
  sharedClient: vi.fn(),
}))
vi.mock(import('../../../renderer/files.ts'), async (original) => ({ ...(await original()), saveFile: vi.fn() }))

/** Follows exports as the person at this machine. Gives the function that reports the progress of one that is written. */
async function followed(): Promise<{ tell: (now: ExportProgress | null) => void; end: () => void }> {
  const heard: ((now: never) => void)[] = []
  vi.mocked(sharedClient).mockReturnValue({
    onLink: (listener: (state: 'up') => void) => {
      listener('up')
      return () => undefined
    },
  } as never)
  vi.mocked(call).mockResolvedValue({ role: 'educator', person: null, team: null, isReadOnly: false } as never)
  vi.mocked(subscribe).mockImplementation((topic, listener) => {
    expect(topic).toBe('exporting')
    heard.push(listener)
    return () => undefined
  })
  const end = followExports()
  await waitFor(() => expect(heard).toHaveLength(1))
  return { tell: (now) => heard[0]!(now as never), end }
}

afterEach(() => {
  cleanup()
  facts.running.length = 0
  vi.resetAllMocks()
})

test('the part of an export counts both readings of its files, and is not known before they are counted', () => {
  const at = (listed: number, packed: number) => exportWords({ bytes: 40e6, listed, packed }, null)
  expect(exportWords({ bytes: 0, listed: 0, packed: 0 }, null)).toMatchObject({ part: null, figures: '' })
  expect([at(10e6, 0).part, at(40e6, 0).part, at(40e6, 20e6).part]).toEqual([0.125, 0.5, 0.75])
  expect(at(40e6, 20e6).figures).toMatch(/20.*40/)
  expect(at(10e6, 0).step).not.toBe(at(40e6, 1).step)
  // The file that this window fetches has been written, even if another window has begun one.
  expect(exportWords({ bytes: 40e6, listed: 0, packed: 0 }, 0.25)).toMatchObject({ part: 0.25 })
})

test('the status line shows an export that any window began, beside the contest that runs', async () => {
  const { tell, end } = await followed()
  const shown = (): string => {
    cleanup()
    render(StatusLine, { onpalette: vi.fn(), onshortcuts: vi.fn(), help: '#/help' })
    return screen.getByRole('contentinfo').textContent
  }
  const idle = shown()
  tell({ bytes: 40e6, listed: 40e6, packed: 20e6 })
  expect(shown()).not.toBe(idle)
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('0.75')
  expect(screen.getByRole('link', { name: /export/i }).getAttribute('href')).toBe('#/classes')
  const progress = { done: 1, total: 3, msLeft: null }
  facts.running.push({ contest: 'week-1', title: 'Week 1', state: 'running', progress })
  expect(shown()).toMatch(/Week 1.*75/s)
  facts.running.length = 0
  tell(null)
  expect(shown()).toBe(idle)
  tell({ bytes: 1, listed: 0, packed: 0 })
  end()
  expect(shown()).toBe(idle)
})

test('an educator who looks as a student sees no export', async () => {
  const { tell, end } = await followed()
  tell({ bytes: 40e6, listed: 0, packed: 0 })
  expect(exporting.isRunning).toBe(true)
  vi.mocked(call).mockResolvedValue({ role: 'student', person: 'a', team: null, isReadOnly: true } as never)
  await askWhoCalls()
  expect(exporting.isRunning).toBe(false)
  end()
})

test('an export of another window is stopped by its Cancel, and this window tells nothing of a file of its own', async () => {
  const { tell, end } = await followed()
  tell({ bytes: 40e6, listed: 0, packed: 0 })
  render(ExportProgressPart)
  vi.mocked(call).mockClear()
  await fireEvent.click(screen.getByRole('button', { name: /Cancel/ }))
  expect(vi.mocked(call).mock.calls).toEqual([['classes.stopExport', {}]])
  expect([exporting.isOwn, exporting.isGone, exporting.saved]).toEqual([false, false, null])
  end()
})

test('the file that this window fetches is cancelled there, and the export of another window goes on', async () => {
  const { tell, end } = await followed()
  const piece = Promise.withResolvers<unknown>()
  const calls: string[] = []
  vi.mocked(call as (name: string) => Promise<unknown>).mockImplementation((name) => {
    calls.push(name)
    if (name === 'classes.export') return Promise.resolve({ download: 'd', leftOut: [], fileName: 'class.tar.gz' })
    return calls.length === 2 ? Promise.resolve({ content: '', part: 0.5, last: false }) : piece.promise
  })
  const exported = beginExport(null)
  await waitFor(() => expect(exporting.fetched).toBe(0.5))
  tell({ bytes: 40e6, listed: 0, packed: 0 })
  render(ExportProgressPart)
  await fireEvent.click(screen.getByRole('button', { name: /Cancel/ }))
  expect(exporting.isStopping).toBe(true)
  piece.resolve({ content: '', part: 0.6, last: false })
  await exported
  expect(calls).toEqual(['classes.export', 'downloads.piece', 'downloads.piece', 'downloads.drop'])
  expect([exporting.isGone, exporting.saved, exporting.isRunning]).toEqual([true, null, true])
  end()
})
