import type { HistoryVerdict } from '../../../main/contract/procedures/procedures.ts'

interface VerdictWords {
  readonly tone: 'good' | 'weak' | 'bad'
  /** For a badge. */
  readonly short: string
  readonly heading: string
}

/** The name of a verdict: genuine, intact with an unknown signer, or not genuine. */
export function verdictWords(verdict: HistoryVerdict): VerdictWords {
  if (!verdict.ok) {
    // If even the first line is wrong, the file may not be a history at all.
    const heading = verdict.line <= 1 ? 'This is not a genuine history' : 'This history is not genuine'
    return { tone: 'bad', short: 'Not genuine', heading }
  }
  if (verdict.signer.name !== null) return { tone: 'good', short: 'Genuine', heading: 'This history is genuine' }
  return { tone: 'weak', short: 'Intact, signer unknown', heading: 'This history is intact, but its signer is unknown' }
}
