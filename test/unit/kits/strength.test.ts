import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { games } from '../../../main/referees/games.ts'
import { shippedByStrength } from '../../../main/services/agents/opponents.ts'
import { resources } from '../../../main/services/machine/resources.ts'

test.each([...games.keys()])(
  'every agent that ships with %s has a place by its strength, and is listed in that order',
  async (game) => {
    const { byStrength, keptFromKits } = games.get(game)!.agents
    const shipped = readdirSync(join(resources.agents, game))
      .filter((file) => file.endsWith('.js'))
      .map((file) => basename(file, '.js'))
    expect(byStrength.toSorted()).toEqual(shipped.toSorted())
    expect((await shippedByStrength(game)).map(({ name }) => name)).toEqual(byStrength)
    // The strongest ones are those that kits leave out.
    expect(byStrength.slice(byStrength.length - keptFromKits.length)).toEqual(keptFromKits)
  },
)
