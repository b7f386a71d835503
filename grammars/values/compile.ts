import { analyse, checkExpansion } from '../class-dictionary/checking/checks.ts'
import { Expansion, type Node } from '../class-dictionary/expand.ts'
import type { Dictionary } from '../class-dictionary/model.ts'
import { checkTypeUse } from '../class-dictionary/checking/type-uses.ts'
import { readTypeUse } from '../class-dictionary/parsing/recover.ts'
import { withArguments } from '../class-dictionary/checking/scope.ts'
import { vocabularyOf, type Vocabulary } from '../class-dictionary/vocabulary.ts'
import type { Position, Problem } from '../problem.ts'
import { alternativesByName } from './alternatives.ts'
import { jsonSchemaOf } from './json-schema.ts'
import { noMoulds, parseValue, type ParserInput } from './parse.ts'
import { glueOf, printValue, type Glue } from './print.ts'
import { sampleValue } from './sample.ts'
import { forgetLongWords, isIdent, signsOf, type Signs } from './cursor.ts'
import { readerOf, type Reader } from './reader.ts'
import { Scanner } from './scanner.ts'
import { shapesOf } from './shape.ts'
import { surveyOf, type Survey } from './survey.ts'
import { typescriptOf } from './typescript.ts'
import { validateValue } from './validate.ts'
import type { Values } from './values.ts'

/** The size of the cache of requested types that are not classes of the dictionary, such as `List(Clause)`. */
const MAX_REMEMBERED = 1_000
/** The default size of a sampled value. */
const SAMPLE_SIZE = 100

const start: Position = { line: 1, column: 1, offset: 0 }

type Refused = { readonly ok: false; readonly problem: Problem }

/** The vocabulary of values, and what is derived from it. */
interface Words {
  readonly vocabulary: Vocabulary
  readonly signs: Signs
  readonly glue: Glue
}

/** The analysis of a type. A type can have values that cannot be parsed, such as a list of lists. */
type Known =
  | {
      readonly ok: true
      readonly node: Node
      readonly words: Words
      readonly reading: Reading | Refused
      /** All types that it can contain, including itself. */
      readonly nodes: readonly Node[]
    }
  | Refused

/** How texts of a type are read. */
interface Reading {
  readonly input: ParserInput
  /** Reads what is well-formed and not deep; `parseValue` reads the rest, and finds the problems. */
  readonly reader: (root: Node) => Reader
}

/** A checked dictionary with what is derived from it for its own classes. */
interface Compiled {
  readonly dictionary: Dictionary
  readonly analysis: ReturnType<typeof analyse> & { readonly ok: true }
  readonly words: Words
  readonly reading: Reading
}

/**
 * Creates parser, printer and validator for the values of a dictionary. Throws an Error with the first problem if
 * `checkDictionary` finds any.
 */
