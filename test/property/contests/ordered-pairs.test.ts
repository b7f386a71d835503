import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRecord, type ContestRecord } from '../../../main/services/contests/standings/contest-record.ts'
import { matchCount, matchSeed, scheduleFault, scheduleOf } from '../../../main/services/contests/schedule/schedule.ts'
import type { ScheduledMatch } from '../../../main/services/contests/schedule/scheduled-match.ts'
import { contestDescription, type ContestDescription } from '../../../main/contract/contests/contests.ts'
import { mersenneOf } from '../../../main/contract/mersenne.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import { contests } from '../../../main/referees/haggle/haggle.ts'

interface Shape {
  readonly entrants: number
  readonly seeds: number | number[]
  readonly finalists: number
  readonly finalSeeds: number | number[]
  readonly phrase?: string
}

const nameOf = (at: number): string => `agent ${String(at)}`

function contest({ entrants, ...format }: Shape, seed = 'Fior'): ContestDescription {
  return contestDescription.parse({
    title: 'A tournament',
    game: 'haggle',
    format: { type: 'ordered-pairs', ...format },
    seed,
    entrants: Array.from({ length: entrants }, (_, at) => ({ name: nameOf(at), agent: 'a'.repeat(64) })),
  })
}

function firstStage(description: ContestDescription): readonly ScheduledMatch[] {
  const schedule = scheduleOf(description)
  if (typeof schedule === 'string') throw new Error(schedule)
  return [...schedule]
}

const scenarios = fc.oneof(
  fc.integer({ min: 1, max: 4 }),
  fc.array(fc.integer({ min: 1, max: 2 ** 32 - 1 }), { minLength: 1, maxLength: 4 }),
)
const shapes = fc
  .record({
    entrants: fc.integer({ min: 2, max: 7 }),
    seeds: scenarios,
    finalists: fc.constantFrom(0, 2, 3, 5, 50),
    finalSeeds: scenarios,
  })
  .map((shape): Shape => shape)

const countOf = (seeds: number | readonly number[]): number => (typeof seeds === 'number' ? seeds : seeds.length)

/** The matches of the final; none while the first stage is not over. */
const finalOf = (record: ContestRecord): readonly ScheduledMatch[] => [...(record.stage(1) ?? [])]

/** The result of a match, by its seed alone: `aborted`, `agreed` or neither. */
function playedOut(match: ScheduledMatch) {
  const draw = randomStream(sha256(`${match.match}`))
  const kind = draw() % 4
  const scores = kind >= 2 ? [draw() % 11, draw() % 11] : [0, 0]
  const quitter = kind === 0 ? draw() % 2 : -1
  return { scores, agreed: kind >= 2, quitter }
}

function finish(record: ContestRecord, match: ScheduledMatch): void {
  const { scores, agreed, quitter } = playedOut(match)
  const places = scores.map((score, seat) => {
    const rank = score < scores[1 - seat]! ? 2 : 1
    return { seat, rank, score, removed: seat === quitter, ...(seat === quitter ? { reason: 'AI timeout' } : {}) }
  })
  record.finish({
    match: match.match,
    attempt: 1,
    run: match.match + 1,
    head: '0'.repeat(64),
    outcome: { agreed, places },
    state: '0'.repeat(64),
    entrants: match.entrants.map(nameOf),
    faults: [0, 0],
    printed: [0, 0],
    isolation: 'none',
    ms: 1,
    from: { segment: 1, byte: 0 },
    to: { segment: 1, byte: 1 },
  })
}

/** The score of every entrant over these matches, in those that both of `among` play. */
function scoresOver(matches: readonly ScheduledMatch[], among: readonly number[]): ReadonlyMap<string, number> {
  const scores = new Map(among.map((at) => [nameOf(at), 0]))
  for (const match of matches) {
    if (!match.entrants.every((at) => among.includes(at))) continue
    for (const [seat, at] of match.entrants.entries()) {
      scores.set(nameOf(at), scores.get(nameOf(at))! + playedOut(match).scores[seat]!)
    }
  }
  return scores
}

