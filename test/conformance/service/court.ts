import { expect } from 'vitest'
import { createServiceDesk } from '../../../main/administrator/procedures/service-desk.ts'
import type { CaseView } from '../../../main/contract/cases/case-procedures.ts'
import { voteText } from '../../../main/contract/cases/case-record.ts'
import { defaultSettings } from '../../../main/contract/cases/cases.ts'
import type { EvidenceReference } from '../../../main/contract/evidence/evidence-reference.ts'
import type { Visitor } from '../../../main/contract/people/caller.ts'
import type { ProcedureName } from '../../../main/contract/procedures/procedures.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import { newNonce } from '../../../main/histories/nonce.ts'
import { draftOf, type Room } from './classroom.ts'
import { visitorOf, type RoleClass } from './role-class.ts'

/** For errors that nobody expects. */
export const fail = (error: unknown): never => {
  throw error
}

/** Calls of people of the class, each as their role lets them. */
export function callers(room: Room) {
  const desk = createServiceDesk(room.service, fail)
  const call = async (visitor: Visitor, name: ProcedureName, input: object): Promise<unknown> => {
    const admitted = desk.admit(name, input, visitor)
    return admitted.ok ? admitted.value.run() : admitted
  }
  return { desk, call, red: visitorOf('student'), assistant: visitorOf('assistant'), educator: visitorOf('educator') }
}

/** Plays a contest of both teams of a class to its end, and keeps an event of it as the program tells it. */
export async function playedContest(
  room: Room,
  { own, foreign }: RoleClass,
): Promise<{ readonly contest: string; readonly reference: EvidenceReference }> {
  await room.call('settings.set', { isolation: 'permission' })
  const entrants = [own, foreign].map(({ agent: name, hash: agent }) => ({ name, agent }))
  const { contest } = await room.call('contests.create', { draft: draftOf(entrants) })
  await room.call('contests.start', { contest })
  await room.until(contest, ({ summary }) => summary.state === 'ended')
  const { dossier } = await room.call('dossiers.make', { title: 'Evidence' })
  const { entries } = await room.call('dossiers.keep', { dossier, contest, match: 0, move: 1, part: null })
  const [first] = entries
  if (first?.kind !== 'event') throw new Error('no event')
  return { contest, reference: first.reference }
}

/** A complaint about a contest: it cites a rule and an event. */
export async function wishFor(
  room: Room,
  reference: EvidenceReference,
  of: string,
  more: object = {},
): Promise<object> {
  const [rule] = await room.call('dossiers.rules', { book: 'specker' })
  return {
    ...{ contest: of, asks: [{ type: 'warning', entrant: 'blanche' }], text: 'It broke the rule.' },
    ...{ settings: defaultSettings.writing, against: { what: 'agent', name: 'blanche' } },
    ...{ rule: { source: 'rulebook', id: rule!.rule, text: rule!.text, sha256: sha256(rule!.text) } },
    ...{ evidence: [{ reference }], ...more },
  }
}

/** Steps of people in a case of the class, in which no student is left to judge: the assistant and the educator do. */
export function court(room: Room, id: string) {
  const { call, assistant, educator } = callers(room)
  const view = async (visitor: Visitor): Promise<CaseView> =>
    ((await call(visitor, 'cases.get', { case: id })) as { readonly value: CaseView }).value
  const act = async (visitor: Visitor, step: object): Promise<void> => {
    expect(await call(visitor, 'cases.act', { case: id, act: step })).toMatchObject({ ok: true })
  }
  return {
    view,
    act,
    /** From the stage `answer` to the end of the hearing. */
    async hear(sides: readonly Visitor[]): Promise<void> {
      for (const side of sides) await act(side, { do: 'refused', person: null, salt: null })
      await act(assistant, { do: 'ended', stage: 'answer' })
      for (const side of sides) await act(side, { do: 'replied', to: null, text: 'See line 1.' })
    },
    /** From the end of the hearing to the ruling. */
    async judge(broken: 'yes' | 'no'): Promise<void> {
      const seats = await Promise.all([assistant, educator].map(async (judge) => ({ judge, ...(await view(judge)) })))
      // The lot of an appeal may make either of them the chair.
      const { judge: chair, instance } = seats.find((each) => each.chair === each.me)!
      await act(chair, { do: 'ended', stage: 'hearing' })
      const votes = seats.flatMap(({ judge, me }) =>
        (['broken', 'penalty'] as const).map((question, at) => {
          const choice = [broken, '1'][at]!
          const vote = { question, choice, reason: 'Line 1 says so.', nonce: newNonce() }
          const text = voteText({ ...vote, case: id, voter: me!, ballot: instance })
          return { judge, vote, commitment: sha256(text) }
        }),
      )
      for (const { judge, vote, commitment } of votes)
        await act(judge, { do: 'voted', question: vote.question, commitment })
      for (const { judge, vote } of votes) await act(judge, { do: 'opened', ...vote })
      const penalty = broken === 'yes' ? 1 : 0
      await act(chair, { do: 'ruled', broken: broken === 'yes', penalty, text: 'So it is.' })
    },
  }
}
