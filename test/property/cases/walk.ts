import fc from 'fast-check'
import type { CaseAct } from '../../../main/contract/cases/case-record.ts'
import type { CaseSettings } from '../../../main/contract/cases/cases.ts'
import type { CaseState } from '../../../main/services/cases/case-state.ts'
import { commitmentOf } from '../../../main/services/cases/votes.ts'
import { complaint, grow, idOf, opening, voteOf, type Growing } from '../../unit/cases/record.ts'

// Cases in which people try what comes to their minds, and the program does its part.

/** One try of somebody, in season or not, by four numbers. */
export type Try = readonly [kind: number, who: number, what: number, wait: number]
export const tries = fc.array(fc.tuple(fc.nat(17), fc.nat(9), fc.nat(9), fc.nat(9)), { minLength: 20, maxLength: 90 })

export const settings = fc.record({
  panel: fc.constantFrom<CaseSettings['panel']>('all', 3, 5),
  chair: fc.constantFrom<CaseSettings['chair']>('drawn', 'elected'),
  volunteersFirst: fc.boolean(),
  quorum: fc.constantFrom(34, 50, 100),
  majority: fc.constantFrom<CaseSettings['majority']>('half', 'two-thirds'),
  castingVote: fc.boolean(),
})

export const PEOPLE = [1, 2, 3, 4, 5, 6, 16, 17, 18, 19].map(idOf)
/** The entry of a try. */
export function actOf({ state, entries }: Growing, kind: number, by: string, what: number): CaseAct {
  const other = PEOPLE[what]!
  const question = what % 2 === 0 ? 'broken' : 'penalty'
  const choice = question === 'broken' ? (what < 6 ? 'yes' : 'no') : '1'
  const vote = state.ballots.length === 0 ? null : voteOf(state, by, question, choice)
  const result = state.ballots.at(-1)?.tally
  const acts: readonly CaseAct[] = [
    { do: 'admitted', reason: 'Yes.', penalties: [[], state.filed.asks] },
    { do: 'dismissed', reason: 'No.' },
    { do: 'answered', text: 'No.', evidence: [], salt: '7'.repeat(64) },
    { do: 'volunteered', salt: null },
    { do: 'refused', person: what === 0 ? null : other, salt: null },
    { do: 'conflict', reason: '' },
    { do: 'elected', chair: other },
    { do: 'asked', to: what < 5 ? 'both' : 'other', text: 'Why?' },
    { do: 'replied', to: what < 5 ? null : (state.questions.at(-1)?.n ?? null), text: 'So.' },
    { do: 'exhibited', exhibit: state.filed.evidence[0]! },
    { do: 'ended', stage: (['answer', 'election', 'hearing'] as const)[what % 3]! },
    { do: 'voted', question, commitment: vote === null ? 'f'.repeat(64) : commitmentOf(vote) },
    vote === null ? { do: 'volunteered', salt: null } : { ...opening(vote), fits: what !== 3 },
    { do: 'ruled', broken: result?.broken ?? what < 5, penalty: result?.penalty ?? 0, text: 'So.' },
    { do: 'appealed', text: 'No.', salt: null },
    { do: 'undone', n: Math.max(1, entries.length - what) },
    { do: 'deadline', to: new Date(Date.parse(state.at) + what * 40_000_000).toISOString(), reason: 'More.' },
    { do: 'withdrawn', reason: '' },
  ]
  return acts[kind]!
}

/** Called after each try. `why`: the reason why it was refused; null: it stands. `by` null: the program. */
type Seen = (
  before: CaseState,
  after: CaseState,
  tried: { readonly by: string | null; readonly act: CaseAct; readonly why: string | null },
) => void

/** A case after these tries. */
export function walk(wanted: Partial<CaseSettings>, attempts: readonly Try[], seen: Seen = () => undefined): Growing {
  const growing = grow(complaint(wanted, 4))
  for (const [kind, who, what, wait] of attempts) {
    const before = growing.state
    if (before.stage === 'closed') break
    const program = programAct(before, what, wait)
    if (before.stage === 'draw' && program === null) growing.draw()
    else if (wait === 0 && before.stage !== 'draw') growing.lapse()
    else if (program !== null) {
      const why = growing.add(null, program)
      seen(before, growing.state, { by: null, act: program, why })
    } else {
      // In a vote, those vote whose turn it is.
      const isVote = before.stage === 'voting' || before.stage === 'opening'
      const by = isVote ? (before.panel[who % before.panel.length] ?? PEOPLE[who]!) : PEOPLE[who]!
      // Withdrawals would end most of the cases early.
      const chosen = isVote && wait > 3 ? (before.stage === 'voting' ? 11 : 12) : kind === 17 && wait > 2 ? 7 : kind
      const act = actOf(growing, chosen, by, what)
      const why = growing.add(by, act)
      seen(before, growing.state, { by, act, why })
    }
  }
  return growing
}

/** A step of the program that depends on nobody's turn; null: none now. */
function programAct({ at }: CaseState, what: number, wait: number): CaseAct | null {
  if (wait !== 1) return null
  const person = PEOPLE[what]!
  if (what % 3 === 0) return { do: 'barred', person, because: 'joined' }
  return what === 4 ? { do: 'clock', ahead: 1 + (Date.parse(at) % 1_000_000) } : { do: 'left', person }
}
