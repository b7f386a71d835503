import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { contestFile } from '../../../contract/contests/contests.ts'
import type { GameId } from '../../../contract/ids.ts'
import { games } from '../../../referees/games.ts'
import { resources } from '../../machine/resources.ts'
import { gameOfThisKit } from '../../packages/pack.ts'

export const SAMPLE_TITLE = 'Sample contest'

/** The game of the sample contest: `own`, the game of a kit, if it has an example; else the first that has one. */
export const sampleGame = (own = gameOfThisKit()) => firstExample(own).id

/** The contest for newcomers: the example of its game (see `sampleGame`). */
export function sampleContest(own = gameOfThisKit()) {
  const { id, example, keptFromKits } = firstExample(own)
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

function firstExample(own: GameId | null) {
  const all = [...games.values()]
  const [found] = [...all.filter(({ id }) => id === own), ...all].flatMap(
    ({ id, agents: { example, keptFromKits } }) => (example === undefined ? [] : { id, example, keptFromKits }),
  )
  if (found === undefined) throw new Error('no game has an example')
  return found
}
