import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { contestFile } from '../../../contract/contests/contests.ts'
import { games } from '../../../referees/games.ts'
import { resources } from '../../machine/resources.ts'
import { gameOfThisKit } from '../../packages/pack.ts'

export const SAMPLE_TITLE = 'Sample contest'

/** The contest for newcomers: the example of the first game that has one, and in a kit that of `own`, the game of the kit. */
export function sampleContest(own = gameOfThisKit()) {
  const all = [...games.values()]
  const [found] = [...all.filter(({ id }) => id === own), ...all].flatMap(
    ({ id, agents: { example, keptFromKits } }) => (example === undefined ? [] : { id, example, keptFromKits }),
  )
  if (found === undefined) throw new Error('no game has an example')
  const { id, example, keptFromKits } = found
  // A kit has those alone that may be handed in.
  const entrants = example.agents
    .map((name) => ({ name, agent: join(resources.agents, id, `${name}.js`) }))
    .filter(({ name, agent }) => existsSync(agent) || !keptFromKits.includes(name))
  const contest = contestFile.parse({
    title: SAMPLE_TITLE,
    game: id,
    config: example.config,
    format: { type: 'round-robin', seats: Math.min(example.seats, entrants.length) },
    seed: 'Venice, 13 February 1535',
    entrants,
    // These agents ship with Tartaglia: without bubblewrap they may run under Node's permission model alone.
    isolation: 'permission',
  })
  return { ...contest, entrants }
}
