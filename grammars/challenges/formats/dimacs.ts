import type { Exchange, Exported, ImportedMaterial } from './format.ts'
import { readingWith } from './reading.ts'
import { endOf, linesOf, Unreadable, wholeNumber, type Word } from './words.ts'

/** Raw material of max-sat. */
type Instance = {
  readonly variables: number
  readonly clauses: readonly { readonly weight: number; readonly literals: readonly number[] }[]
}

/**
 * DIMACS for max-sat: `p cnf`, the older `p wcnf variables clauses [top]`, in which a clause of weight top or more is
 * hard, and the 2022 format without a header, in which `h` begins a hard clause. max-sat has no hard clauses: each gets
 * a weight greater than the sum of all soft ones, so that satisfying all hard clauses is always better.
 */
export const dimacs: Exchange = readingWith({
  formats: ['cnf', 'wcnf', 'wcnf-2022'],
  instance: {
    fields: { variables: 'int', clauses: { list: { fields: { weight: 'int', literals: { list: 'int' } } } } },
  },
  read,
  write: (instance, format) => write(instance as unknown as Instance, format),
})

/** The `p` line; the 2022 format has none. */
interface Header {
  readonly at: Word
  readonly weighted: boolean
  readonly variables: number
  readonly clauses: number
  readonly top: number
}

interface Clause {
  readonly weight: number | 'hard'
  readonly literals: readonly number[]
}

function read(text: string): ImportedMaterial {
  const { header, clauses, variables: named } = readClauses(text)
  const end = endOf(text)
  if (clauses.length === 0) throw new Unreadable(end, 'There is no clause.')
  if (header !== null && header.clauses !== clauses.length) {
    const message = `The header says ${header.clauses} clauses, but there are ${clauses.length}.`
    throw new Unreadable(header.at.at, message)
  }
  const variables = clauses.reduce(
    (most, { literals }) => literals.reduce((a, l) => Math.max(a, Math.abs(l)), most),
    named,
  )
  const soft = clauses.reduce((sum, { weight }) => sum + (weight === 'hard' ? 0 : weight), 0)
  const hard = clauses.filter(({ weight }) => weight === 'hard').length
  const must = soft + 1
  if (!Number.isSafeInteger(soft + hard * must)) throw new Unreadable(end, 'The weights add up to more than 2^53.')
  const weighed = clauses.map(({ weight, literals }) => ({ weight: weight === 'hard' ? must : weight, literals }))
  const types = new Map(
    clauses.map(({ literals }) => {
      const type = { length: literals.length, positives: literals.filter((literal) => literal > 0).length }
      return [`${type.length} ${type.positives}`, type] as const
    }),
  )
  return {
    instance: { variables, clauses: weighed },
    predicate: { types: [...types.values()].sort((a, b) => a.length - b.length || a.positives - b.positives) },
    config: {
      maxVars: variables,
      maxClauses: clauses.length,
      maxWeight: weighed.reduce((most, { weight }) => Math.max(most, weight), 1),
      maxClauseLength: clauses.reduce((most, { literals }) => Math.max(most, literals.length), 1),
    },
    notes: hard === 0 ? [] : [`${hard} hard clauses weigh ${must} each, more than all soft ones together.`],
    best: null,
  }
}

/** Reads header and clauses. `variables`: the declared number; 0: none declared. */
function readClauses(text: string): { header: Header | null; clauses: readonly Clause[]; variables: number } {
  let header: Header | null = null
  let variables = 0
  const clauses: Clause[] = []
  const open: Word[] = []
  for (const words of linesOf(text, /[^\s]+/g)) {
    const [first, ...rest] = words as [Word, ...Word[]]
    if (first.text.startsWith('c') && open.length === 0) {
      // The comment in which the collections of 2022 and `write` below declare the number of variables.
      const declared = /^"?nvars"?:?$/.test(rest[0]?.text ?? '') ? (rest[1]?.text.replace(/[:,]/g, '') ?? '') : ''
      if (/^\d{1,9}$/.test(declared)) variables = Math.max(variables, Number(declared))
    } else if (first.text === 'p') {
      if (header !== null || clauses.length > 0)
        throw new Unreadable(first.at, 'There may be only one header, before all clauses.')
      header = readHeader(first, rest)
      variables = header.variables
    } else if (first.text === '%') {
      // SATLIB files end like this; nothing after it is a clause.
      break
    } else {
      for (const word of words) {
        if (word.text === '0') clauses.push(readClause(open.splice(0), word, header))
        else open.push(word)
      }
    }
  }
  const unfinished = open[0]
  if (unfinished !== undefined) throw new Unreadable(unfinished.at, 'This clause does not end with 0.')
  return { header, clauses, variables }
}

