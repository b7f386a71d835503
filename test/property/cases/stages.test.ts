import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CaseAct } from '../../../main/contract/cases/case-record.ts'
import { timedStages, type CaseSettings } from '../../../main/contract/cases/cases.ts'
import { foldLines } from '../../../main/services/cases/fold.ts'
import { commitmentOf } from '../../../main/services/cases/votes.ts'
import { repeats } from '../../long.ts'
import { caseKey, complaint, grow, idOf, linesOf, opening, voteOf, type Growing } from '../../unit/cases/record.ts'

/** One try of somebody, in season or not, by four numbers. */
type Try = readonly [kind: number, who: number, what: number, wait: number]
const tries = fc.array(fc.tuple(fc.nat(17), fc.nat(9), fc.nat(9), fc.nat(9)), { minLength: 20, maxLength: 90 })

const settings = fc.record({
  panel: fc.constantFrom<CaseSettings['panel']>('all', 3, 5),
  chair: fc.constantFrom<CaseSettings['chair']>('drawn', 'elected'),
  volunteersFirst: fc.boolean(),
  quorum: fc.constantFrom(34, 50, 100),
  majority: fc.constantFrom<CaseSettings['majority']>('half', 'two-thirds'),
  castingVote: fc.boolean(),
})

const PEOPLE = [1, 2, 3, 4, 5, 6, 16, 17, 18, 19].map(idOf)
/** The stages in which each step is in season; a step that is not named here is of the program. */
const seasons: Readonly<Partial<Record<CaseAct['do'], readonly string[]>>> = {
  admitted: ['filed'],
  dismissed: ['filed'],
  answered: ['answer'],
  volunteered: ['answer'],
  refused: ['answer'],
  conflict: ['answer', 'election', 'hearing'],
  elected: ['election'],
  asked: ['hearing'],
  replied: ['hearing'],
  exhibited: ['answer', 'hearing'],
  ended: ['answer', 'election', 'hearing'],
  voted: ['voting'],
  opened: ['opening'],
  ruled: ['ruling'],
  appealed: ['appeal'],
  withdrawn: ['filed', 'answer', 'election', 'hearing'],
}

/** The entry of a try. */
function actOf({ state, entries }: Growing, kind: number, by: string, what: number): CaseAct {
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

test('whatever people try, nobody acts out of turn, and each record holds and comes to the same state', () => {
  const reached = new Set<string>()
  fc.assert(
    fc.property(settings, tries, (wanted, attempts: readonly Try[]) => {
      const growing = grow(complaint(wanted, 4))
      for (const [kind, who, what, wait] of attempts) {
        const before = growing.state
        reached.add(before.stage)
        if (before.stage === 'closed') break
        if (before.stage === 'draw') growing.draw()
        else if (wait === 0) growing.lapse()
        else if (wait === 1) growing.add(null, { do: 'left', person: PEOPLE[what]! })
        else {
          // In a vote, those vote whose turn it is.
          const isVote = before.stage === 'voting' || before.stage === 'opening'
          const by = isVote ? (before.panel[who % before.panel.length] ?? PEOPLE[who]!) : PEOPLE[who]!
          // Withdrawals would end most of the cases early.
          const chosen = isVote && wait > 3 ? (before.stage === 'voting' ? 11 : 12) : kind === 17 && wait > 2 ? 7 : kind
          const act = actOf(growing, chosen, by, what)
          if (growing.add(by, act) !== null) {
            // A refusal changes nothing.
            expect(growing.state).toBe(before)
            continue
          }
          const season = seasons[act.do]
          if (season !== undefined) expect(season).toContain(before.stage)
          expect(before.deadline === null || growing.state.at < before.deadline).toBe(true)
          expect(before.gone.has(by)).toBe(false)
          if (['asked', 'elected', 'voted'].includes(act.do)) expect(before.panel).toContain(by)
          if (act.do === 'ruled') expect(by).toBe(before.chair)
        }
      }
      const folded = foldLines(linesOf(growing.entries), caseKey.publicKey)
      expect(folded).toMatchObject({ ok: true })
      expect(folded.ok && folded.state).toEqual(growing.state)
      // Nobody of a party is on a panel.
      for (const member of growing.state.panel) expect(growing.state.people.get(member)!.side).toBeNull()
    }),
    { numRuns: repeats({ short: 120, long: 3_000 }), seed: 33 },
  )
  for (const stage of [...timedStages, 'closed']) expect(reached).toContain(stage)
})
