import type { SignedCaseEntry } from '../../contract/cases/case-record.ts'
import { sha256 } from '../../histories/canonical.ts'
import { entryFault, readCaseLine } from '../../histories/case-lines.ts'
import type { PublicKey } from '../../histories/keys.ts'
import { beginCase, type CaseState } from './case-state.ts'
import { applyEntry } from './stages.ts'

/** A record that holds: its entries, and the case after them. */
export interface FoldedCase {
  readonly ok: true
  readonly state: CaseState
  readonly entries: readonly SignedCaseEntry[]
}

/** The first fault of a record. */
export interface CaseFault {
  readonly ok: false
  /** From 1. */
  readonly line: number
  /** A clause. */
  readonly message: string
}

/** The case after an entry; null before the first one. A text: why it is not accepted, as a clause. */
export function afterEntry(state: CaseState | null, { b }: SignedCaseEntry): CaseState | string {
  if (state !== null) return b.act.do === 'filed' ? 'the case was filed already' : applyEntry(state, b)
  if (b.act.do !== 'filed') return 'a record begins with the complaint'
  return filedFault(b.n, b.by, b.act) ?? beginCase(b, b.act)
}

function filedFault(n: number, by: string | null, filed: CaseState['filed']): string | null {
  const { people, rule } = filed
  if (n !== 1) return 'entry 1 is missing'
  if (sha256(rule.text) !== rule.sha256) return 'the text of the rule was changed: its hash differs'
  if (people.some(({ id }, at) => at > 0 && people[at - 1]!.id >= id)) return 'its people are not in their order'
  return people.find(({ id }) => id === by)?.side === 'filer' ? null : 'it was not filed by the side that files it'
}

/**
 * Verifies a record from its first line on: the chain, the signatures (unless `key` is null), every step by the rules of the stages,
 * the lots, the votes and the rulings.
 */
export function foldLines(lines: readonly string[], key: PublicKey | null): FoldedCase | CaseFault {
  const entries: SignedCaseEntry[] = []
  let state: CaseState | null = null
  for (const [at, text] of lines.entries()) {
    const bad = (message: string): CaseFault => ({ ok: false, line: at + 1, message })
    const entry = readCaseLine(text)
    if (typeof entry === 'string') return bad(entry)
    const fault = entryFault(entry, entries.at(-1)?.h ?? '', key)
    if (fault !== null) return bad(fault)
    const next = afterEntry(state, entry)
    if (typeof next === 'string') return bad(next)
    state = next
    entries.push(entry)
  }
  return state === null ? { ok: false, line: 1, message: 'it is empty' } : { ok: true, state, entries }
}
