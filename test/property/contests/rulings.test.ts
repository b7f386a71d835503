import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PlacedDecision } from '../../../main/contract/contests/decisions.ts'
import type { Remedy } from '../../../main/contract/contests/rulings.ts'
import type { ContestDescription } from '../../../main/contract/contests/contests.ts'
import { createRecord, type ContestRecord } from '../../../main/services/contests/standings/contest-record.ts'
import { ATTEMPTS_MAX } from '../../../main/services/contests/schedule/scheduled-match.ts'
import { scheduleFault } from '../../../main/services/contests/schedule/schedule.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import { byList, contestOf, finishMatch, playOut, type Play } from '../../unit/contests/played-contest.ts'
import { repeats } from '../../long.ts'

const drawn: Play = ({ match, entrants }) => {
  const next = randomStream(sha256(`scores ${match}`))
  return entrants.map(() => next() % 3)
}

const formats = fc.integer({ min: 2, max: 4 }).chain((seats) =>
  fc.oneof(
    fc.record({ type: fc.constant('round-robin'), seats: fc.constant(seats) }),
    fc.record({ type: fc.constant('double-round-robin'), seats: fc.constant(seats) }),
    fc.record({ type: fc.constant('gauntlet'), seats: fc.constant(seats) }),
    fc.record({ type: fc.constant('swiss'), seats: fc.constant(seats) }),
    fc.record({ type: fc.constant('knockout'), bestOf: fc.constantFrom(1, 3), thirdPlace: fc.boolean() }),
    fc.record({ type: fc.constant('ladder'), seats: fc.constant(seats) }),
    fc.record({ type: fc.constant('pools'), seats: fc.constant(seats), games: fc.integer({ min: 1, max: 6 }) }),
    fc.record({
      type: fc.constant('ordered-pairs'),
      seeds: fc.constant(2),
      finalSeeds: fc.constant(1),
      finalists: fc.constantFrom(0, 2),
    }),
    fc.record({ type: fc.constant('single') }),
  ),
)
const contests = fc
  .record({
    format: formats,
    entrants: fc.integer({ min: 2, max: 9 }),
    seed: fc.string({ minLength: 1, maxLength: 8 }),
  })
  .map(({ format, entrants, seed }) => contestOf(format, entrants, seed))
  .filter((description) => scheduleFault(description) === null)

/** A remedy about an entrant, and a match, by numbers that are taken modulo how many there are. */
const wishes = fc.array(
  fc.record({
    kind: fc.constantFrom('points', 'annul', 'forfeit', 'forfeit all', 'removal', 'warning', 'none', 'award' as const),
    entrant: fc.nat({ max: 1_000 }),
    match: fc.nat({ max: 10_000 }),
    points: fc.integer({ min: -9, max: 9 }).filter((points) => points !== 0),
  }),
  { minLength: 1, maxLength: 6 },
)
type Wish = (typeof wishes)['generate'] extends (...args: never) => { readonly value: readonly (infer W)[] } ? W : never

function remedyOf(
  { kind, entrant: number, match, points }: Wish,
  description: ContestDescription,
  total: number,
): Remedy {
  const entrant = description.entrants[number % description.entrants.length]!.name
  switch (kind) {
    case 'points':
      return { type: 'points', entrant, points: points / 4 }
    case 'annul':
      return { type: 'annul', match: match % total, playAgain: points > 0 }
    case 'forfeit':
      return { type: 'forfeit', entrant, matches: [match % total] }
    case 'forfeit all':
      return { type: 'forfeit', entrant, matches: 'all' }
    case 'award':
      return { type: 'award', entrant, amount: 5 }
    case 'none':
      return { type: 'none' }
    default:
      return { type: kind as 'warning' | 'removal', entrant }
  }
}

/** Rulings of one remedy each; a number in the list is a ruling that reverses that one. */
const rulings = (list: readonly (Remedy | number)[]): readonly PlacedDecision[] =>
  list.map((each, at) => ({
    stage: 0,
    matches: 0,
    decision: {
      type: 'ruling',
      ruling: {
        ...{ number: at + 1, case: 'case-1', entry: '0'.repeat(64), at: '2026-11-28T01:00:00.000Z' },
        ...(typeof each === 'number' ? { remedies: [], reverses: each } : { remedies: [each] }),
      },
    },
  }))

const after = (
  description: ContestDescription,
  list: readonly (Remedy | number)[],
  play: Play = drawn,
): ContestRecord => playOut(description, play, {}, undefined, rulings(list)).record

