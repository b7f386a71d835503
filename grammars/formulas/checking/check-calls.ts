import { calculation } from './check-operators.ts'
import { bound, checkLoop, checkWanted, nothing } from './check-parts.ts'
import type { BuiltIn } from '../functions/built-in.ts'
import { builtInNamed, builtIns } from '../functions/functions.ts'
import { draws } from '../drawing/draws.ts'
import { checkOwnCall } from './recursion.ts'
import { functionAdvice, mismatchAdvice } from './advice.ts'
import type { Program, Scope } from './scope.ts'
import type { Expression, Gather, Start } from '../syntax/tree.ts'
import type { Fold, Typed, TypedLoop } from './typed.ts'
import { BOOLEAN, fits, INT, nameOf, NOTHING, NUMBER, typeOf } from './types.ts'
import type { Type } from './types.ts'

const LIST: Type = { kind: 'list', of: NOTHING }
const FOLDS: ReadonlySet<string> = new Set([
  'sum',
  'count',
  'all',
  'exists',
  'min',
  'max',
  'first',
  'list',
] satisfies Fold[])
const OTHERS: ReadonlySet<string> = new Set(['distinct', 'length', 'bit', 'abs', 'floor', 'lookup', 'has'])

/**
 * Is this the name of a built-in function that no definition may use? Those of functions/ came later: files that define a
 * function of that name remain valid, and mean their own.
 */
export function isBuiltIn(name: string): boolean {
  return FOLDS.has(name) || OTHERS.has(name)
}

function languageFunction(name: string, program: Program): BuiltIn | undefined {
  return program.further?.get(name) ?? builtInNamed(name)
}

/** `name(body for x in xs where p ...)` */
export function checkGather(tree: Gather, scope: Scope, program: Program): Typed {
  if (tree.start !== null) return checkFold(tree, tree.start, scope, program)
  const loops: TypedLoop[] = []
  let inner = scope
  for (const one of tree.loops) {
    const checked = checkLoop(one, inner, program)
    loops.push(checked.loop)
    inner = checked.scope
  }
  const body = program.check(tree.body, inner)
  if (isFold(tree.name)) return fold(tree.name, loops, body, tree.body.at, tree.at, program)
  const own = program.functions.has(tree.name)
  if (tree.name === 'distinct' || (tree.name === 'allDifferent' && !own)) {
    return { kind: 'distinct', type: BOOLEAN, of: fold('list', loops, body, tree.body.at, tree.at, program) }
  }
  const builtIn = own ? undefined : languageFunction(tree.name, program)
  if (builtIn?.takes.includes(1)) {
    const list = fold('list', loops, body, tree.body.at, tree.at, program)
    return applied(builtIn, [{ typed: list, at: tree.body.at }], tree.at, program)
  }
  program.report(
    tree.at,
    `"${tree.name}" cannot be used with "for".`,
    'sum, count, all, exists, min, max, first and functions that take one list can.',
    { code: 'loop-form' },
  )
  return nothing()
}

/** `fold(body from name: type = start for x in xs ...)` */
function checkFold(tree: Gather, start: Start, scope: Scope, program: Program): Typed {
  if (tree.name !== 'fold')
    program.report(start.at, `Only fold(...) takes "from", and ${tree.name}(...) does not.`, undefined, {
      code: 'argument-count',
    })
  const stated = start.type && program.resolve(start.type)
  const what = `The start ${start.name}`
  const first = checkWanted(start.value, stated ?? NOTHING, what, scope, program)
  const type = stated ?? first.type
  if (type.kind === 'list' && type.of.kind === 'nothing') {
    const message = `The type of ${start.name} is not known from an empty list.`
    program.report(start.at, message, `State it, as in: from ${start.name}: list of int = []`, {
      code: 'type-mismatch',
    })
    return nothing()
  }
  const variable = program.variable(type)
  let inner = bound(start.name, variable, start.at, scope, program)
  const loops = tree.loops.map((one) => {
    const checked = checkLoop(one, inner, program)
    inner = checked.scope
    return checked.loop
  })
  const body = program.check(tree.body, inner)
  if (!fits(body.type, type)) {
    const message = `fold(...) gives ${start.name} of type ${nameOf(type)} a value of type ${nameOf(body.type)}.`
    program.report(tree.body.at, message, `State a type that fits both, as in: from ${start.name}: number = 0`, {
      code: 'type-mismatch',
    })
  }
  return { kind: 'fold', type, slot: variable.slot, start: first, loops, body }
}

