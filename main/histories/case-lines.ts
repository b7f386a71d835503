import { signedCaseEntry, type CaseEntry, type SignedCaseEntry } from '../contract/cases/case-record.ts'
import type { Sha256 } from '../contract/ids.ts'
import { canonicalText, sha256 } from './canonical.ts'
import { linkHash } from './chain.ts'
import { signedBy, type PublicKey, type SigningKey } from './keys.ts'

// Records of cases: chains of lines, each signed by itself, like receipts (docs/hearings.md).

/** The text that the signature of an entry signs. */
function signedText(b: CaseEntry, head: Sha256): string {
  return canonicalText({ case: b.case, head, n: b.n, signs: 'tartaglia case' })
}

/** The chain's head after an entry. */
function headAfterEntry(b: CaseEntry): Sha256 {
  return linkHash(b.previous, '-', sha256(canonicalText(b)))
}

/** Chains and signs an entry. */
export function signCaseEntry(b: CaseEntry, key: SigningKey): SignedCaseEntry {
  const h = headAfterEntry(b)
  return { b, h, s: key.sign(signedText(b, h)) }
}

/** The line of an entry, with its line break. */
export function caseLine(entry: SignedCaseEntry): string {
  return `${canonicalText(entry)}\n`
}

/** Parses a line, without its line break; a text: the reason why it is not an entry of a case, as a clause. */
export function readCaseLine(line: string): SignedCaseEntry | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return 'it is not JSON'
  }
  const parsed = signedCaseEntry.safeParse(value)
  if (!parsed.success) return `it does not have the form of an entry (${parsed.error.issues[0]!.path.join('.')})`
  // One spelling only: a changed byte is never read as the same entry.
  return caseLine(parsed.data) === `${line}\n` ? parsed.data : 'it is not in canonical form'
}

/** The reason why an entry does not continue the chain, or is not signed with the key; null: it does. A null key is not checked. */
export function entryFault({ b, h, s }: SignedCaseEntry, previous: string, key: PublicKey | null): string | null {
  if (headAfterEntry(b) !== h) return 'it was changed: its hash differs'
  if (b.previous !== previous) return 'it does not continue the entry before it'
  return key === null || signedBy(key, signedText(b, h), s) ? null : 'it was changed, or signed with another key'
}
