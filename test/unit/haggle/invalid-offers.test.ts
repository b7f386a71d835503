import { expect, test } from 'vitest'
import type { Input } from '../../../main/referees/haggle/input.ts'
import { haggle } from '../../../main/referees/haggle/haggle.ts'
import { rules } from '../../../main/referees/haggle/rules.ts'

type Value = Extract<Input, { type: 'answer' }>['value']

/** The reason with which the first side walks away for an answer; seed 1 has the objects 4 1 1. */
function reasonFor(value: Value, explained: boolean): string | null {
  const config = haggle.config.parse({ seed: 1, ...(explained ? { invalidOffers: 'explained' } : {}) })
  const state = rules.initial(config, [], '0'.repeat(64))
  expect(rules.apply(state, { type: 'answer', seat: 0, value })).toBeNull()
  return state.ending?.type === 'abort' ? state.ending.reason : null
}

test.each<[Value, string]>([
  ['all', 'Invalid offer: expected a list of 3 whole numbers, found text'],
  [{}, 'Invalid offer: expected a list of 3 whole numbers, found an object'],
  [7, 'Invalid offer: expected a list of 3 whole numbers, found 7'],
  [[1], 'Invalid offer: expected a list of 3 whole numbers, found a list of 1'],
  [[4, 1, 1, 0], 'Invalid offer: expected a list of 3 whole numbers, found a list of 4'],
  [[4, '1', 1], 'Invalid offer: [1]: expected a whole number from 0 to 1, found text'],
  [[4, 1, 0.5], 'Invalid offer: [2]: expected a whole number from 0 to 1, found a fraction'],
  [[5, 1, 1], 'Invalid offer: [0]: expected a whole number from 0 to 4, found 5'],
  [[-1, 1, 1], 'Invalid offer: [0]: expected a whole number from 0 to 4, found -1'],
  [[1e300, 1, 1], 'Invalid offer: [0]: expected a whole number from 0 to 4, found a large number'],
  [[null, 1, 1], 'Invalid offer: [0]: expected a whole number from 0 to 4, found null'],
  [[4, true, 1], 'Invalid offer: [1]: expected a whole number from 0 to 1, found true'],
  [[4, [1], 1], 'Invalid offer: [1]: expected a whole number from 0 to 1, found a list'],
  [null, 'Offer expected: it accepted, or returned nothing, in the first turn'],
])('%j: the part, what was expected and what was found', (value, reason) => {
  expect(reasonFor(value, true)).toBe(reason)
  // Histories of before are as they were.
  expect(reasonFor(value, false)).toBe(reason.replace(/:.*/, ''))
})

test('a new contest explains; the state of an older one is unchanged', () => {
  expect(haggle.settings?.forNewContests).toMatchObject({ invalidOffers: 'explained' })
  const state = rules.initial(haggle.config.parse({ seed: 1 }), [], '0'.repeat(64))
  expect(Object.keys(rules.save(state) as object)).not.toContain('invalidOffers')
})
