import { expect, test } from 'vitest'
import type { MatchEvent } from '../../../main/contract/procedures/procedures.ts'
import { eventsInCommon } from '../../../renderer/screens/match/first-difference.ts'

const input = (n: number, value: number): MatchEvent => ({ n, at: n * 7, kind: 'input', input: { value } })
const line = (values: readonly number[]): readonly MatchEvent[] => values.map((value, n) => input(n, value))

/** Pages of large events are shorter than wanted: here they have at most `most`. */
function common(first: readonly MatchEvent[], second: readonly MatchEvent[], most = 3): Promise<number | null> {
  return eventsInCommon(async (of, offset, limit) => {
    const all = of === 'first' ? first : second
    return { items: all.slice(offset, offset + Math.min(limit, most)), offset, total: all.length }
  })
}

test('matches have events in common up to the first difference, whatever time they took', async () => {
  expect(await common(line([1, 2, 3, 4, 5, 6, 7]), line([1, 2, 3, 4, 9, 6, 7]))).toBe(4)
  expect(await common(line([1]), line([2]))).toBe(0)
  const later = line([1, 2]).map((each) => ({ ...each, at: each.at + 100 }))
  expect(await common(line([1, 2]), later)).toBeNull()
})

test('the longer one of two matches differs where the other one ends', async () => {
  expect(await common(line([1, 2, 3, 4]), line([1, 2, 3, 4, 5]))).toBe(4)
  expect(await common(line([]), line([1]))).toBe(0)
  expect(await common(line([]), line([]))).toBeNull()
})

test('faults differ by kind and text, not by the time that the answer took', async () => {
  const fault = (took: number, text = 'Late.'): MatchEvent => ({
    ...{ n: 0, at: 0, kind: 'fault', seat: 0 },
    fault: { kind: 'timeout', text, tookMs: took },
  })
  expect(await common([fault(1)], [fault(2)])).toBeNull()
  expect(await common([fault(1)], [fault(1, 'Very late.')])).toBe(0)
})
