import { expect, test } from 'vitest'
import type { ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { openAgentRecord } from '../../../main/services/contests/reports/agent-record.ts'

const hash = 'a'.repeat(64)
const entrants = [
  { name: 'rosa', agent: hash },
  { name: 'blanche', agent: 'b'.repeat(64) },
]
const contestOf = (id: string, title: string): object => ({ id, state: 'ended', description: { title, entrants } })
const home = {
  content: {
    contests: [contestOf('cup-1', 'Cup'), contestOf('practice-of-blue-1', 'Secret practice')],
    agents: entrants.map(({ name, agent }) => ({ hash: agent, manifest: { name, game: 'specker' } })),
  },
} as unknown as ClassFolder

/** Two contests in each of which rosa had a fault and printed something. */
const row = { match: 0, entrants: ['rosa', 'blanche'], faults: [1, 0], removals: [0, 0], printed: [1, 0] }
const sources = {
  home,
  contests: {
    counts: async () => ({ faults: new Map([['rosa', 1]]), removals: new Map(), printed: new Map([['rosa', 1]]) }),
    record: async () => ({
      finished: { noticed: () => [row] },
      totals: () => [{ agent: 'rosa', matches: 1, wins: 1, faults: 1, removals: 0 }],
      headToHead: () => ({
        names: ['rosa', 'blanche'],
        better: [
          [0, 1],
          [0, 0],
        ],
        met: [
          [0, 1],
          [1, 0],
        ],
      }),
    }),
    folder: () => '',
  },
  matches: {
    only: async (contest: string, _: number, kind: string) =>
      kind === 'fault'
        ? [{ kind: 'fault', at: 1, seat: 0, fault: { kind: 'crash', text: `in ${contest}` } }]
        : [{ kind: 'console', seat: 0, text: `hello from ${contest}` }],
  },
} as unknown as Parameters<typeof openAgentRecord>[0]

test('faults, results and output of contests that a caller does not see are not counted, paged or added up', async () => {
  const record = openAgentRecord(sources)
  const page = { offset: 0, limit: 10 }
  const everything = (): boolean => true
  const cup = (contest: string): boolean => contest === 'cup-1'
  const of = async (sees: (contest: string) => boolean): Promise<readonly unknown[]> => {
    const results = await record.results('rosa', [hash], sees)
    const faults = await record.faults('rosa', page, sees)
    const printed = await record.console('rosa', page, sees)
    const counted = [await record.faultCount('rosa', sees), faults.total, printed.total]
    const played = [results.opponents[0]?.matches, results.versions[0]?.matches]
    return [...counted, ...played, JSON.stringify([faults, printed]).includes('ractice')]
  }
  expect(await of(everything)).toEqual([2, 2, 2, 2, 2, true])
  expect(await of(cup)).toEqual([1, 1, 1, 1, 1, false])
  expect(await of(() => false)).toEqual([0, 0, 0, undefined, undefined, false])
})
