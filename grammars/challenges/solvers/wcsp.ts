import type { Model } from './model.ts'
import { nameOfVariable } from './names.ts'
import { product, constant, valueOf, variablesOf, type SolutionVariable, type Term } from './terms.ts'

export type Written =
  | { readonly ok: true; readonly text: string; readonly notes: readonly string[] }
  | { readonly ok: false; readonly error: string }

/** The largest number of combinations of values in one table, and in all. */
const LARGEST_TABLE = 70_000
const LARGEST_TABLES = 2_000_000

/** Costs of the combinations of some variables. */
interface Table {
  readonly variables: readonly SolutionVariable[]
  readonly costs: Float64Array
}

/**
 * A model as WCSP, the format of toulbar2: tables of costs, of which the sum is to be least. The measure must therefore be a sum of
 * parts that depend on few variables each, and so must the demands.
 */
export function writeWcsp(model: Model): Written {
  const sign = model.goal === 'min' ? 1 : -1
  const terms = model.over.kind === 'sum' ? model.over.parts : [model.over]
  let base = 0
  const soft: Table[] = []
  const hard: Table[] = []
  let combinations = 0
  const tabled = (term: Term, what: string): Table | string => {
    const variables = [...variablesOf(term).values()].toSorted((a, b) => a.index - b.index)
    const size = variables.reduce((all, { low, high }) => all * (high - low + 1), 1)
    combinations += size
    if (size > LARGEST_TABLE || combinations > LARGEST_TABLES)
      return `WCSP needs ${what} that depend on few variables each, but one depends on ${variables.length}; MiniZinc does not.`
    return tableOf(term, variables, size)
  }
  for (const term of terms) {
    const table = tabled(product(constant(sign), term), 'a measure that is a sum of parts')
    if (typeof table === 'string') return { ok: false, error: table }
    // NaN: the measure has no value there.
    const least = table.costs.reduce((a, b) => (Number.isNaN(b) ? a : Math.min(a, b)), Infinity)
    if (least === Infinity) return { ok: false, error: 'The measure has no value, whatever the solution.' }
    base += least
    soft.push({ ...table, costs: table.costs.map((cost) => cost - least) })
  }
  const top = soft.reduce(
    (total, { costs }) => total + costs.reduce((a, b) => (Number.isNaN(b) ? a : Math.max(a, b)), 0),
    1,
  )
  for (const condition of model.conditions) {
    const table = tabled(condition, 'demands')
    if (typeof table === 'string') return { ok: false, error: table }
    hard.push({ ...table, costs: table.costs.map((met) => (met === 1 ? 0 : top)) })
  }
  const { variables } = model
  const sizes = variables.map(({ low, high }) => high - low + 1)
  const rated = soft
    .filter(({ variables: some }) => some.length > 0)
    .map((table) => ({ ...table, costs: table.costs.map((cost) => (Number.isNaN(cost) ? top : cost)) }))
  const functions = [...rated, ...hard].map(written)
  const text = [
    `${model.name} ${variables.length} ${Math.max(1, ...sizes)} ${functions.length} ${top}`,
    sizes.join(' '),
    ...functions,
    '',
  ].join('\n')
  const whole = model.goal === 'min' ? `${base} + cost` : `${-base} - cost`
  const measure = model.under === 1 ? whole : `(${whole}) / ${model.under}`
  const lows = [...new Set(variables.map(({ low }) => low))]
  const first =
    lows.length === 1
      ? `Value 0 of a variable stands for ${lows[0]}.`
      : 'Value 0 of a variable stands for its least value.'
  const order = `The variables are, in order: ${variables.slice(0, 8).map(nameOfVariable).join(', ')}${variables.length > 8 ? ' and so on' : ''}.`
  return { ok: true, text, notes: [`The measure is ${measure}.`, first, order] }
}

function tableOf(term: Term, variables: readonly SolutionVariable[], size: number): Table {
  const costs = new Float64Array(size)
  const values = new Map(variables.map(({ index, low }) => [index, low]))
  for (let row = 0; row < size; row++) {
    costs[row] = valueOf(term, values)
    // The last variable changes fastest.
    for (let at = variables.length - 1; at >= 0; at--) {
      const { index, low, high } = variables[at]!
      const next = values.get(index)! + 1
      values.set(index, next > high ? low : next)
      if (next <= high) break
    }
  }
  return { variables, costs }
}

/** Only combinations that cost something are listed. */
function written({ variables, costs }: Table): string {
  const sizes = variables.map(({ low, high }) => high - low + 1)
  const lines: string[] = []
  for (const [row, cost] of costs.entries()) {
    if (cost === 0) continue
    let rest = row
    const combination = sizes.toReversed().map((size) => {
      const value = rest % size
      rest = Math.floor(rest / size)
      return value
    })
    lines.push([...combination.toReversed(), cost].join(' '))
  }
  return [[variables.length, ...variables.map(({ index }) => index), 0, lines.length].join(' '), ...lines].join('\n')
}
