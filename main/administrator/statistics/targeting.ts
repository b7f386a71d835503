import type { MatchNumber } from '../../contract/ids.ts'
import { randomStream } from '../../contract/random.ts'
import { dependence, type Observation } from './permutation.ts'

/** One thing that an agent did when another was concerned. */
export interface Encounter extends Observation {
  readonly agent: string
  /** What kind of behaviour it belongs to; each kind is tested by itself. */
  readonly about: string
  readonly match: MatchNumber
  /** The input of the match in which it did so, from 0. */
  readonly input: number
  /** For people. */
  readonly what: string
}

/** What the test of one kind of behaviour has found. */
export interface TargetingFinding {
  readonly about: string
  readonly p: number
  readonly compared: number
  readonly other: string | null
  readonly mean: number
  readonly expected: number
  /** In standard deviations: the clearer of two findings with equal `p` has more. */
  readonly deviations: number
  readonly events: readonly Pick<Encounter, 'match' | 'input' | 'what'>[]
}

export interface Targeting {
  readonly agent: string
  /** Of all its findings together: the smallest of them times their number (Bonferroni). */
  readonly p: number
  readonly flagged: boolean
  /** The clearest first. */
  readonly findings: readonly TargetingFinding[]
}

/** An agent is flagged below this: of 100 agents that treat everybody alike, one at most is. */
const LEVEL = 0.01
/** Events that are told of a finding. */
const EVENTS = 10
/** The test is the same one each time it is made. */
const STREAM = '7'.repeat(64)

/**
 * Whether agents target others, the clearest case first. No agent may do so where intelligence attacks are off (section
 * 4.4). It shows that behaviour depends on whom an agent meets, not why; the events are for a hearing.
 */
export function targeting(encounters: readonly Encounter[]): readonly Targeting[] {
  const agents = Map.groupBy(encounters, ({ agent }) => agent)
  const all = [...agents].map(([agent, own]) => {
    const findings = [...Map.groupBy(own, ({ about }) => about)]
      .map(([about, some]) => finding(about, some))
      .filter(({ compared }) => compared > 0)
      .sort(clearestFirst)
    const p = Math.min(1, (findings[0]?.p ?? 1) * findings.length)
    return { agent, p: findings.length === 0 ? 1 : p, flagged: findings.length > 0 && p < LEVEL, findings }
  })
  return all.sort((a, b) => a.p - b.p || (b.findings[0]?.deviations ?? 0) - (a.findings[0]?.deviations ?? 0))
}

/** The smallest p that permutations can give is common to many findings; the larger deviation then decides. */
function clearestFirst(a: TargetingFinding, b: TargetingFinding): number {
  return a.p - b.p || b.deviations - a.deviations
}

function finding(about: string, encounters: readonly Encounter[]): TargetingFinding {
  const { p, compared, strongest } = dependence(encounters, randomStream(STREAM))
  const { other = null, mean = 0, expected = 0, deviations = 0, evidence = [] } = strongest ?? {}
  const events = evidence.slice(0, EVENTS).map((place) => {
    const { match, input, what } = encounters[place]!
    return { match, input, what }
  })
  return { about, p, compared, other, mean, expected, deviations, events }
}
