import { createToken, Lexer, type TokenType } from 'chevrotain'

/** A word with its punctuation, such as `inf\`, `inf:` or `inf/`. */
const keyword = (text: string): TokenType => createToken({ name: text, pattern: text, label: text })

const block = (name: string) => ({ open: keyword(`${name}\\`), line: keyword(`${name}:`), close: keyword(`${name}/`) })

/** The words of all messages that are read. */
export const words = {
  reg: keyword('reg:'),
  inf: block('inf'),
  plan: block('plan'),
  vote: block('vote'),
  mov: block('mov'),
  acc: block('acc'),
  chc: block('chc'),
  cmov: block('cmov'),
  rmov: block('rmov'),
  psh: keyword('psh:'),
  bribe: keyword('bribe:'),
  nobribe: keyword('nobribe:'),
  turncoat: keyword('turncoat:'),
  straightArrow: keyword('straight-arrow:'),
  wsk: block('wsk'),
  name: keyword('name:'),
  robber: keyword('robber:'),
  cop: keyword('cop:'),
  nod: block('nod'),
  edg: block('edg'),
}

/** `name`, `number` and `negnumber` of section 3.2.1; the place says which of them a token must be. */
export const Word = createToken({ name: 'Word', pattern: /[-a-zA-Z0-9_#()]+/, label: 'a name or a number' })

/** Exactly one space or one tab. */
export const Gap = createToken({ name: 'Gap', pattern: /[ \t]/, label: 'one space or tab' })

export const Eol = createToken({ name: 'Eol', pattern: /\r?\n/, line_breaks: true, label: 'the end of the line' })

/** Longer words first: `nobribe:` has no prefix among them, but every word begins like a name. */
export const vocabulary: readonly TokenType[] = [
  ...Object.values(words).flatMap((word) => ('open' in word ? [word.open, word.line, word.close] : [word])),
  Word,
  Gap,
  Eol,
]

export const createLexer = (): Lexer => new Lexer([...vocabulary], { positionTracking: 'onlyOffset' })
