export interface Token {
  readonly kind: 'word' | 'text' | 'number' | 'comment' | 'plain'
  readonly text: string
}
export type Language = 'challenge' | 'script' | 'none'

const words: Record<Language, string> = {
  challenge:
    'challenge text config dictionary set bag legal quality require else for in at if then and or not let where min max sum count all any example predicate instance solution maximize minimize measure satisfied',
  script:
    'async await break case catch class const continue default delete do else export extends false finally for from function if import in instanceof let new null of return static super switch this throw true try typeof undefined var void while yield',
  none: '',
}

/** Comment, text, number, name; anything else is plain. A text ends with its line. */
const token =
  /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|`(?:\\.|[^`\\])*`?)|(\b\d[\w.]*)|([A-Za-z_]\w*)/g

/** The parts of one line that are drawn in a colour of their own; together they are the line. */
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
