import { expect, test } from 'vitest'
import { about, bytes, ordinal, span } from '../../../renderer/words.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

test('a span has two units at most', () => {
  const spans = [
    0.4,
    350,
    2_345,
    12 * second,
    3 * minute,
    3 * minute + 20 * second,
    2 * hour + 5 * minute + 59 * second,
  ]
  expect(spans.map(span)).toEqual(['0.4 ms', '350 ms', '2.3 s', '12 s', '3 min', '3 min 20 s', '2 h 5 min'])
})
test('an estimate has only the digits that anybody could know', () => {
  const spans = [
    3,
    6_700,
    47_300,
    59_700,
    3 * minute + 27 * second,
    28 * minute + 27 * second,
    2 * hour + 37 * minute + 31 * second,
  ]
  expect(spans.map(about)).toEqual([
    'about 1 s',
    'about 7 s',
    'about 47 s',
    'about 1 min',
    'about 3 min 30 s',
    'about 28 min',
    'about 2 h 38 min',
  ])
})
test('places are counted as people do', () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 102, 1_003].map(ordinal)).toEqual([
    '1st',
    '2nd',
    '3rd',
    '4th',
    '11th',
    '12th',
    '13th',
    '21st',
    '102nd',
    '1,003rd',
  ])
})
test('bytes come in the largest unit that leaves a number from 1', () => {
  expect([0, 999, 1_000, 1_500_000].map(bytes)).toEqual(['0 byte', '999 byte', '1 kB', '1.5 MB'])
})
