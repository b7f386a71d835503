import { createToken } from 'chevrotain'
import type { TokenType } from 'chevrotain'
import { tokens as t } from '../formulas/index.ts'
import { propertyTokens } from '../properties/index.ts'
import { Generate, Planted } from './generators/tokens.ts'
import { pictureTokens } from './pictures/tokens.ts'
import { sectionMeanings } from './section-words.ts'

export const BlockToken = createToken({
  name: 'Block',
  label: '{{ ... }}',
  pattern: /\{\{[^}]*(?:\}[^}]+)*\}\}/,
  line_breaks: true,
})
/** An unclosed block, up to the end of the file. */
export const BadBlock = createToken({ name: 'BadBlock', pattern: /\{\{[^]*/, line_breaks: true })

export const Challenge = t.word('challenge')
export const TextWord = t.word('text')
export const Config = t.word('config')
export const Dictionary = t.word('dictionary')
export const SetWord = t.word('set')
export const Legal = t.word('legal')
export const Feasible = t.word('feasible')
export const Predicate = t.word('predicate')
export const Instance = t.word('instance')
export const Solution = t.word('solution')
export const Measure = t.word('measure')
export const GoalWord = t.word('goal')
export const Max = t.word('max')
export const Min = t.word('min')
export const Bound = t.word('bound')
export const Belief = t.word('belief')
export const Property = t.word('property')
export const League = t.word('league')
export const Secret = t.word('secret')
export const Example = t.word('example')
export const Refused = t.word('refused')
export const Quality = t.word('quality')
export const Because = t.word('because')
export const Reference = t.word('reference')
export const Format = t.word('format')
export const Best = t.word('best')

const words = [Challenge, TextWord, Config, Dictionary, SetWord, Legal, Feasible, Predicate, Instance, Solution]
const more = [
  Measure,
  GoalWord,
  Max,
  Min,
  Bound,
  Belief,
  Property,
  League,
  Secret,
  Example,
  Refused,
  Quality,
  Because,
  Reference,
  Format,
  Best,
]

// Words first: "instance" must be tried before "in".
export const vocabulary: TokenType[] = [
  ...[BlockToken, BadBlock, ...words, ...more],
  ...[Generate, Planted, ...propertyTokens, ...pictureTokens, ...t.formulaTokens, ...t.lastTokens],
]

/** The words that begin a section. */
export const sectionWords: ReadonlySet<TokenType> = new Set(
  vocabulary.filter(({ PATTERN }) => typeof PATTERN === 'string' && Object.hasOwn(sectionMeanings, PATTERN)),
)
