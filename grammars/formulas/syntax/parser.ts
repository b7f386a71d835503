import { EOF, Lexer } from 'chevrotain'
import type { IRecognitionException, IToken } from 'chevrotain'
import { lazily } from '../../lazily.ts'
import { proven } from '../../proven.ts'
import { FormulaGrammar } from './grammar.ts'
import { BadCharacter, BadComment, BadText, formulaTokens, lastTokens } from './tokens.ts'
import { foreignSigns } from './foreign-signs.ts'
import { faultOf, type Repair } from './repair.ts'
import type { FormulaFault } from './fault.ts'
import type { Expression } from './tree.ts'
import { Unreadable } from './syntax-errors.ts'

class FormulaParser extends FormulaGrammar {
  constructor() {
    super([...formulaTokens, ...lastTokens])
    this.performSelfAnalysis()
  }

  read(tokens: IToken[], base: number): Expression {
    this.begin(tokens, base)
    return this.expression()
  }
}

const lexer = lazily(() => new Lexer([...formulaTokens, ...lastTokens], { ...proven, positionTracking: 'onlyOffset' }))
const parser = lazily(() => new FormulaParser())

/** Parses one formula. `base`: the offset of the text in its file; all offsets are from the start of the file. */
export function parseFormula(text: string, base = 0): Expression | FormulaFault {
  const { tokens } = lexer().tokenize(text)
  const [foreign] = foreignSigns(text, tokens)
  if (foreign) return faultOf({ ...foreign, ...shifted(foreign, base) })
  const [bad] = badTokens(tokens, base)
  if (bad) return bad
  try {
    const reader = parser()
    const tree = reader.read(tokens, base)
    const [syntax] = reader.errors
    return syntax ? syntaxFault(syntax, base, text.length) : tree
  } catch (error) {
    if (error instanceof Unreadable) return { at: error.at, code: 'too-deep', message: error.message }
    throw error
  }
}

function shifted({ at, from, to }: Repair, base: number): Pick<Repair, 'at' | 'from' | 'to'> {
  return { at: base + (at ?? from), from: base + from, to: base + to }
}

/** The faults of tokens that exist only to be refused. */
export function badTokens(tokens: readonly IToken[], base: number): readonly FormulaFault[] {
  const faults: FormulaFault[] = []
  for (const { tokenType, startOffset, image } of tokens) {
    const at = base + startOffset
    if (tokenType === BadCharacter) faults.push({ at, ...characterFault(image) })
    else if (tokenType === BadComment)
      faults.push({ at, code: 'comment-open', message: 'This comment is not closed.', hint: 'Write */ where it ends.' })
    else if (tokenType === BadText) {
      const hint = 'A backslash must come before ", \\, n, t, { or }; a text must end on its line.'
      faults.push({
        at,
        code: 'text-open',
        message: 'This text is not closed, or contains an invalid backslash.',
        hint,
      })
    }
  }
  return faults
}

function characterFault(image: string): Omit<FormulaFault, 'at'> {
  const hint = /^\p{L}/u.test(image)
    ? 'Names have the letters A to Z, digits, "_" and "$".'
    : /^["'\u2018-\u201f`]/.test(image)
      ? 'A text stands in straight double quotes, on one line.'
      : 'Remove it, or write a word of the language.'
  return { code: 'character', message: `${JSON.stringify(image.slice(0, 20))} means nothing here.`, hint }
}

/** The fault for a parser's error; at the end of the text, whose length is `length`, if it ended too early. */
export function syntaxFault(error: IRecognitionException, base: number, length: number): FormulaFault {
  const at = error.token.tokenType === EOF ? length : error.token.startOffset
  return { at: base + at, code: 'syntax', message: error.message }
}
