import { Lexer } from 'chevrotain'
import type { IToken } from 'chevrotain'
import { badTokens, syntaxFault, Unreadable } from '../formulas/index.ts'
import type { FormulaFault } from '../formulas/index.ts'
import { lazily } from '../lazily.ts'
import { proven } from '../proven.ts'
import { grammar } from './grammar.ts'
import { MOST } from './problems.ts'
import type { ChallengeTree, Section } from './tree.ts'
import { BadBlock, BlockToken, sectionWords, vocabulary } from './words.ts'

const lexer = lazily(() => new Lexer(vocabulary, { ...proven, positionTracking: 'onlyOffset' }))

/**
 * The parsed sections of a .challenge file, and its faults. Sections without faults are present even if others have
 * some.
 */
export interface Parsed {
  readonly tree: ChallengeTree
  readonly faults: readonly FormulaFault[]
  /** The first words of the sections that could not be parsed. */
  readonly broken: ReadonlySet<string>
}

const nothing: ChallengeTree = { name: { at: 0, name: '' }, title: '', sections: [] }

/** Parses the text of a .challenge file; if it has faults, section by section. */
export function parseChallenge(source: string): Parsed {
  const { tokens } = lexer().tokenize(source)
  const open = tokens.find(({ tokenType, image }) => {
    return tokenType === BadBlock || (tokenType === BlockToken && image.includes('{{', 2))
  })
  if (open) return unreadable([{ at: open.startOffset, message: 'This block {{ is not closed by }}.' }])
  const bad = badTokens(tokens, 0)
  if (bad.length > 0) return unreadable(bad)
  const whole = attempt(() => grammar().file(), tokens, source.length)
  return whole.ok ? { tree: whole.value, faults: [], broken: new Set() } : parseInPieces(source, tokens, whole.fault)
}

function unreadable(faults: readonly FormulaFault[]): Parsed {
  return { tree: nothing, faults, broken: new Set() }
}

type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: FormulaFault }

/** `end`: where the text of these tokens ends. */
function attempt<T>(rule: () => T, tokens: IToken[], end: number): Attempt<T> {
  const reader = grammar()
  reader.begin(tokens)
  try {
    const value = rule()
    const [error] = reader.errors
    return error ? { ok: false, fault: syntaxFault(error, 0, end) } : { ok: true, value }
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, fault: { at: error.at, message: error.message } }
    throw error
  }
}

/**
 * Parses section by section. `first`: the fault of the file as a whole, the only one if no sections can be recognized.
 */
function parseInPieces(source: string, tokens: readonly IToken[], first: FormulaFault): Parsed {
  const starts = beginnings(source, tokens)
  const faults: FormulaFault[] = []
  /** Applies a rule to one piece, whose text ends where the next one begins. */
  const read = <T>(i: number, rule: () => T): Attempt<T> => {
    const next = tokens[starts[i + 1] ?? tokens.length]
    const result = attempt(rule, tokens.slice(starts[i], starts[i + 1]), next?.startOffset ?? source.length)
    if (result.ok || next === undefined || result.fault.at !== next.startOffset) return result
    const message = result.fault.message.replace(/^Found the end of the text/, `Found "${next.image}"`)
    return { ok: false, fault: { ...result.fault, message } }
  }
  const header = read(0, () => grammar().header())
  if (!header.ok) faults.push(header.fault)
  const sections: Section[] = []
  const broken = new Set<string>()
  for (let i = 1; i < starts.length && faults.length < MOST; i++) {
    const section = read(i, () => grammar().section())
    if (section.ok) sections.push(section.value)
    else {
      faults.push(section.fault)
      broken.add(tokens[starts[i]!]!.image)
    }
  }
  const tree = header.ok ? { ...header.value, sections } : { ...nothing, sections }
  return { tree, faults: faults.length > 0 ? faults : [first], broken }
}

/**
 * Indices of the tokens that begin the header and the sections: section words in the column of the file's first word.
 */
function beginnings(source: string, tokens: readonly IToken[]): readonly number[] {
  const indentation = (at: number): number | null => {
    let line = at
    while (line > 0 && (source[line - 1] === ' ' || source[line - 1] === '\t')) line--
    return line === 0 || source[line - 1] === '\n' || source[line - 1] === '\r' ? at - line : null
  }
  const column = indentation(tokens[0]?.startOffset ?? 0)
  const starts = [0]
  for (const [i, { tokenType, startOffset }] of tokens.entries()) {
    if (i > 0 && sectionWords.has(tokenType) && indentation(startOffset) === column) starts.push(i)
  }
  return starts
}
