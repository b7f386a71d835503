import { join } from 'node:path'
import type { ContestFile } from '../contract/contests.ts'
import { contestFile } from '../contract/contests.ts'
import { resources } from './resources.ts'

const AGENTS = ['baby', 'cautious', 'gambler', 'greedy', 'minmax', 'reoffer-only', 'sampler', 'tartaglia'] as const

/** The contest that a newcomer sees first: eight agents, every four of them at one table once. */
export function sampleContest(): ContestFile {
  return contestFile.parse({
    title: 'Sample contest',
    game: 'specker',
    config: { challenge: 'max-csp', challengeConfig: { maxVars: 12, maxConstraints: 220, maxWeight: 10 }, maxTurns: 8 },
    format: { type: 'round-robin', seats: 4 },
    seed: 'Venice, 13 February 1535',
    entrants: AGENTS.map((name) => ({ name, agent: join(resources.agents, 'specker', `${name}.js`) })),
    // These agents are ours: where the machine has no bubblewrap they may run with Node's permissions alone.
    isolation: 'permission',
  })
}