function readHeader(at: Word, [kind, variables, clauses, top, more]: readonly Word[]): Header {
  const weighted = kind?.text === 'wcnf'
  if (kind === undefined || variables === undefined || clauses === undefined || !(weighted || kind.text === 'cnf')) {
    throw new Unreadable(at.at, 'The header must be "p cnf variables clauses" or "p wcnf variables clauses top".')
  }
  const extra = weighted ? more : top
  if (extra !== undefined) throw new Unreadable(extra.at, 'The header must end before this.')
  return {
    at,
    weighted,
    variables: wholeNumber(variables, 1, 'The number of variables'),
    clauses: wholeNumber(clauses, 1, 'The number of clauses'),
    top: top === undefined ? Infinity : wholeNumber(top, 1, 'The top weight'),
  }
}

function readClause(words: readonly Word[], end: Word, header: Header | null): Clause {
  const weighted = header === null || header.weighted
  const [first, ...rest] = words
  // A 0 instead of the weight is read as the end of the clause.
  const weight = weighted ? weightOf(first ?? end, header) : 1
  const literals = new Set<number>()
  for (const word of weighted ? rest : words) {
    const literal = wholeNumber(word, -Infinity, 'A literal')
    if (literal === 0) throw new Unreadable(word.at, 'The 0 at the end of a clause must be written as 0.')
    if (literals.has(-literal)) {
      throw new Unreadable(
        word.at,
        `A clause with ${-literal} and ${literal} is always satisfied; max-sat does not allow such clauses.`,
      )
    }
    if (header !== null && Math.abs(literal) > header.variables) {
      throw new Unreadable(word.at, `The header says ${header.variables} variables, but this is ${literal}.`)
    }
    literals.add(literal)
  }
  if (literals.size === 0)
    throw new Unreadable(end.at, 'An empty clause is never satisfied; max-sat does not allow such clauses.')
  return { weight, literals: [...literals] }
}

function weightOf(word: Word, header: Header | null): number | 'hard' {
  if (header === null && word.text === 'h') return 'hard'
  const weight = wholeNumber(word, 1, header === null ? 'A clause begins with h or its weight, which' : 'A weight')
  return header !== null && weight >= header.top ? 'hard' : weight
}

function write({ variables, clauses }: Instance, format?: string): Exported {
  const plain = clauses.every(({ weight }) => weight === 1)
  const chosen = format ?? (plain ? 'cnf' : 'wcnf')
  const body = (weight: (weight: number) => string): string =>
    clauses.map((clause) => `${weight(clause.weight)}${clause.literals.join(' ')} 0\n`).join('')
  const written = (head: string, lines: string): Exported => ({ ok: true, format: chosen, text: `${head}\n${lines}` })
  switch (chosen) {
    case 'cnf':
      if (!plain) return { ok: false, error: 'CNF has no weights, but not all clauses weigh 1; use wcnf.' }
      return written(
        `p cnf ${variables} ${clauses.length}`,
        body(() => ''),
      )
    case 'wcnf': {
      const top = clauses.reduce((sum, { weight }) => sum + weight, 1)
      return written(
        `p wcnf ${variables} ${clauses.length} ${top}`,
        body((weight) => `${weight} `),
      )
    }
    case 'wcnf-2022':
      return written(
        `c nvars: ${variables}`,
        body((weight) => `${weight} `),
      )
    default:
      return { ok: false, error: `max-sat can be written as ${dimacs.formats.join(', ')}, not as ${chosen}.` }
  }
}
