import { join } from 'node:path'
import { contestFile } from '../../contract/contests.ts'
import { resources } from '../machine/resources.ts'

const AGENTS = ['baby', 'cautious', 'gambler', 'greedy', 'minmax', 'reoffer-only', 'sampler', 'tartaglia'] as const

/** The contest that a newcomer sees first: eight agents, every four of them at one table once. */
export function sampleContest() {
  const entrants = AGENTS.map((name) => ({ name, agent: join(resources.agents, 'specker', `${name}.js`) }))
  const contest = contestFile.parse({
    title: 'Sample contest',
    game: 'specker',
    config: { challenge: 'max-csp', challengeConfig: { maxVars: 12, maxConstraints: 220, maxWeight: 10 }, maxTurns: 8 },
    format: { type: 'round-robin', seats: 4 },
    seed: 'Venice, 13 February 1535',
    entrants,
    // These agents are ours: where the machine has no bubblewrap they may run with Node's permissions alone.
    isolation: 'permission',
  })
  return { ...contest, entrants }
}
