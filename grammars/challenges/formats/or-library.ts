import type { BestKnown, Exchange, Exported, ImportedMaterial } from './format.ts'
import { readingWith } from './reading.ts'
import { endOf, linesOf, Unreadable, wholeNumber, type Word } from './words.ts'

interface Groups {
  readonly sets: readonly { readonly cost: number; readonly members: readonly number[] }[]
}

/** Rows and columns of each set of problems, and the least costs of its problems, from the first one on. */
interface Problems {
  readonly rows: number
  readonly columns: number
  readonly costs: readonly number[]
}

/**
 * The set covering problems `scp41.txt` and so on of the OR-Library (Beasley 1987 and 1990; the costs are those with which the library of
 * OR-Tools compares). Their files have no names inside.
 */
const cheapest: Readonly<Record<string, Problems>> = {
  4: { rows: 200, columns: 1000, costs: [429, 512, 516, 494, 512, 560, 430, 492, 641, 514] },
  5: { rows: 200, columns: 2000, costs: [253, 302, 226, 242, 211, 213, 293, 288, 279, 265] },
  6: { rows: 200, columns: 1000, costs: [138, 146, 145, 131, 161] },
  a: { rows: 300, columns: 3000, costs: [253, 252, 232, 234, 236] },
  b: { rows: 300, columns: 3000, costs: [69, 76, 80, 79, 72] },
  c: { rows: 400, columns: 4000, costs: [227, 219, 243, 219, 215] },
  d: { rows: 400, columns: 4000, costs: [60, 66, 72, 62, 61] },
  e: { rows: 50, columns: 500, costs: [5, 5, 5, 5, 5] },
}

/** `file`: its name. null: it is not the name of a problem with these rows and columns. */
function cheapestOf(file: string, rows: number, columns: number): BestKnown | null {
  const [, name, set = '', number = ''] = /^(scp([456abcde])([1-9]|10))(?:\.txt)?$/.exec(file) ?? []
  const problems = cheapest[set]
  const measure = problems?.costs[Number(number) - 1]
  if (name === undefined || measure === undefined || problems?.rows !== rows || problems.columns !== columns)
    return null
  return { name, measure, settings: {} }
}

/**
 * The set covering problems of the OR-Library: rows and columns; the cost of each column; then of each row the number of columns that
 * cover it, and these columns. Columns are the sets, rows their members; a column that covers nothing is left out.
 */
export const setCovers: Exchange = readingWith({
  formats: ['scp'],
  instance: { fields: { sets: { list: { fields: { cost: 'int', members: { list: 'int' } } } } } },
  read,
  write: (instance, format = 'scp') => write(instance as unknown as Groups, format),
})

function read(text: string, file: string): ImportedMaterial {
  const words = linesOf(text, /[^\s]+/g).flat()
  let at = 0
  const next = (low: number, what: string): number => wholeNumber(word(what), low, what)
  const word = (what: string): Word => {
    const found = words[at++]
    if (found === undefined) throw new Unreadable(endOf(text), `${what} is missing.`)
    return found
  }
  const rows = next(1, 'The number of rows')
  const columns = next(1, 'The number of columns')
  if (columns > words.length) throw new Unreadable(endOf(text), `The costs of ${columns} columns are missing.`)
  const sets = Array.from({ length: columns }, () => {
    return { cost: next(1, 'The cost of a column'), members: new Array<number>() }
  })
  for (let row = 1; row <= rows; row++) {
    const count = next(1, `The number of columns that cover row ${row}`)
    for (let i = 0; i < count; i++) {
      const named = word(`A column that covers row ${row}`)
      const column = wholeNumber(named, 1, 'A column')
      const set = sets[column - 1]
      if (set === undefined)
        throw new Unreadable(named.at, `There are ${columns} columns, but this is column ${column}.`)
      if (set.members.at(-1) === row) throw new Unreadable(named.at, `Column ${column} is there twice for row ${row}.`)
      set.members.push(row)
    }
  }
  const rest = words[at]
  if (rest !== undefined) throw new Unreadable(rest.at, 'The file must end before this.')
  const empty = sets.flatMap(({ members }, column) => (members.length === 0 ? [column + 1] : []))
  const used = sets.filter(({ members }) => members.length > 0)
  const sizes = [...new Set(used.map(({ members }) => members.length))].toSorted((a, b) => a - b)
  const left = `Columns that cover nothing are left out, and the others numbered anew: ${empty.slice(0, 20).join(', ')}.`
  return {
    instance: { sets: used },
    predicate: { sizes },
    config: {
      maxSets: used.length,
      maxMember: rows,
      maxSize: sizes.at(-1)!,
      maxCost: used.reduce((most, { cost }) => Math.max(most, cost), 1),
    },
    notes: empty.length === 0 ? [] : [left],
    best: cheapestOf(file, rows, columns),
  }
}

/** Numbers that no set has get no row. */
function write({ sets }: Groups, format: string): Exported {
  if (format !== 'scp') return { ok: false, error: `set-cover can be written as scp, not as ${format}.` }
  const rows = [...new Set(sets.flatMap(({ members }) => members))].toSorted((a, b) => a - b)
  const lines = rows.map((row) => {
    const columns = sets.flatMap(({ members }, at) => (members.includes(row) ? [at + 1] : []))
    return `${columns.length}\n${columns.join(' ')}\n`
  })
  const costs = sets.map(({ cost }) => cost).join(' ')
  return { ok: true, format, text: `${rows.length} ${sets.length}\n${costs}\n${lines.join('')}` }
}
