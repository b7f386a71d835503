import { noDecisions } from '../../../main/contract/contests/decisions.ts'
import { HUMAN } from '../../../main/contract/players/agents.ts'
import type { ContestDetail, StandingRow } from '../../../main/contract/procedures/procedures.ts'

const hash = 'a'.repeat(64)
const row = (agent: string, rank: number): StandingRow => {
  return { agent, rank, points: 3 - rank, matches: 1, wins: 0, faults: 0, removals: 0, score: 0 }
}
/** Results of an agent, of its twin under another name, and of a person. */
export const contest: ContestDetail = {
  summary: {
    contest: 'c-1',
    title: 'Week 1',
    game: 'specker',
    state: 'ended',
    entrants: 3,
    progress: { done: 1, total: 1, msLeft: null },
    added: null,
    person: false,
  },
  draft: {
    title: 'Week 1',
    game: 'specker',
    config: {},
    format: { type: 'single' },
    limits: { startMs: 1, moveMs: 1, memoryMb: 1, messageBytes: 1, consoleBytes: 1 },
    isolation: 'permission',
    clock: 'frozen',
    policy: { administratorAttack: false, intelligenceAttack: false, mechanismAttack: false },
    entrants: [
      { name: 'anna', agent: hash },
      { name: 'anna 2', agent: hash },
      { name: 'Human', agent: HUMAN },
    ],
  },
  renamed: [
    { entrant: 'anna 2', agent: 'anna' },
    { entrant: 'Human', agent: null },
  ],
  arena: null,
  isolation: 'permission',
  groups: null,
  toolchains: [],
  standings: [row('anna', 1), row('anna 2', 2), row('Human', 3)],
  intervals: [],
  ratings: [],
  reveal: { commitment: 'c'.repeat(64), phrase: null, seed: null, nonce: null },
  headToHead: { names: [], better: [], met: [] },
  tables: {},
  countColumns: [],
  voided: [],
  notices: [],
  targeting: null,
  playing: [],
  phases: null,
  followedBy: null,
  deciding: noDecisions,
  schools: [],
  entriesUntil: null,
  rerun: null,
}

/** The same contest with other parts. */
export function contestOf({
  summary,
  draft,
  ...others
}: Partial<Omit<ContestDetail, 'summary' | 'draft'>> & {
  readonly summary?: Partial<ContestDetail['summary']>
  readonly draft?: Partial<ContestDetail['draft']>
}): ContestDetail {
  return { ...contest, ...others, summary: { ...contest.summary, ...summary }, draft: { ...contest.draft, ...draft } }
}

/** The answers about the deadline of a contest without one, in a class without hand-ins. */
export const noDeadline: Readonly<Record<string, unknown>> = {
  'deadlines.get': { deadline: null, closing: null, verdict: null, now: '2026-11-26T12:00:00.000Z' },
  'receipts.head': { n: 0, head: '', at: null },
  'handIn.rules': { attemptsADay: null, lateDays: 0 },
  'registrations.get': { rule: null, isOpen: false, closes: null, entries: [], addresses: [] },
}