/** Everything that is counted, without the words about rulings. */
const counted = (record: Omit<ContestRecord, 'finished'>): unknown =>
  JSON.parse(
    JSON.stringify(
      {
        standings: record.standings(),
        rated: record.ratedStandings(),
        totals: record.totals(),
        heads: record.headToHead(),
        intervals: [...record.intervals()],
        shares: [...record.shareIntervals()],
        tables: record.tables(),
        breakdowns: record.breakdowns(),
      },
      (name, value: unknown) => (name === 'asPlayed' || name === 'removedBy' ? undefined : value),
    ),
  )
const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each: unknown) => (typeof each === 'number' ? Number(each.toFixed(9)) : each)))

describe('rulings about a contest of any format', () => {
  test('change nothing of what was played, and nothing at all if each is reversed', () => {
    fc.assert(
      fc.property(contests, wishes, (description, list) => {
        const { record: played, stages } = playOut(description, drawn)
        const remedies = list.map((wish) => remedyOf(wish, description, Math.max(1, played.total)))
        const ruled = after(description, remedies)
        expect(counted({ ...ruled, ...ruled.asPlayed })).toEqual(counted(played))
        expect(ruled.standings().map(({ agent, asPlayed }) => ({ agent, ...asPlayed }))).toEqual(
          ruled.standings().map(({ agent }) => {
            const { rank, points } = played.standings().find((row) => row.agent === agent)!
            return { agent, rank, points }
          }),
        )
        expect(playOut(description, drawn, {}, undefined, rulings(remedies)).stages).toEqual(stages)
        const reversed = after(description, [...remedies, ...remedies.map((_, at) => at + 1)])
        expect(counted(reversed)).toEqual(counted(played))
        expect(reversed.rulings.map(({ reversedBy }) => reversedBy !== undefined)).toEqual([
          ...remedies.map(() => true),
          ...remedies.map(() => false),
        ])
      }),
      { numRuns: repeats({ short: 40, long: 4000 }) },
    )
  })

  test('do not depend on their order, and a reversal that is reversed leaves the first ruling', () => {
    fc.assert(
      fc.property(contests, wishes, (description, list) => {
        const total = Math.max(1, createRecord(description).total)
        const remedies = list.map((wish) => remedyOf(wish, description, total))
        const one = after(description, remedies)
        const other = after(description, remedies.toReversed())
        expect(rounded(counted(other))).toEqual(rounded(counted(one)))
        const restored = after(description, [...remedies, 1, remedies.length + 1])
        expect(counted(restored)).toEqual(counted(one))
      }),
      { numRuns: repeats({ short: 40, long: 4000 }) },
    )
  })

  test('change points by what they say: of matches of two, a forfeit moves points, an annulment takes them away', () => {
    const pairs = contests.filter(
      ({ format }) =>
        ['round-robin', 'double-round-robin', 'ladder', 'gauntlet'].includes(format.type) &&
        !('seats' in format && format.seats !== 2),
    )
    const sum = (record: ContestRecord) => record.standings().reduce((all, { points }) => all + points, 0)
    fc.assert(
      fc.property(pairs, wishes, (description, list) => {
        const { record: played } = playOut(description, drawn)
        const remedies = list.map((wish) => remedyOf(wish, description, played.total))
        const ruled = after(description, remedies)
        const loses = (entrant: string, match: number): boolean =>
          remedies.some(
            (each) =>
              (each.type === 'removal' && each.entrant === entrant) ||
              (each.type === 'forfeit' &&
                each.entrant === entrant &&
                (each.matches === 'all' || each.matches.includes(match))),
          )
        // A match of two is worth a point, and nothing if it is annulled or both forfeit it.
        const left = [...played.finished.values()].filter(
          ({ match, entrants }) =>
            !remedies.some((each) => each.type === 'annul' && each.match === match) &&
            !entrants.every((entrant) => loses(entrant, match)),
        )
        const given = remedies.reduce((all, each) => all + (each.type === 'points' ? each.points : 0), 0)
        expect(sum(ruled)).toBeCloseTo(left.length + given, 9)
        for (const { agent, points } of ruled.standings()) {
          const own = left.filter(({ entrants }) => entrants.includes(agent))
          if (!own.every(({ match }) => loses(agent, match))) continue
          const ownPoints = remedies.reduce(
            (all, each) => all + (each.type === 'points' && each.entrant === agent ? each.points : 0),
            0,
          )
          expect(points).toBeCloseTo(ownPoints, 9)
        }
        const removed = remedies.flatMap((each) => (each.type === 'removal' ? each.entrant : []))
        const { length } = description.entrants
        const last = ruled.standings().slice(length - new Set(removed).size)
        expect(new Set(last.map(({ agent }) => agent))).toEqual(new Set(removed))
        expect(ruled.toPlayAgain).toEqual(
          [...new Set(remedies.flatMap((each) => (each.type === 'annul' && each.playAgain ? each.match : [])))].sort(
            (a, b) => a - b,
          ),
        )
      }),
      { numRuns: repeats({ short: 40, long: 4000 }) },
    )
  })
})