/** `name(argument, ...)`: a built-in function or one defined above. */
export function checkCall(
  name: string,
  args: readonly Expression[],
  at: number,
  scope: Scope,
  program: Program,
): Typed {
  const wanted = (i: number, type: Type): Typed => {
    const arg = args[i]
    return arg ? checkWanted(arg, type, `What ${name}(...) takes`, scope, program) : nothing()
  }
  const counted = (count: number): boolean => {
    if (args.length === count) return true
    program.report(
      at,
      `${name}(...) takes ${count} ${count === 1 ? 'value' : 'values'}, not ${args.length}.`,
      undefined,
      { code: 'argument-count' },
    )
    return false
  }
  if ((name === 'min' || name === 'max') && args.length > 1) {
    return calculation(
      name,
      args.map((_, i) => wanted(i, NUMBER)),
      at,
      program,
    )
  }
  if (isFold(name)) {
    if (!counted(1)) return nothing()
    const source = wanted(0, LIST)
    const type = source.type.kind === 'list' ? source.type.of : NOTHING
    const { slot } = program.variable(type)
    const loop = { slot, indexSlot: null, source, filter: null }
    return fold(name, [loop], { kind: 'local', type, slot }, at, at, program)
  }
  const called = program.functions.get(name)
  const index = called || args.length > 0 ? undefined : scope.get(`${name}()`)
  if (index) return { kind: 'local', type: index.type, slot: index.slot }
  // A file's own function comes before a function that a later version of the language has under its name.
  const builtIn = called ? undefined : languageFunction(name, program)
  if (builtIn) {
    if (!builtIn.takes.includes(args.length)) {
      const taken = builtIn.takes.join(' or ')
      program.report(
        at,
        `${name}(...) takes ${taken} ${taken === '1' ? 'value' : 'values'}, not ${args.length}.`,
        undefined,
        { code: 'argument-count' },
      )
      return nothing()
    }
    const given = args.map((arg) => ({ typed: program.check(arg, scope), at: arg.at }))
    return applied(builtIn, given, at, program)
  }
  switch (name) {
    case 'length':
      return counted(1) ? lengthOf(args[0]!, scope, program) : nothing()
    case 'distinct':
    case 'allDifferent':
      if (called) break
      return counted(1) ? { kind: 'distinct', type: BOOLEAN, of: wanted(0, LIST) } : nothing()
    case 'bit':
      return counted(2) ? { kind: 'bit', type: BOOLEAN, at, bits: wanted(0, INT), row: wanted(1, INT) } : nothing()
    case 'lookup':
    case 'has':
      return counted(2) ? lookup(name, wanted(0, LIST), args, at, scope, program) : nothing()
    case 'abs':
    case 'floor':
      return counted(1) ? calculation(name, [wanted(0, NUMBER)], at, program) : nothing()
  }
  if (!called) {
    if (draws.some((draw) => draw.name === name)) {
      const hint = 'All other formulas depend on their values alone.'
      program.report(at, `Only the section "generate" may call ${name}(...).`, hint, { code: 'draw-outside' })
      return nothing()
    }
    const further = program.further?.keys() ?? []
    const names = [...FOLDS, ...OTHERS, ...builtIns.map((one) => one.name), ...program.functions.keys(), ...further]
    const known = names.filter((one) => one !== 'list')
    program.report(at, `No function "${name}" is defined above.`, ...functionAdvice(name, at, known))
    return nothing()
  }
  if (!counted(called.parameters.length)) return nothing()
  const given = called.parameters.map((parameter, i) => wanted(i, parameter.type))
  const own = called === program.open?.function
  if (own) checkOwnCall(program.open!, given, at, program)
  return { kind: 'call', type: called.body.type, function: called, args: given, own }
}

