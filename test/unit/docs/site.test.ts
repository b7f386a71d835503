import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { siteAddress } from '../../../renderer/help/site-address.ts'
import { highlighter } from '../../../scripts/docs-site/highlight.ts'
import { headingsOf, pageParts, type CodePiece, type Surroundings } from '../../../scripts/docs-site/markdown.ts'
import { docsSite } from '../../../scripts/docs-site/site.ts'
import { manualPages } from '../../../scripts/manual.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
const around: Surroundings = {
  linkTo: (href) => href,
  pictureOf: (href) => ({ address: href, width: 1, height: 1 }),
  highlight: () => null,
}
const htmlOf = (text: string): string => pageParts(`# T\n\n${text}`, around).rest

describe('a page', () => {
  test.each([
    ['Cops & Robbers', 'cops--robbers'],
    ["Who's `first`?", 'whos-first'],
    ['A [link](x.md) and **more**', 'a-link-and-more'],
    ['Node 26.10, `agent_name`', 'node-2610-agent_name'],
    ['Größe, naïve – 日本', 'größe-naïve--日本'],
  ])('has the anchor of GitHub for %s', (title, anchor) => {
    expect(headingsOf(`# ${title}\n\n## ${title}\n`).map(({ id }) => id)).toEqual([anchor, `${anchor}-1`])
  })

  test('holds no HTML, but comments', () => {
    for (const text of ['A <b>bold</b> word', '<script>x</script>', '<!-- a --><img src=x onerror=y>', '<!-- a'])
      expect(() => htmlOf(text), text).toThrow(/^A page has no HTML/)
    expect(htmlOf('<!-- a comment -->\n\nA word.<!-- one more -->')).toBe('<p>A word.</p>\n')
  })

  test('escapes every text', () => {
    const hostile = `</code>"'&lt;<script>x</script>`
    const safe = '&lt;/code&gt;&quot;&#39;&amp;lt;&lt;script&gt;x&lt;/script&gt;'
    expect(htmlOf(`\`${hostile}\``)).toBe(`<p><code>${safe}</code></p>\n`)
    expect(htmlOf(`\`\`\`${hostile}\n${hostile}\n\`\`\``)).toContain(`<code>${safe}</code>`)
    expect(htmlOf('1 < 2 & "3" \\<b>')).toBe('<p>1 &lt; 2 &amp; &quot;3&quot; &lt;b&gt;</p>\n')
    expect(htmlOf(`| a |\n| - |\n| \`<b>\` |`)).toContain('<td><code>&lt;b&gt;</code></td>')
    expect(htmlOf('[a](<x"onclick="y>)')).not.toContain('"onclick')
    expect(htmlOf('![x" onerror="y](z.png)')).toContain('alt="x&quot; onerror=&quot;y"')
    const pieces = (): readonly CodePiece[] => [{ text: '<b>', kind: 'key"word' }]
    const { rest } = pageParts('# T\n\n```challenge\nx\n```', { ...around, highlight: pieces })
    expect(rest).toContain('<span class="code-key&quot;word">&lt;b&gt;</span>')
  })

  test('has its headings in order', () => {
    for (const text of ['A word', '## Two', '# One\n\n# One more', '# One\n\n### Three', ''])
      expect(() => pageParts(text, around), text).toThrow(/heading/)
  })
})

const pages: Record<string, string> = {
  'README.md':
    '# Docs\n\n## One\n\n| Page |  |\n| --- | --- |\n| [Second](b.md) | x |\n| [First](a.md#part) | |\n\n## Two\n\n' +
    '| Game | Rules |\n| --- | --- |\n| Chess | [Rulebook](games/chess.md) |\n| | [Changes](../CHANGELOG.md) |\n',
  'a.md': '# A\n\n## Part\n\n[b](b.md#the-end) [code](../main/x.ts) [web](https://example.org/?a=1&b=2)\n',
  'b.md': '# B\n\n![A board](images/board.png)\n\n[deep](games/deep.md)\n\n## The end\n\n[up](#the-end)\n',
  'games/chess.md': '# Chess\n\nRules of [A](../a.md) and [a script](../tools/x.py).\n',
  'games/deep.md': '# Deep\n\n[contents](../README.md)\n',
}
const others: Record<string, string> = {
  'CHANGELOG.md': '# Changelog\n',
  'main/x.ts': '',
  'docs/tools/x.py': 'print(1)',
}

