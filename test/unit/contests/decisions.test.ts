import { expect, test } from 'vitest'
import type { Decision, PlacedDecision, WithdrawalTreatment } from '../../../main/contract/contests/decisions.ts'
import type { ContestDescription } from '../../../main/contract/contests/contests.ts'
import { createRecord, type ContestRecord } from '../../../main/services/contests/standings/contest-record.ts'
import { contestOf, finishMatch, lettersOf, type Play } from './played-contest.ts'
import { refusal } from '../../refusal.ts'

/** A decision, and the number of matches after which it is made. */
type Moment = readonly [number, Decision]

/** The entrant that comes first in the alphabet wins. */
const byLetter: Play = ({ entrants }) => entrants.map((entrant) => -entrant)

const withdraw = (entrant: string, treatment: WithdrawalTreatment): Decision => ({
  type: 'withdraw',
  entrant,
  treatment,
})

/** Plays a contest match by match, in order, with decisions; then the same from what was recorded. */
function playWith(description: ContestDescription, moments: readonly Moment[], play: Play = byLetter) {
  let decisions: PlacedDecision[] = []
  let record = createRecord(description)
  const played: { readonly number: number; readonly scores: readonly number[]; readonly letters: string }[] = []
  /** The record of everything so far, as the histories give it. */
  const again = (): ContestRecord => {
    const read = createRecord(description, {}, decisions)
    for (let at = 0; at <= played.length; at++) {
      for (const placed of decisions.slice(read.decisions.length)) if (placed.matches === at) read.decide(placed)
      const match = played[at]
      if (match === undefined) continue
      const scheduled = everything(read).find(({ match: number }) => number === match.number)!
      finishMatch(read, description, scheduled, match.scores)
    }
    return read
  }
  const due = [...moments]
  for (;;) {
    while (due[0]?.[0] === played.length) {
      decisions = [...decisions, { stage: record.begun, matches: played.length, decision: due.shift()![1] }]
      record = again()
    }
    const next = everything(record).find(({ match }) => !record.isDone(match))
    if (next === undefined) break
    const scores = play(next)
    played.push({ number: next.match, scores, letters: lettersOf(next) })
    finishMatch(record, description, next, scores)
  }
  expect(due).toEqual([])
  expect(record.done).toBe(record.total)
  const read = again()
  expect(read.standings()).toEqual(record.standings())
  expect(read.tables()).toEqual(record.tables())
  return { record, letters: played.map(({ letters }) => letters) }
}

function everything(record: ContestRecord) {
  const all = []
  for (let index = 0, stage = record.stage(0); stage !== null; stage = record.stage(++index)) all.push(...stage)
  return all
}

const places = (record: ContestRecord) =>
  record.standings().map(({ agent, rank, points, matches }) => `${rank} ${agent} ${points}/${matches}`)

const meetingsOf = (letters: readonly string[]) => letters.map((each) => [...each].sort().join('')).sort()

test('round-robin: the results of an entrant that withdraws before half of its matches are annulled', () => {
  const { record, letters } = playWith(contestOf({ type: 'round-robin' }, 4), [[2, withdraw('A', 'annulled')]])
  // A is last, and nobody has points from the matches with it.
  expect(letters.length).toBeLessThan(6)
  expect(places(record).slice(0, 3)).toEqual(['1 B 2/2', '2 C 1/2', '3 D 0/2'])
  expect(record.standings().at(-1)).toMatchObject({ agent: 'A', rank: 4, points: 0, matches: 0, withdrawn: 'annulled' })
  expect(record.tables()['By the educator']).toEqual([
    expect.objectContaining({ decision: 'withdrawn', entrant: 'A', 'after matches': 2 }),
  ])
})

