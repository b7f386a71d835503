export interface Token {
  readonly kind: 'word' | 'text' | 'number' | 'comment' | 'plain'
  readonly text: string
}
export type Language = 'challenge' | 'script' | 'none'

const words: Record<Language, string> = {
  challenge:
    'challenge text config dictionary set legal feasible quality measure define bound goal example predicate instance solution require else let if then for at in where match of option some none and or not div mod min max sum count length all any distinct subset true false',
  script:
    'async await break case catch class const continue default delete do else export extends false finally for from function if import in instanceof let new null of return static super switch this throw true try typeof undefined var void while yield',
  none: '',
}

/** Comment, string, number, name; anything else is plain. A string ends with its line. */
const token =
  /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|`(?:\\.|[^`\\])*`?)|(\b\d+(?:\.\d+)?)|([A-Za-z_]\w*(?:-[A-Za-z]\w*)*)/g

/** One line split into parts by colour. */
export function highlight(line: string, language: Language): readonly Token[] {
  if (language === 'none') return [{ kind: 'plain', text: line }]
  const known = new Set(words[language].split(' '))
  const tokens: Token[] = []
  let from = 0
  for (const found of line.matchAll(token)) {
    const [all, comment, text, digits, name] = found
    const kind =
      comment !== undefined
        ? 'comment'
        : text !== undefined
          ? 'text'
          : digits !== undefined
            ? 'number'
            : name !== undefined && known.has(name)
              ? 'word'
              : 'plain'
    if (kind === 'plain') continue
    if (found.index > from) tokens.push({ kind: 'plain', text: line.slice(from, found.index) })
    tokens.push({ kind, text: all })
    from = found.index + all.length
  }
  if (from < line.length) tokens.push({ kind: 'plain', text: line.slice(from) })
  return tokens
}

/** Numbers, from 1, of a challenge's lines that are prose and are not highlighted. */
export function proseOf(challenge: string): ReadonlySet<number> {
  const prose = new Set<number>()
  let inside = false
  for (const [i, line] of challenge.split('\n').entries()) {
    if (inside && line.trim() === '}}') inside = false
    if (inside) prose.add(i + 1)
    if (/^\s*text\s*\{\{\s*$/.test(line)) inside = true
  }
  return prose
}
