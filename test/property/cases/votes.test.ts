import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CaseQuestion } from '../../../main/contract/cases/cases.ts'
import { foldLines } from '../../../main/services/cases/fold.ts'
import { commitmentOf } from '../../../main/services/cases/votes.ts'
import { repeats } from '../../long.ts'
import { caseKey, heard, linesOf, opening, voteOf } from '../../unit/cases/record.ts'

type How = 'absent' | 'kept back' | 'void' | 'counts'
/** A member's part in a vote: how they take part in each question, and their choices. */
interface Part {
  readonly broken: How
  readonly penalty: How
  readonly choices: Readonly<Record<CaseQuestion, string>>
}

const how = fc.constantFrom<How>('absent', 'kept back', 'void', 'counts', 'counts', 'counts')
const part = fc.record({
  broken: how,
  penalty: how,
  choices: fc.record({
    broken: fc.constantFrom('yes', 'no', 'abstain'),
    penalty: fc.constantFrom('0', '1', 'abstain'),
  }),
})
const settings = fc.record({
  panel: fc.constantFrom<'all' | 3 | 5>('all', 3, 5),
  quorum: fc.constantFrom(34, 50, 75, 100),
  majority: fc.constantFrom<'half' | 'two-thirds'>('half', 'two-thirds'),
  castingVote: fc.boolean(),
})
/** The time at which the first member of the lot leaves the class. */
const leaves = fc.constantFrom<'never' | 'voting' | 'voted' | 'opening' | 'opened'>(
  'never',
  'never',
  'voting',
  'voted',
  'opening',
  'opened',
)

const QUESTIONS = ['broken', 'penalty'] as const

test('absences, votes that are kept back or void, ties, a quorum that is missed and members who leave are counted by the rule', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(settings, fc.array(part, { minLength: 8, maxLength: 8 }), leaves, (wanted, parts, when) => {
      const growing = heard(wanted, 6)
      growing.lapse()
      const lot = growing.state.panel
      const [first = ''] = lot
      const partOf = (member: string): Part => parts[lot.indexOf(member)]!
      const left = (): void => growing.must(null, { do: 'left', person: first })
      let panel = lot
      if (when === 'voting') {
        left()
        panel = panel.slice(1)
      }
      for (const member of panel) {
        for (const question of QUESTIONS)
          if (partOf(member)[question] !== 'absent') {
            const vote = voteOf(growing.state, member, question, partOf(member).choices[question])
            growing.must(member, { do: 'voted', question, commitment: commitmentOf(vote) })
          }
        if (when === 'voted' && member === first) {
          left()
          // Whoever has voted is present, whatever they do then.
          if (partOf(first).broken === 'absent') panel = panel.slice(1)
        }
      }
      if (growing.state.stage === 'voting' && growing.state.ballots.length === 1) growing.lapse()
      if (growing.state.stage === 'opening' && when === 'opening') left()
      let isOpened = false
      for (const member of panel) {
        for (const question of QUESTIONS) {
          const mine = partOf(member)[question]
          if (growing.state.stage !== 'opening' || mine === 'absent' || mine === 'kept back') continue
          const open = opening(voteOf(growing.state, member, question, partOf(member).choices[question]))
          if (growing.state.out.has(member)) {
            expect(growing.add(member, open)).not.toBeNull()
            continue
          }
          if (mine === 'counts') growing.must(member, open)
          else {
            // It is told as void, and never taken as what it is not.
            const other = { ...open, reason: 'I have thought again.' }
            expect(growing.add(member, other)).not.toBeNull()
            growing.must(member, { ...other, fits: false })
          }
          if (member === first) isOpened = true
        }
        if (growing.state.stage === 'opening' && when === 'opened' && member === first) left()
      }
      if (growing.state.stage === 'opening') growing.lapse()

      // Counted again, from the parts alone.
      const isGone = growing.state.gone.has(first)
      const chair = lot[0] === first && isGone ? (lot[1] ?? '') : first
      const valid = (question: CaseQuestion): readonly (readonly [string, string])[] =>
        panel
          .filter((member) => partOf(member)[question] === 'counts' && (member !== first || !isGone || isOpened))
          .map((member) => [member, partOf(member).choices[question]])
      const present = panel.filter((member) => partOf(member).broken !== 'absent').length
      const hasQuorum = (100 * present) / panel.length >= wanted.quorum
      const number = (question: CaseQuestion, wish: string): number =>
        valid(question).filter(([, choice]) => choice === wish).length
      const [yes, no] = [number('broken', 'yes'), number('broken', 'no')]
      const chairs = (question: CaseQuestion): string | undefined =>
        wanted.castingVote ? valid(question).find(([member]) => member === chair)?.[1] : undefined
      const isTie = yes === no && yes > 0
      const isBroken =
        wanted.majority === 'two-thirds' ? yes > 0 && yes >= 2 * no : isTie ? chairs('broken') === 'yes' : yes > no
      const [mild, hard] = [number('penalty', '0'), number('penalty', '1')]
      const chosen = mild === hard ? (chairs('penalty') === '1' && hard > 0 ? 1 : 0) : hard > mild ? 1 : 0
      const broken = hasQuorum && isBroken
      const { tally } = growing.state.ballots[0]!
      expect(tally).toMatchObject({ present, panel: panel.length, hasQuorum, broken, penalty: broken ? chosen : 0 })
      expect(growing.state.stage).toBe(hasQuorum ? 'ruling' : 'voting')
      if (!hasQuorum) {
        // It is repeated once, by those who are left, and then the complaint fails.
        expect(growing.state.panel).toEqual(lot.filter((member) => member !== first || !isGone))
        growing.lapse()
        expect(growing.state).toMatchObject({
          stage: 'ruling',
          ballots: [{}, { tally: { hasQuorum: false, broken: false } }],
        })
      }
      for (const found of [isTie && 'tie', !hasQuorum && 'no quorum', isGone && 'left', broken && 'broken'])
        if (found !== false) seen.add(found)
      const folded = foldLines(linesOf(growing.entries), caseKey.publicKey)
      expect(folded.ok && folded.state).toEqual(growing.state)
    }),
    { numRuns: repeats({ short: 60, long: 3_000 }), seed: 35 },
  )
  expect([...seen].toSorted()).toEqual(['broken', 'left', 'no quorum', 'tie'])
})
