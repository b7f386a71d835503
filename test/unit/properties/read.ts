import { Lexer } from 'chevrotain'
import type { IToken } from 'chevrotain'
import { checkDictionary, readDictionary } from '../../../grammars/class-dictionary/index.ts'
import { badTokens, newProgram, syntaxFault, tokens, typeOf } from '../../../grammars/formulas/index.ts'
import type { Value } from '../../../grammars/formulas/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { PropertyGrammar, propertyTokens, readProperty } from '../../../grammars/properties/index.ts'
import type { Property, RuleTree } from '../../../grammars/properties/index.ts'
import { compileValues } from '../../../grammars/values/index.ts'
import type { Values } from '../../../grammars/values/index.ts'

const vocabulary = [...propertyTokens, ...tokens.formulaTokens, ...tokens.lastTokens]

class RuleParser extends PropertyGrammar {
  constructor() {
    super(vocabulary)
    this.performSelfAnalysis()
  }

  read(all: IToken[]): RuleTree[] {
    this.begin(all, 0)
    return this.propertyRules()
  }
}

const lexer = new Lexer(vocabulary, { positionTracking: 'onlyOffset' })
const parser = new RuleParser()

export interface Readable {
  /** The classes; the value described is a `Root`. */
  readonly dictionary: string
  /** `Class.label: rule ...`, without the braces. */
  readonly rules: string
  /** A class of the dictionary of which there is a value before, called "given". */
  readonly given?: string
}

export type Read = {
  /** The problems, as "offset in the rules: message". */
  readonly faults: readonly string[]
  readonly values: Values
  property(): TestedProperty
}

export interface TestedProperty {
  check(value: Json, given?: Json): string | null
  generate(random: () => number, given?: Json): ReturnType<Property['generate']>
}

function valuesOf(source: string): Values {
  const { dictionary, problems } = readDictionary(source)
  const all = dictionary ? [...problems, ...checkDictionary(dictionary)] : problems
  if (!dictionary || all.length > 0) throw new Error(all.map(({ message }) => message).join(' '))
  return compileValues(dictionary)
}

export function read({ dictionary, rules, given }: Readable): Read {
  const values = valuesOf(dictionary)
  const program = newProgram(() => null)
  const shapeOf = (name: string) => {
    const found = values.shape(name)
    if (!found.ok) throw new Error(found.problem.message)
    return found.shape
  }
  const scope = new Map()
  if (given !== undefined) scope.set('given', program.variable(typeOf(shapeOf(given))))
  const source = `{${rules}}`
  const { tokens: all } = lexer.tokenize(source)
  const bad = badTokens(all, 0)
  const trees = bad.length > 0 ? [] : parser.read(all)
  const syntax = bad.length > 0 ? bad : parser.errors.map((error) => syntaxFault(error, 0, source.length))
  const subject = { name: 'root', shape: shapeOf('Root'), scope, program, values }
  const property = syntax.length > 0 ? null : readProperty(trees, subject)
  const faults = [...syntax, ...program.faults].map(({ at, message }) => `${at - 1}: ${message}`)
  return {
    faults,
    values,
    property() {
      if (!property || faults.length > 0) throw new Error(faults.join(' '))
      const ready = property()
      const inputs = (value: Json | undefined): Value[] => (value === undefined ? [] : [value])
      return {
        check(value, before) {
          const misfit = ready.check(value, inputs(before))
          return misfit && `${misfit.path}: ${misfit.message}`
        },
        generate: (random, before) => ready.generate(inputs(before), random),
      }
    },
  }
}

/** A stream of uniform 32-bit numbers (splitmix32). */
export function stream(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
}
