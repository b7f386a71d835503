import type { GradeFunction, GradeTerm } from '../../../contract/grades/grade-terms.ts'
import { exact, type CompiledList, type CompiledNumber, type Figures } from './compiled.ts'

// The functions of a scheme that combine figures.

/** A function of the figures of one student. `settings`: for the explanation. */
function figureOf(
  name: GradeFunction,
  value: number,
  { parts, left }: Figures,
  settings: readonly number[] = [],
): GradeTerm {
  return { kind: 'function', name, value: exact(value), parts, left, settings }
}

const valuesOf = ({ parts }: Figures): readonly number[] => parts.map(({ value }) => value)
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** The functions that make one figure of many; of no figure they make 0. */
export const gathering: Readonly<Record<'mean' | 'sum' | 'min' | 'max', (values: readonly number[]) => number>> = {
  mean: (values) => (values.length === 0 ? 0 : sumOf(values) / values.length),
  sum: sumOf,
  min: (values) => (values.length === 0 ? 0 : Math.min(...values)),
  max: (values) => (values.length === 0 ? 0 : Math.max(...values)),
}

export function gathered(name: keyof typeof gathering, list: CompiledList): CompiledNumber {
  const counting = withoutOpen(list)
  return {
    type: 'number',
    run: (students) => counting.run(students).map((each) => figureOf(name, gathering[name](valuesOf(each)), each)),
  }
}

/** The list of several figures. */
export function listed(numbers: readonly CompiledNumber[]): CompiledList {
  return {
    type: 'list',
    length: numbers.length,
    isOpen: numbers.map(() => false),
    dropped: 0,
    run(students) {
      const columns = numbers.map((each) => each.run(students))
      return students.map((_, at) => ({ parts: columns.map((column) => column[at]!), left: [] }))
    },
  }
}

/** The list without the places that are to come, which are explained. */
export function withoutOpen(list: CompiledList): CompiledList {
  const { isOpen } = list
  if (!isOpen.includes(true)) return list
  const counting = isOpen.filter((each) => !each)
  return {
    type: 'list',
    length: counting.length,
    isOpen: counting,
    dropped: list.dropped + list.length - counting.length,
    run: (students) =>
      list.run(students).map(({ parts, left }) => ({
        parts: parts.filter((_, at) => !isOpen[at]),
        left: [...left, ...parts.filter((_, at) => isOpen[at])],
      })),
  }
}

/** The largest `length` figures of a list, in its order; of equal ones the first. No place of it may be to come. */
export function largest(list: CompiledList, length: number): CompiledList {
  const kept = Math.max(0, Math.min(length, list.length))
  return {
    type: 'list',
    length: kept,
    isOpen: list.isOpen.slice(0, kept),
    dropped: list.dropped + list.length - kept,
    run: (students) =>
      list.run(students).map(({ parts, left }) => {
        const order = [...parts.keys()].sort((a, b) => parts[b]!.value - parts[a]!.value || a - b)
        const isKept = new Set(order.slice(0, kept))
        return {
          parts: parts.filter((_, at) => isKept.has(at)),
          left: [...left, ...parts.filter((_, at) => !isKept.has(at))],
        }
      }),
  }
}

/** `weights`: in percent, one a figure. */
export function weighted(weights: readonly number[], figures: readonly CompiledNumber[]): CompiledNumber {
  const list = listed(figures)
  return {
    type: 'number',
    run: (students) =>
      list.run(students).map((each) => {
        const value = sumOf(each.parts.map((part, at) => (part.value * weights[at]!) / 100))
        return figureOf('weighted', value, each, weights)
      }),
  }
}

/** A function of one figure. */
function mapped(
  name: GradeFunction,
  of: CompiledNumber,
  settings: readonly number[],
  how: (value: number) => number,
): CompiledNumber {
  return {
    type: 'number',
    run: (students) =>
      of.run(students).map((part) => figureOf(name, how(part.value), { parts: [part], left: [] }, settings)),
  }
}

export const capped = (of: CompiledNumber, high: number): CompiledNumber =>
  mapped('cap', of, [high], (value) => Math.min(value, high))

