import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import type { ContestDetail, MatchSummary, StandingRow } from '../../../main/contract/procedures/procedures.ts'
import { call } from '../../../renderer/connection/client.ts'
import { saveFile } from '../../../renderer/files.ts'
import ExportContest from '../../../renderer/screens/contests/contest/export-contest.svelte'
import {
  resultsCsv,
  standingsByTeam,
  standingsCsv,
  teamsCsv,
} from '../../../renderer/screens/contests/contest/tables-as-files.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))
vi.mock(import('../../../renderer/files.ts'), async (original) => ({ ...(await original()), saveFile: vi.fn() }))
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const row = (agent: string): StandingRow => {
  return { agent, rank: 1, points: 3, matches: 2, wins: 1, faults: 0, removals: 1, score: 9.5 }
}
const seat = (name: string, rank: number) => ({ name, agent: name, rank, score: 10 - rank, removed: rank === 2 })
const match = (n: number): MatchSummary => {
  return {
    contest: 'c-1',
    title: 'Week 1',
    match: n,
    seats: [seat('Anna', 1), seat('Ben', 2)],
    faults: 0,
    genuine: false,
  }
}

test('standings as CSV have a row for each agent; texts are quoted and are not formulas', () => {
  const rows = [{ ...row('=1+1'), counts: { sold: 4 } }, row('Anna, "the" one')]
  expect(standingsCsv(rows, [{ id: 'sold', label: 'Sold' }])).toBe(
    'rank,agent,points,matches,points per match,wins,score,faults,removals,Sold\r\n' +
      "1,'=1+1,3,2,1.5,1,9.5,0,1,4\r\n" +
      '1,"Anna, ""the"" one",3,2,1.5,1,9.5,0,1,0\r\n',
  )
})

test('standings as CSV have both results if there are rulings, and the ruling after which they are', () => {
  const rows = [{ ...row('Anna'), asPlayed: { rank: 2, points: 1 } }]
  expect(standingsCsv(rows, [], new Map(), new Map(), 3)).toBe(
    'rank,agent,points,matches,points per match,wins,score,faults,removals,after ruling,rank as played,points as played\r\n' +
      '1,Anna,3,2,1.5,1,9.5,0,1,3,2,1\r\n',
  )
  expect(teamsCsv(standingsByTeam(rows, []), 3).split('\r\n')[0]).toMatch(/,after ruling$/)
})

test('standings as CSV have rounds and intervals where there are any', () => {
  const rows = [{ ...row('Anna'), stage: 2 }, row('Ben')]
  expect(standingsCsv(rows, [], new Map([['Anna', [1, 2.5]]]))).toBe(
    'rank,agent,points,matches,points per match,wins,score,faults,removals,round,points per match low,points per match high\r\n' +
      '1,Anna,3,2,1.5,1,9.5,0,1,2,1,2.5\r\n' +
      '1,Ben,3,2,1.5,1,9.5,0,1,,,\r\n',
  )
})

test('standings as CSV and as JSON have ratings; in JSON they have the names of the command line', async () => {
  const [anna, ben] = [row('Anna'), row('Ben')]
  const ratings = [
    { rating: 1600, interval: [1500, 1750], superiority: 0.9 },
    { rating: 1400, interval: null, superiority: null },
  ] as const
  expect(
    standingsCsv(
      [anna, ben],
      [],
      new Map(),
      new Map<string, (typeof ratings)[number]>([
        ['Anna', ratings[0]],
        ['Ben', ratings[1]],
      ]),
    ),
  ).toBe(
    'rank,agent,points,matches,points per match,wins,score,faults,removals,rating,rating low,rating high\r\n' +
      '1,Anna,3,2,1.5,1,9.5,0,1,1600,1500,1750\r\n' +
      '1,Ben,3,2,1.5,1,9.5,0,1,1400,,\r\n',
  )
  vi.mocked(call as () => Promise<unknown>).mockResolvedValue({ items: [anna, ben], offset: 0, total: 2 })
  const detail = {
    summary: { contest: 'c-1', title: 'Week 1' },
    countColumns: [],
    standings: [anna, ben],
    intervals: [[1, 2], null],
    ratings,
  } as unknown as ContestDetail
  render(ExportContest, { detail, open: true })
  await fireEvent.change(screen.getByLabelText('Format'), { target: { value: 'json' } })
  await fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(vi.mocked(saveFile).mock.lastCall?.[0]).toBe('c-1-standings.json'))
  expect((JSON.parse(vi.mocked(saveFile).mock.lastCall![1] as string) as { standings: unknown }).standings).toEqual([
    { ...anna, ...ratings[0], pointsInterval: [1, 2] },
    { ...ben, ...ratings[1], pointsInterval: null },
  ])
})

test('results as CSV have a row for each seat of each match', () => {
  expect(resultsCsv([match(7)])).toBe(
    'match,seat,agent,rank,score,removed\r\n7,0,Anna,1,9,false\r\n7,1,Ben,2,8,true\r\n',
  )
})

test('all results are read, page by page, and saved', async () => {
  const all = Array.from({ length: 501 }, (_, n) => match(n))
  vi.mocked(call as (name: string, page: { offset: number; limit: number }) => Promise<unknown>).mockImplementation(
    (_, { offset, limit }) => Promise.resolve({ items: all.slice(offset, offset + limit), offset, total: all.length }),
  )
  const detail = {
    summary: { contest: 'c-1', title: 'Week 1' },
    countColumns: [],
    standings: [],
    intervals: [],
  } as unknown as ContestDetail
  render(ExportContest, { detail, open: true })
  await fireEvent.change(screen.getByLabelText('Table'), { target: { value: 'results' } })
  await fireEvent.change(screen.getByLabelText('Format'), { target: { value: 'json' } })
  await fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saveFile).toHaveBeenCalled())
  const [name, text] = vi.mocked(saveFile).mock.lastCall!
  expect(name).toBe('c-1-results.json')
  const saved = JSON.parse(text as string) as { readonly matches: readonly MatchSummary[] }
  expect(saved.matches.map((each) => each.match)).toEqual(all.map((each) => each.match))
  expect(saved.matches[500]!.seats).toEqual(match(500).seats)
})

test('standings by team have the sums of its entrants and the rank of its best one', () => {
  const rows = [row('Anna'), row('Dora'), { ...row('Ben'), rank: 3, points: 2 }, { ...row('Cleo'), rank: 3, points: 2 }]
  const teams = [
    { entrant: 'Anna', team: 'reds' },
    { entrant: 'Ben', team: 'blues' },
    { entrant: 'Cleo', team: 'reds' },
  ]
  const byTeam = standingsByTeam(rows, teams)
  expect(byTeam.map(({ rank, team, agents, points, matches }) => [rank, team, agents, points, matches])).toEqual([
    [1, 'reds', ['Anna', 'Cleo'], 5, 4],
    [1, 'Dora', ['Dora'], 3, 2],
    [3, 'blues', ['Ben'], 2, 2],
  ])
  expect(teamsCsv(byTeam.slice(0, 1))).toBe(
    'rank,team,agents,points,matches,points per match,wins,score,faults,removals\r\n' +
      '1,reds,Anna; Cleo,5,4,1.25,2,19,0,2\r\n',
  )
})
