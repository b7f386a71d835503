import { checkFormula, NUMBER, typeOf } from '../formulas/index.ts'
import { elementType } from '../formulas/checking/check-parts.ts'
import type { Code } from '../formulas/running/frame.ts'
import type { Expression, Scope } from '../formulas/index.ts'
import type { Compiler } from '../formulas/index.ts'
import { textOf } from '../formulas/syntax/tokens.ts'
import type { Typed } from '../formulas/checking/typed.ts'
import { fits, nameOf, NOTHING } from '../formulas/checking/types.ts'
import type { Type } from '../formulas/checking/types.ts'
import type { Shape } from '../values/index.ts'
import { automatonOf, intersectionOf } from './expressions/automaton.ts'
import type { Allowance } from './expressions/automaton.ts'
import { BadExpression, readExpression } from './expressions/expression.ts'
import { Language } from './expressions/language.ts'
import type { LanguageLimit, Limit, ListedLimit, Places, RangeLimit, Reach } from './plan.ts'
import { reachOf, usesIndex } from './scopes.ts'
import type { Subject } from './subject.ts'
import type { ConstraintTree } from './tree.ts'

/** The context for checking rules. */
export interface Surroundings {
  readonly subject: Subject
  readonly places: Places
  readonly compiler: Compiler
  /** Limits with constant formulas. */
  readonly constants: WeakSet<object>
  /** The remaining allowance of expressions. */
  readonly allowance: Allowance
}

/** Code that is compiled on first use, when all formulas are known to have no problems. */
function later(typed: Typed, compiler: Compiler): Code {
  let code: Code | null = null
  return (frame) => {
    code ??= compiler.compile(typed)
    return code(frame)
  }
}

/**
 * Checks the types of a constraint on a value itself. Problems are reported to the program; null: there are some.
 */
export function checkLimit(tree: ConstraintTree, shape: Shape, scope: Scope, around: Surroundings): Limit | null {
  const { subject, places, compiler, constants } = around
  const { program } = subject
  const type = typeOf(shape)
  const wrong = (message: string, hint?: string): null => {
    program.report(tree.at, message, hint, { code: 'rule-form' })
    return null
  }
  const known = <L extends Limit>(limit: Omit<L, 'reach' | 'numbered'>, ...formulas: readonly Typed[]): L => {
    const reaches = formulas.map((typed) => reachOf(typed, places, scope))
    const reach: Reach = reaches.find((one) => one === 'this') ?? reaches.find((one) => one === 'root') ?? 'given'
    const made = { ...limit, reach, numbered: formulas.some((typed) => usesIndex(typed, places)) } as L
    if (reaches.every((one) => one === null)) constants.add(made)
    return made
  }
  const range = (low: Typed, high: Typed): Limit =>
    known<RangeLimit>({ kind: 'range', at: tree.at, low: later(low, compiler), high: later(high, compiler) }, low, high)
  const numeric = shape.kind === 'int' || shape.kind === 'number'
  switch (tree.kind) {
    case 'single': {
      const typed = checkFormula(tree.formula, type, 'The value that a rule gives', scope, program)
      const code = later(typed, compiler)
      if (shape.kind === 'int') return range(typed, typed)
      return known<ListedLimit>({ kind: 'listed', at: tree.at, list: (frame) => [code(frame)] }, typed)
    }
    case 'range': {
      if (!numeric) return wrong(`"range" is for numbers, but this is of type ${nameOf(type)}.`)
      const low = checkFormula(tree.low, NUMBER, 'The low end of a range', scope, program)
      return range(low, checkFormula(tree.high, NUMBER, 'The high end of a range', scope, program))
    }
    case 'in':
    case 'subset':
    case 'enum': {
      const ends = endsOf(tree.list)
      if (ends && numeric && tree.kind !== 'enum') {
        const low = checkFormula(ends[0], NUMBER, 'The low end of a range', scope, program)
        return range(low, checkFormula(ends[1], NUMBER, 'The high end of a range', scope, program))
      }
      if (tree.kind === 'enum' && tree.list.kind !== 'list') {
        return wrong('What follows "enum" is a list as it is written, such as [1, 2].', 'For another list, use "in".')
      }
      const typed = checkFormula(tree.list, NOTHING, 'What follows', scope, program)
      const of = elementType(typed.type, tree.list.at, program)
      if (!fits(of, type)) {
        return wrong(`The elements of this list are of type ${nameOf(of)}, but here is one of type ${nameOf(type)}.`)
      }
      return known<ListedLimit>({ kind: 'listed', at: tree.at, list: later(typed, compiler) }, typed)
    }
    case 'matches':
      return shape.kind === 'ident' || shape.kind === 'string'
        ? checkExpression(tree.image, tree.at, shape.kind === 'ident', around, known)
        : wrong(`"matches" is for names and strings, but this is of type ${shapeName(shape, type)}.`)
    case 'length':
    case 'element':
    case 'distinct':
      return wrong(`"${tree.kind}" is for lists, but this is of type ${shapeName(shape, type)}.`)
    case 'choose':
      return wrong(`"choose" is for abstract classes and options, but this is of type ${shapeName(shape, type)}.`)
    case 'where':
      return wrong('"where" is for classes, not for fields.', 'Write Class: where condition.')
  }
}