describe('matches that are played again', () => {
  const again: Play = ({ match, entrants }) => {
    const next = randomStream(sha256(`again ${match}`))
    return entrants.map(() => next() % 3)
  }
  /** Plays a contest with these rulings, and then what they want played again. */
  const replayed = (description: ContestDescription, list: readonly (Remedy | number)[]) => {
    const { record } = playOut(description, drawn, {}, undefined, rulings(list))
    const wanted = [...(record.replays() ?? [])]
    const left = wanted.filter(({ match }) => !record.isDone(match))
    for (const match of left) finishMatch(record, description, match, again(match))
    return { record, wanted, left }
  }
  /** Formats in which nobody meets others because of results. */
  const fixed = contests.filter(({ format }) =>
    ['round-robin', 'double-round-robin', 'gauntlet', 'single'].includes(format.type),
  )
  const numbers = fc.array(fc.nat({ max: 10_000 }), { minLength: 1, maxLength: 4 })

  test('count as if they had been played in the first place, and not at all once their ruling is reversed', () => {
    fc.assert(
      fc.property(fixed, numbers, (description, list) => {
        const { record: played } = playOut(description, drawn)
        const { total } = played
        const annulled = [...new Set(list.map((each) => each % total))]
        const remedies = annulled.map((match) => ({ type: 'annul', match, playAgain: true }) as const)
        const { record, wanted } = replayed(description, remedies)
        // Each has a number of its own after those of the schedule, and the same entrants in the same seats.
        expect(wanted.map(({ match }) => match)).toEqual(annulled.map((_, at) => total + at))
        const seats = (match: number): readonly string[] => played.finished.get(match)!.entrants
        const names = description.entrants.map(({ name }) => name)
        expect(wanted.map(({ entrants }) => entrants.map((at) => names[at]))).toEqual(annulled.map(seats))
        expect(record.replayed).toEqual(annulled.map((match, at) => ({ match, as: total + at })))
        expect([record.toPlayAgain, record.done, record.total]).toEqual([
          [],
          total + wanted.length,
          total + wanted.length,
        ])
        const { record: first } = playOut(description, (match) => {
          const at = annulled.indexOf(match.match)
          return at < 0 ? drawn(match) : again({ ...match, match: total + at })
        })
        expect(rounded(counted(record))).toEqual(rounded(counted(first)))
        expect(counted({ ...record, ...record.asPlayed })).toEqual(counted(played))

        // Reversed before: its number stays free. Reversed later: it is in the files, and counts no more.
        const before = replayed(description, [...remedies, 1])
        expect(before.left.map(({ match }) => match)).toEqual(annulled.slice(1).map((_, at) => total + 1 + at))
        const late = playOut(
          description,
          drawn,
          {},
          undefined,
          rulings([...remedies, ...remedies.map((_, at) => at + 1)]),
        )
        for (const match of late.record.replays()!) finishMatch(late.record, description, match, again(match))
        expect(counted(late.record)).toEqual(counted(played))
        expect(late.record.done).toBe(late.record.total)
      }),
      { numRuns: repeats({ short: 40, long: 2000 }) },
    )
  })

  test('are not waited for once they are void, and then count for nobody', () => {
    fc.assert(
      fc.property(fixed, numbers, (description, list) => {
        const { total } = playOut(description, drawn).record
        const annulled = [...new Set(list.map((each) => each % total))]
        const remedies = annulled.map((match) => ({ type: 'annul', match, playAgain: true }) as const)
        const { record } = playOut(description, drawn, {}, undefined, rulings(remedies))
        expect(record.toPlayAgain).toHaveLength(annulled.length)
        for (const { match } of record.replays()!)
          record.voidAttempt({ match, attempt: ATTEMPTS_MAX, reason: 'the machine failed' })
        expect([record.toPlayAgain, record.replayed]).toEqual([[], []])
        expect(record.replayedVoid).toEqual(annulled.map((match, at) => ({ match, as: total + at })))
        const plain = remedies.map((each) => ({ ...each, playAgain: false }))
        const without = playOut(description, drawn, {}, undefined, rulings(plain)).record
        expect(record.standings()).toEqual(without.standings())
      }),
      { numRuns: repeats({ short: 20, long: 1000 }) },
    )
  })

  test('can be annulled and played again themselves, in any format, and wait for the end of the schedule', () => {
    fc.assert(
      fc.property(contests, fc.nat({ max: 10_000 }), (description, number) => {
        const { total } = playOut(description, drawn).record
        if (total === 0) return
        const match = number % total
        const twice = [match, total].map((each) => ({ type: 'annul', match: each, playAgain: true }) as const)
        const open = createRecord(description, {}, rulings(twice))
        expect(open.replays()).toBeNull()
        const { record, wanted } = replayed(description, twice)
        expect(wanted[1]).toEqual({ ...wanted[0], match: total + 1 })
        expect(record.replayed).toEqual([
          { match, as: total },
          { match: total, as: total + 1 },
        ])
        // The last one alone counts: every match of the schedule has one result.
        const sum = (of: ContestRecord) => of.standings().reduce((all, each) => all + each.matches, 0)
        const knockout = description.format.type === 'knockout'
        if (!knockout) expect(sum(record)).toBe(sum(playOut(description, drawn).record))
      }),
      { numRuns: repeats({ short: 40, long: 2000 }) },
    )
  })
})

