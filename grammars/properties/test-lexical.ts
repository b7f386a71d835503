import { exactly, show } from '../formulas/index.ts'
import type { Exact, Value } from '../formulas/index.ts'
import type { Frame } from '../formulas/running/frame.ts'
import { order } from '../formulas/numbers/exact.ts'
import { contains } from '../formulas/running/search.ts'
import type { Json } from '../json.ts'
import type { Limit } from './plan.ts'

/** Returns the problem of a value, or null. */
export type Test = (value: Json) => string | null

/** The test for the rules of a value, given the root so far; evaluates their formulas once. */
export function testOf(limits: readonly Limit[], frame: Frame): Test {
  const tests = limits.map((limit) => oneTest(limit, frame))
  const [first] = tests
  if (first && tests.length === 1) return first
  return (value) => {
    for (const test of tests) {
      const wrong = test(value)
      if (wrong !== null) return wrong
    }
    return null
  }
}

function oneTest(limit: Limit, frame: Frame): Test {
  switch (limit.kind) {
    case 'range': {
      const low = limit.low(frame) as Exact
      const high = limit.high(frame) as Exact
      return (value) => {
        const exact = exactly(value as number)
        if (order(low, exact) <= 0 && order(exact, high) <= 0) return null
        if (order(low, high) === 0) return `expected ${show(low)}, found ${show(value)}`
        return `expected a number from ${show(low)} to ${show(high)}, found ${show(value)}`
      }
    }
    case 'listed': {
      const list = limit.list(frame) as readonly Value[]
      return (value) => {
        if (contains(frame, list, value)) return null
        const wanted = list.length === 1 ? show(list[0] as Value) : `one of ${show(list)}`
        return `expected ${wanted}, found ${show(value)}`
      }
    }
    case 'language':
      return (value) => {
        if (limit.language.has(value as string)) return null
        return `expected a text that matches ${limit.source}, found ${JSON.stringify(show(value))}`
      }
  }
}
