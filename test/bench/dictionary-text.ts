import { readDictionary } from '../../grammars/class-dictionary/index.ts'
import { mediansOf, rate } from './measure.ts'
import { rowOf, type Bench, type Row } from './row.ts'

/** Copies of the classes in the dictionary that is read. */
const COPIES = 2_000
const ROUNDS = 9

export const dictionaryText: Bench = {
  name: 'dictionary',
  measure: async () => [await reading()],
}

async function reading(): Promise<Row> {
  const text = dictionaryOf(COPIES)
  const { dictionary } = readDictionary(text)
  if (dictionary === null) throw new Error('the dictionary cannot be read')
  const json = JSON.stringify(dictionary)
  const { first, second } = await mediansOf(
    ROUNDS,
    () => megabytesPerSecond(text, () => readDictionary(text).dictionary !== null),
    () => megabytesPerSecond(json, () => JSON.parse(json) !== null),
  )
  return rowOf(
    { name: `dictionaries read, ${megabytes(text)} MB of text`, value: first, unit: 'MB/s' },
    { name: `JSON.parse, ${megabytes(json)} MB, the same model`, value: second, unit: 'MB/s' },
    { of: 'value', atLeast: 20 },
  )
}

/** The classes of a formula language, so many times under other names. */
function dictionaryOf(copies: number): string {
  const copy = (n: number): string => `
// Formulas, part ${n}
Formula${n} = "formula" <name> ident <variables> int <clauses> List(Clause${n}).
Clause${n} = Weighted${n} | Plain${n}.
Weighted${n} = "w" *s <weight> int ":" <literals> List(Literal${n}) ";" *l.
Plain${n} = "p" ":" <literals> List(Literal${n}) ";" *l.
Literal${n} = Positive${n} | Negative${n}.
Positive${n} = "+" <variable> int.
Negative${n} = "-" <variable> int <note> Option(Note${n}).
Note${n} = "@" <text> string.
`
  return Array.from({ length: copies }, (_, n) => copy(n)).join('')
}

function megabytesPerSecond(text: string, work: () => boolean): Promise<number> {
  return rate(Buffer.byteLength(text) / 1e6, () => {
    if (!work()) throw new Error('the text was not read')
  })
}

function megabytes(text: string): string {
  return (Buffer.byteLength(text) / 1e6).toFixed(1)
}
