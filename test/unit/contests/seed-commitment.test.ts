import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { seedReveal } from '../../../main/histories/seed-commitment.ts'
import { matchSeed } from '../../../main/services/contests/schedule/schedule.ts'
import { followsFrom, mixedSeed } from '../../../main/histories/derived-seeds.ts'
import { contestOf } from './played-contest.ts'

const nonce = '5'.repeat(64)
const entry = { id: 'week-1', description: contestOf({ type: 'swiss' }, 4, 'Brescia'), nonce, state: 'open' } as const

test('a contest is committed to seed and nonce from the beginning, and opens both when it has ended', () => {
  const commitment = hash('sha256', `seed:${nonce}Brescia`)
  const closed = { commitment, phrase: null, seed: null, nonce: null }
  expect(seedReveal(entry)).toEqual(closed)
  expect(seedReveal({ ...entry, state: 'cancelled' })).toEqual(closed)
  expect(seedReveal({ ...entry, state: 'ended' })).toEqual({ commitment, phrase: null, seed: 'Brescia', nonce })
  // The phrase is public as soon as it is given; the commitment is to the seed alone.
  expect(seedReveal({ ...entry, phrase: 'sixteen cows' })).toEqual({ ...closed, phrase: 'sixteen cows' })
})

test('the phrase of the class is mixed with the seed, as docs/histories.md says', () => {
  const sha = (text: string): string => hash('sha256', text)
  expect(mixedSeed('Brescia', undefined)).toBe('Brescia')
  expect(mixedSeed('Brescia', 'sixteen cows')).toBe(sha(`phrase:${sha('Brescia')}sixteen cows`))
  // The border between seed and phrase is unambiguous.
  expect(mixedSeed('Bres', 'cia')).not.toBe(mixedSeed('Bresc', 'ia'))
})

test('the seed of a match follows from that of its contest, but for a scenario that the format gives', () => {
  for (const derivation of ['hmac', 'sha256'] as const) {
    const seed = matchSeed('Brescia', { match: 3 }, derivation)
    expect(followsFrom('Brescia', 3, seed, derivation)).toBe(true)
    const chosen = matchSeed('Brescia', { match: 3, scenario: 7 }, derivation)
    expect(followsFrom('Brescia', 3, chosen, derivation)).toBe(true)
    expect(followsFrom('Brescia', 4, seed, derivation)).toBe(false)
    expect(followsFrom('Milan', 3, seed, derivation)).toBe(false)
  }
})
