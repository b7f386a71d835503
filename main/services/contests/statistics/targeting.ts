import type { MatchNumber } from '../../../contract/ids.ts'
import { randomStream } from '../../../contract/random.ts'
import { dependence, type Observation } from './permutation.ts'

/** One action of an agent that concerned another. */
export interface Encounter extends Observation {
  readonly agent: string
  /** The kind of behaviour; each kind is tested separately. */
  readonly about: string
  readonly match: MatchNumber
  /** The index of the match's input in which it did so, from 0. */
  readonly input: number
  /** A description for people. */
  readonly what: string
}

/** The result of testing one kind of behaviour. */
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
  /** For all findings together: the smallest p-value times their number (Bonferroni). */
  readonly p: number
  readonly flagged: boolean
  /** Smallest p-value first. */
  readonly findings: readonly TargetingFinding[]
}

/** The significance level: of 100 agents that treat all others alike, one is flagged on average at most. */
const LEVEL = 0.01
/** Maximum number of events listed with a finding. */
const EVENTS = 10
/** A fixed seed, so that repeating the test gives the same result. */
const STREAM = '7'.repeat(64)

/**
 * Tests whether agents target others, which is forbidden where intelligence attacks are off (section 4.4). The clearest case
 * comes first. It shows that an agent's behaviour depends on the other agent, not why; the events are evidence for a hearing.
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
