import { expect, test } from 'vitest'
import { fields } from '../../../renderer/games/specker/fields.ts'
import { saying } from '../../refusal.ts'

test('whoever chooses beliefs reads that reaching f gives the price back, and a gain begins above it', () => {
  const variant = fields.find(({ name }) => name === 'variant')
  if (variant?.kind !== 'choice') throw new Error('the variant is chosen')
  expect(variant.options.find(({ value }) => value === 'belief')?.hint).toEqual(saying('price back', 'profit', 'above'))
})

test('a time slot is said to be cut by the limit for a move', () => {
  expect(fields.find(({ name }) => name === 'timeslot')?.hint).toEqual(saying('most', 'limit', 'move'))
})
