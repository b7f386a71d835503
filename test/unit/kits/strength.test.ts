import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import type { GameId } from '../../../main/contract/ids.ts'
import { games } from '../../../main/referees/games.ts'
import { shippedByStrength } from '../../../main/services/agents/opponents.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { OPPONENTS_TABLE, type MeasuredGame } from '../../bench/opponents.ts'

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

const measured = JSON.parse(readFileSync(OPPONENTS_TABLE, 'utf8')) as Readonly<Record<GameId, MeasuredGame>>

test('the measured strengths are those of the games that there are', () => {
  expect(Object.keys(measured)).toEqual([...games.keys()])
})

/** The 95 % interval of the difference of two shares that are about one half: within it, the table does not tell which agent is stronger. */
const interval = (matches: number): number => 1.96 * Math.sqrt(0.5 / matches)

// After a change of an agent, `npm run bench -- opponents` measures them all and writes the table anew.
test.each([...games.keys()])(
  'the agents of %s are listed by their measured strengths, and are those measured',
  async (game) => {
    const { agents } = measured[game]!
    const listed = await shippedByStrength(game)
    expect(Object.fromEntries(listed.map(({ name, agent }) => [name, agent]))).toEqual(
      Object.fromEntries(agents.map(({ name, sha256 }) => [name, sha256])),
    )
    const share = (name: string): number => {
      const { won, matches } = agents.find((each) => each.name === name)!
      return won / matches
    }
    for (const [at, { name }] of listed.entries())
      for (const { name: before } of listed.slice(0, at))
        expect([name, before, share(before) - share(name) <= interval(agents[0]!.matches)]).toEqual([
          name,
          before,
          true,
        ])
    for (const { matches } of agents) expect(matches).toBeGreaterThanOrEqual(4 * (agents.length - 1))
    // A match has one winner, or two who share it.
    const [won, matches] = [sum(agents.map((each) => each.won)), sum(agents.map((each) => each.matches))]
    expect(2 * won).toBe(matches)
  },
)

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)