test('round-robin: from half of its matches on, its opponents win those that are left, and its results count', () => {
  const description = contestOf({ type: 'round-robin', repeats: 2 }, 3)
  const whole = playWith(description, []).letters
  // After four of six matches everybody has played at least two of its four.
  const { record, letters } = playWith(description, [[4, withdraw('A', 'forfeited')]])
  expect(letters).toEqual([...whole.slice(0, 4), ...whole.slice(4).filter((each) => !each.includes('A'))])
  const lost = whole.slice(4).filter((each) => each.includes('A')).length
  expect(lost).toBeGreaterThan(0)
  const [first] = record.standings().filter(({ agent }) => agent === 'A')
  expect(first).toMatchObject({ points: 4 - lost, matches: 4, withdrawn: 'forfeited', removals: 0, faults: 0 })
  expect(record.standings().reduce((sum, { points }) => sum + points, 0)).toBe(6)
})

test('an entrant wins by withdrawals before its own, and none of the matches that are left then', () => {
  const description = contestOf({ type: 'round-robin', repeats: 2 }, 3)
  const whole = playWith(description, []).letters
  const left = whole.slice(2).filter((each) => !each.includes('C'))
  expect(left.length).toBeGreaterThan(0)
  const [gone, other] = ['A', 'B'] as const
  const gained = (after: readonly Moment[]) => {
    const { record } = playWith(description, [[2, withdraw(gone, 'forfeited')], ...after])
    return record.standings().find(({ agent }) => agent === other)!
  }
  const won = whole.slice(0, 2).filter((each) => each.includes(other) && !each.includes(gone)).length
  expect(gained([[2, withdraw(other, 'forfeited')]])).toMatchObject({ points: won + left.length })
  // With all its results, those that it has without playing are annulled.
  expect(gained([[2, withdraw(other, 'annulled')]])).toMatchObject({ points: 0, matches: 0 })
})

test('whoever withdrew wins nothing because its opponent is removed by a ruling', () => {
  const description = contestOf({ type: 'round-robin', repeats: 2 }, 3)
  const removal: Decision = {
    type: 'ruling',
    ruling: {
      ...{ number: 1, case: 'case-1', entry: 'a'.repeat(64), at: '2026-11-28T01:00:00.000Z' },
      remedies: [{ type: 'removal', entrant: 'B' }],
    },
  }
  const { record, letters } = playWith(description, [
    [2, withdraw('A', 'forfeited')],
    [2, removal],
  ])
  // A has a point for each match that it played: it beat everybody, or they forfeit.
  const played = letters.filter((each) => each.includes('A')).length
  expect(record.standings().find(({ agent }) => agent === 'A')).toMatchObject({ points: played })
})

test('Swiss: an entrant that withdraws during a round is not paired any more; its opponent gets a bye, its results stand', () => {
  const description = contestOf({ type: 'swiss', pairing: 'least-gap', rounds: 3 }, 6)
  const whole = playWith(description, []).letters
  const third = whole[2]!
  const [gone] = [...third]
  const other = [...third].find((each) => each !== gone)!
  const { record, letters } = playWith(description, [[2, withdraw(gone!, 'kept')]])
  expect(letters.slice(0, 2)).toEqual(whole.slice(0, 2))
  expect(letters.join('')).not.toContain(gone)
  // Five are left: two tables and a bye in each of the two rounds after.
  expect(letters).toHaveLength(2 + 2 + 2)
  expect(new Set(meetingsOf(letters)).size).toBe(letters.length)
  expect(record.tables()['Round 1']).toContainEqual({ agents: [...third].join(' – '), points: 'not played' })
  expect(record.tables()['Round 1']).toContainEqual({ agents: other, points: 'bye' })
  const byes = record.tables()['Tie-breaks'] as readonly { readonly agent: string; readonly byes: number }[]
  expect(byes.find(({ agent }) => agent === other)!.byes).toBeGreaterThanOrEqual(1)
  expect(byes.find(({ agent }) => agent === gone)!.byes).toBe(0)
})

