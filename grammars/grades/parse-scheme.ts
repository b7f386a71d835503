import { Lexer } from 'chevrotain'
import type { IToken } from 'chevrotain'
import { badTokens, syntaxFault, tokens as t, Unreadable } from '../formulas/index.ts'
import type { FormulaFault } from '../formulas/index.ts'
import { lazily } from '../lazily.ts'
import { proven } from '../proven.ts'
import { Bands, SchemeGrammar, type SchemeTree } from './scheme-grammar.ts'

const allTokens = [Bands, ...t.formulaTokens, ...t.lastTokens]

class SchemeParser extends SchemeGrammar {
  constructor() {
    super(allTokens)
    this.performSelfAnalysis()
  }

  read(tokens: IToken[]): SchemeTree {
    this.begin(tokens, 0)
    return this.scheme()
  }
}

const lexer = lazily(() => new Lexer(allTokens, { ...proven, positionTracking: 'onlyOffset' }))
const parser = lazily(() => new SchemeParser())

/** Parses the text of a scheme. */
export function parseScheme(text: string): SchemeTree | { readonly faults: readonly FormulaFault[] } {
  const { tokens } = lexer().tokenize(text)
  const bad = badTokens(tokens, 0)
  if (bad.length > 0) return { faults: bad }
  try {
    const reader = parser()
    const tree = reader.read(tokens)
    const [syntax] = reader.errors
    return syntax === undefined ? tree : { faults: [syntaxFault(syntax, 0, text.length)] }
  } catch (error) {
    if (error instanceof Unreadable) return { faults: [{ at: error.at, code: 'syntax', message: error.message }] }
    throw error
  }
}
