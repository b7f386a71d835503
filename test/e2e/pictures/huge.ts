import { bitsMeant } from '../../../main/contract/contests/policy-patterns.ts'
import type {
  AgentFault,
  AgentSummary,
  ContestDetail,
  ContestSummary,
  MatchSummary,
  Page,
} from '../../../main/contract/procedures/procedures.ts'
import type { Answers } from './answers.ts'

/** A class of a size that no class has: every list long, every name of its own. Nothing of it is left to chance. */

const first = [
  'ada',
  'bruno',
  'chiara',
  'dario',
  'elena',
  'fabio',
  'giulia',
  'hugo',
  'irene',
  'jacopo',
  'klara',
  'luca',
]
const second = [
  'fior',
  'cardano',
  'ferrari',
  'bombelli',
  'viète',
  'pacioli',
  'stifel',
  'rudolff',
  'recorde',
  'harriot',
].map((name) => name.normalize('NFD').replace(/\p{M}/gu, ''))
const nameOf = (i: number): string => {
  const [given, family] = [first[i % first.length]!, second[Math.floor(i / first.length) % second.length]!]
  const round = Math.floor(i / first.length / second.length)
  return round === 0 ? `${given} ${family}` : `${given} ${family} ${round + 1}`
}
const hash = (i: number): string => ((i + 1) * 2_654_435_761).toString(16).padEnd(64, '0')
/** Evenly spread, 0 to `below` excluded. */
const spread = (i: number, below: number): number => Math.floor(((i * 0.618_033_988_75 + 0.37) % 1) * below)

function pageOf<T>(
  { offset = 0, limit = 100 }: { offset?: number | undefined; limit?: number | undefined },
  total: number,
  item: (i: number) => T,
): Page<T> {
  const length = Math.max(0, Math.min(limit, total - offset))
  return { items: Array.from({ length }, (_, k) => item(offset + k)), offset, total }
}

function agentAt(i: number): AgentSummary {
  const works = spread(i, 12) > 0
  const text = works
    ? 'It played a whole match against the baby agent.'
    : "It threw “Cannot read properties of undefined (reading 'price')” at once, in line 14 of its source."
  return {
    name: nameOf(i),
    game: 'specker',
    kind: 'script',
    school: null,
    versions: Array.from({ length: 1 + spread(i + 5, 30) }, (_, v) => ({
      agent: hash(i + v + 1),
      number: 1 + spread(i + 5, 30) - v,
      team: nameOf(i),
      policies: null,
      active: v === 0 ? bitsMeant() : [],
      submitted: new Date(Date.UTC(2026, 1, 13, 15, 35) - v * 50_000_000).toISOString(),
      smoke: { ok: v > 0 || works, text },
      trial: null,
    })),
    faults: works ? 0 : 1 + spread(i, 9_000),
  }
}

/** The one that runs: it takes the place of the sample contest. */
const greatest: ContestSummary = {
  contest: 'sample-contest-1',
  title: 'All schools of Venice: the great winter tournament of two hundred agents',
  game: 'specker',
  state: 'running',
  entrants: 200,
  progress: { done: 238_812, total: 597_000, msLeft: 9_420_000 },
  added: '2026-01-12T08:30:00.000Z',
  person: false,
}

const states = ['ended', 'ended', 'ended', 'open', 'cancelled', 'ended', 'queued'] as const
function contestAt(i: number): ContestSummary {
  if (i === 0) return greatest
  const state = states[i % states.length]!
  const total = 28 + spread(i, 12_000)
  const part = state === 'ended' ? 1 : state === 'queued' ? 0 : state === 'open' && i % 2 === 0 ? 0 : 0.41
  return {
    contest: `week-${i + 1}`,
    title: `Week ${i + 1}: ${['max-sat', 'max-csp', 'cubes and things'][i % 3]!}, ${nameOf(i)} against all`,
    game: 'specker',
    state,
    entrants: 8 + spread(i, 190),
    progress: { done: Math.floor(total * part), total, msLeft: null },
    added: null,
    person: false,
  }
}

function contestNamed(i: number): { readonly contest: string; readonly title: string } {
  const { contest, title } = contestAt(i)
  return { contest, title }
}

function matchAt(i: number): MatchSummary {
  const seats = Array.from({ length: 4 }, (_, seat) => {
    const name = nameOf(spread(i * 4 + seat, 1_000))
    return {
      name,
      agent: name,
      rank: ((i + seat) % 4) + 1,
      score: 1_000 - ((i + seat) % 4) * 10,
      removed: (i + seat) % 37 === 0,
    }
  })
  const faults = i % 9 === 0 ? spread(i, 40) : 0
  return { ...contestNamed(Math.floor(i / 900)), match: i % 900, seats, faults, genuine: null }
}

