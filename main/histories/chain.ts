import { createHmac } from 'node:crypto'
import type { Sha256 } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'
import { canonicalText, sha256 } from './canonical.ts'

/** The value from which the next line of a chain continues: a hash, or an empty string before the first line. */
export type ChainValue = string

/** The running hash after a line: see contract/histories/history.ts. */
export function linkHash(previous: ChainValue, tag: '+' | '-', digest: Sha256): Sha256 {
  return sha256(previous + tag + digest)
}

/** `+`: the line is private and can be redacted. The tag is part of the hash, so no other line can be redacted. */
export function tagOf(kind: string): '+' | '-' {
  return kind === 'console' || kind === 'redacted' ? '+' : '-'
}

/** One line of a file; `body` is canonical text. */
export function chainLine(body: string, h: Sha256): string {
  return `{"b":${body},"h":"${h}"}\n`
}

/** Appends a body to a chain: its line and the chain's new value. */
export function chained(
  previous: ChainValue,
  tag: '+' | '-',
  body: Json,
): { readonly line: string; readonly h: Sha256 } {
  const text = canonicalText(body)
  const h = linkHash(previous, tag, sha256(text))
  return { line: chainLine(text, h), h }
}

/** A blob's line; its bytes do not depend on its position. */
export function blobLine(value: Json): { readonly line: string; readonly sha256: Sha256 } {
  const name = sha256(canonicalText(value))
  return { line: chained('', '-', { k: 'blob', sha256: name, value }).line, sha256: name }
}

/** The commitment to seed and nonce in a match's header. */
export function commit(seed: Sha256, nonce: Sha256): Sha256 {
  return sha256(seed + nonce)
}

/**
 * The salt of the line `n` of a run; `secret` is the match's nonce for inputs, an unpublished secret for private lines.
 */
export function saltOf(secret: string, n: number): Sha256 {
  return createHmac('sha256', secret).update(`salt ${n}`).digest('hex')
}
