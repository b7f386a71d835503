import { describe, expect, test } from 'vitest'
import { createRecord, type ContestRecord } from '../../../main/services/contests/standings/contest-record.ts'
import { scheduleFault } from '../../../main/services/contests/schedule/schedule.ts'
import { contestDescription, type ContestDescription } from '../../../main/contract/contests/contests.ts'
import type { Json } from '../../../main/contract/json.ts'
import { hashOf } from '../../../main/histories/canonical.ts'
import { podsSettings, type PodsSettings } from '../../../main/referees/cops/choices.ts'
import { contests, pods } from '../../../main/referees/cops/contests/pods.ts'

/** Contestants A, B, C and so on, and the house agent as the last entrant. */
function contest(contestants: number, settings: Json = {}): ContestDescription {
  const names = [
    ...Array.from({ length: contestants }, (_, at) => (at < 26 ? String.fromCharCode(65 + at) : `A${at}`)),
    'house',
  ]
  return contestDescription.parse({
    title: 'Pods',
    game: 'cops',
    format: { type: 'game', name: 'pods', settings },
    seed: 'Oxford',
    entrants: names.map((name) => ({ name, agent: 'a'.repeat(64) })),
  })
}

/** Plays a stage. `score`: of a name in any game, in tenths of a point; `foul`: who is disqualified in a game of these names. */
function play(
  record: ContestRecord,
  description: ContestDescription,
  stage: number,
  score: (name: string) => number,
  foul: (names: readonly string[]) => string | null = () => null,
): void {
  for (const { match, entrants } of record.stage(stage)!) {
    const names = entrants.map((entrant) => description.entrants[entrant]!.name)
    const out = foul(names)
    const none = names.map(() => 0)
    record.finish({
      match,
      attempt: 1,
      run: match + 1,
      head: '0'.repeat(64),
      outcome: {
        places: names.map((name, seat) => ({
          seat,
          rank: 1 + names.filter((other) => score(other) > score(name)).length,
          score: score(name),
          removed: name === out,
        })),
      },
      state: '0'.repeat(64),
      entrants: names,
      faults: none,
      printed: none,
      isolation: 'none',
      ms: 1,
      from: { segment: 1, byte: 0 },
      to: { segment: 1, byte: 0 },
    })
  }
}

/** The games of a stage, each as the letters of its seats; `-` is the house. */
function games(record: ContestRecord, description: ContestDescription, stage: number): readonly string[] {
  return [...record.stage(stage)!].map(({ entrants }) =>
    entrants.map((entrant) => description.entrants[entrant]!.name.replace('house', '-')).join(''),
  )
}

const players = (list: readonly string[]): string => [...new Set(list.join('').replaceAll('-', ''))].sort().join('')
/** A is the best; the house is worse than everybody but Z. */
const alphabet = (name: string): number => (name === 'house' ? 10 : 100 - name.charCodeAt(0))

