import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scrollToShow, visibleRows } from '../../../renderer/parts/lists/virtual-range.ts'

const looks = fc.record({
  count: fc.integer({ min: 0, max: 50_000_000 }),
  rowHeight: fc.integer({ min: 16, max: 80 }),
  viewHeight: fc.integer({ min: 100, max: 2_000 }),
  part: fc.double({ min: 0, max: 1, noNaN: true }),
})

/** A look at a place that the scroll bar can have. */
function lookAt({
  count,
  rowHeight,
  viewHeight,
  part,
}: { [K in 'count' | 'rowHeight' | 'viewHeight' | 'part']: number }) {
  const { height } = visibleRows({ count, rowHeight, viewHeight, scrollTop: 0 })
  return { count, rowHeight, viewHeight, scrollTop: Math.max(0, height - viewHeight) * part }
}

test('the rows that are drawn cover the view, and few more are drawn', () => {
  fc.assert(
    fc.property(looks, (given) => {
      const look = lookAt(given)
      const { from, to, height, top } = visibleRows(look)
      expect(height).toBeLessThanOrEqual(8_000_000)
      expect(to - from).toBeLessThanOrEqual(Math.ceil(look.viewHeight / look.rowHeight) + 14)
      // Half a pixel for the arithmetic of a list that is squeezed.
      expect(top).toBeLessThanOrEqual(look.scrollTop + 0.5)
      const bottom = top + (to - from) * look.rowHeight
      if (to < look.count) expect(bottom).toBeGreaterThanOrEqual(look.scrollTop + look.viewHeight - 0.5)
    }),
  )
})

test('the ends of the scroll bar are the ends of the list', () => {
  fc.assert(
    fc.property(looks, (given) => {
      expect(visibleRows(lookAt({ ...given, part: 0 })).from).toBe(0)
      expect(visibleRows(lookAt({ ...given, part: 1 })).to).toBe(given.count)
    }),
  )
})

test('a row that is scrolled to is in the view, and is not scrolled to again', () => {
  fc.assert(
    fc.property(looks, fc.double({ min: 0, max: 1, noNaN: true }), (given, part) => {
      fc.pre(given.count > 0)
      const look = lookAt(given)
      const row = Math.floor(part * (look.count - 1))
      const there = { ...look, scrollTop: scrollToShow(row, look) }
      const { from, top } = visibleRows(there)
      const y = top + (row - from) * look.rowHeight - there.scrollTop
      expect(y).toBeGreaterThanOrEqual(-1)
      expect(y + look.rowHeight).toBeLessThanOrEqual(look.viewHeight + 1)
      expect(Math.abs(scrollToShow(row, there) - there.scrollTop)).toBeLessThan(1)
    }),
  )
})
