import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { prose } from '../../../renderer/parts/text/prose.ts'
import { highlightScript, type Token } from '../../../renderer/parts/text/script-highlight.ts'
import { textLines, visible } from '../../../renderer/parts/lists/visible.ts'
import { anyText } from '../../any-text.ts'

describe('visible', () => {
  test('terminal escapes, NUL and turned text are shown as signs', () => {
    expect(visible('\u001b[31mred\u0000')).toBe('‹U+001B›[31mred‹U+0000›')
    expect(visible('evil\u202Egnp.exe')).toBe('evil‹U+202E›gnp.exe')
    expect(visible('tab\tand\nline stay, é 你 🙂 too')).toBe('tab\tand\nline stay, é 你 🙂 too')
  })

  test('leaves nothing that turns or controls', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(visible(text)).not.toMatch(/[[\p{Bidi_Control}\p{Cc}]--[\t\n]]/v)
      }),
    )
  })
})

describe('textLines', () => {
  test('a line of a million characters becomes many short ones under one number', () => {
    const lines = textLines(`first\n${'x'.repeat(1_000_000)}\r\nlast`)
    expect(lines).toHaveLength(502)
    expect(lines.map(({ number }) => number).filter((number) => number !== null)).toEqual([1, 2, 3])
    expect(Math.max(...lines.map(({ text }) => text.length))).toBe(2_000)
  })

  test('no character is cut in two and none is lost', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 9 }), (text, longest) => {
        const lines = textLines(text, longest)
        expect(lines.every((line) => line.text.isWellFormed())).toBe(true)
        const joined = lines.map((line, i) => (line.number !== null && i > 0 ? '\n' : '') + line.text).join('')
        expect(joined).toBe(visible(text.replaceAll('\r\n', '\n')))
      }),
    )
  })

  test('an empty text has one empty line', () => {
    expect(textLines('')).toEqual([{ number: 1, text: '' }])
  })
})

describe('a script in colours', () => {
  const tokensOf = async (text: string, from = 0, to = text.length) =>
    (await highlightScript(text, () => true))?.(from, to) ?? []
  const coloured = (tokens: readonly Token[]) =>
    tokens.filter(({ kind }) => kind !== 'plain').map(({ kind, text }) => `${kind} ${text}`)

  test('the parts of any stretch are the stretch', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.nat(), fc.nat(), async (text, a, b) => {
        const [from = 0, to = 0] = [a, b].map((each) => each % (text.length + 1)).toSorted((x, y) => x - y)
        expect((await tokensOf(text, from, to)).map((token) => token.text).join('')).toBe(text.slice(from, to))
      }),
    )
  })

  test('words, texts, numbers and comments, of JavaScript and TypeScript', async () => {
    expect(coloured(await tokensOf("const a: number = true ? 'x' : 0x1f // why"))).toEqual([
      'word const',
      'word true',
      "text 'x'",
      'number 0x1f',
      'comment // why',
    ])
  })

  test('what goes over several lines is known on each of them', async () => {
    const text = 'a /* one\nreturn 2 */ b\n`x\nif ${y}`'
    expect(coloured(await tokensOf(text, 9, 20))).toEqual(['comment return 2 */'])
    expect(coloured(await tokensOf(text, 26, text.length))).toEqual(['text if ', 'text `'])
  })

  test('a long one is read slice by slice, and given up when it is wanted no longer', async () => {
    const long = 'const a = [1, 2, 3].map((each) => each + 1)\n'.repeat(20_000)
    expect(await highlightScript(long, () => false)).toBeNull()
  })
})

describe('prose', () => {
  test('paragraphs, lists and code; HTML is text', () => {
    expect(prose('One\ntwo `a<b>`.\n\n- **x**\n- y\n  z\n\n```\n<script>\n```\n<img src=x onerror=alert(1)>')).toEqual([
      {
        kind: 'paragraph',
        spans: [
          { kind: 'text', text: 'One two ' },
          { kind: 'code', text: 'a<b>' },
          { kind: 'text', text: '.' },
        ],
      },
      { kind: 'list', items: [[{ kind: 'strong', text: 'x' }], [{ kind: 'text', text: 'y z' }]] },
      { kind: 'code', text: '<script>' },
      { kind: 'paragraph', spans: [{ kind: 'text', text: '<img src=x onerror=alert(1)>' }] },
    ])
  })

  test('takes any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => prose(text)).not.toThrow()
      }),
    )
  })
})
