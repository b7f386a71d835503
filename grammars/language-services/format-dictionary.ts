import { lexer } from '../class-dictionary/parsing/tokens.ts'
import { readDictionary } from '../class-dictionary/index.ts'
import { layOut, lineEndOf } from './layout.ts'
import type { Style } from './layout.ts'

/**
 * The text of a class dictionary, laid out anew; null: it has problems, or is one of the older dialects, whose layout stays.
 * `level`: by how many levels all lines are indented. `lineEnd`: the line break; default: that of the first line.
 */
export function formatDictionary(source: string, level = 0, lineEnd = lineEndOf(source)): string | null {
  const read = readDictionary(source, { resolve: () => '', wantsLabels: true })
  if (read.dictionary === null || read.dialect !== 'C') return null
  const { tokens } = lexer().tokenize(source)
  const images = tokens.map(({ image }) => image)
  const laid = tokens.map(({ startOffset: from, image }) => ({ from, image }))
  const made = layOut(source, laid, styleOf(images, lineEnd), level)
  return made === '' ? '' : `${made}${lineEnd}`
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