describe('the first stage', () => {
  test('every ordered pair of two entrants meets once on each seed, and every match begins with its scenario', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const description = contest(shape)
        const matches = firstStage(description)
        const keys = new Set(matches.map(({ entrants }) => entrants.join()))
        expect(keys.size).toBe(shape.entrants * (shape.entrants - 1))
        for (const { entrants } of matches) expect(entrants[0]).not.toBe(entrants[1])
        const played = (key: string) =>
          matches.filter(({ entrants }) => entrants.join() === key).map(({ scenario }) => scenario)
        const seeds = played('0,1')
        expect(seeds).toHaveLength(countOf(shape.seeds))
        if (typeof shape.seeds !== 'number') expect(seeds).toEqual(shape.seeds)
        for (const key of keys) expect(played(key)).toEqual(seeds)
        for (const match of matches) {
          expect(Number.parseInt(matchSeed('Fior', match, 'hmac').slice(0, 8), 16)).toBe(match.scenario)
        }
        expect(new Set(matches.map((match) => matchSeed('Fior', match, 'hmac'))).size).toBe(matches.length)
      }),
      { numRuns: 50 },
    )
  })

  test("a phrase gives the seeds as in 2018: the first, third ... number is the final's", () => {
    const draw = mersenneOf(new TextEncoder().encode('Più di così'))
    const numbers = Array.from({ length: 6 }, draw)
    const description = contest({ entrants: 2, seeds: 3, finalists: 2, finalSeeds: 2, phrase: 'Più di così' }, 'x')
    expect(firstStage(description).map(({ scenario }) => scenario)).toEqual([1, 3, 5, 1, 3, 5].map((at) => numbers[at]))
    const record = createRecord(description, contests)
    for (const match of firstStage(description)) finish(record, match)
    expect(finalOf(record).map(({ scenario }) => scenario)).toEqual([0, 2, 0, 2].map((at) => numbers[at]))
  })

  test('the generator of phrases is that of the reference implementation', () => {
    const draw = mersenneOf([0x123, 0x234, 0x345, 0x456])
    expect(Array.from({ length: 5 }, draw)).toEqual([1067595299, 955945823, 477289528, 4107218783, 4228976476])
  })
})

describe('the final', () => {
  test('is played by the best of the first stage, whatever order its matches end in', () => {
    fc.assert(
      fc.property(shapes, fc.string(), (shape, order) => {
        const description = contest(shape)
        const matches = firstStage(description)
        const record = createRecord(description, contests)
        const draw = randomStream(sha256(order))
        const mixed = matches.map((match) => ({ match, key: draw() })).sort((a, b) => a.key - b.key)
        for (const { match } of mixed) {
          expect(finalOf(record)).toEqual([])
          finish(record, match)
        }
        const final = finalOf(record)
        const players = [...new Set(final.flatMap(({ entrants }) => entrants))]
        const scores = scoresOver(
          matches,
          Array.from({ length: shape.entrants }, (_, at) => at),
        )
        const size = Math.min(shape.finalists, shape.entrants)
        expect(players).toHaveLength(size)
        const worst = Math.min(...players.map((at) => scores.get(nameOf(at))!))
        for (const [name, score] of scores) {
          if (!players.some((at) => nameOf(at) === name) && size > 0) expect(score).toBeLessThanOrEqual(worst)
        }
        expect(final).toHaveLength(size * (size - 1) * countOf(shape.finalSeeds))
        expect(final.map(({ match }) => match)).toEqual(final.map((_, at) => matches.length + at))
        expect(matchCount(description)).toBe(matches.length + final.length)
      }),
      { numRuns: 50 },
    )
  })

  test('finalists are ranked by what they scored against one another in both stages, before all others', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const description = contest(shape)
        const matches = firstStage(description)
        const record = createRecord(description, contests)
        for (const match of matches) finish(record, match)
        const final = finalOf(record)
        for (const match of final) finish(record, match)
        const players = [...new Set(final.flatMap(({ entrants }) => entrants))]
        const all = Array.from({ length: shape.entrants }, (_, at) => at)
        const amongFinalists = scoresOver([...matches, ...final], players)
        const overall = scoresOver(matches, all)
        const rows = record.standings()
        expect(rows.map(({ agent }) => agent).toSorted()).toEqual(all.map(nameOf).toSorted())
        for (const [at, row] of rows.entries()) {
          expect(row.session!.final).toBe(at < players.length)
          expect(row.score).toBe((row.session!.final ? amongFinalists : overall).get(row.agent))
          const before = rows[at - 1]
          if (before?.session!.final === row.session!.final) expect(row.score).toBeLessThanOrEqual(before.score)
        }
        expect(record.done).toBe(record.total)
      }),
      { numRuns: 50 },
    )
  })

  test('a first stage with a void match is over, too; nothing else begins the final', () => {
    const description = contest({ entrants: 3, seeds: [5], finalists: 2, finalSeeds: [6] })
    const record = createRecord(description, contests)
    const [last, ...others] = firstStage(description)
    for (const match of others) finish(record, match)
    expect(finalOf(record)).toEqual([])
    for (const attempt of [1, 2, 3]) record.voidAttempt({ match: last!.match, attempt, reason: 'the host was busy' })
    expect(finalOf(record)).toHaveLength(2)
  })
})

