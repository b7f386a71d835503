import type { MinedCell, NamedQuestion } from '../../../main/contract/procedures/procedures.ts'

// The answers to one question about two versions of an agent, side by side.

/** The columns of an answer, and its rows. */
export interface AnswerRows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly MinedCell[])[]
}

/** A row for a case that either answer has. */
export interface ComparedRow {
  /** The texts that name the case, such as a kind of fault. */
  readonly key: readonly string[]
  /** By numeric column: the means over the rows of this case; null: the version has no such row or no number. */
  readonly values: readonly { readonly first: number | null; readonly second: number | null }[]
}

export interface Compared {
  readonly keys: readonly string[]
  readonly numbers: readonly string[]
  readonly rows: readonly ComparedRow[]
}

/** An entrant of a contest, with its version. */
export interface Entered {
  readonly name: string
  readonly agent: string
}

/** Columns that name the version, or a place in its own contest. */
const own = new Set(['version', 'match', 'line', 'move', 'part', 'seat'])

/** True if a question is about one agent and nothing else. */
export const isAboutAgent = ({ parameters }: NamedQuestion): boolean =>
  Object.keys(parameters).join() === 'agent' && parameters['agent']?.kind === 'agent'

/** Rows of both answers by their texts; a column without texts in either is numeric. Cases in the order of the first answer. */
export function compared(first: AnswerRows, second: AnswerRows): Compared {
  const { columns } = first
  const all = [...first.rows, ...second.rows]
  const isText = columns.map((_, at) => all.some((row) => typeof row[at] === 'string'))
  // Most answers are about the agent alone, which has one name in both.
  const says = ({ name, at }: { readonly name: string; readonly at: number }): boolean =>
    name === 'agent' ? new Set(all.map((row) => row[at])).size > 1 : !own.has(name)
  const places = columns.map((name, at) => ({ name, at })).filter(says)
  const keys = places.filter(({ at }) => isText[at] === true)
  const numbers = places.filter(({ at }) => isText[at] !== true && all.some((row) => typeof row[at] === 'number'))
  const keyOf = (row: readonly MinedCell[]): readonly string[] => keys.map(({ at }) => String(row[at] ?? ''))
  const byCase = ({ rows }: AnswerRows) => Map.groupBy(rows, (row) => JSON.stringify(keyOf(row)))
  const [one, two] = [byCase(first), byCase(second)]
  return {
    ...{ keys: keys.map(({ name }) => name), numbers: numbers.map(({ name }) => name) },
    rows: [...new Set([...one.keys(), ...two.keys()])].map((key) => ({
      key: JSON.parse(key) as readonly string[],
      values: numbers.map(({ at }) => ({ first: meanOf(one.get(key), at), second: meanOf(two.get(key), at) })),
    })),
  }
}

function meanOf(rows: readonly (readonly MinedCell[])[] | undefined, at: number): number | null {
  const values = (rows ?? []).flatMap((row) => {
    const value = row[at]
    return typeof value === 'number' ? value : []
  })
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}
