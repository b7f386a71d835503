import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import { call } from '../../../renderer/connection/client.ts'
import NetworkDialog from '../../../renderer/frame/network-dialog.svelte'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))

test('a port that is typed is not replaced by addresses that come later', async () => {
  const answers: (() => void)[] = []
  vi.mocked(call as (name: string) => Promise<unknown>).mockImplementation(
    () => new Promise((resolve) => answers.push(() => resolve([{ host: '192.168.0.2', name: 'lan' }]))),
  )
  const { rerender } = render(NetworkDialog, { open: true })
  await waitFor(() => expect(answers).toHaveLength(1))
  answers[0]!()
  await screen.findByLabelText('Port')
  await rerender({ open: false })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await rerender({ open: true })
  await waitFor(() => expect(answers).toHaveLength(2))
  // The second opening asks again.
  expect(screen.queryByLabelText('Port')).toBeNull()
  answers[1]!()
  const port = await screen.findByLabelText<HTMLInputElement>('Port')
  await fireEvent.input(port, { target: { value: '7000' } })
  expect(port.value).toBe('7000')
})
