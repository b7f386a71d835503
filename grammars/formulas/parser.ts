import { EOF, Lexer } from 'chevrotain'
import type { ILexingError, IRecognitionException, IToken } from 'chevrotain'
import { FormulaGrammar } from './grammar.ts'
import { formulaTokens, Name } from './tokens.ts'
import type { Expression } from './tree.ts'
import { Unreadable } from './unreadable.ts'

/** Something wrong at an offset of a text. */
export interface Fault {
  readonly at: number
  readonly message: string
  readonly hint?: string
}

class FormulaParser extends FormulaGrammar {
  constructor() {
    super([...formulaTokens, Name])
    this.performSelfAnalysis()
  }

  read(tokens: IToken[], base: number): Expression {
    this.begin(tokens, base)
    return this.expression()
  }
}

const lexer = new Lexer([...formulaTokens, Name], { positionTracking: 'onlyOffset' })
const parser = new FormulaParser()

/** Reads one formula. `base`: where the text begins in its file; all places are counted from the file's start. */
export function parseFormula(text: string, base = 0): Expression | Fault {
  const { tokens, errors } = lexer.tokenize(text)
  const [lexing] = errors
  if (lexing) return lexingFault(lexing, base)
  try {
    const tree = parser.read(tokens, base)
    const [syntax] = parser.errors
    return syntax ? syntaxFault(syntax, base, text.length) : tree
  } catch (error) {
    if (error instanceof Unreadable) return { at: error.at, message: error.message }
    throw error
  }
}

/** What a lexer's error says. */
export function lexingFault(error: ILexingError, base: number): Fault {
  return { at: base + error.offset, message: 'These characters mean nothing here.' }
}

/** What a parser's error says; at the end of a text of `length` where it ended too soon. */
export function syntaxFault(error: IRecognitionException, base: number, length: number): Fault {
  const at = error.token.tokenType === EOF ? length : error.token.startOffset
  return { at: base + at, message: error.message }
}