function hugeContest(real: ContestDetail): ContestDetail {
  const names = Array.from({ length: greatest.entrants }, (_, i) => nameOf(i))
  const met = names.map((_, i) => names.map((_, j) => (i === j ? 0 : 12)))
  const better = names.map((_, i) =>
    names.map((_, j) => {
      if (i === j) return 0
      const won = Math.max(
        0,
        Math.min(12, Math.round(6 + (j - i) / 20 + spread(Math.min(i, j) * 211 + Math.max(i, j), 7) - 3)),
      )
      return i < j ? won : 12 - Math.max(0, Math.min(12, Math.round(6 + (i - j) / 20 + spread(j * 211 + i, 7) - 3)))
    }),
  )
  const standings = names.map((agent, i) => ({
    agent,
    rank: i + 1,
    points: better[i]!.reduce((sum, points) => sum + points, 0),
    matches: 2_388,
    wins: Math.round(1_500 * (1 - i / greatest.entrants)),
    faults: spread(i, 20) === 0 ? 31 : 0,
    removals: spread(i, 20) === 0 ? 9 : 0,
    score: 0,
  }))
  standings.sort((a, b) => b.points - a.points).forEach((row, i) => (row.rank = i + 1))
  return {
    ...real,
    summary: greatest,
    draft: { ...real.draft, entrants: names.map((name, i) => ({ name, agent: hash(i) })) },
    standings,
    intervals: standings.map(({ points, matches }) => [points / matches - 0.02, points / matches + 0.02]),
    ratings: [],
    headToHead: { names, better, met },
    tables: {},
    countColumns: [],
    voided: Array.from({ length: 60 }, (_, i) => i * 13),
    notices: Array.from(
      { length: 400 },
      (_, i) => `Match ${i * 13}, attempt 1, does not count: the worker that played it was killed from outside.`,
    ),
  }
}

const faultKinds = ['crash', 'timeout', 'invalid', 'memory', 'protocol'] as const
function faultAt(i: number): AgentFault {
  return {
    ...contestNamed(Math.floor(i / 300)),
    match: i % 300,
    seat: i % 4,
    agent: hash(i),
    what: {
      at: 1_000 + spread(i, 90_000),
      fault: {
        kind: faultKinds[i % faultKinds.length]!,
        text: "It threw “Cannot read properties of undefined (reading 'price')” when it was asked for turn 7.",
        tookMs: 12,
        stderr: Array.from({ length: 300 }, (_, n) => `    at turn (agent.js:${n + 14}:21)`).join('\n'),
      },
    },
  }
}

const contestText = Array.from({ length: 4_000 }, (_, n) => `turn ${n}: bought ${n % 7}, price 0.${400 + (n % 500)}`)

export const huge: Answers = {
  'class.overview': () => ({
    agents: 5_000,
    contests: Array.from({ length: 800 }, (_, i) => contestAt(i)),
    attention: Array.from({ length: 60 }, (_, i) => ({
      text:
        i % 3 === 0
          ? `Week ${i + 1} has not been run to its end: 41 of 812 matches are played.`
          : `${nameOf(i * 7)} fails: it threw “Cannot read properties of undefined (reading 'price')” at once.`,
      link: '#/agents',
    })),
  }),
  'agents.list': (input) => pageOf(input, 5_000, agentAt),
  'agents.get': (_, real) => ({ ...real, versions: agentAt(6).versions, faults: 8_123 }),
  'agents.faults': (input) => pageOf(input, 8_123, faultAt),
  'agents.console': (input) =>
    pageOf(input, 3_000, (i) => ({ ...contestNamed(11), match: i, text: contestText.slice(i).join('\n') })),
  'challenges.list': (_, real) =>
    Array.from({ length: 400 }, (_, i) => ({
      ...real[i % real.length]!,
      name: i < real.length ? real[i]!.name : `${real[i % real.length]!.name}-${i + 1}`,
      title: `${real[i % real.length]!.title}, variant ${i + 1}`,
    })),
  'challenges.get': (_, real) => ({ ...real, source: Array.from({ length: 200 }, () => real.source).join('\n') }),
  'contests.list': (input) => pageOf(input, 3_000, contestAt),
  'contests.get': (_, real) => hugeContest(real),
  'contests.matches': (input) => pageOf(input, 238_812, (i) => ({ ...matchAt(i), match: i })),
  'histories.list': (input) => pageOf(input, 251_004, matchAt),
}

export const hugeRunning = [greatest]
