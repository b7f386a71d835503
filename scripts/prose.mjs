// The English in a source file: its comments, its string literals, the text of its markup.

/**
 * A piece of English: `kind` is 'comment', 'string' or 'text', `line` counts from 1, `text` has the marks of comments, inline
 * code and inserted values taken out, with line breaks as they were.
 */

/** Stands for code and inserted values inside a sentence. */
const filler = 'x'

const readers = [
  [/\.(?:[cm]?[jt]s)$/, (text) => codeProse(text)],
  [/\.svelte$/, (text) => svelteProse(text)],
  [/\.md$/, (text) => markdownProse(text)],
  [/\.css$/, (text) => matches(text, /\/\*[^]*?\*\//g, 'comment')],
]

/** The English of `file`, whose content is `text`; null for files of other kinds. */
export function proseOf(file, text) {
  const reader = readers.find(([pattern]) => pattern.test(file))?.[1]
  return reader === undefined ? null : reader(text).filter((piece) => /[a-z]/i.test(piece.text))
}

/** Comments and string literals of JavaScript or TypeScript. */
function codeProse(text) {
  const pieces = []
  readCode(text, 0, pieces, false)
  return joinedLines(pieces, text).map(({ kind, at, source }) => piece(kind, text, at, source))
}

/**
 * Reads code from `at`, up to its end or, if `nested`, to the brace that closes it. Adds what it finds to `pieces` and gives the
 * place where it stopped.
 */
function readCode(text, at, pieces, nested) {
  let depth = 0
  let before = ''
  while (at < text.length) {
    const start = at
    const two = text.slice(at, at + 2)
    const one = text[at]
    if (two === '//') {
      at = endOf(text, '\n', at)
      pieces.push({ kind: 'comment', at: start, source: text.slice(start, at) })
    } else if (two === '/*') {
      at = endOf(text, '*/', at + 2) + 2
      pieces.push({ kind: 'comment', at: start, source: text.slice(start, at) })
    } else if (one === "'" || one === '"') {
      at = endOfQuoted(text, at)
      pieces.push({ kind: 'string', at: start, source: text.slice(start + 1, at - 1) })
      before = '"'
    } else if (one === '`') {
      at = readTemplate(text, at, pieces)
      before = '"'
    } else if (one === '/' && /(?:^|[-(,=:[!&|?{};+*%~^<>]|\b(?:return|typeof|case))$/.test(before)) {
      at = endOfRegExp(text, at)
      before = '"'
    } else if (/[\w$]/.test(one)) {
      before = wordAt(text, at)
      at += before.length
    } else {
      if (one === '{') depth += 1
      if (one === '}' && depth-- === 0 && nested) return at
      if (!/\s/.test(one)) before = one
      at += 1
    }
  }
  return at
}

function readTemplate(text, start, pieces) {
  let at = start + 1
  let source = ''
  while (at < text.length && text[at] !== '`') {
    if (text[at] === '\\') {
      source += text.slice(at, at + 2)
      at += 2
    } else if (text.startsWith('${', at)) {
      const end = readCode(text, at + 2, pieces, true) + 1
      source += filler + text.slice(at, end).replaceAll(/[^\n]/g, '')
      at = end
    } else source += text[at++]
  }
  pieces.push({ kind: 'string', at: start, source })
  return at + 1
}

function wordAt(text, at) {
  const word = /[\w$]+/y
  word.lastIndex = at
  return word.exec(text)[0]
}

function endOf(text, mark, at) {
  const end = text.indexOf(mark, at)
  return end === -1 ? text.length : end
}

function endOfQuoted(text, start) {
  let at = start + 1
  while (at < text.length && text[at] !== text[start] && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function endOfRegExp(text, start) {
  let set = false
  let at = start + 1
  for (; at < text.length && text[at] !== '\n' && (set || text[at] !== '/'); at += text[at] === '\\' ? 2 : 1) {
    if (text[at] === '[') set = true
    if (text[at] === ']') set = false
  }
  return at + 1
}

/** Line comments that follow each other, with nothing before them on their lines, are one comment. */
function joinedLines(pieces, text) {
  const joined = []
  for (const next of pieces.toSorted((a, b) => a.at - b.at)) {
    const last = joined.at(-1)
    const between = last === undefined ? '' : text.slice(last.at + last.source.length, next.at)
    if (last?.lines === true && next.source.startsWith('//') && /^\n[ \t]*$/.test(between))
      last.source += between + next.source
    else
      joined.push({
        ...next,
        lines: next.kind === 'comment' && startsLine(text, next.at) && next.source.startsWith('//'),
      })
  }
  return joined
}

const startsLine = (text, at) => text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trim() === ''

/** Comments and code of a component, and the text between its tags. */
function svelteProse(text) {
  const found = []
  let markup = text
  const lift = (pattern, read) => {
    for (const { 0: source, index } of markup.matchAll(pattern))
      found.push(...read(blank(markup.slice(0, index)) + source))
    markup = markup.replaceAll(pattern, blank)
  }
  lift(/(?<=<script[^>]*>)[^]*?(?=<\/script>)/g, codeProse)
  lift(/(?<=<style[^>]*>)[^]*?(?=<\/style>)/g, (style) => matches(style, /\/\*[^]*?\*\//g, 'comment'))
  lift(/<!--[^]*?-->/g, (comment) => matches(comment, /<!--[^]*-->/g, 'comment'))
  markup = withoutInsertions(markup, found)
  for (const { 0: tag, index } of markup.matchAll(tags))
    for (const value of tag.matchAll(/"([^"]*)"/g))
      found.push(piece('string', markup, index + value.index + 1, value[1]))
  markup = markup.replaceAll(tags, (tag) => (inline.test(tag) ? blank(tag) : seam(tag)))
  return [...found, ...matches(markup, /[^\0]+/g, 'text')]
}

const tags = /<\/?[a-zA-Z](?:"[^"]*"|[^">])*>/g
const inline = /^<\/?(?:a|b|em|strong|code|i|span)\b/

/** Markup with a filler for each `{...}`; the strings and comments in them are added to `found`. */
function withoutInsertions(markup, found) {
  let rest = ''
  for (let at = 0; at < markup.length;) {
    if (markup[at] !== '{') {
      rest += markup[at++]
      continue
    }
    const pieces = []
    const end = readCode(markup, at + 1, pieces, true) + 1
    for (const each of pieces) found.push(piece(each.kind, markup, each.at, each.source))
    const inserted = markup.slice(at, end)
    rest += /^\{[#:/@]/.test(inserted) ? seam(inserted) : filler + blank(inserted).slice(1)
    at = end
  }
  return rest
}

/** Paragraphs, items, cells and headings of a page. */
function markdownProse(text) {
  const words = text.replaceAll(/^ *(```|~~~)[^]*?^ *\1 *$/gm, blank).replaceAll(/<!--[^]*?-->/g, blank)
  const marked = words
    .replaceAll(/`[^`\n]*`/g, (code) => filler + blank(code).slice(1))
    .replaceAll(/\]\([^)\n]*\)/g, blank)
    .replaceAll(/^(?:[ \t]*(?:[-*+]|\d+\.|#+|>)[ \t]+)+/gm, seam)
    .replaceAll('|', '\0')
    .replaceAll(/\n[ \t]*\n/g, seam)
    .replaceAll(/\*\*|(?<!\w)[*_]|[*_](?!\w)|[[\]!](?=[[\w])/g, blank)
  return [...matches(marked, /[^\0]+/g, 'text'), ...matches(text, /<!--[^]*?-->/g, 'comment')]
}

const blank = (text) => text.replaceAll(/[^\n]/g, ' ')
/** Ends a piece of text. */
const seam = (text) => `\0${blank(text)}`
const lineOf = (text, at) => text.slice(0, at).split('\n').length

const matches = (text, pattern, kind) =>
  [...text.matchAll(pattern)].map(({ 0: source, index }) => piece(kind, text, index, source))

function piece(kind, text, at, source) {
  const words = kind === 'comment' ? source.replaceAll(/^\s*(?:\/\/+|\/?\*+\/?|<!--)|(?:\*\/|-->)$/gm, blank) : source
  const plain = words.replaceAll(/`[^`\n]*`/g, (code) => filler + blank(code).slice(1)).replaceAll(/\\n/g, ' \n')
  const lead = /^\s*/.exec(plain)[0]
  return { kind, line: lineOf(text, at + lead.length), text: plain.trim() }
}
