import { Lexer } from 'chevrotain'
import type { IToken } from 'chevrotain'
import {
  checkDefinition,
  checkFormula,
  Compiler,
  evaluate,
  FormulaGrammar,
  newProgram,
  parseFormula,
  show,
  tokens,
  typeOf,
} from '../../../grammars/formulas/index.ts'
import type { Definition, Value } from '../../../grammars/formulas/index.ts'
import type { ClassShape, Shape } from '../../../grammars/values/index.ts'

export interface Surroundings {
  /** Names with their shapes and values. */
  readonly names?: Readonly<Record<string, readonly [Shape, Value]>>
  readonly definitions?: readonly Definition[]
  readonly classes?: readonly ClassShape[]
  readonly steps?: number
}

/** The value of a formula as a sentence shows it, or what is wrong: "offset: message". */
export function run(text: string, surroundings: Surroundings = {}): string {
  const tree = parseFormula(text)
  if ('message' in tree) return `${tree.at}: ${tree.message}`
  const { names = {}, definitions = [], classes = [], steps } = surroundings
  const program = newProgram((name) => classes.find((one) => one.name === name) ?? null)
  const entries = Object.entries(names)
  const scope = new Map(entries.map(([name, [shape]]) => [name, program.variable(typeOf(shape))]))
  for (const definition of definitions) checkDefinition(definition, new Map(), program)
  const typed = checkFormula(tree, { kind: 'nothing' }, 'It', scope, program)
  const [fault] = program.faults
  if (fault) return `${fault.at}: ${fault.message}`
  const code = new Compiler().compile(typed)
  const inputs = entries.map(([, [, value]]) => value)
  const result = evaluate(code, program.size, inputs, steps)
  return result.ok ? show(result.value) : `${result.at ?? '?'}: ${result.message}`
}

const vocabulary = [...tokens.formulaTokens, ...tokens.lastTokens]

class DefinitionParser extends FormulaGrammar {
  constructor() {
    super(vocabulary)
    this.performSelfAnalysis()
  }

  read(all: IToken[]): Definition {
    this.begin(all, 0)
    return this.definition()
  }
}

const lexer = new Lexer(vocabulary, { positionTracking: 'onlyOffset' })
const parser = new DefinitionParser()

/** `define name(parameter: type, ...) = formula` */
export function definitionOf(text: string): Definition {
  const definition = parser.read(lexer.tokenize(text).tokens)
  const [error] = parser.errors
  if (error) throw error
  return definition
}
