import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CaseAct } from '../../../main/contract/cases/case-record.ts'
import { timedStages } from '../../../main/contract/cases/cases.ts'
import { lapseOf } from '../../../main/services/cases/ballots.ts'
import { presentIn } from '../../../main/services/cases/case-state.ts'
import { foldLines } from '../../../main/services/cases/fold.ts'
import { repeats } from '../../long.ts'
import { caseKey, linesOf } from '../../unit/cases/record.ts'
import { actOf, PEOPLE, settings, tries, walk } from './walk.ts'

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

test('whatever people try, nobody acts out of turn, and each record holds and comes to the same state', () => {
  const reached = new Set<string>()
  fc.assert(
    fc.property(settings, tries, (wanted, attempts) => {
      const growing = walk(wanted, attempts, (before, after, { by, act, why }) => {
        reached.add(before.stage)
        // A refusal changes nothing.
        if (why !== null) {
          expect(after).toBe(before)
          return
        }
        expect(seasons[act.do] ?? [before.stage]).toContain(before.stage)
        expect(before.deadline === null || after.at < before.deadline).toBe(true)
        expect(after.at >= before.at).toBe(true)
        // Nobody undoes a quorum by leaving.
        if ((act.do === 'left' || act.do === 'barred') && ['voting', 'opening'].includes(before.stage)) {
          const [was, is] = [before, after].map(({ ballots }) => presentIn(ballots[before.ballots.length - 1]!))
          expect(is).toBe(was)
        }
        if (by === null) return
        expect(before.gone.has(by)).toBe(false)
        if (['asked', 'elected', 'voted'].includes(act.do)) expect(before.panel).toContain(by)
        if (act.do === 'ruled') expect(by).toBe(before.chair)
        // Nobody who is left out comes to judge, and nobody votes twice on a question.
        if (act.do === 'asked' || act.do === 'voted') expect(before.out.has(by)).toBe(false)
        const votes = after.ballots.at(-1)?.votes.map(({ voter, question }) => `${voter} ${question}`) ?? []
        expect(new Set(votes).size).toBe(votes.length)
      })
      reached.add(growing.state.stage)
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

test('a deadline that has passed takes every step from everybody, and none takes it before', () => {
  fc.assert(
    fc.property(settings, tries, fc.nat(9), (wanted, attempts, what) => {
      const growing = walk(wanted, attempts)
      const { stage, deadline } = growing.state
      if (stage === 'closed' || stage === 'draw') return
      const before = growing.state
      const lapse = lapseOf(before, stage)
      growing.now = Date.parse(deadline!) - 1_001
      expect(growing.add(null, lapse)).not.toBeNull()
      growing.now = Date.parse(deadline!)
      for (const by of PEOPLE)
        for (let kind = 0; kind <= 17; kind++) expect(growing.add(by, actOf(growing, kind, by, what))).not.toBeNull()
      for (const act of [
        { do: 'left', person: PEOPLE[what]! },
        { do: 'clock', ahead: 1 },
      ] as const)
        expect(growing.add(null, act)).not.toBeNull()
      expect(growing.state).toBe(before)
      growing.must(null, lapse)
      expect(growing.state.began).toBe(growing.entries.length)
    }),
    { numRuns: repeats({ short: 25, long: 1_000 }), seed: 34 },
  )
})
