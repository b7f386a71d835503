import { calculation } from './check-operators.ts'
import { checkLoop, checkWanted, nothing } from './check-parts.ts'
import type { Program, Scope } from './scope.ts'
import type { Expression, Gather } from '../syntax/tree.ts'
import type { Fold, Typed, TypedFunction, TypedLoop } from './typed.ts'
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

/** Is this the name of a built-in function, which no definition may use? */
export function isBuiltIn(name: string): boolean {
  return FOLDS.has(name) || OTHERS.has(name)
}

/** `name(body for x in xs where p ...)` */
export function checkGather(tree: Gather, scope: Scope, program: Program): Typed {
  const loops: TypedLoop[] = []
  let inner = scope
  for (const one of tree.loops) {
    const checked = checkLoop(one, inner, program)
    loops.push(checked.loop)
    inner = checked.scope
  }
  const body = program.check(tree.body, inner)
  if (isFold(tree.name)) return fold(tree.name, loops, body, tree.body.at, tree.at, program)
  if (tree.name === 'distinct') {
    return { kind: 'distinct', type: BOOLEAN, of: fold('list', loops, body, tree.body.at, tree.at, program) }
  }
  program.report(
    tree.at,
    `"${tree.name}" cannot be used with "for".`,
    'sum, count, all, exists, min, max, first and distinct can.',
  )
  return nothing()
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
    program.report(at, `${name}(...) takes ${count} ${count === 1 ? 'value' : 'values'}, not ${args.length}.`)
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
  switch (name) {
    case 'length':
      return counted(1) ? { kind: 'length', type: INT, of: wanted(0, LIST) } : nothing()
    case 'distinct':
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
  const called = program.functions.get(name)
  if (!called) {
    program.report(
      at,
      `No function "${name}" is defined above.`,
      'A function can only use functions defined before it, so it cannot call itself.',
    )
    return nothing()
  }
  if (!counted(called.parameters.length)) return nothing()
  return callOf(
    called,
    called.parameters.map((parameter, i) => wanted(i, parameter.type)),
  )
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
      program.report(at, `${kind}(...) looks in entries with "key" and "val", but these are ${nameOf(entry)}.`, hint)
    }
    return nothing()
  }
  const key = checkWanted(keyTree, typeOf(keyField.type), `The key that ${kind}(...) looks for`, scope, program)
  return { kind, type: kind === 'has' ? BOOLEAN : typeOf(value.type), at, entries, key }
}

function callOf(called: TypedFunction, args: readonly Typed[]): Typed {
  return { kind: 'call', type: called.body.type, function: called, args }
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
        program.report(bodyAt, 'count(...) counts all values, true or false.', 'Put the condition after "where".')
      }
      return folded(INT)
    default:
      must(NUMBER)
      return folded(body.type.kind === 'int' ? INT : NUMBER)
  }
}
