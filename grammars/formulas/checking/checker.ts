import { checkCall, checkGather } from './check-calls.ts'
import { checkBinary, checkChain, checkPrefix } from './check-operators.ts'
import { agreed, bound, checkWanted, elementType, nothing } from './check-parts.ts'
import { holds } from './recursion.ts'
import { alternativeAdvice, fieldAdvice, memberAdvice, nameAdvice } from './advice.ts'
import type { Program, Scope } from './scope.ts'
import type { Expression, Match } from '../syntax/tree.ts'
import type { Typed, TypedCase } from './typed.ts'
import { BOOLEAN, common, INT, nameOf, NOTHING, NUMBER, TEXT, typeOf, type Type } from './types.ts'

/**
 * Checks the types of a formula that is not too deep. Problems are reported to the program; compile the returned tree
 * only if there are none.
 */
export function check(tree: Expression, scope: Scope, program: Program): Typed {
  const typed = typeTree(tree, scope, program)
  program.watch?.(tree, scope, typed.type)
  return typed
}

function typeTree(tree: Expression, scope: Scope, program: Program): Typed {
  switch (tree.kind) {
    case 'number':
      return {
        kind: 'constant',
        type: typeof tree.value === 'number' || tree.value.d === 1n ? INT : NUMBER,
        value: tree.value,
      }
    case 'boolean':
      return { kind: 'constant', type: BOOLEAN, value: tree.value }
    case 'text':
      return { kind: 'constant', type: TEXT, value: tree.value }
    case 'name': {
      const variable = scope.get(tree.name)
      if (variable) return { kind: 'local', type: variable.type, slot: variable.slot }
      program.report(tree.at, `There is no "${tree.name}" here.`, ...nameAdvice(tree.name, tree.at, scope))
      return nothing()
    }
    case 'field': {
      const of = check(tree.of, scope, program)
      return { kind: 'field', type: fieldType(of.type, tree, program), of, label: tree.label }
    }
    case 'element': {
      const of = check(tree.of, scope, program)
      const index = checkWanted(tree.index, INT, 'The number of an element', scope, program)
      if (tree.index.kind === 'number' && tree.index.value === 0) {
        const remedy = { from: tree.index.at, to: tree.index.at + 1, text: '1' }
        program.report(tree.at, 'Lists have no element 0.', 'Elements are counted from 1.', {
          code: 'index-zero',
          remedy,
        })
      }
      return { kind: 'element', type: elementType(of.type, tree.at, program), at: tree.at, of, index }
    }
    case 'prefix':
      return checkPrefix(tree.operator, tree.of, tree.at, scope, program)
    case 'binary':
      return checkBinary(tree, scope, program)
    case 'chain':
      return checkChain(tree, scope, program)
    case 'list': {
      const elements = tree.elements.map((element) => check(element, scope, program))
      let of: Type = NOTHING
      for (const [i, element] of elements.entries()) {
        of = agreed(of, element.type, tree.elements[i]?.at ?? tree.at, 'The elements of a list', program)
      }
      return { kind: 'list', type: { kind: 'list', of }, elements }
    }
    case 'call':
      return checkCall(tree.name, tree.args, tree.at, scope, program)
    case 'gather':
      return checkGather(tree, scope, program)
    case 'if': {
      const condition = checkWanted(tree.condition, BOOLEAN, 'What follows "if"', scope, program)
      const yes = check(tree.yes, scope, program)
      const no = check(tree.no, scope, program)
      const type = agreed(yes.type, no.type, tree.no.at, 'The values after "then" and "else"', program)
      return { kind: 'if', type, condition, yes, no }
    }
    case 'let': {
      const value = check(tree.value, scope, program)
      const variable = program.variable(value.type)
      holds(variable.slot, value, program)
      const body = check(tree.body, bound(tree.name, variable, tree.at, scope, program), program)
      return { kind: 'let', type: body.type, slot: variable.slot, value, body }
    }
    case 'match':
      return checkMatch(tree, scope, program)
  }
}

