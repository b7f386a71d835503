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

/** Columns that name the agent itself, or a place in its own contest. */
const own = new Set(['agent', 'version', 'match', 'line', 'move', 'part', 'seat'])

/** True if a question can be asked about one agent. */
export const isAboutAgent = ({ parameters }: NamedQuestion): boolean => parameters['agent']?.kind === 'agent'

/** The opponents that played in both contests with the same version, by their names in each. */
export function sharedOpponents(
  first: { readonly of: string; readonly entrants: readonly Entered[] },
  second: { readonly of: string; readonly entrants: readonly Entered[] },
): { readonly first: readonly string[]; readonly second: readonly string[] } {
  const others = ({ of, entrants }: typeof first): readonly Entered[] => entrants.filter(({ name }) => name !== of)
  const versions = (all: readonly Entered[]): ReadonlySet<string> => new Set(all.map(({ agent }) => agent))
  const [one, two] = [others(first), others(second)]
  const [inOne, inTwo] = [versions(one), versions(two)]
  return {
    first: one.filter(({ agent }) => inTwo.has(agent)).map(({ name }) => name),
    second: two.filter(({ agent }) => inOne.has(agent)).map(({ name }) => name),
  }
}

/** Rows of both answers by their texts; a column without texts in either is numeric. Cases in the order of the first answer. */
export function compared(first: AnswerRows, second: AnswerRows): Compared {
  const { columns } = first
  const all = [...first.rows, ...second.rows]
  const isText = columns.map((_, at) => all.some((row) => typeof row[at] === 'string'))
  const places = columns.map((name, at) => ({ name, at })).filter(({ name }) => !own.has(name))
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
