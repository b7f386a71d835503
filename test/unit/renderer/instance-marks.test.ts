import { expect, test } from 'vitest'
import { instanceMarks } from '../../../renderer/screens/challenges/instance-marks.ts'

const rows = (text: string): readonly (readonly number[])[] => {
  const { marks, rows } = instanceMarks(text)
  return Array.from({ length: rows }, (_, row) => marks.filter((mark) => mark.row === row).map(({ size }) => size))
}

test('an instance is drawn by its numbers: lines are rows, and each number is as large as it is in its column', () => {
  expect(rows('4 1 -2\n2 3 0')).toEqual([
    [1, 0.5, 1],
    [0.625, 1, 0.25],
  ])
  expect(rows('limit 8 of (1 2) (3 4)').map((row) => row.length)).toEqual([1, 2, 2])
})

test('different instances have different pictures, and whatever the text there are not too many marks', () => {
  expect(instanceMarks('1 2 3\n4 5 6')).not.toEqual(instanceMarks('1 2 3\n6 5 4'))
  for (const text of ['', 'no numbers at all', '7 '.repeat(100_000), '(((('.repeat(10_000), '1e999 -0']) {
    const { columns, rows, marks } = instanceMarks(text)
    expect(columns).toBeLessThanOrEqual(10)
    expect(rows).toBeLessThanOrEqual(8)
    expect(marks.every(({ size }) => size >= 0.25 && size <= 1)).toBe(true)
  }
})
