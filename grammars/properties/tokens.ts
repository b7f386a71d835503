import type { TokenType } from 'chevrotain'
import { tokens as t } from '../formulas/index.ts'

export const Range = t.word('range')
export const Enum = t.word('enum')
export const Length = t.word('length')
export const Element = t.word('element')
export const Distinct = t.word('distinct')
export const Matches = t.word('matches')
export const Choose = t.word('choose')

/** Put these before the tokens of formulas in the vocabulary of a language with properties. */
export const propertyTokens: readonly TokenType[] = [Range, Enum, Length, Element, Distinct, Matches, Choose]
