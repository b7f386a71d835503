import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import oniguruma from 'vscode-oniguruma'
import textmate, { type IGrammar } from 'vscode-textmate'
import { tokensOf } from '../../../grammars/challenges/parse.ts'
import { BlockToken } from '../../../grammars/challenges/words.ts'
import { lexer } from '../../../grammars/class-dictionary/parsing/tokens.ts'
import { tokens as t } from '../../../grammars/formulas/index.ts'
import { SHIPPED, sourceOf } from '../challenges/shipped.ts'

const folder = join(import.meta.dirname, '../../../docs/editors/vscode/syntaxes')
const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm')

async function loadGrammar(scope: string): Promise<IGrammar> {
  await (loaded ??= oniguruma.loadWASM(readFileSync(wasm)))
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar(wanted) {
      const path = join(folder, `${wanted.replace('source.', '')}.tmLanguage.json`)
      return Promise.resolve(textmate.parseRawGrammar(readFileSync(path, 'utf8'), path))
    },
  })
  return (await registry.loadGrammar(scope))!
}
let loaded: Promise<void> | undefined

/** The scopes at each offset of a text, joined. */
function scopesOf(grammar: IGrammar, text: string): readonly string[] {
  const scopes: string[] = []
  let state = textmate.INITIAL
  let at = 0
  for (const line of text.split('\n')) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state)
    for (const { startIndex, endIndex, scopes: own } of tokens)
      scopes.fill(own.slice(1).join(' '), at + startIndex, (scopes.length = Math.max(scopes.length, at + endIndex)))
    state = ruleStack
    at += line.length + 1
    scopes.length = at
  }
  return scopes
}

test.each(SHIPPED)('the TextMate grammar sees the tokens of the parser: %s', async (name) => {
  const text = sourceOf(name)
  const scopes = scopesOf(await loadGrammar('source.challenge'), text)
  const tokens = tokensOf(text)
  const wrong: string[] = []
  let end = 0
  for (const [i, { tokenType, image, startOffset: at }] of tokens.entries()) {
    // Behind a token stand spaces and comments.
    for (const { index, 0: comment } of text.slice(end, at).matchAll(/\/\/[^\n]*|\/\*[^]*?\*\//g))
      if (!/comment/.test(scopes[end + index + 2] ?? '')) wrong.push(comment)
    end = at + image.length
    const isLabel = tokens[i - 1]?.tokenType === t.Dot
    const wanted =
      tokenType === t.Text
        ? /^string\.quoted/
        : tokenType === BlockToken
          ? /markup\.raw|meta\.embedded\.class-dictionary|string\.unquoted/
          : tokenType === t.Numeral
            ? /constant\.numeric/
            : isLabel
              ? /variable\.other\.property/
              : tokenType.name.startsWith('Reserved_')
                ? /keyword|constant\.language/
                : tokenType.name.startsWith('Word_')
                  ? /keyword|function|property/
                  : tokenType === t.Name
                    ? /variable|entity|support/
                    : /^(keyword\.operator)?$/
    const inside = tokenType === BlockToken || tokenType === t.Text ? Math.min(3, image.length - 1) : 0
    if (!wanted.test(scopes[at + inside] ?? '')) wrong.push(`${image.slice(0, 30)}: ${scopes[at + inside]}`)
  }
  expect(wrong).toEqual([])
})

test.each(SHIPPED)('the TextMate grammar of dictionaries sees the tokens of their parser: %s', async (name) => {
  const text = /^dictionary \{\{([^]*?)\}\}/m.exec(sourceOf(name))![1]!
  const scopes = scopesOf(await loadGrammar('source.class-dictionary'), text)
  const wrong: string[] = []
  const { tokens } = lexer().tokenize(text)
  for (const [i, { tokenType, image, startOffset: at }] of tokens.entries()) {
    const isLabel = tokens[i - 1]?.image === '<'
    const wanted = image.startsWith('"')
      ? /^string\.quoted/
      : isLabel
        ? /property/
        : tokenType.name === 'Identifier'
          ? /entity\.name\.type|support\.type/
          : tokenType.name === 'PrintCommand' || tokenType.name.startsWith('Word_')
            ? /^keyword/
            : /^(keyword\.operator)?$/
    if (!wanted.test(scopes[at] ?? '')) wrong.push(`${image}: ${scopes[at]}`)
  }
  expect(wrong).toEqual([])
})

test('formulas within sentences, and words of other meanings, are told apart', async () => {
  const grammar = await loadGrammar('source.challenge')
  const at = (text: string, part: string): string => scopesOf(grammar, text)[text.indexOf(part)]!
  expect(at('  require a else "Not {length(x)}."', 'length')).toMatch(/string.*embedded.*support\.function/)
  expect(at('  require a else "Not \\{length(x)}."', 'length')).toBe('string.quoted.double')
  expect(at('measure = mine(x)', 'mine')).toBe('entity.name.function')
  expect(at('measure = 1..config.text', 'text')).toBe('variable.other.property')
  expect(at('measure = 1..text', 'text')).not.toContain('property')
  expect(at('text {{\n  if a "b\n}}\ngoal = max', 'goal')).toBe('keyword.other.section')
  expect(at('// goal = max', 'goal')).toContain('comment')
})
