import { bound, checkFormula, checkLoop, nothing } from './check-parts.ts'
import { tooDeepAt } from '../syntax/depth.ts'
import type { Program, Scope } from './scope.ts'
import { extentOf } from './extent.ts'
import type { Definition, Demand, Expression } from '../syntax/tree.ts'
import type { Typed, TypedDemand } from './typed.ts'
import { isBuiltIn } from './check-calls.ts'
import { BOOLEAN, NOTHING } from './types.ts'
import type { FormulaFault } from '../syntax/fault.ts'
import { parseFormula } from '../syntax/parser.ts'
import { textOf } from '../syntax/tokens.ts'

/** Checks the types of demands. Problems are reported to the program; compile the result only if there are none. */
export function checkDemands(demands: readonly Demand[], scope: Scope, program: Program): readonly TypedDemand[] {
  return demands.map((demand): TypedDemand => {
    if (demand.kind === 'each') {
      const parts = demand.loop.filter ? [demand.loop.source, demand.loop.filter] : [demand.loop.source]
      for (const part of parts) {
        const deep = tooDeepAt(part)
        if (deep === null) continue
        program.report(deep, 'This nests too deeply or is too long; name a part of it with define or let.', undefined, {
          code: 'too-deep',
        })
        return { kind: 'require', at: demand.at, condition: nothing(), sentence: [] }
      }
      const { loop, scope: inner } = checkLoop(demand.loop, scope, program)
      return { kind: 'each', at: demand.at, loop, demands: checkDemands(demand.demands, inner, program) }
    }
    const condition = checkFormula(demand.condition, BOOLEAN, 'What follows "require"', scope, program)
    const template = readTemplate(demand.sentence.image, demand.sentence.at)
    const sentence: (string | Typed)[] = []
    if ('message' in template) program.report(template.at, template.message, template.hint, template)
    else {
      for (const part of template) {
        const what = 'What a sentence shows'
        sentence.push(typeof part === 'string' ? part : checkFormula(part, NOTHING, what, scope, program))
      }
    }
    return { kind: 'require', at: demand.at, condition, sentence }
  })
}

/**
 * Checks the types of a definition and adds it to the program's functions. `scope`: the names that all functions may
 * use.
 */
export function checkDefinition(definition: Definition, scope: Scope, program: Program): void {
  const { name, at } = definition
  if (isBuiltIn(name))
    program.report(at, `"${name}" is a function of the language; choose another name.`, undefined, {
      code: 'name-taken',
    })
  if (program.functions.has(name))
    program.report(at, `"${name}" is already defined above.`, 'Keep one of them, or give it another name.', {
      code: 'name-twice',
    })
  let inner = scope
  const parameters = definition.parameters.map((parameter) => {
    const variable = program.variable(program.resolve(parameter.type))
    inner = bound(parameter.name, variable, parameter.at, inner, program)
    return variable
  })
  const first = parameters[0]?.slot ?? program.size
  const result = definition.result && program.resolve(definition.result)
  // The parts that only the body can tell are filled in when it has been checked.
  const defined = { name, parameters, body: nothing(), extent: { depth: 0, size: 0 }, slots: { first, end: first } }
  if (result !== null) {
    defined.body = { ...nothing(), type: result }
    program.functions.set(name, defined)
    program.open = { function: defined, shrinking: parameters.map(({ slot }) => slot) }
    for (const { slot } of parameters) program.parts.set(slot, { parameter: slot, smaller: false })
  }
  const body = checkFormula(definition.body, result ?? NOTHING, name, inner, program)
  program.open = null
  // An int where numbers are promised is one of them.
  defined.body = result === null || body.type.kind === 'nothing' ? body : { ...body, type: result }
  defined.extent = extentOf(body)
  defined.slots.end = program.size
  program.functions.set(name, defined)
}

/**
 * Splits a sentence such as `"at most {config.maxVars} variables"` into texts and formulas. `image`: the text as
 * written, with quotes; `at`: its offset in the file; `\{` is a brace.
 */
function readTemplate(image: string, at: number): readonly (string | Expression)[] | FormulaFault {
  const parts: (string | Expression)[] = []
  let plain = ''
  for (let i = 1; i < image.length - 1; i++) {
    const character = image.charAt(i)
    if (character === '\\') {
      plain += textOf(`"${image.slice(i, i + 2)}"`)
      i++
    } else if (character === '{') {
      const end = closing(image, i)
      if (end < 0)
        return {
          at: at + i,
          code: 'bracket-missing',
          message: 'This brace is not closed.',
          hint: 'Write \\{ for a brace itself.',
        }
      const formula = parseFormula(image.slice(i + 1, end), at + i + 1)
      if ('message' in formula) return formula
      parts.push(plain, formula)
      plain = ''
      i = end
    } else plain += character
  }
  parts.push(plain)
  return parts
}

function closing(image: string, open: number): number {
  let depth = 0
  for (let i = open; i < image.length; i++) {
    if (image.charAt(i) === '{') depth++
    else if (image.charAt(i) === '}' && --depth === 0) return i
  }
  return -1
}
