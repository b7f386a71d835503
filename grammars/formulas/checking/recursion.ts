import type { OpenFunction, Part, Program } from './scope.ts'
import type { Typed } from './typed.ts'

/**
 * The parameter of which a formula gives a part: a field, an element, the value of an option, or of an entry. Values are
 * finite, so a function ends that calls itself with smaller parts only. null: it may give anything.
 */
function partOf(tree: Typed, program: Program): Part | null {
  switch (tree.kind) {
    case 'local':
      return program.parts.get(tree.slot) ?? null
    case 'field':
    case 'element':
      return smaller(partOf(tree.of, program))
    case 'lookup':
      return smaller(partOf(tree.entries, program))
    case 'let':
      return partOf(tree.body, program)
    case 'if': {
      const [yes, no] = [partOf(tree.yes, program), partOf(tree.no, program)]
      if (yes === null || no?.parameter !== yes.parameter) return null
      return { parameter: yes.parameter, smaller: yes.smaller && no.smaller }
    }
    default:
      return null
  }
}

/** Notes that a slot holds the value of a formula, or, with `element`, an element of it. */
export function holds(slot: number, tree: Typed, program: Program, element = false): void {
  if (program.open === null) return
  const part = partOf(tree, program)
  const held = element ? smaller(part) : part
  if (held !== null) program.parts.set(slot, held)
}

function smaller(part: Part | null): Part | null {
  return part && { parameter: part.parameter, smaller: true }
}

/** Checks a call that a function makes of itself: one parameter must become smaller in all of them. */
export function checkOwnCall(open: OpenFunction, args: readonly Typed[], at: number, program: Program): void {
  const { name, parameters } = open.function
  open.shrinking = open.shrinking.filter((slot) => {
    const arg = args[parameters.findIndex((parameter) => parameter.slot === slot)]
    const part = arg === undefined ? null : partOf(arg, program)
    return part?.parameter === slot && part.smaller
  })
  if (open.shrinking.length > 0 || args.some(({ type }) => type.kind === 'nothing')) return
  program.report(
    at,
    `${name}(...) may call itself only with a smaller part of a parameter, the same one each time.`,
    'A part is a field of it, an element, or a field of the alternative that match has found.',
    { code: 'recursion' },
  )
}