describe('a contest in pods', () => {
  test('each contestant plays six games of the regular season with five of the house, once as the robber', () => {
    const description = contest(2)
    const record = createRecord(description, contests)
    expect(games(record, description, 0)).toEqual([
      ...['A-----', '-A----', '-A----', '-A----', '-A----', '-A----'],
      ...['B-----', '-B----', '-B----', '-B----', '-B----', '-B----'],
    ])
    // Only where the contestant is a cop are the other four McGruffs.
    const variants = [...record.stage(0)!].map(({ variant }) => variant)
    expect(variants.slice(0, 6)).toEqual([undefined, 0, 0, 0, 0, 0])
  })

  test('a player that does not win its pod of the regular season is out, also with an equal score', () => {
    const description = contest(4)
    const record = createRecord(description, contests)
    play(record, description, 0, (name) => ({ A: 20, B: 10, C: 9 })[name] ?? (name === 'D' ? 11 : 10))
    expect(players(games(record, description, 1))).toBe('AD')
    expect(record.tables()['Regular season']).toMatchObject([
      { agent: 'A', points: 12, next: 'yes' },
      { agent: 'D', points: 6.6, next: 'yes' },
      { agent: 'B', next: 'no' },
      { agent: 'C', next: 'no' },
    ])
  })

  test('a pod of six plays six games, each contestant once as the robber; the best three of each pod go on', () => {
    const description = contest(12)
    const record = createRecord(description, contests)
    play(record, description, 0, alphabet)
    const first = games(record, description, 1)
    expect(first).toHaveLength(12)
    // Spread back and forth by the regular season: 1, 4, 5, 8, 9, 12 against 2, 3, 6, 7, 10, 11.
    expect([players(first.slice(0, 6)), players(first.slice(6))]).toEqual(['ADEHIL', 'BCFGJK'])
    expect(first.map((game) => game[0]).join('')).toHaveLength(12)
    expect(new Set(first.map((game) => game[0])).size).toBe(12)
    play(record, description, 1, alphabet)
    // Nobody was disqualified, so no pod is played again.
    expect([games(record, description, 2), games(record, description, 3)]).toEqual([[], []])
    expect(players(games(record, description, 4))).toBe('ABCDEF')
    play(record, description, 4, alphabet)
    expect(record.done).toBe(record.total)
    expect(record.standings().map(({ agent, rank }) => `${rank}${agent}`)).toEqual([
      ...['1A', '2B', '3C', '4D', '5E', '6F', '7G', '8H', '9I', '10J', '11K', '12L'],
    ])
  })

  test('equal scores are decided by the rounds before', () => {
    const description = contest(6)
    const record = createRecord(description, contests)
    play(record, description, 0, (name) => (name === 'house' ? 0 : name.charCodeAt(0)))
    play(record, description, 1, () => 7)
    expect(record.standings().map(({ agent }) => agent)).toEqual(['F', 'E', 'D', 'C', 'B', 'A'])
  })

  test('the table says what decides between equal scores across a cut: earlier rounds, or the lot', () => {
    const decided = (season: (name: string) => number): readonly object[] => {
      const description = contest(12)
      const record = createRecord(description, contests)
      play(record, description, 0, season)
      // In each pod of six the second to the fourth have equal scores; nobody else.
      const [one, other] = [0, 6].map((at) => players(games(record, description, 1).slice(at, at + 6)))
      const place = (name: string): number => Math.max(one!.indexOf(name), other!.indexOf(name))
      play(record, description, 1, (name) => [60, 50, 50, 50, 20, 10][place(name)] ?? 0)
      const rows = record.tables()['Playoffs, round 1'] as readonly { points: number; 'tie decided by': string }[]
      expect(rows.filter(({ points }) => points !== 30).every((row) => row['tie decided by'] === '')).toBe(true)
      return rows.filter(({ points }) => points === 30)
    }
    const six = (rule: string) => Array.from({ length: 6 }, () => ({ 'tie decided by': rule }))
    expect(decided(alphabet)).toMatchObject(six('earlier rounds'))
    expect(decided((name) => (name === 'house' ? 10 : 20))).toMatchObject(six('lot'))
  })

  test('a pod is played again with the best of those who are out when somebody is disqualified', () => {
    const description = contest(12)
    const record = createRecord(description, contests)
    // G to L lose in the regular season; G is the best of them.
    play(record, description, 0, (name) => (name === 'house' ? 30 : alphabet(name)))
    expect(players(games(record, description, 1))).toBe('ABCDE')
    play(record, description, 1, alphabet, (names) => (names[0] === 'B' ? 'B' : null))
    expect(players(games(record, description, 2))).toBe('ACDEF')
    // The results of the first attempt count for nobody.
    play(record, description, 2, (name) => (name === 'house' ? 0 : name.charCodeAt(0)))
    expect(games(record, description, 3)).toEqual([])
    expect(record.standings().map(({ agent }) => agent)).toEqual([
      ...['F', 'E', 'D', 'C', 'A', 'G', 'H', 'I', 'J', 'K', 'L', 'B'],
    ])
  })

  test('a single reserve fills one place, the house the next; after the last rerun the disqualified only leave', () => {
    const description = contest(2, { reruns: 1 })
    const record = createRecord(description, contests)
    play(record, description, 0, (name) => (name === 'house' ? 0 : 5))
    play(
      record,
      description,
      1,
      () => 5,
      (names) => (names[0] === 'A' ? 'A' : null),
    )
    expect(players(games(record, description, 2))).toBe('B')
    play(
      record,
      description,
      2,
      () => 5,
      (names) => (names[0] === 'B' ? 'B' : null),
    )
    expect(record.done).toBe(record.total)
    expect(
      record
        .standings()
        .map(({ agent }) => agent)
        .sort(),
    ).toEqual(['A', 'B'])
  })

  test('the house alone is not a contest', () => {
    expect(scheduleFault(contest(0), contests)).not.toBeNull()
    expect(scheduleFault(contest(1), contests)).toBeNull()
  })

  test('in the regular season cops of the house list themselves at the times of the setting, in all pods alike', () => {
    const settings = podsSettings.parse({ houseMarket: [3, 0, 7] })
    // The first one completes the contest's own config, which the playoffs have.
    expect(pods.variants!(settings)).toEqual([
      { mcgruffs: 4 },
      { mcgruffs: 4, marketWorlds: [3, 0, 7, 0] },
      { marketWorlds: [3, 0, 7, 0, 0] },
    ])
    const games = (given: PodsSettings): readonly unknown[] => {
      const season = pods.next({ settings: given, entrants: 3, seed: 'Oxford', outcomes: () => null }, [], [])
      return Array.from({ length: 12 }, (_, at) => season.at(at)!.variant)
    }
    expect(games(settings)).toEqual([2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1])
    // Without the setting, contests have the schedule that they have always had.
    const usual = podsSettings.parse({})
    expect(pods.variants!(usual)).toEqual([{ mcgruffs: 4 }])
    expect(games(usual)).toEqual([undefined, 0, 0, 0, 0, 0, undefined, 0, 0, 0, 0, 0])
    expect(podsSettings.safeParse({ houseMarket: [4] }).success).toBe(false)
  })

  // A contest that an older version has begun must be resumed with the same matches.
  test('the pods of many, in which some are disqualified, are those that they have always been', () => {
    const description = contest(61, { elimination: false })
    const record = createRecord(description, contests)
    const played: (readonly string[])[] = []
    for (let stage = 0; record.stage(stage) !== null; stage++) {
      played.push(games(record, description, stage))
      const score = (name: string): number => hashOf([stage, name]).charCodeAt(0) % 5
      const foul = (names: readonly string[]): string | null =>
        stage > 0 && hashOf([stage, names]) < '2' ? names.find((name) => name !== 'house')! : null
      play(record, description, stage, score, foul)
    }
    expect(played.filter(({ length }) => length > 0)).toHaveLength(15)
    // The recorded hash is of scores in tenths of a point, and of tables without the column about ties and the reasons of removals.
    const standings = record.standings().map((row) => ({ ...row, score: Math.round(10 * row.score) }))
    const { removals, ...others } = record.tables()
    expect(removals).not.toHaveLength(0)
    const tables = Object.entries(others).map(([name, rows]) => [
      name,
      rows!.map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => column !== 'tie decided by'))),
    ])
    expect(hashOf([played, standings, Object.fromEntries(tables)]).slice(0, 16)).toBe('ba2cd7521845bd5b')
  })
})
