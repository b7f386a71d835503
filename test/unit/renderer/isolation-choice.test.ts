import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import { isolationTier, type IsolationTier } from '../../../main/contract/limits.ts'
import IsolationChoice from '../../../renderer/screens/contests/new/isolation-choice.svelte'

afterEach(cleanup)

/** The part of the form, on a machine that has these tiers. */
function show(available: readonly IsolationTier[], mechanismAttack: boolean) {
  const value = isolationTier.options.map((tier) => {
    return { tier, available: available.includes(tier), text: `Of ${tier}.`, command: null }
  })
  const machine = { value, failure: null, loading: false, reload: vi.fn(), set: vi.fn() }
  return render(IsolationChoice, { machine, value: 'bubblewrap', decided: false, mechanismAttack })
}

const common = (): HTMLInputElement | null => screen.queryByRole('checkbox', { name: /A folder in common/ })

test('where mechanisms must not be attacked nobody is asked about a folder in common', () => {
  show(isolationTier.options, false)
  expect(common()).toBe(null)
  expect(screen.getByText(/Available on this machine\./)).toBeTruthy()
})

test('where they may be, it can be had, and goes with the policy that allows it', async () => {
  const { rerender } = show(isolationTier.options, true)
  expect(screen.queryByText(/Available on this machine\./)).toBe(null)
  expect(common()).toMatchObject({ checked: false, disabled: false })
  await fireEvent.click(common()!)
  expect(common()?.checked).toBe(true)
  await rerender({ mechanismAttack: false })
  expect(common()).toBe(null)
  await rerender({ mechanismAttack: true })
  expect(common()?.checked).toBe(false)
})

test('a machine that cannot have it says why', () => {
  show(['bubblewrap', 'permission', 'none'], true)
  expect(common()?.disabled).toBe(true)
  expect(screen.getByText('Of shared.')).toBeTruthy()
})

test('it is not a weaker isolation, with which a machine without a box could make do', () => {
  show(['permission', 'none'], true)
  expect(screen.getAllByRole('radio').map((radio) => (radio as HTMLInputElement).value)).toEqual(['permission', 'none'])
  expect(common()).toBe(null)
})