/** A call of a function that is declared as data, for arguments with their places. */
function applied(
  builtIn: BuiltIn,
  given: readonly { readonly typed: Typed; readonly at: number }[],
  at: number,
  program: Program,
): Typed {
  const args = given.map(({ typed }) => typed)
  // A problem in an argument has been reported, and says nothing of the function.
  if (args.some(({ type }) => type.kind === 'nothing')) return nothing()
  const found = builtIn.resolve(args.map(({ type }) => type))
  if ('argument' in found) {
    program.report(given[found.argument]?.at ?? at, found.message, found.hint, { code: 'type-mismatch' })
    return nothing()
  }
  return { kind: 'apply', type: found.type, at, name: builtIn.name, applied: found, args }
}

function lengthOf(arg: Expression, scope: Scope, program: Program): Typed {
  const of = program.check(arg, scope)
  if (!['list', 'text', 'nothing'].includes(of.type.kind)) {
    program.report(arg.at, `length(...) takes a list or a text, but this is of type ${nameOf(of.type)}.`, undefined, {
      code: 'type-mismatch',
    })
  }
  return { kind: 'length', type: INT, of }
}

/** Looks up a key in a Map, or in any list of objects with fields `key` and `val`. */
function lookup(
  kind: 'lookup' | 'has',
  entries: Typed,
  [, keyTree]: readonly Expression[],
  at: number,
  scope: Scope,
  program: Program,
): Typed {
  const entry = entries.type.kind === 'list' ? entries.type.of : NOTHING
  const fields = entry.kind === 'class' ? entry.fields : []
  const [keyField, value] = ['key', 'val'].map((label) => fields.find((field) => field.label === label))
  if (!keyTree || !keyField || !value) {
    if (entry.kind !== 'nothing') {
      const hint = 'Use a Map, or a list of a class with fields key and val.'
      program.report(at, `${kind}(...) looks in entries with "key" and "val", but these are ${nameOf(entry)}.`, hint, {
        code: 'type-mismatch',
      })
    }
    return nothing()
  }
  const key = checkWanted(keyTree, typeOf(keyField.type), `The key that ${kind}(...) looks for`, scope, program)
  return { kind, type: kind === 'has' ? BOOLEAN : typeOf(value.type), at, entries, key }
}

function isFold(name: string): name is Fold {
  return FOLDS.has(name)
}

function fold(
  name: Fold,
  loops: readonly TypedLoop[],
  body: Typed,
  bodyAt: number,
  at: number,
  program: Program,
): Typed {
  const must = (type: Type): void => {
    if (fits(body.type, type)) return
    program.report(
      bodyAt,
      `What ${name}(...) gathers must be of type ${nameOf(type)}, but this is of type ${nameOf(body.type)}.`,
      ...mismatchAdvice(body.type, type),
    )
  }
  const folded = (type: Type): Typed => ({ kind: 'gather', type, at, fold: name, loops, body })
  switch (name) {
    case 'list':
      return folded({ kind: 'list', of: body.type })
    case 'first':
      return folded(body.type)
    case 'all':
    case 'exists':
      must(BOOLEAN)
      return folded(BOOLEAN)
    case 'count':
      // count(x > 0 for x in xs) would be the length of xs, which is not what its author means.
      if (body.type.kind === 'boolean') {
        program.report(bodyAt, 'count(...) counts all values, true or false.', 'Put the condition after "where".', {
          code: 'count-condition',
        })
      }
      return folded(INT)
    default:
      must(NUMBER)
      return folded(body.type.kind === 'int' ? INT : NUMBER)
  }
}
