import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import type { CaseView } from '../../../main/contract/cases/case-procedures.ts'
import Conflict from '../../../renderer/screens/hearings/conflict.svelte'
import { textsOfCase } from '../../../renderer/screens/hearings/unsent-texts.ts'

afterEach(cleanup)

/** The parts of a case that the form reads. */
const inCase = (steps: readonly string[]) =>
  ({ steps, me: 'p-1', panel: ['p-1', 'p-2'], settings: { panel: 5 } }) as unknown as CaseView

test('a member of the panel declares a conflict with a reason as long as the case offers the step', async () => {
  const take = vi.fn(() => Promise.resolve())
  const { rerender } = render(Conflict, { detail: inCase(['asked', 'conflict']), take, texts: textsOfCase('c', 'p-1') })
  await fireEvent.input(screen.getByLabelText(/^Reason/), { target: { value: 'My brother wrote it.' } })
  await fireEvent.click(screen.getByRole('button', { name: 'Declare a conflict', hidden: true }))
  expect(take).toHaveBeenCalledExactlyOnceWith({ do: 'conflict', reason: 'My brother wrote it.' })
  await rerender({ detail: inCase(['voted']) })
  expect(screen.queryByText('Declare a conflict')).toBeNull()
})
