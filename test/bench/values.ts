import { readDictionary } from '../../grammars/class-dictionary/index.ts'
import type { Json } from '../../grammars/json.ts'
import { compileValues, type Values } from '../../grammars/values/index.ts'
import { readChallenge } from '../../grammars/challenges/index.ts'
import { randomStream } from '../../main/contract/random.ts'
import { instanceOf, maxCsp } from './max-csp.ts'
import { median, mediansOf, megabytes, megabytesPerSecond, mustBe, rate } from './measure.ts'
import { rowOf, type Bench, type Row } from './row.ts'

/** Constraints of an instance whose text has about 3.6 MB. */
const CONSTRAINTS = 200_000
/** Formulas in a list whose text has about 5 MB. */
const FORMULAS = 60_000
const ROUNDS = 5

/** The values of dictionaries: read, checked, printed, and the room they take. */
export const values: Bench = {
  name: 'values',
  measure: async () => {
    const { challenge } = readChallenge(maxCsp)
    if (challenge === null) throw new Error('max-csp cannot be read')
    const csp = { values: challenge.values, type: 'Instance', value: instanceOf(22, 1_000, CONSTRAINTS) }
    const text = csp.values.print(csp.value, csp.type)
    const measured: readonly (() => Row | Promise<Row>)[] = [
      () => parsing(`MAX-CSP, ${megabytes(text)} MB`, csp, text),
      () => memory(csp.values, csp.type, text),
      () => checking(csp),
      () => printing(csp, text),
      formulas,
    ]
    const rows: Row[] = []
    for (const measure of measured) {
      const row = await measure()
      console.error(`  ${row.name}: measured`)
      rows.push(row)
    }
    return rows
  },
}

interface Subject {
  readonly values: Values
  readonly type: string
  readonly value: Json
}

/** Each side reads the same value in its own notation; both are paid by the megabyte of the dictionary's text. */
async function parsing(name: string, { values, type, value }: Subject, text: string): Promise<Row> {
  const json = JSON.stringify(value)
  const { first, second } = await mediansOf(
    ROUNDS,
    () => megabytesPerSecond(text, () => values.parse(text, type).ok),
    () => megabytesPerSecond(text, () => JSON.parse(json) !== null),
  )
  return rowOf(
    { name: `values read, ${name}`, value: first, unit: 'MB/s' },
    { name: `JSON.parse of the same, ${megabytes(json)} MB, by the same measure`, value: second, unit: 'MB/s' },
    { of: 'ratio', atLeast: 0.3 },
  )
}

/** The growth of the heap when a value has been read and nothing has been collected, in multiples of its text. */
function memory(values: Values, type: string, text: string): Row {
  const json = JSON.stringify(read(values, type, text))
  const times = (make: () => Json): number => {
    const grown = [1, 2, 3].map(() => {
      globalThis.gc?.()
      const before = process.memoryUsage().heapUsed
      const value = make()
      const after = process.memoryUsage().heapUsed
      if (value === null) throw new Error('the text was not read')
      return (after - before) / text.length
    })
    return median(grown)
  }
  return rowOf(
    {
      name: `memory to read MAX-CSP, ${megabytes(text)} MB`,
      value: times(() => read(values, type, text)),
      unit: 'x its text',
    },
    { name: 'JSON.parse of the same', value: times(() => JSON.parse(json) as Json), unit: 'x its text' },
    { of: 'value', below: 10 },
  )
}

async function checking({ values, type, value }: Subject): Promise<Row> {
  const count = CONSTRAINTS / 1e6
  const { first, second } = await mediansOf(
    ROUNDS,
    () => rate(count, () => mustBe(values.validate(value, type) === null)),
    () => rate(count, () => mustBe(isInstance(value))),
  )
  return rowOf(
    { name: 'values checked, MAX-CSP', value: first, unit: 'million constraints/s' },
    { name: 'a check written by hand', value: second, unit: 'million constraints/s' },
  )
}

/** Is it raw material of MAX-CSP? Only the rules of the dictionary are checked. */
function isInstance(value: unknown): boolean {
  if (!hasFields(value, 2) || !Number.isSafeInteger(value['variables'])) return false
  const constraints = value['constraints']
  if (!Array.isArray(constraints)) return false
  return constraints.every((one: unknown) => {
    if (!hasFields(one, 3) || !Number.isSafeInteger(one['weight']) || !Number.isSafeInteger(one['relation']))
      return false
    const variables = one['variables']
    return Array.isArray(variables) && variables.every((variable) => Number.isSafeInteger(variable))
  })
}

function hasFields(value: unknown, count: number): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === count
}

async function printing({ values, type, value }: Subject, text: string): Promise<Row> {
  const { first, second } = await mediansOf(
    ROUNDS,
    () => megabytesPerSecond(text, () => values.print(value, type).length === text.length),
    () => megabytesPerSecond(text, () => JSON.stringify(value).length > 0),
  )
  return rowOf(
    { name: `values checked and printed, MAX-CSP, ${megabytes(text)} MB`, value: first, unit: 'MB/s' },
    { name: 'JSON.stringify of the same, by the same measure', value: second, unit: 'MB/s' },
  )
}

/** Many small alternatives inside one another, names, fractions and strings. */
async function formulas(): Promise<Row> {
  const { dictionary } = readDictionary(`
    F = Sum | Call | Variable | Number | Text.
    Sum = "(" <left> F "+" <right> F ")".
    Call = "call" <name> ident "(" <arguments> List(F) ")".
    Variable = <name> ident.
    Number = <value> number.
    Text = <text> string.`)
  if (dictionary === null) throw new Error('the dictionary cannot be read')
  const language = compileValues(dictionary)
  const random = randomStream('7'.repeat(64))
  const list = Array.from({ length: FORMULAS }, () => {
    const sampled = language.sample('F', random, { size: 40 })
    if (!sampled.ok) throw new Error(sampled.problem.message)
    return sampled.value
  })
  const text = language.print(list, 'List(F)')
  return parsing(`formulas, ${megabytes(text)} MB`, { values: language, type: 'List(F)', value: list }, text)
}

function read(values: Values, type: string, text: string): Json {
  const parsed = values.parse(text, type)
  if (!parsed.ok) throw new Error(parsed.problem.message)
  return parsed.value
}
