import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { highlight, proseOf } from '../../../renderer/parts/highlight.ts'
import { prose } from '../../../renderer/parts/prose.ts'
import { textLines, visible } from '../../../renderer/parts/visible.ts'

describe('visible', () => {
  test('terminal escapes, NUL and turned text are shown as signs', () => {
    expect(visible('\u001b[31mred\u0000')).toBe('‹U+001B›[31mred‹U+0000›')
    expect(visible('evil\u202Egnp.exe')).toBe('evil‹U+202E›gnp.exe')
    expect(visible('tab\tand\nline stay, é 你 🙂 too')).toBe('tab\tand\nline stay, é 你 🙂 too')
  })

  test('leaves nothing that turns or controls', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
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

describe('highlight', () => {
  test('the parts of a line are the line', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('challenge', 'script', 'none'), (line, language) => {
        expect(
          highlight(line, language)
            .map(({ text }) => text)
            .join(''),
        ).toBe(line)
      }),
    )
  })

  test('words, texts, numbers and comments of a challenge', () => {
    const kinds = highlight('require c.weight in 1..10 else "No {1}" // why', 'challenge')
    expect(kinds.filter(({ kind }) => kind !== 'plain').map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'word require',
      'word in',
      'number 1',
      'number 10',
      'word else',
      'text "No {1}"',
      'comment // why',
    ])
  })

  test('text for people holds no words of the language', () => {
    expect([...proseOf('challenge x "X"\n\ntext {{\n  all of it\n}}\nset a')]).toEqual([4])
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
