import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { seedReveal } from '../../../main/administrator/contests/seed-commitment.ts'
import { contestOf } from './played-contest.ts'

const nonce = '5'.repeat(64)
const entry = { id: 'week-1', description: contestOf({ type: 'swiss' }, 4, 'Brescia'), nonce, state: 'open' } as const

test('a contest is committed to seed and nonce from the beginning, and opens both when it has ended', () => {
  const commitment = hash('sha256', `seed:${nonce}Brescia`)
  expect(seedReveal(entry)).toEqual({ commitment, seed: null, nonce: null })
  expect(seedReveal({ ...entry, state: 'cancelled' })).toEqual({ commitment, seed: null, nonce: null })
  expect(seedReveal({ ...entry, state: 'ended' })).toEqual({ commitment, seed: 'Brescia', nonce })
})
