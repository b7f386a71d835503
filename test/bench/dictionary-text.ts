import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readDictionary } from '../../grammars/class-dictionary/index.ts'
import type { FirstReading } from './first-reading.ts'
import { mediansOf, megabytes, megabytesPerSecond } from './measure.ts'
import { rowOf, type Bench, type Row } from './row.ts'

/** Copies of the classes in the dictionary that is read. */
const COPIES = 2_000
const ROUNDS = 31
const NEW_PROCESSES = 9

export const dictionaryText: Bench = {
  name: 'dictionary',
  measure: async () => [await reading(), await firstReading()],
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

/** A process that reads one text and ends, as the command line does, is over before V8 has optimised anything. */
async function firstReading(): Promise<Row> {
  const text = dictionaryOf(COPIES)
  const json = JSON.stringify(readDictionary(text).dictionary)
  const { first, second } = await mediansOf(
    NEW_PROCESSES,
    () => inNewProcess({ dictionary: text }),
    () => inNewProcess({ json }),
  )
  return rowOf(
    { name: 'the same as the first reading of a new process', value: first, unit: 'MB/s' },
    { name: 'JSON.parse as the first of a new process', value: second, unit: 'MB/s' },
  )
}

async function inNewProcess(asked: FirstReading): Promise<number> {
  const process = fork(new URL('./first-reading.ts', import.meta.url), { serialization: 'advanced' })
  process.send(asked)
  const [speed] = (await once(process, 'message')) as [number]
  process.disconnect()
  return speed
}

/** The classes of a formula language, repeated under other names. */
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
