import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { NamesState } from '../../../main/contract/people/locked-names.ts'
import { call } from '../../../renderer/connection/client.ts'
import Passphrase from '../../../renderer/screens/settings/passphrase.svelte'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))

/** A class that keeps its names as these procedures do. */
let names: NamesState
beforeEach(() => {
  vi.mocked(call as (name: string, input: unknown) => Promise<unknown>).mockImplementation(async (name, input) => {
    if (name === 'names.unlock' && (input as { passphrase: string }).passphrase !== 'right') throw new Error('Wrong.')
    if (name === 'names.unlock') names = 'unlocked'
    if (name === 'names.setPassphrase') names = (input as { next: string | null }).next === null ? 'none' : 'unlocked'
    if (name === 'names.forget') names = 'none'
    return names
  })
})
afterEach(() => {
  cleanup()
  vi.resetAllMocks()
})

const type = async (label: string, value: string): Promise<unknown> =>
  fireEvent.input(await screen.findByLabelText(label), { target: { value } })
const press = async (name: string): Promise<unknown> => fireEvent.click(await screen.findByRole('button', { name }))

test('a locked class is unlocked in the settings, and a wrong passphrase is one sentence', async () => {
  names = 'locked'
  render(Passphrase)
  await type('Passphrase', 'wrong')
  await press('Unlock the names')
  expect((await screen.findByRole('alert')).textContent).toContain('Wrong.')
  await type('Passphrase', 'right')
  await press('Unlock the names')
  expect(await screen.findByRole('button', { name: 'Change the passphrase' })).toBeTruthy()
})

test('an educator who lost the passphrase goes on without the names, after a question', async () => {
  names = 'locked'
  render(Passphrase)
  await press('The passphrase is lost')
  await press('Cancel')
  expect(call).not.toHaveBeenCalledWith('names.forget', {})
  await press('The passphrase is lost')
  await press('Go on without the names')
  expect(await screen.findByRole('button', { name: 'Encrypt the names' })).toBeTruthy()
  expect(call).toHaveBeenCalledWith('names.forget', {})
})

test('a short passphrase, and one that is not repeated, are not sent', async () => {
  names = 'none'
  render(Passphrase)
  await type('New passphrase', 'four words')
  await type('New passphrase, once more', 'four words')
  await press('Encrypt the names')
  await type('New passphrase', 'four words and a lamp')
  await type('New passphrase, once more', 'four words and a lump')
  await press('Encrypt the names')
  expect(names).toBe('none')
  await type('New passphrase, once more', 'four words and a lamp')
  await press('Encrypt the names')
  await screen.findByRole('button', { name: 'Change the passphrase' })
  expect(call).toHaveBeenCalledWith('names.setPassphrase', { present: null, next: 'four words and a lamp' })
  await type('Passphrase', 'four words and a lamp')
  await press('Remove the passphrase')
  await screen.findByRole('button', { name: 'Encrypt the names' })
  expect(call).toHaveBeenLastCalledWith('names.state', {})
  expect(call).toHaveBeenCalledWith('names.setPassphrase', { present: 'four words and a lamp', next: null })
})