function shapeName(shape: Shape, type: Type): string {
  return shape.kind === 'ident' || shape.kind === 'char' || shape.kind === 'verbatim' ? shape.kind : nameOf(type)
}

/** The ends of `low..high` as it is written. */
function endsOf(tree: Expression): readonly [Expression, Expression] | null {
  return tree.kind === 'binary' && tree.operator === '..' ? [tree.left, tree.right] : null
}

function checkExpression(
  image: string,
  at: number,
  names: boolean,
  { subject: { program, values }, allowance }: Surroundings,
  known: <L extends Limit>(limit: Omit<L, 'reach' | 'numbered'>) => L,
): Limit | null {
  try {
    const pattern = readExpression(textOf(image))
    const automaton = automatonOf(pattern, names ? { excluded: values.literals } : null, allowance)
    if (automaton === null) {
      program.report(
        at,
        'This expression is too large, or all expressions together are.',
        'Fewer or smaller numbers in {n} make it smaller.',
        { code: 'pattern' },
      )
      return null
    }
    if (automaton.states.length === 0) {
      program.report(at, names ? 'No name matches this expression.' : 'No text matches this expression.', undefined, {
        code: 'pattern',
      })
      return null
    }
    return known<LanguageLimit>({ kind: 'language', at, language: new Language(automaton), source: image })
  } catch (error) {
    if (!(error instanceof BadExpression)) throw error
    program.report(placeIn(image, at, error.index), error.message, undefined, { code: 'pattern' })
    return null
  }
}

/** Replaces several languages in the limits by their intersection. */
export function withOneLanguage(limits: readonly Limit[], around: Surroundings): readonly Limit[] {
  const languages = limits.filter((limit): limit is LanguageLimit => limit.kind === 'language')
  const [first, ...others] = languages
  if (first === undefined || others.length === 0) return limits
  const { subject, constants, allowance } = around
  let all = first
  for (const other of others) {
    const both = intersectionOf(all.language.automaton, other.language.automaton, allowance)
    if (both === null) {
      subject.program.report(other.at, 'These expressions together are too large.', undefined, { code: 'pattern' })
      return limits
    }
    if (both.states.length === 0) {
      subject.program.report(other.at, `No text matches both ${other.source} and ${all.source}.`, undefined, {
        code: 'pattern',
      })
      return limits
    }
    all = { ...all, language: new Language(both), source: `${all.source} and ${other.source}` }
  }
  // A limit that consists of expressions only is constant.
  constants.add(all)
  return [all, ...limits.filter((limit) => limit.kind !== 'language')]
}

/** The offset in the file of a text's unit; escapes take two characters. */
function placeIn(image: string, at: number, index: number): number {
  let place = 1
  for (let i = 0; i < index; i++) place += image.charAt(place) === '\\' ? 2 : 1
  return at + place
}
