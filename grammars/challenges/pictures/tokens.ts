import type { TokenType } from 'chevrotain'
import { tokens as t } from '../../formulas/index.ts'

export const Picture = t.word('picture')
export const Label = t.word('label')
export const Colour = t.word('colour')
export const Mark = t.word('mark')

/** Put these before the tokens of formulas in the vocabulary of a language with pictures. */
export const pictureTokens: readonly TokenType[] = [Picture, Label, Colour, Mark]
