import type { Model } from './model.ts'
import { nameOfVariable } from './names.ts'
import { isConstant, type Term } from './terms.ts'

/** A model as MiniZinc, version 2. The solver's output gives each variable, and the measure. */
export function writeMiniZinc({ name, goal, variables, conditions, over, under }: Model): string {
  const fraction = under === 1 ? 'The measure is the objective.' : `The measure is the objective divided by ${under}.`
  return [
    `% ${name}. ${fraction}`,
    ...variables.map((variable) => `var ${variable.low}..${variable.high}: ${nameOfVariable(variable)};`),
    ...conditions.map((condition) => `constraint ${written(condition)};`),
    `var ${over.low}..${over.high}: objective = ${written(over)};`,
    `solve ${goal === 'max' ? 'maximize' : 'minimize'} objective;`,
    'output ["objective = \\(objective)\\n"',
    ...variables.map((variable) => `  ++ "${nameOfVariable(variable)} = \\(${nameOfVariable(variable)})\\n"`),
    '];',
    '',
  ].join('\n')
}

/** Everything but names and constants is in parentheses, so that no precedence matters. */
function written(term: Term): string {
  if (isConstant(term)) return term.condition ? (term.low === 1 ? 'true' : 'false') : String(term.low)
  if (term.kind === 'variable') return nameOfVariable(term.variable)
  if (term.kind === 'constant') return String(term.low)
  const parts = term.parts.map((part) => (isNumeric(term.kind) ? asNumber(part) : written(part)))
  const [first = '', second = '', third = ''] = parts
  switch (term.kind) {
    case 'sum':
      return `(${parts.join(' + ')})`
    case 'product':
      return `(${first} * ${second})`
    case 'min':
    case 'max':
      return `${term.kind}([${parts.join(', ')}])`
    case 'abs':
      return `abs(${first})`
    case 'div':
    case 'mod':
      return `(${first} ${term.kind} ${second})`
    case 'equal':
      return `(${first} = ${second})`
    case 'less':
      return `(${first} < ${second})`
    case 'and':
      return `(${parts.join(' /\\ ')})`
    case 'or':
      return `(${parts.join(' \\/ ')})`
    case 'not':
      return `(not ${first})`
    case 'if':
      return `(if ${first} then ${second} else ${third} endif)`
    case 'element':
      return `([${parts.slice(1).join(', ')}][${first}])`
  }
}

function isNumeric(kind: Term['kind']): boolean {
  return !['and', 'or', 'not', 'if', 'element'].includes(kind)
}

function asNumber(term: Term): string {
  return term.condition ? `bool2int(${written(term)})` : written(term)
}
