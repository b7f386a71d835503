import { Lexer } from 'chevrotain'
import type { IToken } from 'chevrotain'
import { badTokens, syntaxFault, Unreadable } from '../formulas/index.ts'
import type { FormulaFault } from '../formulas/index.ts'
import { behind } from '../formulas/syntax/repair.ts'
import { wantedIn } from '../formulas/syntax/syntax-errors.ts'
import type { Stop } from '../formulas/syntax/stop.ts'
import { lazily } from '../lazily.ts'
import { proven } from '../proven.ts'
import { grammar } from './grammar.ts'
import { kindOf } from './habits.ts'
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
  /** The places at which the parser stopped. */
  readonly stops: readonly Stop[]
}

const nothing: ChallengeTree = { name: { at: 0, name: '' }, title: '', sections: [] }

export function tokensOf(source: string): IToken[] {
  const { tokens } = lexer().tokenize(source)
  // A byte order mark belongs to the file and not to its text.
  return tokens[0]?.image === '\ufeff' && tokens[0].startOffset === 0 ? tokens.slice(1) : tokens
}

/** Parses the text of a .challenge file; if it has faults, section by section. */
export function parseChallenge(source: string, tokens = tokensOf(source)): Parsed {
  const open = tokens.find(({ tokenType, image }) => {
    return tokenType === BadBlock || (tokenType === BlockToken && image.includes('{{', 2))
  })
  if (open)
    return unreadable([
      {
        at: open.startOffset,
        code: 'block-open',
        message: 'This block {{ is not closed by }}.',
        hint: 'Write }} where it ends.',
      },
    ])
  const bad = badTokens(tokens, 0)
  if (bad.length > 0) return unreadable(bad)
  const whole = attempt(() => grammar().file(), source, tokens)
  if (whole.ok) return { tree: whole.value, faults: [], broken: new Set(), stops: [] }
  return parseInPieces(source, tokens, whole)
}

function unreadable(faults: readonly FormulaFault[]): Parsed {
  return { tree: nothing, faults, broken: new Set(), stops: [] }
}

type Attempt<T> = { readonly ok: true; readonly value: T } | Failed
/** `stop`: where the parser stopped; null: for another reason than the grammar. */
type Failed = { readonly ok: false; readonly fault: FormulaFault; readonly stop: Stop | null }

function attempt<T>(rule: () => T, source: string, tokens: IToken[]): Attempt<T> {
  const reader = grammar()
  reader.begin(tokens)
  try {
    const value = rule()
    const [error] = reader.errors
    if (!error) return { ok: true, value }
    const last = tokens.at(-1)
    // A part that is missing at the end is missing behind the last token.
    const fault = syntaxFault(error, 0, last === undefined ? source.length : behind(last))
    const found = tokens.indexOf(error.token)
    const i = found === -1 ? tokens.length : found
    const stop: Stop = {
      source,
      tokens,
      i,
      rule: error.context.ruleStack.at(-1) ?? 'file',
      wanted: wantedIn(error.message),
    }
    return { ok: false, fault: { ...fault, ...kindOf(stop) }, stop }
  } catch (error) {
    if (error instanceof Unreadable)
      return { ok: false, fault: { at: error.at, code: 'too-deep', message: error.message }, stop: null }
    throw error
  }
}

/**
 * Parses section by section. `first`: the fault of the file as a whole, the only one if no sections can be recognized.
 */
function parseInPieces(source: string, tokens: readonly IToken[], first: Failed): Parsed {
  const starts = beginnings(source, tokens)
  const failed: Failed[] = []
  /** Applies a rule to one piece, whose text ends where the next one begins. */
  const read = <T>(i: number, rule: () => T): Attempt<T> => {
    const next = tokens[starts[i + 1] ?? tokens.length]
    const result = attempt(rule, source, tokens.slice(starts[i], starts[i + 1]))
    if (result.ok || next === undefined) return result
    const message = result.fault.message.replace(/^Found the end of the text/, `Found "${next.image}"`)
    return { ...result, fault: { ...result.fault, message } }
  }
  const header = read(0, () => grammar().header())
  if (!header.ok) failed.push(header)
  const sections: Section[] = []
  const broken = new Set<string>()
  for (let i = 1; i < starts.length && failed.length < MOST; i++) {
    const section = read(i, () => grammar().section())
    if (section.ok) sections.push(section.value)
    else {
      failed.push(section)
      broken.add(tokens[starts[i]!]!.image)
    }
  }
  const tree = header.ok ? { ...header.value, sections } : { ...nothing, sections }
  const all = failed.length > 0 ? failed : [first]
  return {
    tree,
    faults: all.map(({ fault }) => fault),
    broken,
    stops: all.flatMap(({ stop }) => (stop === null ? [] : [stop])),
  }
}

/**
 * Indices of the tokens that begin the header and the sections: section words in the column of the file's first word.
 */
function beginnings(source: string, tokens: readonly IToken[]): readonly number[] {
  const indentation = (at: number): number | null => {
    let line = at
    while (line > 0 && (source[line - 1] === ' ' || source[line - 1] === '\t')) line--
    const isStart =
      line === 0 || source[line - 1] === '\n' || source[line - 1] === '\r' || source[line - 1] === '\ufeff'
    return isStart ? at - line : null
  }
  const column = indentation(tokens[0]?.startOffset ?? 0)
  const starts = [0]
  for (const [i, { tokenType, startOffset }] of tokens.entries()) {
    if (i > 0 && sectionWords.has(tokenType) && indentation(startOffset) === column) starts.push(i)
  }
  return starts
}