describe('a knockout of four, in which A beats B and C beats D, then A beats C', () => {
  const description = contestOf({ type: 'knockout', bestOf: 1, thirdPlace: true }, 4)
  const { stages } = playOut(description, byList)
  const names = (list: readonly Remedy[]) =>
    after(description, list, byList)
      .standings()
      .map(({ rank, agent }) => `${rank} ${agent}`)
  const final = stages.flat().find(
    ({ entrants }) =>
      entrants.includes(0) &&
      entrants.length === 2 &&
      stages
        .flat()
        .filter((m) => m.entrants.includes(0))
        .at(-1)!.match === stages.flat().find((m) => m.entrants === entrants)?.match,
  )!.match
  const [, other] = stages
    .at(0)!
    .find(({ entrants }) => entrants.includes(0))!
    .entrants.toSorted((a, b) => a - b)
  const loser = description.entrants[other!]!.name

  test('has the other finalist as its champion after the final is forfeited', () => {
    const before = names([])
    expect(before[0]).toBe('1 A')
    const runnerUp = before[1]!.slice(2)
    expect(names([{ type: 'forfeit', entrant: 'A', matches: [final] }]).slice(0, 2)).toEqual([`1 ${runnerUp}`, '2 A'])
  })

  test('has the loser of the first semi-final as the second, if its winner is removed: nobody plays again', () => {
    const runnerUp = names([])[1]!.slice(2)
    const ranked = names([{ type: 'removal', entrant: 'A' }])
    expect(ranked.slice(0, 2)).toEqual([`1 ${runnerUp}`, `2 ${loser}`])
    expect(ranked.at(-1)).toBe('4 A')
  })
})

test('a bye in a Swiss tournament is worth what it was, and points of a ruling do not make an opponent stronger', () => {
  const description = contestOf({ type: 'swiss', rounds: 3 }, 5)
  const { record: played } = playOut(description, byList)
  const buchholz = (record: ContestRecord) => record.tables()['Tie-breaks'] as readonly Record<string, unknown>[]
  const ruled = after(description, [{ type: 'points', entrant: 'A', points: -2 }], byList)
  const column = 'points of opponents'
  expect(buchholz(ruled).map((row) => row[column])).toEqual(buchholz(played).map((row) => row[column]))
  const byes = buchholz(played).findIndex(({ byes: had }) => had === 1)
  const name = description.entrants[byes]!.name
  const all = [...played.finished.values()].filter(({ entrants }) => !entrants.includes(name))
  const annulled = after(
    description,
    all.map(({ match }) => ({ type: 'annul', match, playAgain: false })),
    byList,
  )
  const pointsOf = (record: ContestRecord) => record.standings().find(({ agent }) => agent === name)!.points
  expect(pointsOf(annulled)).toBe(pointsOf(played))
})
