import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { duration, faultLines, printedJson, safe, safeLine, table } from '../../../main/cli/text.ts'
import { anyText } from '../../any-text.ts'

describe('text from elsewhere', () => {
  test.each([
    ['\u001b[31mred\u001b[0m', '\\x1b[31mred\\x1b[0m'],
    ['title\u001b]0;owned\u0007', 'title\\x1b]0;owned\\x07'],
    ['\u009b31m', '\\x9b31m'],
    ['abc\u202ecba', 'abc\\u202ecba'],
    ['over\rwritten', 'over\\x0dwritten'],
    ['nul\u0000 del\u007f', 'nul\\x00 del\\x7f'],
    ['zero\u200bwidth\ufeff', 'zero\\u200bwidth\\ufeff'],
    ['tag \u{e0041}', 'tag \\u{e0041}'],
    ['line\u2028line', 'line\\u2028line'],
    ['half \ud83d', 'half \\ud83d'],
    ['Niccolò Fontana détto ☂ 数学 👩', 'Niccolò Fontana détto ☂ 数学 👩'],
  ])('%j is shown as %s', (text, shown) => {
    expect(safe(text)).toBe(shown)
  })

  test('lines stay lines, unless they must be one', () => {
    expect(safe('a\n\tb')).toBe('a\n\tb')
    expect(safeLine('a\n\tb')).toBe('a\\n\\tb')
  })

  test('nothing that steers a terminal is left, and JSON keeps its value', () => {
    // Characters on which terminals and editors act: C0, DEL, C1, directions, separators.
    // eslint-disable-next-line no-control-regex
    const steering = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(safeLine(text)).not.toMatch(steering)
        const line = printedJson({ [text]: text })
        expect(line).not.toMatch(steering)
        expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify({ [text]: text })))
      }),
    )
  })
})

test('a table lines up its digits', () => {
  const columns = [
    { title: 'agent', align: 'left' },
    { title: 'points', align: 'right' },
  ] as const
  const rows = [
    ['fior', '9'],
    ['tartaglia\u001b[1m', '1200'],
  ]
  expect(table(columns, rows)).toEqual([
    'agent             points',
    'fior                   9',
    'tartaglia\\x1b[1m    1200',
  ])
})

test('durations say what matters', () => {
  expect([0, 400, 61_000, 200_000, 7_500_000].map(duration)).toEqual(['0 s', '1 s', '61 s', '3 min', '2 h 5 min'])
})

test('distinct faults have a line each, with their number', () => {
  const fault = (text: string, kind = 'invalid') => ({ kind, text })
  const faults = [...Array.from({ length: 360 }, () => fault('action: found "up".')), fault('no', 'crash')]
  expect(faultLines(faults)).toEqual(['invalid: action: found "up". (360 times)', 'crash: no'])
  expect(faultLines([fault('move 1'), fault('move 2')])).toEqual(['invalid: move … (2 times)'])
  expect(faultLines([])).toEqual([])
})