export function compileValues(dictionary: Dictionary): Values {
  const analysis = analyse(dictionary)
  if (!analysis.ok) throw new Error(`The dictionary has a problem: ${analysis.problems[0]!.message}`)
  const { vocabulary, predictor } = analysis
  const shapes = shapesOf()
  const alternatives = alternativesByName()
  const words = wordsOf(vocabulary)
  const reading = readingOf({ predictor, vocabulary, alternatives, moulds: noMoulds() }, words)
  const own: Compiled = { dictionary, analysis, words, reading }
  const known = new Map<string, Known>()
  const surveys = new WeakMap<readonly Node[], Survey>()

  function compiled(type: string): Known {
    let one = known.get(type)
    if (one === undefined) {
      one = analyseType(type, own)
      if (known.size >= MAX_REMEMBERED) known.clear()
      known.set(type, one)
    }
    return one
  }

  function surveyed(nodes: readonly Node[]): Survey {
    let survey = surveys.get(nodes)
    if (survey === undefined) surveys.set(nodes, (survey = surveyOf(nodes)))
    return survey
  }

  return {
    literals: new Set(vocabulary.literals),
    shape(type) {
      const one = compiled(type)
      return one.ok ? { ok: true, shape: shapes(one.node) } : one
    },
    parse(text, type, at = start) {
      const one = compiled(type)
      if (!one.ok) return one
      const { node, reading: input } = one
      if ('ok' in input) return input
      const { signs } = one.words
      const value = input.reader(node)(text)
      const parsed =
        value === undefined ? parseValue(node, new Scanner(text, signs), input.input) : { ok: true as const, value }
      forgetLongWords(signs)
      if (parsed.ok) return parsed
      const { offset, message, hint } = parsed
      return {
        ok: false,
        problem: {
          at: placeIn(text, offset, at),
          code: 'value-malformed',
          message,
          ...(hint === undefined ? {} : { hint }),
        },
      }
    },
    print(value, type) {
      const one = compiled(type)
      if (!one.ok) throw new TypeError(one.problem.message)
      if ('ok' in one.reading) throw new TypeError(one.reading.problem.message)
      const wrong = validateValue(one.node, value, one.words.vocabulary, alternatives)
      if (wrong !== null) throw new TypeError(wrong.path === '' ? wrong.message : `${wrong.path}: ${wrong.message}`)
      return printValue(one.node, value, one.words.glue, alternatives)
    },
    validate(value, type) {
      const one = compiled(type)
      if (!one.ok) return { path: '', message: one.problem.message }
      return validateValue(one.node, value, one.words.vocabulary, alternatives)
    },
    sample(type, random, { size = SAMPLE_SIZE } = {}) {
      const one = compiled(type)
      if (!one.ok) return one
      const isName = (text: string): boolean => isIdent(one.words.vocabulary, text)
      const made = sampleValue(one.node, surveyed(one.nodes), alternatives, isName, random, size)
      return made.ok ? made : { ok: false, problem: { at: start, code: 'endless', message: made.message } }
    },
    typescript(type) {
      const one = compiled(type)
      return one.ok ? { ok: true, text: typescriptOf(one.node) } : one
    },
    jsonSchema(type) {
      const one = compiled(type)
      return one.ok ? { ok: true, schema: jsonSchemaOf(one.node, one.words.vocabulary) } : one
    },
  }
}

/** Analyses a requested type: a class of the dictionary, or one that is composed of them, such as `List(Clause)`. */
function analyseType(type: string, { dictionary, analysis, words, reading }: Compiled): Known {
  const { scope, vocabulary, k, expansion } = analysis
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
    const message = `\`${type}\` has no values here: it contains the extern class \`${foreign}\`.`
    return {
      ok: false,
      problem: {
        at: start,
        code: 'class-unknown',
        message,
        hint: 'Only the program that defines it can read and write it.',
      },
    }
  }
  if (own.problem !== null) return { ok: false, problem: own.problem }
  const twice = own.nodes.find((one) => one.kind === 'option' && one.of.kind === 'option')
  if (twice !== undefined) {
    return {
      ok: false,
      problem: { at: start, code: 'ambiguous', message: `\`${twice.text}\` could be null in two ways.` },
    }
  }
  if (isClass) return { ok: true, node, words, reading, nodes: own.nodes }

  const foreignWords = fitVocabulary(vocabulary, own.nodes) ? words : wordsOf(vocabularyOf(dictionary, [use]))
  const checked = checkExpansion(own, foreignWords.vocabulary, k, (one) => one === node)
  return {
    ok: true,
    node,
    words: foreignWords,
    reading: checked.ok
      ? readingOf(
          {
            predictor: checked.predictor,
            vocabulary: foreignWords.vocabulary,
            alternatives: reading.input.alternatives,
            moulds: noMoulds(),
          },
          foreignWords,
        )
      : { ok: false, problem: checked.problems[0]! },
    nodes: own.nodes,
  }
}

function readingOf(input: ParserInput, { signs }: Words): Reading {
  return { input, reader: readerOf(input, signs) }
}

function wordsOf(vocabulary: Vocabulary): Words {
  return { vocabulary, signs: signsOf(vocabulary), glue: glueOf(vocabulary) }
}

/** Do these types need only the vocabulary that the dictionary already has? */
function fitVocabulary(vocabulary: Vocabulary, nodes: readonly Node[]): boolean {
  return nodes.every((node) => {
    if (node.kind !== 'lexical') return node.kind !== 'list' || node.sorted !== 'map' || vocabulary.tokenOf.has('->')
    switch (node.lexical) {
      case 'number':
        return vocabulary.numbers
      case 'boolean':
        return vocabulary.lexical.boolean.length > 0
      case 'char':
        return vocabulary.chars
      case 'verbatim':
        return vocabulary.verbatims
      default:
        return true
    }
  })
}

/** The name of a type below `node` that only other programs know. */
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