test('agreements, aborts with their reasons, seats and pairs are counted', () => {
  const description = contest({ entrants: 3, seeds: 8, finalists: 0, finalSeeds: 1 })
  const matches = firstStage(description)
  const record = createRecord(description, contests)
  for (const match of matches) finish(record, match)
  for (const { agent, matches: sessions, wins, removals, session, counts } of record.standings()) {
    const own = matches.filter(({ entrants }) => entrants.map(nameOf).includes(agent))
    const seat = (match: ScheduledMatch): number => match.entrants.map(nameOf).indexOf(agent)
    expect(sessions).toBe(own.length)
    expect(counts!.agreements).toBe(own.filter((match) => playedOut(match).agreed).length)
    const ahead = (match: ScheduledMatch): boolean => {
      const { scores } = playedOut(match)
      return scores[seat(match)]! > scores[1 - seat(match)]!
    }
    expect(wins).toBe(own.filter(ahead).length)
    expect(removals).toBe(own.filter((match) => playedOut(match).quitter === seat(match)).length)
    expect(session!.bySeat.map(({ score }) => score)).toEqual(
      [0, 1].map((at) =>
        own.filter((match) => seat(match) === at).reduce((sum, match) => sum + playedOut(match).scores[at]!, 0),
      ),
    )
    const reasons = record.tables().walkedAway!.filter((row) => row.agent === agent)
    expect(reasons).toEqual(removals === 0 ? [] : [{ agent, reason: 'AI timeout', sessions: removals }])
  }
  const pairs = record.tables().pairs!
  expect(pairs.map(({ first, second, sessions }) => [first, second, sessions])).toHaveLength(6)
  const [row] = pairs
  const met = matches.filter(({ entrants }) => entrants.join() === '0,1')
  expect(row).toEqual({
    first: nameOf(0),
    second: nameOf(1),
    sessions: 8,
    counts: { agreements: met.filter((match) => playedOut(match).agreed).length },
    score: [0, 1].map((seat) => met.reduce((sum, match) => sum + playedOut(match).scores[seat]!, 0)),
    aborts: [0, 1].map((seat) => met.filter((match) => playedOut(match).quitter === seat).length),
  })
})

test('what cannot be scheduled is said in a sentence; what is not said is as in 2018', () => {
  const shape = { entrants: 3, seeds: 1, finalists: 1, finalSeeds: 1 }
  expect(scheduleFault(contest(shape))).toBe('A final needs at least two finalists; 0 means no final.')
  expect(scheduleFault(contest({ ...shape, entrants: 1, finalists: 0 }))).toMatch(/at least 2 entrants/)
  const standard = { ...contest(shape), format: { type: 'ordered-pairs' } }
  expect(contestDescription.parse(standard).format).toEqual({
    type: 'ordered-pairs',
    seeds: 500,
    finalists: 50,
    finalSeeds: 500,
  })
})
