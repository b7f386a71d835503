import { analyse, checkExpansion } from '../class-dictionary/checks.ts'
import { Expansion } from '../class-dictionary/expand.ts'
import type { ChoiceNode, ClassNode, Node } from '../class-dictionary/expand.ts'
import type { Predictor } from '../class-dictionary/lookahead.ts'
import type { Dictionary } from '../class-dictionary/model.ts'
import { checkTypeUse } from '../class-dictionary/names.ts'
import { readTypeUse } from '../class-dictionary/read.ts'
import { withArguments } from '../class-dictionary/scope.ts'
import type { Vocabulary } from '../class-dictionary/vocabulary.ts'
import type { Position, Problem } from '../problem.ts'
import { parseValue } from './parse.ts'
import { glueOf, printValue } from './print.ts'
import type { Glue } from './print.ts'
import { Scanner, signsOf } from './scanner.ts'
import { shapesOf } from './shapes.ts'
import { validateValue } from './validate.ts'
import type { Values } from './values.ts'

/** Types asked for that are not classes of the dictionary, such as `List(Clause)`, and are remembered. */
const MAX_REMEMBERED = 1_000

const start: Position = { line: 1, column: 1, offset: 0 }

type Refused = { readonly ok: false; readonly problem: Problem }

/** How the values of a type are written. */
interface Writing {
  readonly ok: true
  readonly predictor: Predictor
  readonly vocabulary: Vocabulary
  readonly glue: Glue
}

/** What is known of a type. It can have values and yet no way to write them, such as a list of lists. */
type Known = { readonly ok: true; readonly node: Node; readonly writing: Writing | Refused } | Refused

/**
 * Parser, printer and validator for the values of a dictionary in which `checkDictionary` finds nothing; throws an Error
 * with the first problem otherwise.
 */
export function compileValues(dictionary: Dictionary): Values {
  const analysis = analyse(dictionary)
  if (!analysis.ok) throw new Error(`The dictionary has not been checked: ${analysis.problems[0]!.message}`)
  const { scope, vocabulary, k, expansion, predictor } = analysis
  const signs = signsOf(vocabulary)
  const glue = glueOf(vocabulary)
  const shapes = shapesOf()
  const alternatives = alternativesByName()
  const known = new Map<string, Known>()

  function compiled(type: string): Known {
    let one = known.get(type)
    if (one === undefined) {
      one = compile(type)
      if (known.size >= MAX_REMEMBERED) known.clear()
      known.set(type, one)
    }
    return one
  }

  function compile(type: string): Known {
    const use = readTypeUse(type)
    if ('message' in use) return { ok: false, problem: use }
    for (const inner of withArguments([use])) {
      const problem = checkTypeUse(scope, inner, null, new Set(), true)
      if (problem !== null) return { ok: false, problem }
    }
    const isClass = scope.classes.has(use.name) && use.arguments.length === 0
    const own = isClass ? expansion : new Expansion(scope)
    const node = own.node(use, null)
    const foreign = foreignBelow(node)
    if (foreign !== null) {
      const message = `\`${type}\` has no values here: it holds a \`${foreign}\`.`
      return { ok: false, problem: { at: start, message, hint: 'Use int, number, ident or string.' } }
    }
    if (own.problem !== null) return { ok: false, problem: own.problem }
    const twice = own.nodes.find((one) => one.kind === 'option' && one.of.kind === 'option')
    if (twice !== undefined) {
      return { ok: false, problem: { at: start, message: `\`${twice.text}\` could be null in two ways.` } }
    }
    if (isClass) return { ok: true, node, writing: { ok: true, predictor, vocabulary, glue } }

    const numbers = vocabulary.numbers || own.nodes.some((one) => one.kind === 'lexical' && one.lexical === 'number')
    const words = numbers === vocabulary.numbers ? vocabulary : { ...vocabulary, numbers }
    const checked = checkExpansion(own, words, k, (one) => one === node)
    const writing: Writing | Refused = checked.ok
      ? { ok: true, predictor: checked.predictor, vocabulary: words, glue: glueOf(words) }
      : { ok: false, problem: checked.problems[0]! }
    return { ok: true, node, writing }
  }

  return {
    shape(type) {
      const one = compiled(type)
      return one.ok ? { ok: true, shape: shapes(one.node) } : one
    },
    parse(text, type, at = start) {
      const one = compiled(type)
      if (!one.ok) return one
      const { node, writing } = one
      if (!writing.ok) return writing
      const { predictor: decisions, vocabulary: words } = writing
      const parsed = parseValue(node, new Scanner(text, words, signs), decisions, words)
      if (parsed.ok) return parsed
      const { offset, message, hint } = parsed
      return { ok: false, problem: { at: placeIn(text, offset, at), message, ...(hint === undefined ? {} : { hint }) } }
    },
    print(value, type) {
      const one = compiled(type)
      if (!one.ok) throw new TypeError(one.problem.message)
      if (!one.writing.ok) throw new TypeError(one.writing.problem.message)
      const wrong = validateValue(one.node, value, vocabulary, alternatives)
      if (wrong !== null) throw new TypeError(wrong.path === '' ? wrong.message : `${wrong.path}: ${wrong.message}`)
      return printValue(one.node, value, one.writing.glue, alternatives)
    },
    validate(value, type) {
      const one = compiled(type)
      if (!one.ok) return { path: '', message: one.problem.message }
      return validateValue(one.node, value, vocabulary, alternatives)
    },
  }
}

function alternativesByName(): (node: ChoiceNode, name: string) => ClassNode | undefined {
  const tables = new Map<ChoiceNode, ReadonlyMap<string, ClassNode>>()
  return (node, name) => {
    let table = tables.get(node)
    if (table === undefined) {
      table = new Map(node.alternatives.map((alternative) => [alternative.node.name, alternative.node]))
      tables.set(node, table)
    }
    return table.get(name)
  }
}

/** The name of a type below `node` that is known to other programs only. */
function foreignBelow(root: Node): string | null {
  const seen = new Set([root])
  for (const node of seen) {
    if (node.kind === 'foreign') return node.text
    if (node.kind === 'list' || node.kind === 'option') seen.add(node.of)
    else if (node.kind === 'choice') for (const { node: inner } of node.alternatives) seen.add(inner)
    else if (node.kind === 'class') for (const item of node.items) if (item.kind === 'field') seen.add(item.type)
  }
  return null
}

function placeIn(text: string, offset: number, at: Position): Position {
  let line = 0
  let lineStart = 0
  for (let i = 0; i < offset; i++) {
    const code = text.charCodeAt(i)
    if (code !== 10 && !(code === 13 && text.charCodeAt(i + 1) !== 10)) continue
    line++
    lineStart = i + 1
  }
  return {
    line: at.line + line,
    column: line === 0 ? at.column + offset : offset - lineStart + 1,
    offset: at.offset + offset,
  }
}
