import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const script = pathToFileURL(join(root, 'scripts/grammars.mjs')).href
const { grammarFiles } = (await import(script)) as { grammarFiles(): Promise<ReadonlyMap<string, string>> }
const files = await grammarFiles()

test.each([...files])('%s is up to date: `npm run grammars` writes it', (path, text) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(text)
})

test('the railroad diagrams are XML, need no network and run nothing', () => {
  const pictures = [...files].filter(([path]) => path.endsWith('.svg'))
  expect(pictures).toHaveLength(3)
  for (const [, svg] of pictures) {
    expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(
      /<script|<image|href|@import|url\(|https?:|\/\//,
    )
    const parser = new SaxesParser({ xmlns: true })
    parser.on('error', (error) => {
      throw error
    })
    parser.write(svg).close()
    expect(svg.match(/class="railroad-diagram"/g)?.length).toBeGreaterThan(10)
  }
})

test('every rule that a grammar mentions has its text, once', () => {
  const page = files.get('docs/grammars.md')!
  const blocks = [...page.matchAll(/```text\n([^]*?)```/g)].map(([, text]) => text!)
  const defined = (text: string) => [...text.matchAll(/^(\w+) =/gm)].map(([, name]) => name!)
  const used = (text: string) => [...text.replace(/"[^"]*"/g, '').matchAll(/(?<![\w])[a-z]\w*/g)].map(([name]) => name)
  const [challenge, formula, dictionary] = blocks
  for (const [own, all] of [
    [challenge!, `${challenge}${formula}`],
    [formula!, formula!],
    [dictionary!, dictionary!],
  ] as const) {
    expect(new Set(defined(own)).size).toBe(defined(own).length)
    expect(defined(all)).toEqual(expect.arrayContaining(used(own)))
  }
})
