import { parseChallenge, tokensOf } from '../challenges/parse.ts'
import { LONGEST } from '../challenges/read.ts'
import type { ChallengeTree } from '../challenges/tree.ts'
import { BlockToken, Challenge, Dictionary, League, sectionWords } from '../challenges/words.ts'
import { tokens as t } from '../formulas/index.ts'
import type { IToken } from 'chevrotain'
import { formatDictionary } from './format-dictionary.ts'
import { layOut, lineEndOf } from './layout.ts'
import type { Lines, Style } from './layout.ts'

/**
 * The text of a challenge, laid out anew: tokens and comments stay, and so does the text of prose and values; null: it does not follow
 * the grammar. The line breaks are those of the text's first line.
 */
export function formatChallenge(source: string): string | null {
  if (source.length > LONGEST) return null
  const mark = source.startsWith('\ufeff') ? '\ufeff' : ''
  const text = source.slice(mark.length)
  const tokens = tokensOf(text)
  const { tree, faults } = parseChallenge(text, tokens)
  if (faults.length > 0) return null
  const laid = tokens.map(({ startOffset: from, image }) => ({ from, image }))
  const lineEnd = lineEndOf(text)
  return `${mark}${layOut(text, laid, styleOf(tokens, tree, lineEnd))}${lineEnd}`
}

/** Two tokens between which the author decides: a word may be a name or have a meaning of its own. */
const binary: ReadonlySet<string> = new Set(['+', '*', '/', '=', '!=', '<', '<=', '>', '>=', 'or', 'and', 'div', 'mod'])
const operators: ReadonlySet<string> = new Set([...binary, '-', 'in', 'subset', 'not'])
/** Words that go on with what the line before has begun. */
const joining: ReadonlySet<string> = new Set(
  [...operators].filter((image) => image !== 'not' && image !== '-').concat('-', 'then', 'else', 'where', 'from', 'at'),
)
/** Words and signs behind which a line goes on. */
const open: ReadonlySet<string> = new Set([...operators, 'then', 'else', 'where', 'for', 'if', 'let', ',', ':', '..'])
const looks: ReadonlySet<string> = new Set(['label', 'colour', 'mark'])

