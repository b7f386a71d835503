import { HighlightStyle, StreamLanguage, syntaxHighlighting, type StringStream } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { tags } from '@lezer/highlight'
import { builtInClasses, functions, keywords, sectionWords } from '../../../../grammars/language-services/words.ts'

/** The context of a line: the kind of block, if any, and whether it is in a comment. */
interface State {
  block: 'prose' | 'dictionary' | 'value' | null
  comment: boolean
  /** The last word before a block, which gives its kind. */
  word: string
}

const known = new Set([...sectionWords, ...keywords].map(({ word }) => word))
const called = new Set(functions.map(({ word }) => word))
const classes = new Set<string>(builtInClasses)
const sections = new Set(sectionWords.map(({ word }) => word))

function token(stream: StringStream, state: State): string | null {
  if (state.comment) return comment(stream, state)
  if (stream.eatSpace()) return null
  if (state.block !== null && stream.match('}}')) {
    state.block = null
    return 'bracket'
  }
  if (state.block === 'prose') {
    if (!stream.skipTo('}}')) stream.skipToEnd()
    return 'meta'
  }
  if (state.block === null && stream.match('{{')) {
    state.block = state.word === 'text' ? 'prose' : state.word === 'dictionary' ? 'dictionary' : 'value'
    return 'bracket'
  }
  // In a value `//` may be part of its own syntax.
  if (state.block !== 'value') {
    if (stream.match(/^\/\/.*/)) return 'comment'
    if (stream.match('/*')) return comment(stream, state)
  }
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string'
  if (stream.match(/^\d+(?:\.\d+)?/)) return 'number'
  if (state.block === 'dictionary') {
    if (stream.match(/^<[A-Za-z_$][\w$]*>/)) return 'propertyName'
    if (stream.match(/^\*[slrt](?!\w)/) || stream.match(/^[+-](?!\w)/)) return 'meta'
  }
  const word = stream.match(/^[A-Za-z_$][\w$]*/)
  if (word === null || typeof word === 'boolean') {
    stream.next()
    return state.block === null ? 'operator' : null
  }
  return wordKind(word[0], stream, state)
}

function wordKind(word: string, stream: StringStream, state: State): string | null {
  if (state.block === 'value') return null
  if (state.block === 'dictionary' || /^[A-Z]/.test(word)) return classes.has(word) ? 'typeName.standard' : 'typeName'
  state.word = word
  const before = stream.string.slice(0, stream.start)
  if (/\.\s*$/.test(before) && !/\.\.\s*$/.test(before)) return 'propertyName'
  if (sections.has(word) && before.trim() === '') return 'keyword'
  if (called.has(word) && stream.match(/^\s*\(/, false)) return 'function'
  if (stream.match(/^\s*\(/, false) && !known.has(word)) return 'function'
  if (classes.has(word)) return 'typeName.standard'
  return known.has(word) ? 'keyword' : 'variableName'
}

function comment(stream: StringStream, state: State): string {
  state.comment = !stream.match(/^.*?\*\//)
  if (state.comment) stream.skipToEnd()
  return 'comment'
}

/** Highlighting, indentation and comments of .challenge files. */
const challengeLanguage = StreamLanguage.define<State>({
  name: 'challenge',
  startState: () => ({ block: null, comment: false, word: '' }),
  copyState: (state) => ({ ...state }),
  token,
  indent(state, after, { unit }) {
    // Prose and values keep their own layout.
    if (state.block !== null && state.block !== 'dictionary') return null
    return /^\}/.test(after) ? 0 : unit
  },
  tokenTable: { function: tags.function(tags.variableName) },
  languageData: {
    commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
    closeBrackets: { brackets: ['(', '[', '{', '"'] },
  },
})

const style = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--verdigris)' },
  { tag: [tags.number, tags.bool], color: 'var(--lapis)' },
  { tag: tags.comment, color: 'var(--quiet)', fontStyle: 'italic' },
  { tag: tags.meta, color: 'var(--quiet)' },
  { tag: tags.typeName, color: 'var(--ochre)' },
  { tag: tags.function(tags.variableName), color: 'var(--lapis)' },
  { tag: tags.propertyName, color: 'var(--ink)' },
])

export function challengeSyntax(): Extension {
  return [challengeLanguage, syntaxHighlighting(style)]
}