test('Swiss: a bye for an opponent that withdrew stays when the one that got it withdraws, too', () => {
  const description = contestOf({ type: 'swiss', pairing: 'least-gap', rounds: 3 }, 6)
  const [gone = '', other = ''] = playWith(description, []).letters[2]!
  const { record } = playWith(description, [
    [2, withdraw(gone, 'kept')],
    [2, withdraw(other, 'kept')],
  ])
  const points = Object.fromEntries(record.standings().map((row) => [row.agent, row.points]))
  expect([points[gone], points[other]]).toEqual([0, 1])
  expect(record.tables()['Round 1']).toContainEqual({ agents: other, points: 'bye' })
})

test('Swiss: rounds before a decision are paired as without it, whenever it is made', () => {
  const description = contestOf({ type: 'swiss', pairing: 'least-gap', rounds: 5 }, 8)
  const whole = playWith(description, []).letters
  for (const after of [4, 6, 8, 12]) {
    const { letters } = playWith(description, [[after, withdraw('C', 'kept')]])
    const begun = Math.ceil(after / 4) * 4
    const kept = whole.slice(after, begun).filter((each) => !each.includes('C'))
    expect(letters.slice(0, after + kept.length)).toEqual([...whole.slice(0, after), ...kept])
  }
})

/** A contest whose last entrants enter late. */
const late = (description: ContestDescription, name: string): Decision => ({
  type: 'enter',
  entrant: { name, agent: description.entrants[0]!.agent },
})

test('Swiss: a late entrant plays from the next round on, without points and byes for the rounds before', () => {
  const description = contestOf({ type: 'swiss', pairing: 'least-gap', rounds: 3 }, 5)
  const { record, letters } = playWith(description, [[2, late(description, 'E')]])
  // Four at first: two tables in each round, and one of five has a bye later.
  expect(letters.slice(0, 2).join('')).not.toContain('E')
  expect(letters).toHaveLength(6)
  expect(record.tables()['Round 1']!).toHaveLength(2)
  expect(record.tables()['Round 2']!).toHaveLength(3)
  expect(record.standings().find(({ agent }) => agent === 'E')).toMatchObject({ late: true })
})

test('ladder: a late entrant plays all before it, and nothing that is there changes', () => {
  const description = contestOf({ type: 'ladder', repeats: 1 }, 4)
  const { record, letters } = playWith(description, [[2, late(description, 'D')]])
  expect(letters).toEqual(['BA', 'CA', 'BC', 'DA', 'BD', 'DC'])
  expect(places(record)).toEqual(['1 A 3/3', '2 B 2/3', '3 C 1/3', '4 D 0/3'])
})

test('ladder: an entrant that withdraws is last, and the others keep their results against it', () => {
  const { record, letters } = playWith(contestOf({ type: 'ladder', repeats: 1 }, 4), [[3, withdraw('A', 'removed')]])
  expect(letters).toEqual(['BA', 'CA', 'BC', 'BD', 'DC'])
  expect(places(record)).toEqual(['1 B 2/3', '2 C 1/3', '3 D 0/2', '4 A 2/2'])
})

test('Swiss: a round that the educator paired is played as it is, with its byes, and marked', () => {
  const description = contestOf({ type: 'swiss', pairing: 'least-gap', rounds: 3 }, 4)
  const pair: Decision = { type: 'pair', round: 2, tables: [['C', 'A']], byes: ['B', 'D'] }
  const { record, letters } = playWith(description, [[2, pair]])
  expect(letters[2]).toBe('CA')
  expect(letters).toHaveLength(2 + 1 + 2)
  expect(record.tables()['Round 2']).toEqual([
    { agents: 'C – A', points: '0 : 1', paired: 'by the educator' },
    { agents: 'B', points: 'bye', paired: 'by the educator' },
    { agents: 'D', points: 'bye', paired: 'by the educator' },
  ])
  expect(record.tables()['Round 1']![0]).not.toHaveProperty('paired')
})

