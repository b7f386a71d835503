import { BOOLEAN, common, fits, INT, NUMBER } from '../checking/types.ts'
import type { Type } from '../checking/types.ts'
import { copyOf, countOf, either, listOf, numberFrom, plain, within } from '../cost/extremes.ts'
import type { Extreme } from '../cost/extremes.ts'
import { equalSteps, isLong, sizeOf as largestSize, times } from '../cost/magnitudes.ts'
import { order, sizeOf } from '../numbers/exact.ts'
import type { Exact } from '../numbers/exact.ts'
import { isFraction } from '../numbers/value.ts'
import type { Value } from '../numbers/value.ts'
import { equal } from '../running/equal.ts'
import { LIST_STEPS, spend } from '../running/frame.ts'
import type { Frame } from '../running/frame.ts'
import { exactlyFor, productSteps, spendOnDigits } from '../running/number-work.ts'
import { misfit } from './built-in.ts'
import type { Applied, BuiltIn } from './built-in.ts'
import { digitsOf, listExtreme, numberExtreme } from './prices.ts'

type List = readonly Value[]

/** Takes the steps of making a list. */
export function spendOnList(frame: Frame, length: number): void {
  spend(frame, LIST_STEPS + length)
}

/** The steps of comparing any two of these numbers. */
const comparison = (size: number): number => productSteps(2 * size)

function sortedNumbers(frame: Frame, list: List): List {
  const numbers = list.map((element) => exactlyFor(frame, element as Exact))
  let dearest = 1
  for (const number of numbers) if (typeof number !== 'number') dearest = Math.max(dearest, comparison(sizeOf(number)))
  spend(frame, list.length * digitsOf(list.length) * dearest)
  return numbers.toSorted(order)
}

function sortedTexts(frame: Frame, list: List): List {
  const longest = (list as readonly string[]).reduce((most, { length }) => Math.max(most, length), 0)
  spend(frame, list.length * digitsOf(list.length) * (1 + (longest >> 8)))
  return (list as readonly string[]).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}

/** The steps of reading a number of a list: a decimal of JSON is made exact. */
const reading = (of: Extreme): number => (of.kind === 'number' && of.bits > 0 ? equalSteps(of) : 0)

const sort: BuiltIn = {
  name: 'sort',
  call: 'sort(list)',
  meaning: 'numbers by size, texts by the codes of their letters as JavaScript orders them',
  steps: '4, and for each of n elements 1 and the binary digits of n; more for long numbers and texts',
  takes: [1],
  resolve([type = INT]) {
    const isText = type.kind === 'list' && type.of.kind === 'text'
    if (type.kind !== 'list' || (!isText && !fits(type.of, NUMBER))) {
      const hint = 'Sort a field of objects: sort(x.field for x in list).'
      return misfit('sort', 0, 'a list of numbers or of texts', type, hint)
    }
    return {
      type,
      run(frame, [list]) {
        spendOnList(frame, (list as List).length)
        return isText ? sortedTexts(frame, list as List) : sortedNumbers(frame, list as List)
      },
      most([list]) {
        const { most, of } = listExtreme(list)
        let each = digitsOf(most)
        if (of.kind === 'plain') each *= 1 + of.longest / 256
        else if (of.kind === 'number' && isLong(of)) each = each * comparison(largestSize(of)) + reading(of)
        return { steps: LIST_STEPS + most + times(most, each), value: listOf(copyOf(of), most, false) }
      },
    }
  },
}

const reverse: BuiltIn = {
  name: 'reverse',
  call: 'reverse(list)',
  meaning: 'the elements from last to first',
  steps: 'those of a list: 4, and 1 for each element',
  takes: [1],
  resolve([type = INT]) {
    if (type.kind !== 'list') return misfit('reverse', 0, 'a list', type)
    return {
      type,
      run(frame, [list]) {
        spendOnList(frame, (list as List).length)
        return (list as List).toReversed()
      },
      most([list]) {
        const { most, of } = listExtreme(list)
        return { steps: LIST_STEPS + most, value: listOf(copyOf(of), most, false) }
      },
    }
  },
}

/** Elements that are not texts, booleans or numbers are compared with each other. */
function firstOccurrences(frame: Frame, list: List): List {
  const plain = new Set<Value>()
  const others: Value[] = []
  return list.filter((element) => {
    let key = element
    if (typeof element === 'number') key = exactlyFor(frame, element)
    if (isFraction(key)) {
      spendOnDigits(frame, key)
      key = `${key.n}/${key.d}`
    }
    if (typeof key !== 'object') {
      if (plain.has(key)) return false
      plain.add(key)
      return true
    }
    spend(frame, others.length)
    if (others.some((other) => equal(frame, other, element))) return false
    others.push(element)
    return true
  })
}

const unique: BuiltIn = {
  name: 'unique',
  call: 'unique(list)',
  meaning: 'the elements without repetitions, each where it occurs first',
  steps: 'those of a list; for objects and lists 1 more for each different one before, and those of `=`',
  takes: [1],
  resolve([type = INT]) {
    if (type.kind !== 'list') return misfit('unique', 0, 'a list', type)
    return {
      type,
      run(frame, [list]) {
        spendOnList(frame, (list as List).length)
        return firstOccurrences(frame, list as List)
      },
      most([list]) {
        const { most, of } = listExtreme(list)
        let each = times(most / 2, 1 + equalSteps(of))
        if (of.kind === 'plain') each = 0
        else if (of.kind === 'number') each = isLong(of) ? productSteps(largestSize(of)) + reading(of) : 0
        return { steps: LIST_STEPS + most + times(most, each), value: listOf(copyOf(of), most, false) }
      },
    }
  },
}

