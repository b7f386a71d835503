import { EOF, type IToken, type Lexer } from 'chevrotain'
import { lazily } from '../lazily.ts'
import { LineGrammar, Unfit } from './grammar.ts'
import type { BotMessage, Skeleton } from './messages.ts'
import { createLexer, Eol, Gap } from './tokens.ts'

/** A value, or one sentence with the problem of the text and its place. */
export type Reading<T> = { readonly value: T } | { readonly problem: string }

const lexer = lazily((): Lexer => createLexer())
const grammar = lazily(() => new LineGrammar())

/** Reads one message of a brain, with the end of its last line. */
export function readMessage(text: string): Reading<BotMessage> {
  return read(text, (parser) => parser.message())
}

/** Reads a world skeleton: the text of a map file. */
export function readSkeleton(text: string): Reading<Skeleton> {
  return read(text, (parser) => parser.skeleton())
}

function read<T>(text: string, rule: (parser: LineGrammar) => T): Reading<T> {
  const { tokens, errors } = lexer().tokenize(text)
  const [unread] = errors
  if (unread !== undefined)
    return {
      problem: sentence(
        text,
        unread.offset,
        `the character ${JSON.stringify(text.charAt(unread.offset))} cannot stand here`,
      ),
    }
  const parser = grammar()
  parser.input = tokens
  try {
    const value = rule(parser)
    const [error] = parser.errors
    if (error === undefined) return { value }
    const { token } = error
    const offset = token.tokenType === EOF ? text.length : token.startOffset
    return { problem: sentence(text, offset, `${nameOf(token, text.charAt(offset - 1))} cannot stand here`) }
  } catch (error) {
    if (!(error instanceof Unfit)) throw error
    return { problem: sentence(text, error.offset, error.message) }
  }
}

/** Characters of a token, and of a line, that are quoted. */
const QUOTED = 40
const SHOWN = 80

/** `before`: the character before the token; empty: there is none. */
function nameOf({ tokenType, image }: IToken, before: string): string {
  if (tokenType === EOF) return 'the end of the message'
  if (tokenType === Eol) return before === '' || before === '\n' ? 'an empty line' : 'the end of the line'
  if (tokenType === Gap) return `a ${image === ' ' ? 'space' : 'tab'} (one separates two words)`
  return JSON.stringify(image.slice(0, QUOTED))
}

function sentence(text: string, offset: number, what: string): string {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  const start = before.lastIndexOf('\n') + 1
  const shown = text.slice(start, start + SHOWN).split(/\r?\n/, 1)[0]!
  return `Line ${line}, character ${offset - start + 1}: ${what}${shown === '' ? '' : `, in ${JSON.stringify(shown)}`}.`
}
