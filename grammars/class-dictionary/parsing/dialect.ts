import type { IToken } from 'chevrotain'
import type { Dialect } from '../model.ts'
import * as o from './older-tokens.ts'
import * as t from './tokens.ts'

/** The dialect stated in the first line, such as `// dialect: A`. */
export function statedDialect(text: string): Dialect | null {
  const found = /^[ \t]*\/\/[ \t]*dialect[ \t]*:[ \t]*([ABC])(?![A-Za-z0-9_])/.exec(text.slice(0, 200))
  return found === null ? null : (found[1] as Dialect)
}

const onlyInA: ReadonlySet<unknown> = new Set([
  // One bracket of a pair is enough.
  ...[o.Tilde, o.OpenBracket, o.OpenBrace, o.At, o.AtAt],
  ...[o.JavaExpression, o.JavaMethods, o.OpenCode],
  ...[o.Common, o.Inherit, o.TerminalSets, o.Extends, ...o.classWords, ...o.partWords],
])
const onlyInB: ReadonlySet<unknown> = new Set([o.Include, o.Using, o.Nogen])
const libraryName = /^(ident|List|Option|Set|Map)$/
/** Tokens after which a name in the body of a class is not an unlabelled part. */
const before: ReadonlySet<unknown> = new Set([
  ...[t.Equals, t.Bar, t.OpenAngle, t.CloseAngle, t.Comma, t.Colon, t.OpenParen, o.Implements, o.Extends, o.Dollar],
])

/**
 * Detects the dialect of a text by its syntax; `tokens`: those of the older dialects. `:` and `~` after the name of a
 * class and unlabelled parts indicate A or B, `=` before alternatives indicates C. Features of A alone make it A, those
 * of DemFGen make it B; if there is as much of C as of the others, or nothing of either, it is C. `modern`: the number of signs of C.
 * `wantsLabels`: unlabelled parts count only if most parts are unlabelled or there is another sign.
 */
export function dialectOf(
  tokens: readonly IToken[],
  wantsLabels: boolean,
): { readonly dialect: Dialect; readonly modern: number } {
  let older = 0
  let modern = 0
  let unlabelled = 0
  let labelled = 0
  let a = 0
  let b = 0
  const defined = new Set<string>()
  const used = new Set<string>()
  let depth = 0
  let sign: unknown = null
  tokens.forEach((token, i) => {
    const type = token.tokenType
    const previous = tokens[i - 1]?.tokenType
    if (type === t.OpenParen) depth++
    else if (type === t.CloseParen) depth--
    else if (type === t.Dot || type === t.Semicolon) {
      depth = 0
      sign = null
    } else if (previous !== t.OpenAngle && onlyInA.has(type)) {
      a++
      if (type === o.Tilde) sign ??= type
    } else if (onlyInB.has(type) || (type === o.Lookahead && tokens[i + 1]?.tokenType === t.Equals)) b++
    else if (type === o.OlderIdentifier) {
      if (sign === null) {
        const next = tokens[i + 1]?.tokenType
        if (next === t.Equals || next === t.Colon || next === o.Tilde || next === t.OpenParen) defined.add(token.image)
      } else if (previous !== t.OpenAngle) used.add(token.image)
      if (sign === t.Equals && depth === 0 && !before.has(previous)) unlabelled++
    } else if (depth === 0 && sign === null && (type === t.Equals || type === t.Colon)) {
      const next = tokens[i + 1]?.tokenType
      // `::=` and `:=` of other notations.
      const isEqual = type === t.Colon && (next === t.Colon || next === t.Equals)
      sign = isEqual ? t.Equals : type
      if (sign === t.Colon) older++
    } else if (type === t.Bar && sign === t.Equals) modern++
    if (sign === t.Equals && depth === 0 && type === t.OpenAngle) labelled++
  })
  const forgotten = wantsLabels && older + a === 0 && labelled > unlabelled
  if (!forgotten) older += unlabelled
  for (const name of used) if (libraryName.test(name) && !defined.has(name)) b++
  const dialect = older + a === 0 || modern >= older + a ? 'C' : a === 0 && b > 0 ? 'B' : 'A'
  return { dialect, modern }
}
