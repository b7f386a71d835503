import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DecisionWish } from '../../../main/contract/contests/decisions.ts'
import type { ContestDetail } from '../../../main/contract/procedures/procedures.ts'
import { draftOf, openPlace, openRoom, type Room } from './classroom.ts'
import { handIn } from './handed-in.ts'
import { refusal } from '../../refusal.ts'

const place = openPlace('service-decisions')
let room: Room
beforeAll(async () => {
  room = await openRoom(join(place.folder, 'data'))
}, 120_000)
afterAll(async () => {
  await room.service.close()
  place.remove()
})

const ended = ({ summary }: ContestDetail): boolean => summary.state === 'ended'

test('decisions about a contest hold, are recorded, survive the class and are repeated with it', async () => {
  const entrants = await handIn(room, ['greedy', 'baby', 'sampler', 'gambler'])
  const late = entrants.at(-1)!
  const draft = draftOf(entrants.slice(0, 3), { title: 'Decided', format: { type: 'swiss', rounds: 2 } })
  const { contest } = await room.call('contests.create', { draft })
  const decide = (wish: DecisionWish) => room.call('contests.decide', { contest, wish })
  const withdraw = (entrant: string): DecisionWish => ({ type: 'withdraw', entrant })
  const enter: DecisionWish = { type: 'enter', agent: late.agent, reason: 'was ill' }
  const before = await room.call('contests.get', { contest })
  expect(before.deciding).toEqual({ withdraw: true, enter: true, pair: 1, accept: false })

  // Asking decides nothing.
  expect((await room.call('contests.consequences', { contest, wish: withdraw('baby') })).join(' ')).toContain('bye')
  expect((await room.call('contests.nextRound', { contest })).entrants).toHaveLength(3)
  await decide(enter)
  await decide(withdraw('baby'))
  const next = await room.call('contests.nextRound', { contest })
  expect(next).toMatchObject({ round: 1, seats: 2, byHand: false })
  expect(next.pairing!.tables).toHaveLength(1)

  const refusals: readonly (readonly [DecisionWish, Error])[] = [
    [withdraw('baby'), refusal('decision-refused', '"baby"', 'already')],
    [withdraw('bby'), refusal('entrant-unknown', '"bby"', contest, '"baby"')],
    [enter, refusal('entrants-invalid', `"${late.name}"`, 'already')],
    [{ ...enter, agent: 'f'.repeat(64) }, refusal('agent-unknown', 'hash')],
    [{ type: 'pair', round: 2, tables: [], byes: [] }, refusal('decision-refused', 'Round 2', 'round 1')],
    [
      { type: 'pair', round: 1, tables: [['greedy', 'sampler']], byes: [] },
      refusal('decision-refused', late.name, 'bye'),
    ],
    [
      { type: 'pair', round: 1, tables: [['greedy', 'greedy']], byes: ['sampler', late.name] },
      refusal('decision-refused', '"greedy"', 'twice'),
    ],
    [
      { type: 'pair', round: 1, tables: [['greedy', 'baby']], byes: ['sampler', late.name] },
      refusal('decision-refused', '"baby"', 'withdrawn'),
    ],
    [
      { type: 'pair', round: 1, tables: [['greedy']], byes: ['sampler', late.name] },
      refusal('decision-refused', '2 players', '"greedy"', 'has 1'),
    ],
  ]
  for (const [wish, why] of refusals) await expect(decide(wish)).rejects.toThrow(why)

  await decide({ type: 'pair', round: 1, tables: [[late.name, 'greedy']], byes: ['sampler'] })
  await room.call('contests.start', { contest })
  const detail = await room.until(contest, ended)
  expect(detail.draft.entrants).toEqual(entrants)
  expect(detail.standings.find(({ agent }) => agent === 'baby')).toMatchObject({ matches: 0, withdrawn: 'kept' })
  expect(detail.tables['By the educator']).toHaveLength(3)
  expect(detail.tables['Round 1']![0]).toMatchObject({ agents: `${late.name} – greedy`, paired: 'by the educator' })
  expect(detail.summary.progress).toMatchObject({ done: 2, total: 2 })
  await expect(decide(withdraw('greedy'))).rejects.toThrow('is ended')

  // All of it again, from the same decisions at the same places.
  const again = await room.call('contests.rerun', { contest })
  const repeated = await room.until(again.contest, (each) => ended(each) && each.rerun?.compared !== undefined)
  expect(repeated.rerun?.compared).toEqual({ matches: 2, different: [] })
  expect(repeated.standings).toEqual(detail.standings)
  expect(repeated.tables).toEqual(detail.tables)

  const { tables, standings } = detail
  await room.service.close()
  room = await openRoom(join(place.folder, 'data'))
  const read = await room.call('contests.get', { contest })
  expect({ tables: read.tables, standings: read.standings }).toEqual({ tables, standings })
}, 120_000)