function fieldType(type: Type, tree: Expression & { kind: 'field' }, program: Program): Type {
  const { label, at } = tree
  if (type.kind === 'nothing') return NOTHING
  if (type.kind === 'choice') {
    // A field that all alternatives have with the same type can be used without match.
    const types = type.alternatives.map((one) => one.fields.find((field) => field.label === label)?.type)
    let shared: Type | null = NOTHING
    for (const one of types) shared = one && shared ? common(shared, typeOf(one)) : null
    if (shared && types.length > 0) return shared
    program.report(
      at,
      `Not every ${type.name} has a field "${label}" of one type.`,
      'Use match to tell the alternatives apart.',
      { code: 'field-unknown' },
    )
    return NOTHING
  }
  if (type.kind !== 'class') {
    program.report(at, `A value of type ${nameOf(type)} has no fields, so no "${label}".`, ...memberAdvice(type, tree))
    return NOTHING
  }
  const field = type.fields.find((one) => one.label === label)
  if (field) return typeOf(field.type)
  const labels = type.fields.map((one) => one.label)
  const unfinished = /^(.*) so far$/.exec(type.name)?.[1]
  if (unfinished === undefined) {
    program.report(at, `${type.name} has no field "${label}".`, ...fieldAdvice(label, at, labels))
  } else {
    const usable = labels.length > 0 ? `here ${labels.join(', ')}` : 'and this is the first one'
    const hint = `A rule can use the fields before its own, ${usable}.`
    program.report(at, `When this rule is used, the ${unfinished} has no field "${label}" yet.`, hint, {
      code: 'field-later',
    })
  }
  return NOTHING
}

/** Checks a match: each alternative once, or an `else`. An option's alternatives are "some" and "none". */
function checkMatch(tree: Match, scope: Scope, program: Program): Typed {
  const subject = program.check(tree.subject, scope)
  const alternatives = alternativesOf(subject.type)
  if (!alternatives) {
    if (subject.type.kind !== 'nothing') {
      const found = nameOf(subject.type)
      program.report(
        tree.at,
        `Only an abstract class or an option can be matched, but this is of type ${found}.`,
        undefined,
        { code: 'type-mismatch' },
      )
    }
    return nothing()
  }
  const cases: TypedCase[] = []
  let other: Typed | null = null
  let type: Type = NOTHING
  // One that is misspelt is not missing too.
  let isKnown = true
  for (const one of tree.cases) {
    const payload = one.alternative === null ? null : alternatives.get(one.alternative)
    if (payload === undefined) {
      const name = one.alternative ?? ''
      const advice = alternativeAdvice(name, one.at, [...alternatives.keys()])
      program.report(one.at, `${nameOf(subject.type)} has no alternative "${name}".`, ...advice)
      isKnown = false
      continue
    }
    if (other || cases.some((earlier) => earlier.alternative === one.alternative)) {
      program.report(one.at, 'This case is never reached.', undefined, { code: 'case-unreachable' })
      continue
    }
    let inner = scope
    let slot: number | null = null
    if (one.variable !== null && payload) {
      const variable = program.variable(payload)
      holds(variable.slot, subject, program)
      slot = variable.slot
      inner = bound(one.variable, variable, one.at, scope, program)
    } else if (one.variable !== null) {
      program.report(one.at, `"${one.alternative ?? 'else'}" has no value to name.`, undefined, { code: 'case-value' })
    }
    const body = program.check(one.body, inner)
    type = agreed(type, body.type, one.body.at, 'The values of all cases', program)
    if (one.alternative === null) other = body
    else cases.push({ alternative: one.alternative, slot, body })
  }
  const missing = [...alternatives.keys()].filter((name) => !cases.some((one) => one.alternative === name))
  if (isKnown && !other && missing.length > 0)
    program.report(
      tree.at,
      `This match has no case for ${missing.join(', ')}.`,
      'Add a case for each, or "else: formula".',
      { code: 'case-missing' },
    )
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
