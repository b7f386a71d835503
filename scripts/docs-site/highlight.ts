import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { CodePiece } from './markdown.ts'

/** The languages of our own in the fences of pages, and their grammars, which editors use too. */
const scopes: Readonly<Record<string, string>> = { challenge: 'source.challenge', idiom: 'source.challenge' }

/** The kind of a piece by the beginning of the name that its grammar gives it, the first that fits. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/\bcomment/, 'comment'],
  [/\bconstant/, 'number'],
  [/\bstring/, 'string'],
  [/\bkeyword/, 'keyword'],
]

/** A highlighter of challenges, by the grammars in docs/editors. `root`: the project's folder. */
export async function highlighter(
  root: string,
): Promise<(code: string, language: string) => readonly CodePiece[] | null> {
  const [{ default: oniguruma }, { default: textmate }] = await Promise.all([
    import('vscode-oniguruma'),
    import('vscode-textmate'),
  ])
  await oniguruma.loadWASM(readFileSync(createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm')))
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar(scope) {
      const file = `${scope.replace('source.', '')}.tmLanguage.json`
      const path = join(root, 'docs', 'editors', 'vscode', 'syntaxes', file)
      return Promise.resolve(textmate.parseRawGrammar(readFileSync(path, 'utf8'), path))
    },
  })
  const names = [...new Set(Object.values(scopes))]
  const grammars = new Map(
    await Promise.all(names.map(async (name) => [name, await registry.loadGrammar(name)] as const)),
  )
  return (code, language) => {
    const grammar = grammars.get(scopes[language] ?? '')
    if (grammar === undefined || grammar === null) return null
    const pieces: CodePiece[] = []
    let state = textmate.INITIAL
    for (const [at, line] of code.split('\n').entries()) {
      if (at > 0) pieces.push({ text: '\n', kind: null })
      const { tokens, ruleStack } = grammar.tokenizeLine(line, state)
      state = ruleStack
      for (const { startIndex, endIndex, scopes: own } of tokens)
        pieces.push({ text: line.slice(startIndex, endIndex), kind: kindOf(own.slice(1).join(' ')) })
    }
    return joined(pieces)
  }
}

const kindOf = (name: string): string | null => kinds.find(([pattern]) => pattern.test(name))?.[1] ?? null

/** Neighbours of one kind are one piece. */
function joined(pieces: readonly CodePiece[]): readonly CodePiece[] {
  const whole: { text: string; kind: string | null }[] = []
  for (const { text, kind } of pieces) {
    const last = whole.at(-1)
    if (last?.kind === kind) last.text += text
    else whole.push({ text, kind })
  }
  return whole
}
