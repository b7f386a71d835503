import { agreed, bound, nothing } from './check-parts.ts'
import type { Program, Scope } from './scope.ts'
import type { Match } from '../syntax/tree.ts'
import type { Typed, TypedCase } from './typed.ts'
import { nameOf, NOTHING, typeOf } from './types.ts'
import type { Type } from './types.ts'

/** Checks a match: each alternative once, or an `else`. An option's alternatives are "some" and "none". */
export function checkMatch(tree: Match, scope: Scope, program: Program): Typed {
  const subject = program.check(tree.subject, scope)
  const alternatives = alternativesOf(subject.type)
  if (!alternatives) {
    if (subject.type.kind !== 'nothing') {
      const found = nameOf(subject.type)
      program.report(tree.at, `Only an abstract class or an option can be matched, but this is of type ${found}.`)
    }
    return nothing()
  }
  const cases: TypedCase[] = []
  let other: Typed | null = null
  let type: Type = NOTHING
  for (const one of tree.cases) {
    const payload = one.alternative === null ? null : alternatives.get(one.alternative)
    if (payload === undefined) {
      const known = [...alternatives.keys()].join(', ')
      program.report(one.at, `${nameOf(subject.type)} has no alternative "${one.alternative}".`, `It has ${known}.`)
      continue
    }
    if (other || cases.some((earlier) => earlier.alternative === one.alternative)) {
      program.report(one.at, 'This case is never reached.')
      continue
    }
    let inner = scope
    let slot: number | null = null
    if (one.variable !== null && payload) {
      const variable = program.variable(payload)
      slot = variable.slot
      inner = bound(one.variable, variable, one.at, scope, program)
    } else if (one.variable !== null) {
      program.report(one.at, `"${one.alternative ?? 'else'}" has no value to name.`)
    }
    const body = program.check(one.body, inner)
    type = agreed(type, body.type, one.body.at, 'The values of all cases', program)
    if (one.alternative === null) other = body
    else cases.push({ alternative: one.alternative, slot, body })
  }
  const missing = [...alternatives.keys()].filter((name) => !cases.some((one) => one.alternative === name))
  if (!other && missing.length > 0) program.report(tree.at, `This match has no case for ${missing.join(', ')}.`)
  return { kind: 'match', type, subject, cases, other }
}

/** The names of a type's alternatives and the types of their values; null: the type cannot be matched. */
function alternativesOf(type: Type): ReadonlyMap<string, Type | null> | null {
  if (type.kind === 'choice') return new Map(type.alternatives.map((one) => [one.name, typeOf(one)]))
  if (type.kind !== 'option') return null
  return new Map<string, Type | null>([
    ['some', type.of],
    ['none', null],
  ])
}