export const negative = (of: CompiledNumber): CompiledNumber => mapped('-x', of, [], (value) => -value)

/** Halves are rounded up. */
export function roundedTo(of: CompiledNumber, digits: number): CompiledNumber {
  const unit = 10 ** digits
  return mapped('round', of, [digits], (value) => Math.round(exact(value * unit)) / unit)
}

/** `steps`: thresholds in ascending order, each followed by its value. A figure below all thresholds is 0. */
export function stepped(of: CompiledNumber, steps: readonly number[]): CompiledNumber {
  return mapped('step', of, steps, (value) => {
    let reached = 0
    for (let at = 0; at < steps.length; at += 2) if (value >= steps[at]!) reached = steps[at + 1]!
    return reached
  })
}

/** Moves and stretches the figures of all students so that they have this mean and standard deviation. */
export function curved(of: CompiledNumber, mean: number, deviation: number): CompiledNumber {
  return {
    type: 'number',
    run(students) {
      const column = of.run(students)
      const values = column.map(({ value }) => value)
      const before = gathering.mean(values)
      const spread = Math.sqrt(gathering.mean(values.map((value) => (value - before) ** 2)))
      return column.map((part) =>
        figureOf(
          'curve',
          spread < 1e-9 ? mean : mean + ((part.value - before) / spread) * deviation,
          { parts: [part], left: [] },
          // Those of the class before would tell the grades of others in a small one.
          [mean, deviation],
        ),
      )
    },
  }
}

/** The figure of one of two parts. */
export function chosen(
  isFirst: { run(students: Parameters<CompiledNumber['run']>[0]): readonly boolean[] },
  first: CompiledNumber,
  second: CompiledNumber,
): CompiledNumber {
  return {
    type: 'number',
    run(students) {
      const [yes, no] = [first.run(students), second.run(students)]
      return isFirst.run(students).map((each, at) => {
        const part = (each ? yes : no)[at]!
        return figureOf('if', part.value, { parts: [part], left: [] })
      })
    },
  }
}

type Sign = '+' | '-' | '*' | '/'
const arithmetic: Readonly<Record<Sign, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0 ? 0 : a / b),
}

const operated = (operator: Sign, one: GradeTerm, other: GradeTerm): GradeTerm => ({
  kind: 'operator',
  operator,
  value: exact(arithmetic[operator](one.value, other.value)),
  parts: [one, other],
})

export function operatedNumbers(operator: Sign, one: CompiledNumber, other: CompiledNumber): CompiledNumber {
  return {
    type: 'number',
    run(students) {
      const others = other.run(students)
      return one.run(students).map((each, at) => operated(operator, each, others[at]!))
    },
  }
}

/** A list of one figure in each place, which is computed once. */
const repeated = (of: CompiledNumber, length: number): CompiledList => ({
  type: 'list',
  length,
  isOpen: Array.from({ length }, () => false),
  dropped: 0,
  run: (students) => of.run(students).map((each) => ({ parts: Array.from({ length }, () => each), left: [] })),
})

/** Element by element. A number counts for each element of the other, a list. A place that is to come in one of them is so in the result. */
export function operatedLists(
  operator: Sign,
  one: CompiledNumber | CompiledList,
  other: CompiledNumber | CompiledList,
): CompiledList {
  const length = one.type === 'list' ? one.length : other.type === 'list' ? other.length : 0
  const asList = (of: CompiledNumber | CompiledList): CompiledList => (of.type === 'list' ? of : repeated(of, length))
  const [first, second] = [asList(one), asList(other)]
  return {
    type: 'list',
    length,
    isOpen: first.isOpen.map((each, place) => each || second.isOpen[place]!),
    dropped: first.dropped + second.dropped,
    run(students) {
      const others = second.run(students)
      return first.run(students).map(({ parts, left }, at) => ({
        parts: parts.map((part, place) => {
          const partner = others[at]!.parts[place]!
          if (first.isOpen[place]) return part
          return second.isOpen[place] ? partner : operated(operator, part, partner)
        }),
        left: [...left, ...others[at]!.left],
      }))
    },
  }
}