/** A project with these pages, some of them changed. */
function projectOf(changed: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder('docs-site')
  const docs = Object.entries({ ...pages, ...changed }).map(([name, text]) => [`docs/${name}`, text] as const)
  for (const [name, text] of [...docs, ...Object.entries(others)]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  mkdirSync(join(folder, 'docs/images'))
  const picture = readFileSync(join(root, 'docs/images/sign-in-normal-light-390.png'))
  writeFileSync(join(folder, 'docs/images/board.png'), picture)
  return folder
}

const made = (changed?: Readonly<Record<string, string>>): ReadonlyMap<string, string | Buffer> =>
  docsSite({ root: projectOf(changed), highlight: () => null })
const textOf = (files: ReadonlyMap<string, string | Buffer>, file: string): string => String(files.get(file))
/** The addresses of links with a relation, or in the text. */
const linked = (html: string, pattern: RegExp): readonly string[] =>
  [...html.matchAll(pattern)].map(([, address]) => address!)

describe('the site', () => {
  test('leads through all pages in the order of the contents, linked ones after the page that links them', () => {
    const files = made()
    const order = ['index.html']
    for (let next = order[0]; next !== undefined;) {
      const [to] = linked(textOf(files, next), /rel="next" href="([^"]*)"/g)
      const file = to === undefined ? undefined : new URL(to, `file:///${next}`).pathname.slice(1)
      if (file !== undefined) {
        expect(linked(textOf(files, file), /rel="prev" href="([^"]*)"/g)).toHaveLength(1)
        order.push(file)
      }
      next = file
    }
    expect(order).toEqual([
      'index.html',
      'b.html',
      'games/deep.html',
      'a.html',
      'games/chess.html',
      'project/changelog.html',
    ])
    expect([...files.keys()].toSorted()).toEqual(
      [...order, 'images/board.png', 'search-texts.js', 'tools/x.py'].toSorted(),
    )
    const nav = /<nav id="site-pages"[^]*?<\/nav>/.exec(textOf(files, 'games/chess.html'))![0]
    expect(linked(nav, /href="([^"]*)"/g)).toEqual([
      '../b.html',
      '../a.html#part',
      'chess.html',
      '../project/changelog.html',
    ])
    expect(linked(nav, /aria-current="page">([^<]*)</g)).toEqual(['Chess: Rules'])
  })

  test('links pages, files and the web; other files of the project are words', () => {
    const files = made()
    const links = (file: string): readonly string[] =>
      linked(/<article>[^]*<\/article>/.exec(textOf(files, file))![0], /<a href="([^"]*)"/g)
    expect(links('a.html')).toEqual(['b.html#the-end', 'https://example.org/?a=1&amp;b=2'])
    expect(links('b.html')).toEqual(['games/deep.html', '#the-end'])
    expect(links('games/chess.html')).toEqual(['../a.html', '../tools/x.py'])
    expect(links('games/deep.html')).toEqual(['../index.html'])
    expect(textOf(files, 'b.html')).toContain('<img src="images/board.png" alt="A board" width="390" ')
  })

  test.each([
    ['docs/a.md: The link none.md', { 'a.md': '# A\n\n## Part\n\n[x](none.md)' }],
    ['docs/a.md: The link b.md#none', { 'a.md': '# A\n\n## Part\n\n[x](b.md#none)' }],
    ['docs/a.md: The link #none', { 'a.md': '# A\n\n## Part\n\n[x](#none)' }],
    ['docs/a.md: The link ../../x', { 'a.md': '# A\n\n## Part\n\n[x](../../x)' }],
    ['docs/a.md: The link javascript:alert', { 'a.md': '# A\n\n## Part\n\n[x](javascript:alert)' }],
    ['docs/a.md: The link data:text/html,x', { 'a.md': '# A\n\n## Part\n\n[x](data:text/html,x)' }],
    ['docs/a.md: The link https://a@b.c', { 'a.md': '# A\n\n## Part\n\n[x](https://a@b.c)' }],
    ['docs/a.md: The picture images/none.png', { 'a.md': '# A\n\n## Part\n\n![x](images/none.png)' }],
    ['docs/a.md: The picture https://x.y/z.png', { 'a.md': '# A\n\n## Part\n\n![x](https://x.y/z.png)' }],
    ['docs/lone.md: no page links it', { 'lone.md': '# Lone' }],
  ])('is refused for what leads nowhere: %s', (message, changed) => {
    expect(() => made(changed)).toThrow(message)
  })

  test('gives its texts to the search by section', () => {
    const script = textOf(made(), 'search-texts.js')
    const texts: unknown = JSON.parse(script.slice('globalThis.documentation = '.length))
    expect(texts).toContainEqual({
      page: { id: 'a.html', title: 'A' },
      sections: [
        { at: '', title: 'A', text: '' },
        { at: 'part', title: 'Part', text: 'b code web' },
      ],
    })
  })
})

describe('the documentation', () => {
  let highlight: (code: string, language: string) => readonly CodePiece[] | null
  beforeAll(async () => {
    highlight = await highlighter(root)
  })

  test('becomes pages, one for each of the manual, without inline script or style, and whose ids are unique', () => {
    const files = docsSite({ root, highlight })
    const manual = ['', ...manualPages().map(({ id }) => id)]
    expect(manual.filter((id) => !files.has(siteAddress(id).replace('./help/', '')))).toEqual([])
    const html = [...files]
      .filter(([file]) => file.endsWith('.html'))
      .map(([file, text]) => [file, String(text)] as const)
    expect(html.length).toBeGreaterThan(60)
    for (const [file, text] of html) {
      expect([file, text.match(/<style|<script(?! src="[./]*site\.js" defer>)| style=| on[a-z]+="/g)]).toEqual([
        file,
        null,
      ])
      const ids = linked(text, / id="([^"]*)"/g)
      expect([file, new Set(ids).size]).toEqual([file, ids.length])
    }
    expect(String(files.get('images/grammars/formula.svg'))).not.toContain('<style')
    expect(String(files.get('images/grammars/formula.svg.css'))).toContain('stroke')
  })

  test('colours challenges by the grammars for editors, and keeps their whole text', () => {
    const code = 'define f(n: int) = if n = 1 then "a" else "b" // end\n\ndefine g = 2'
    const pieces = highlight(code, 'challenge')!
    expect(pieces.map(({ text }) => text).join('')).toBe(code)
    const kindOf = (text: string): string | null | undefined => pieces.find((piece) => piece.text.includes(text))?.kind
    expect(['define', '1', '"a"', '// end', 'f('].map(kindOf)).toEqual(['keyword', 'number', 'string', 'comment', null])
    expect(highlight(code, 'sh')).toBeNull()
  })
})