const position: BuiltIn = {
  name: 'position',
  call: 'position(list, x)',
  meaning: 'the number of the first element that equals x, from 1; 0 if there is none',
  steps: '1 for each element, and those of `=` until it is found',
  takes: [2],
  resolve([type = INT, sought = INT]) {
    if (type.kind !== 'list') return misfit('position', 0, 'a list', type)
    if (!common(type.of, sought)) return misfit('position', 1, 'a value of the type of the elements', sought)
    return {
      type: INT,
      run(frame, [list, x]) {
        spend(frame, (list as List).length)
        return (list as List).findIndex((element) => equal(frame, element, x!)) + 1
      },
      most([list]) {
        const { most, of } = listExtreme(list)
        return { steps: times(most, 1 + equalSteps(of)), value: numberFrom(0, most) }
      },
    }
  },
}

/** A key by which equal ints and texts are equal. */
function keyOf(frame: Frame, element: Value): Value {
  if (typeof element === 'string') return `"${element}`
  if (!isFraction(element)) return element
  spendOnDigits(frame, element)
  return String(element.n)
}

/** Does a list have the elements of the other one, each as often? */
function isRearranged(frame: Frame, list: List, of: List): boolean {
  spend(frame, list.length + of.length)
  if (list.length !== of.length) return false
  const counts = new Map<Value, number>()
  const count = (element: Value, by: number): number => {
    const key = keyOf(frame, element)
    const sum = (counts.get(key) ?? 0) + by
    counts.set(key, sum)
    return sum
  }
  for (const element of of) count(element, 1)
  for (const element of list) if (count(element, -1) < 0) return false
  return true
}

/** Are the elements 1 to n, each once? */
function isOneToLength(frame: Frame, list: List): boolean {
  spend(frame, list.length)
  const seen = new Set<Value>()
  return list.every((element) => {
    if (typeof element !== 'number' || element < 1 || element > list.length || seen.has(element)) return false
    seen.add(element)
    return true
  })
}

const isPermutation: BuiltIn = {
  name: 'isPermutation',
  call: 'isPermutation(list, of)',
  meaning:
    'whether the list has the elements of the other one in some order; without it, the ints from 1 to its length',
  steps: '1 for each element',
  takes: [1, 2],
  resolve(types) {
    for (const [argument, type] of types.entries()) {
      const isPlain = type.kind === 'list' && (fits(type.of, INT) || type.of.kind === 'text')
      if (!isPlain || !common(type, types[0]!)) {
        const wanted = argument === 0 ? 'a list of ints or of texts' : 'a list of the same type'
        return misfit('isPermutation', argument, wanted, type)
      }
    }
    const [only, another] = types
    if (another === undefined && only?.kind === 'list' && only.of.kind === 'text') {
      return misfit('isPermutation', 0, 'a list of ints', only, 'A list of texts needs another one beside it.')
    }
    return {
      type: BOOLEAN,
      run: (frame, [list, of]) =>
        of === undefined ? isOneToLength(frame, list as List) : isRearranged(frame, list as List, of as List),
      most(lists) {
        const steps = lists.map(listExtreme).map(({ most, of }) => {
          return most + (of.kind === 'number' && isLong(of) ? times(most, productSteps(largestSize(of))) : 0)
        })
        return { steps: steps.reduce((sum, one) => sum + one, 0), value: plain(2, 0) }
      },
      assume([list, of]) {
        if (list?.kind !== 'list') return
        if (of !== undefined) within(list, of)
        else {
          within(list.of, numberFrom(1, list.most))
          list.most = Math.min(list.most, countOf(list.of))
        }
      },
    }
  },
}

/** Makes the function `+` of two lists. */
export function concatenationOf(type: Type): Applied {
  return {
    type,
    run(frame, [left, right]) {
      spendOnList(frame, (left as List).length + (right as List).length)
      return [...(left as List), ...(right as List)]
    },
    most([left, right]) {
      const [a, b] = [listExtreme(left), listExtreme(right)]
      const most = a.most + b.most
      const of = a.most === 0 ? copyOf(b.of) : b.most === 0 ? copyOf(a.of) : either(a.of, b.of)
      return { steps: LIST_STEPS + most, value: listOf(of, most, false) }
    },
  }
}

/** The part of a list; `slice` of a text is among the functions of texts. */
export function sliceOfList(type: Type): Applied {
  return {
    type,
    run(frame, [list, from, to]) {
      const [start, end] = clipped(from as Exact, to as Exact, (list as List).length)
      spendOnList(frame, end - start)
      return (list as List).slice(start, end)
    },
    most([list, from, to]) {
      const { most, of } = listExtreme(list)
      const [low, high] = [numberExtreme(from), numberExtreme(to)]
      const length = Math.max(0, Math.min(most, high.high - low.low + 1))
      return { steps: LIST_STEPS + length, value: listOf(copyOf(of), length, false) }
    },
  }
}

/** The offsets, from 0, of the elements `from` to `to` of a sequence; places outside of it are left out. */
export function clipped(from: Exact, to: Exact, length: number): readonly [start: number, end: number] {
  const within = (place: Exact): number =>
    order(place, 0) < 0 ? 0 : order(place, length) > 0 ? length : (place as number)
  const start = within(order(from, 1) < 0 ? 0 : minusOne(from))
  return [start, Math.max(start, within(to))]
}

const minusOne = (place: Exact): Exact => (typeof place === 'number' ? place - 1 : place)

export const listFunctions: readonly BuiltIn[] = [sort, reverse, unique, position, isPermutation]
