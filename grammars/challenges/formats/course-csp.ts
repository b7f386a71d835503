import type { Exchange, Exported, ImportedMaterial } from './format.ts'
import { readingWith } from './reading.ts'
import { endOf, linesOf, Unreadable, wholeNumber, type Word } from './words.ts'

/** Raw material of max-csp. */
type Instance = {
  readonly variables: number
  readonly constraints: readonly Constraint[]
}
type Constraint = { readonly weight: number; readonly relation: number; readonly variables: readonly number[] }

/**
 * The text format of the course in which the game originated: `c comment`, `p variables constraints`, then constraints
 * as `relation weight: variables 0`, where a missing weight is 1. The last variable is the low bit of the row. A
 * constraint with fewer than three variables has a relation that does not depend on the missing first ones, which are
 * filled in.
 */
export const courseCsp: Exchange = readingWith({
  formats: ['csp'],
  instance: {
    fields: {
      variables: 'int',
      constraints: { list: { fields: { weight: 'int', relation: 'int', variables: { list: 'int' } } } },
    },
  },
  read,
  write: (instance, format) => write(instance as unknown as Instance, format),
})

function read(text: string): ImportedMaterial {
  const lines = linesOf(text, /:|[^\s:]+/g).filter(([first]) => first?.text.startsWith('c') !== true)
  const [header, ...rest] = lines
  if (header?.[0]?.text !== 'p') {
    throw new Unreadable(
      header?.[0]?.at ?? endOf(text),
      'The first line that is not a comment must be "p variables constraints".',
    )
  }
  const [head, declared, counted, more] = header
  if (declared === undefined || counted === undefined || more !== undefined) {
    throw new Unreadable(head.at, 'The header must be "p variables constraints".')
  }
  const variables = wholeNumber(declared, 3, 'The number of variables')
  const count = wholeNumber(counted, 1, 'The number of constraints')
  const constraints: Constraint[] = []
  const open: Word[] = []
  let colon = false
  for (const word of rest.flat()) {
    open.push(word)
    if (word.text === ':') colon = true
    // Before the colon, 0 is a relation.
    if (!colon || word.text !== '0') continue
    constraints.push(readConstraint(open.splice(0), variables))
    colon = false
  }
  if (open[0] !== undefined) throw new Unreadable(open[0].at, 'This constraint does not end with 0.')
  if (constraints.length !== count) {
    throw new Unreadable(head.at, `The header says ${count} constraints, but there are ${constraints.length}.`)
  }
  return {
    instance: { variables, constraints },
    predicate: { relations: [...new Set(constraints.map(({ relation }) => relation))].sort((a, b) => a - b) },
    config: {
      maxVars: variables,
      maxConstraints: constraints.length,
      maxWeight: constraints.reduce((most, { weight }) => Math.max(most, weight), 1),
    },
    notes: [],
    best: null,
  }
}

/** Reads one constraint. `words`: up to and including the 0. */
function readConstraint(words: readonly Word[], variables: number): Constraint {
  const colon = words.findIndex(({ text }) => text === ':')
  const [first, second, third] = words.slice(0, colon)
  const start = words[0]!.at
  if (first === undefined) throw new Unreadable(start, 'A constraint begins with the number of its relation.')
  if (third !== undefined) throw new Unreadable(third.at, 'Only a relation and a weight may come before the colon.')
  const relation = wholeNumber(first, 0, 'A relation')
  if (relation > 255) throw new Unreadable(first.at, `Relations are numbered from 0 to 255, not ${relation}.`)
  const weight = second === undefined ? 1 : wholeNumber(second, 1, 'A weight')
  const named = words.slice(colon + 1, -1).map((word) => {
    const variable = wholeNumber(word, 1, 'A variable')
    if (variable <= variables) return variable
    throw new Unreadable(word.at, `The header says ${variables} variables, but this is variable ${variable}.`)
  })
  if (new Set(named).size < named.length) throw new Unreadable(start, 'The variables of this constraint must differ.')
  if (named.length < 1 || named.length > 3) {
    throw new Unreadable(start, `A constraint has one to three variables, not ${named.length}.`)
  }
  const missing = 3 - named.length
  for (let row = 0; row < 8; row++) {
    for (let argument = 0; argument < missing; argument++) {
      if (((relation >> row) & 1) === ((relation >> (row ^ (4 >> argument))) & 1)) continue
      throw new Unreadable(start, `Relation ${relation} depends on more than ${named.length} variables.`)
    }
  }
  const fillers: number[] = []
  for (let v = 1; fillers.length < missing; v++) if (!named.includes(v)) fillers.push(v)
  return { weight, relation, variables: [...fillers, ...named] }
}

function write({ variables, constraints }: Instance, format = 'csp'): Exported {
  if (format !== 'csp') return { ok: false, error: `max-csp can be written as csp, not as ${format}.` }
  const lines = constraints.map((constraint) => {
    const weight = constraint.weight === 1 ? '' : ` ${constraint.weight}`
    return `${constraint.relation}${weight}: ${constraint.variables.join(' ')} 0\n`
  })
  return { ok: true, format, text: `p ${variables} ${constraints.length}\n${lines.join('')}` }
}
