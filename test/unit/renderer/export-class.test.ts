import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import { call, CallFailure } from '../../../renderer/connection/client.ts'
import { saveFile } from '../../../renderer/files.ts'
import ExportClass from '../../../renderer/screens/classes/export-class.svelte'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))
vi.mock(import('../../../renderer/files.ts'), async (original) => ({ ...(await original()), saveFile: vi.fn() }))
afterEach(() => {
  cleanup()
  vi.resetAllMocks()
})

const stopped = new CallFailure({ code: 'refused', reason: 'stopped', message: 'The export was stopped.', details: '' })
const lost = new CallFailure({ code: 'disconnected', message: 'No connection.', details: '' })

/** Cancels an export while its file is written; both calls end as given. Gives the calls. */
async function cancelled(exported: CallFailure, stop: CallFailure | null): Promise<readonly string[]> {
  const writing = Promise.withResolvers<never>()
  vi.mocked(call as (name: string) => Promise<unknown>).mockImplementation((name) => {
    if (name === 'classes.export') return writing.promise
    writing.reject(exported)
    return stop === null ? Promise.resolve({}) : Promise.reject(stop)
  })
  render(ExportClass)
  await fireEvent.click(screen.getByRole('button', { name: 'Export the class' }))
  await fireEvent.click(screen.getByRole('button', { name: /Cancel/ }))
  await waitFor(() => expect(screen.queryByRole('button', { name: /Cancel/ })).toBeNull())
  expect(saveFile).not.toHaveBeenCalled()
  return vi.mocked(call).mock.calls.map(([name]) => name)
}

test('an export that was stopped is told so', async () => {
  expect(await cancelled(stopped, null)).toEqual(['classes.export', 'classes.stopExport'])
  expect(screen.getByRole('status').textContent).toContain('stopped')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('if the end of an export did not arrive, the refusal is shown, and not that nothing remains', async () => {
  await cancelled(lost, lost)
  expect(screen.queryByRole('status')).toBeNull()
  expect(screen.getByText(lost.message)).toBeTruthy()
})
