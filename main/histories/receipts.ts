import type { Sha256 } from '../contract/ids.ts'
import { receipt, type Receipt, type ReceiptBody } from '../contract/people/receipts.ts'
import { canonicalText, sha256 } from './canonical.ts'
import { linkHash } from './chain.ts'
import { signedBy, type PublicKey, type SigningKey } from './keys.ts'

// Receipts of hand-ins: the lines of a chain, each signed by itself, so that one line is a proof without the others.

/** The text that the signature of a receipt signs. */
function signedText(n: number, head: Sha256): string {
  return canonicalText({ head, n, signs: 'tartaglia receipt' })
}

/** Makes the receipt of a body. */
export function signReceipt(body: ReceiptBody, key: SigningKey): Receipt {
  const h = headAfter(body)
  return { b: body, h, s: key.sign(signedText(body.n, h)) }
}

/** The chain's head after a receipt. */
export function headAfter(body: ReceiptBody): Sha256 {
  return linkHash(body.previous, '-', sha256(canonicalText(body)))
}

/** The line of a receipt, with its line break; also the content of its file. */
export function receiptLine(one: Receipt): string {
  return `${canonicalText(one)}\n`
}

/** Parses a line, without its line break; a text: the reason why it is not a receipt. */
export function readReceipt(line: string): Receipt | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return 'it is not JSON'
  }
  const parsed = receipt.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const path = issue!.path.join('.')
    return `it does not have the form of a receipt${path === '' ? '' : ` (${path})`}`
  }
  // One spelling only: a changed byte is never read as the same receipt.
  return receiptLine(parsed.data) === `${line}\n` ? parsed.data : 'it is not in canonical form'
}

/**
 * The reason why a receipt is not genuine, as a clause; null: it is unchanged and signed with the key. Without a key the signature is
 * not checked.
 */
export function receiptFault({ b, h, s }: Receipt, key: PublicKey | null): string | null {
  if (headAfter(b) !== h) return 'it was changed: its hash differs'
  if (Date.parse(b.received) > Date.parse(b.at)) return 'its file was received after the receipt was written'
  if (key === null) return null
  return signedBy(key, signedText(b.n, h), s) ? null : 'it was changed, or signed with another key'
}

/** The first fault of a chain of receipts. */
export interface ChainFault {
  /** From 1. */
  readonly line: number
  readonly message: string
}

/**
 * Checks receipts that follow each other from the first one: each line is genuine and of the same class, none is missing, they stand in
 * their order, and time does not go back. That lines are missing at the end shows only against a receipt or a head that somebody has.
 */
export function chainFault(lines: readonly string[], key: PublicKey | null): ChainFault | null {
  let previous = ''
  let at = ''
  let of: Sha256 | null = null
  for (const [index, text] of lines.entries()) {
    const line = index + 1
    const one = readReceipt(text)
    if (typeof one === 'string') return { line, message: one }
    const fault = receiptFault(one, key)
    if (fault !== null) return { line, message: fault }
    of ??= one.b.class
    if (one.b.class !== of) return { line, message: 'it is of another class than the receipts before it' }
    if (one.b.n !== line)
      return { line, message: `receipt ${line} is missing here, and ${one.b.n} stands in its place` }
    if (one.b.previous !== previous) return { line, message: `it does not continue receipt ${line - 1}` }
    if (at !== '' && Date.parse(one.b.at) < Date.parse(at))
      return { line, message: `it is dated before receipt ${line - 1}` }
    previous = one.h
    at = one.b.at
  }
  return null
}
