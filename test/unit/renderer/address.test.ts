import { beforeEach, expect, test } from 'vitest'
import { addressWith, arriveAt, noteInAddress, presentAddress } from '../../../renderer/navigation/address.ts'
import { momentOf } from '../../../renderer/screens/match/moment.ts'

beforeEach(() => {
  location.hash = '#/contests/c-1?of=a%20b'
  arriveAt(location.hash)
})

test('a screen that is being left notes nothing in the address of the next one', () => {
  location.hash = '#/contests/c-1/analysis?tab=query'
  noteInAddress({ tab: null, move: 3 })
  expect(location.hash).toBe('#/contests/c-1/analysis?tab=query')
  expect(presentAddress()).toBe('#/contests/c-1?of=a%20b')
  arriveAt(location.hash)
  noteInAddress({ sql: 'x' })
  expect(location.hash).toBe('#/contests/c-1/analysis?tab=query&sql=x')
  expect(presentAddress()).toBe(location.hash)
})

test('a link to the screen as it was before it noted something starts it afresh, and no other address does', () => {
  const first = location.hash
  const restarts = arriveAt(first)
  noteInAddress({ tab: 'matches' })
  const noted = location.hash
  expect(arriveAt(noted)).toBe(restarts)
  noteInAddress({ tab: 'facts' })
  expect(arriveAt(noted)).toBe(restarts + 1)
  expect(arriveAt(first)).toBe(restarts + 1)
  expect(presentAddress()).toBe(first)
})

test('what is noted takes the place of what stood there, and the rest stays', () => {
  noteInAddress({ tab: 'matches', of: null })
  expect(location.hash).toBe('#/contests/c-1?tab=matches')
  noteInAddress({ tab: '', of: 'x&y' })
  expect(location.hash).toBe('#/contests/c-1?of=x%26y')
  expect(addressWith({ of: null })).toBe('#/contests/c-1')
})

test('Back still leads to the screen before: nothing is added to the history', () => {
  const { length } = history
  noteInAddress({ tab: 'facts' })
  expect(history.length).toBe(length)
})

test('an address says where in a match to begin, or makes no sense', () => {
  expect(momentOf({ move: '12', line: '3' })).toEqual({ position: 12, line: 2 })
  expect(momentOf({ move: '12', at: '5' })).toEqual({ position: 12, line: 0 })
  expect(momentOf({ at: '5.5', seat: '1' })).toEqual({ at: 5.5, seat: 1 })
  expect(momentOf({ at: 'end', seat: '0' })).toEqual({ at: Infinity, seat: 0 })
  for (const none of [{}, { move: '-1' }, { at: 'x' }, { line: '2' }]) expect(momentOf(none)).toBeNull()
})
