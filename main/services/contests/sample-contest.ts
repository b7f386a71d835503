import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { contestFile } from '../../contract/contests.ts'
import { games } from '../../referees/games.ts'
import { resources } from '../machine/resources.ts'

/** The contest for newcomers: the example of the first game that has one. */
export function sampleContest() {
  const [found] = [...games.values()].flatMap(({ id, example }) => (example === undefined ? [] : { id, example }))
  if (found === undefined) throw new Error('no game has an example')
  const { id, example } = found
  // A kit does not have all of them.
  const entrants = example.agents
    .map((name) => ({ name, agent: join(resources.agents, id, `${name}.js`) }))
    .filter(({ agent }) => existsSync(agent))
  const contest = contestFile.parse({
    title: 'Sample contest',
    game: id,
    config: example.config,
    format: { type: 'round-robin', seats: example.seats },
    seed: 'Venice, 13 February 1535',
    entrants,
    // These agents ship with Tartaglia: without bubblewrap they may run under Node's permission model alone.
    isolation: 'permission',
  })
  return { ...contest, entrants }
}