test('knockout: the opponent of an entrant that withdraws goes on, even if it was behind', () => {
  const description = contestOf({ type: 'knockout', bestOf: 3, ties: 'play-on' }, 4)
  const whole = playWith(description, []).letters
  expect(whole.slice(0, 4)).toEqual(['AD', 'BC', 'DA', 'CB'])
  // A is ahead 1:0 when it withdraws; B wins its encounter and the final against D.
  const { record, letters } = playWith(description, [[1, withdraw('A', 'advanced')]])
  expect(letters.join('').split('A')).toHaveLength(2)
  expect(places(record).map((each) => each.slice(0, 3))).toEqual(['1 B', '2 D', '3 C', '4 A'])
  expect(record.tables().Bracket).toContainEqual(
    expect.objectContaining({ 'better seed': 'A', winner: 'D', 'decided by': 'withdrawal' }),
  )
})

test('knockout: an entrant that withdraws after winning an encounter loses only the next one', () => {
  const { record } = playWith(contestOf({ type: 'knockout', bestOf: 1, ties: 'seed' }, 4), [
    [2, withdraw('A', 'advanced')],
  ])
  expect(places(record).map((each) => each.slice(0, 3))).toEqual(['1 B', '2 A', '3 C', '4 D'])
})

test('all but one may withdraw, and the contest is over', () => {
  for (const format of [
    { type: 'swiss', pairing: 'least-gap' },
    { type: 'knockout' },
    { type: 'round-robin' },
  ] as const) {
    const treatment = { swiss: 'kept', knockout: 'advanced', 'round-robin': 'annulled' } as const
    const gone = ['A', 'B', 'C'].map((name): Moment => [0, withdraw(name, treatment[format.type])])
    const { record, letters } = playWith(contestOf(format, 4), gone)
    expect(letters).toEqual([])
    expect(record.standings().find(({ agent }) => agent === 'D')!.rank).toBe(1)
  }
})

test('without the seed, and so the schedule, matches that were played count, and none is won by a withdrawal', () => {
  const description = contestOf({ type: 'round-robin', repeats: 2, seating: 'even' }, 4)
  const decisions: readonly PlacedDecision[] = [{ stage: 1, matches: 6, decision: withdraw('A', 'forfeited') }]
  const record = createRecord(description, {}, decisions)
  const rebuilt = createRecord({ ...description, seed: 'another' }, {}, decisions, false)
  const won = new Map<string, number>()
  const matches = [...record.stage(0)!]
  for (const [at, match] of matches.entries()) {
    if (at === 6) for (const each of [record, rebuilt]) each.decide(decisions[0]!)
    if (record.isDone(match.match)) continue
    for (const each of [record, rebuilt]) finishMatch(each, description, match, byLetter(match))
    const [winner] = [...lettersOf(match)].sort()
    won.set(winner!, (won.get(winner!) ?? 0) + 1)
  }
  const points = (each: ContestRecord) => Object.fromEntries(each.standings().map((row) => [row.agent, row.points]))
  const played = Object.fromEntries(['A', 'B', 'C', 'D'].map((name) => [name, won.get(name) ?? 0]))
  expect(points(rebuilt)).toEqual(played)
  expect(points(record)).not.toEqual(played)
  expect(rebuilt.tables()['By the educator']).toMatchObject([{ effect: expect.stringContaining('seed') as unknown }])
  // Places follow from results in the schedule.
  const elsewhere: PlacedDecision = { ...decisions[0]!, stage: 3 }
  const other = createRecord(description, {}, [elsewhere], false)
  other.decide(elsewhere)
  expect(other.decisions).toEqual([elsewhere])
})

test('a decision at another place than it names is refused, and one that was not given is reported', () => {
  const description = contestOf({ type: 'round-robin' }, 3)
  const placed: PlacedDecision = { stage: 0, matches: 1, decision: withdraw('A', 'annulled') }
  expect(() => createRecord(description, {}, [placed]).decide(placed)).toThrow(
    refusal('history-damaged', '0 matches', 1),
  )
  const record = createRecord(description)
  record.decide(placed)
  expect(record.unknown).toEqual([placed])
})