function styleOf(tokens: readonly IToken[], tree: ChallengeTree, lineEnd: string): Style {
  const structure = structureOf(tokens, tree)
  const { starts, pairs, hyphens, leagueEnds, anchors } = structure
  const image = (i: number): string => tokens[i]?.image ?? ''
  const isGap = (i: number): boolean => tokens[i]!.startOffset > tokens[i - 1]!.startOffset + image(i - 1).length
  const isPrefix = (i: number): boolean => {
    if (image(i) !== '-' || hyphens.has(i)) return false
    const before = tokens[i - 1]
    if (before === undefined || isReserved(before) || /^[([{,;:]$|^\.\.$/.test(before.image)) return true
    if (operators.has(before.image)) return true
    // A word such as "label" is a name or begins what follows: the author has told them apart by spaces.
    return isWord(before) && isGap(i) && !isGap(i + 1)
  }
  const spaced = (i: number, had: boolean): boolean => {
    const [before, next] = [image(i - 1), image(i)]
    if (hyphens.has(i) || hyphens.has(i - 1)) return false
    if (/^[([.]$|^\.\.$/.test(before) || /^[)\],;:.]$|^\.\.$/.test(next)) return false
    if (before === '-' && isPrefix(i - 1)) return next === '-'
    if (next === '/' || before === '/') {
      const at = next === '/' ? i : i - 1
      const isNumber = tokens[at - 1]?.tokenType === t.Numeral && tokens[at + 1]?.tokenType === t.Numeral
      return !isNumber || isGap(at)
    }
    if (next === '(' || next === '[') {
      const token = tokens[i - 1]!
      if (leagueEnds.has(i - 1)) return true
      if (/^[)\]]$/.test(before)) return next === '(' && had
      if (isReserved(token) || operators.has(before)) return true
      if (isWord(token) || structure.statements.has(i - 1)) return had
      return token.tokenType !== t.Name
    }
    return true
  }
  return {
    spaced,
    lineEnd,
    begins: (i) => starts.has(i) && i > 0,
    indent: (i, lines) => indentOf(i, lines),
    text(i, level) {
      const token = tokens[i]!
      return token.tokenType === BlockToken && tokens[i - 1]?.tokenType === Dictionary
        ? block(token.image, level, lineEnd)
        : token.image
    },
  }

  function indentOf(i: number, lines: Lines): number {
    const close = pairs.opened.get(i)
    if (close !== undefined) return lines.level(close)
    const around = pairs.around[i] ?? -1
    const inner = around === -1 ? 0 : lines.level(around) + 1
    if (starts.has(i)) return 0
    const before = structure.lets.get(i - 1)
    if (before !== undefined && around !== -1) return Math.max(inner, lines.level(before))
    const anchor = anchors.get(i)
    if (anchor !== undefined && (around === -1 || lines.level(anchor) >= inner)) return lines.level(anchor) + 1
    return inner + (isContinuation(i, around) ? 1 : 0)
  }

  function isContinuation(i: number, around: number): boolean {
    if (around === -1) return true
    if (image(around) !== '{' || pairs.lists.has(around)) return false
    if (/^[(["\d]/.test(image(i))) return true
    return joining.has(image(i)) || looks.has(image(i)) || open.has(image(i - 1))
  }
}

/** The tokens with a role for the layout, by their indices. */
interface Structure {
  /** First tokens of sections. */
  readonly starts: ReadonlySet<number>
  /** First tokens of a statement in braces, behind which the author decides about a space. */
  readonly statements: ReadonlySet<number>
  readonly pairs: Pairs
  /** The hyphens within names of challenges and leagues. */
  readonly hyphens: ReadonlySet<number>
  /** The last token of the name, or the title, of a league. */
  readonly leagueEnds: ReadonlySet<number>
  /** For a "then" or "else", the "if" or "require" to which it belongs. */
  readonly anchors: ReadonlyMap<number, number>
  /** For a semicolon, its "let". */
  readonly lets: ReadonlyMap<number, number>
}

interface Pairs {
  /** For each closing bracket, its opening one. */
  readonly opened: ReadonlyMap<number, number>
  /** For each token, the innermost opening bracket around it; -1: none. */
  readonly around: readonly number[]
  /** The braces of "match" and "choose", whose contents are separated by commas. */
  readonly lists: ReadonlySet<number>
}

function structureOf(tokens: readonly IToken[], tree: ChallengeTree): Structure {
  const indexOf = new Map(tokens.map(({ startOffset }, i) => [startOffset, i]))
  const starts = new Set([0])
  for (const { at } of tree.sections) {
    const i = indexOf.get(at) ?? 0
    // The place of a function is its name, behind "define".
    starts.add(sectionWords.has(tokens[i]!.tokenType) && tokens[i - 1]?.tokenType !== t.Define ? i : i - 1)
  }
  const hyphens = new Set<number>()
  const leagueEnds = new Set<number>()
  for (const [i, { tokenType }] of tokens.entries()) {
    if (tokenType !== League && tokenType !== Challenge) continue
    if (i > 0 && !isStatementStart(tokens, i, starts)) continue
    let at = i + 1
    while (tokens[at + 1]?.tokenType === t.Minus) {
      hyphens.add(at + 1)
      at += 2
    }
    leagueEnds.add(at)
    if (tokens[at + 1]?.tokenType === t.Text) leagueEnds.add(at + 1)
    if (tokens[at + 2]?.image === 'secret') leagueEnds.add(at + 2)
  }
  const statements = new Set(tokens.flatMap((_, i) => (isStatementStart(tokens, i, starts) ? [i] : [])))
  return {
    starts,
    statements,
    pairs: pairsOf(tokens),
    hyphens,
    leagueEnds,
    anchors: anchorsOf(tokens),
    lets: letsOf(tokens),
  }
}

/** True for a token that begins a section or may begin a statement in braces. */
function isStatementStart(tokens: readonly IToken[], i: number, starts: ReadonlySet<number>): boolean {
  if (starts.has(i)) return true
  const before = tokens[i - 1]
  if (before === undefined || open.has(before.image)) return false
  return /^[{})\]]$/.test(before.image) || isOperand(before) || before.tokenType === BlockToken
}

function isOperand({ tokenType }: IToken): boolean {
  return (
    [t.Numeral, t.Text, t.Name, t.True, t.False].includes(tokenType) || tokenType.CATEGORIES?.includes(t.Name) === true
  )
}

function pairsOf(tokens: readonly IToken[]): Pairs {
  const opened = new Map<number, number>()
  const lists = new Set<number>()
  const around: number[] = []
  const stack: number[] = []
  /** For each level of brackets, the number of "match" and "choose" that wait for their braces. */
  const waiting: number[] = [0]
  for (const [i, { image, tokenType }] of tokens.entries()) {
    if (/^[)\]}]$/.test(image)) {
      const start = stack.pop()
      if (start !== undefined) opened.set(i, start)
      if (waiting.length > 1) waiting.pop()
    }
    around.push(stack.at(-1) ?? -1)
    if (tokenType === t.Match || (image === 'choose' && tokens[i + 1]?.image === '{')) waiting[waiting.length - 1]!++
    if (!/^[([{]$/.test(image)) continue
    if (image === '{' && waiting.at(-1)! > 0) {
      waiting[waiting.length - 1]!--
      lists.add(i)
    }
    stack.push(i)
    waiting.push(0)
  }
  return { opened, around, lists }
}

function anchorsOf(tokens: readonly IToken[]): ReadonlyMap<number, number> {
  const anchors = new Map<number, number>()
  const stack: { readonly at: number; readonly anchor: number }[] = []
  for (const [i, { tokenType }] of tokens.entries()) {
    if (tokenType === t.If) {
      const chained = tokens[i - 1]?.tokenType === t.Else ? anchors.get(i - 1) : undefined
      stack.push({ at: i, anchor: chained ?? i })
    } else if (tokenType === t.Require) stack.push({ at: i, anchor: i })
    else if (tokenType === t.Then || tokenType === t.Else) {
      const last = stack.at(-1)
      // The "else" of a match is a case of its own.
      if (last === undefined || tokens[i + 1]?.tokenType === t.Colon) continue
      anchors.set(i, last.anchor)
      if (tokenType === t.Else) stack.pop()
    }
  }
  return anchors
}

function letsOf(tokens: readonly IToken[]): ReadonlyMap<number, number> {
  const lets = new Map<number, number>()
  const stack: number[] = []
  for (const [i, { tokenType }] of tokens.entries()) {
    if (tokenType === t.Let) stack.push(i)
    else if (tokenType === t.Semicolon) lets.set(i, stack.pop() ?? i)
  }
  return lets
}

function isReserved({ tokenType }: IToken): boolean {
  return tokenType.name.startsWith('Reserved_')
}

/** A word that has a meaning in some places and is a name in all others. */
function isWord({ tokenType }: IToken): boolean {
  return tokenType.name.startsWith('Word_')
}

/** The text of a dictionary's block, on the line where it begins if it fits there. */
function block(image: string, level: number, lineEnd: string): string {
  const inner = image.slice(2, -2)
  const made = formatDictionary(inner, 0, lineEnd, true)?.trimEnd()
  if (made === undefined) return image
  if (made === '') return '{{ }}'
  if (!/[\n\r]/.test(`${inner}${made}`)) return `{{ ${made} }}`
  return `{{${lineEnd}${formatDictionary(inner, level + 1, lineEnd, true)}${'  '.repeat(level)}}}`
}
