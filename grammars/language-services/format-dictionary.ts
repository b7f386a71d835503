import { olderLexer } from '../class-dictionary/parsing/older-tokens.ts'
import { lexer } from '../class-dictionary/parsing/tokens.ts'
import { readDictionary } from '../class-dictionary/index.ts'
import { layOut, lineEndOf } from './layout.ts'
import type { LaidToken, Style } from './layout.ts'

/**
 * The text of a class dictionary, laid out anew; null: it has problems, or is one of an older dialect inside a challenge.
 * `level`: by how many levels all lines are indented. `lineEnd`: the line break; default: that of the first
 * line.
 */
export function formatDictionary(
  source: string,
  level = 0,
  lineEnd = lineEndOf(source),
  inChallenge = false,
): string | null {
  const { dictionary, dialect } = readDictionary(source, { resolve: () => '', wantsLabels: inChallenge })
  if (dictionary === null || (inChallenge && dialect !== 'C')) return null
  const { tokens } = (dialect === 'C' ? lexer() : olderLexer()).tokenize(source)
  const laid = tokens.map(({ startOffset: from, image }) => ({ from, image }))
  const images = tokens.map(({ image }) => image)
  const made = layOut(source, laid, dialect === 'C' ? styleOf(images, lineEnd) : olderStyleOf(laid, lineEnd), level)
  // A dialect is stated in the first line, where no other line may come to stand.
  const first = /^\s*[\n\r]\s*\/\/\s*dialect\s*:/.test(source) ? lineEnd : ''
  return made === '' ? '' : `${first}${made}${lineEnd}`
}

/**
 * The older dialects have words, signs and code that may stand together in more ways, so only the amount of white space changes: each
 * class has a line of its own, and what is on further lines is indented.
 */
function olderStyleOf(tokens: readonly LaidToken[], lineEnd: string): Style {
  const begins = (i: number): boolean => {
    const [before, token] = [tokens[i - 1], tokens[i]]
    if (before === undefined || token === undefined) return false
    return /^[.;]$/.test(before.image) && before.from + 1 < token.from && !/^[.;]/.test(token.image)
  }
  return {
    spaced: (_, had) => had,
    begins,
    indent: (i) => (i === 0 || begins(i) ? 0 : 1),
    lineEnd,
    text: (i) => tokens[i]!.image,
  }
}

function styleOf(images: readonly string[], lineEnd: string): Style {
  const starts = beginningsOf(images)
  return {
    spaced(i) {
      const [before, image] = [images[i - 1]!, images[i]!]
      if (before === '(' || before === '<' || image === ')' || image === '>' || image === ',' || image === ';')
        return false
      if (image === '.') return before === '=' || before === '|'
      // "a.b" and "a.*" of imports; behind a class comes the next one, on a line of its own.
      if (image === '.*' || before === '.') return false
      if (image === '(') return !/[\w$]$/.test(before)
      if (image === ':') return false
      return true
    },
    begins: (i) => starts.has(i) && i > 0,
    indent: (i) => (starts.has(i) ? 0 : 1),
    lineEnd,
    text: (i) => images[i]!,
  }
}

const directives: ReadonlySet<string> = new Set(['include', 'using', 'package', 'import', 'lookahead'])

/** The indices of the tokens with which directives and classes begin: a directive ends with ";", a class with ".". */
function beginningsOf(images: readonly string[]): ReadonlySet<number> {
  const starts = new Set<number>()
  for (let i = 0; i < images.length;) {
    starts.add(i)
    const isDirective = directives.has(images[i]!) || images[i + 1] === 'include'
    const end = images.indexOf(isDirective ? ';' : '.', i)
    if (end === -1) break
    i = end + 1
  }
  return starts
}
