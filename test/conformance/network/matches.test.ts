import { afterAll, expect, test } from 'vitest'
import { agentFile, openPlace, shipped, type Game, type Ran } from './contest.ts'
import { bridge } from './client.ts'

const place = openPlace()
afterAll(() => place.remove())

const tcp = { host: '127.0.0.1', port: 0 }

const others = (game: Game): Record<string, string> => ({
  baby: shipped(game, 'baby'),
  other: shipped(game, game === 'specker' ? 'greedy' : 'hard'),
})
const programs = new Map<Game, Promise<Ran>>()

test.each([
  ['specker', 'ws'],
  ['specker', 'tcp'],
  ['haggle', 'ws'],
  ['haggle', 'tcp'],
] as const)('%s over %s: the same matches as those of the same agent run as a program', async (game, scheme) => {
  if (!programs.has(game)) programs.set(game, place.run(game, { anna: place.program(game), ...others(game) }))
  const program = await programs.get(game)!
  const ran = await place.run(
    game,
    { anna: null, ...others(game) },
    {
      arena: { tcp },
      come({ addresses, credentials }) {
        const address = addresses.find((each) => each.startsWith(scheme))!
        bridge(address, credentials[0]!.credential, [agentFile, game])
      },
    },
  )
  expect(ran.report).toMatchObject({ state: 'finished', matches: { total: 3, played: 3, void: 0 } })
  expect(ran.matches.map(({ faults }) => faults)).toEqual([[], [], []])
  expect(ran.matches.map(({ outcome }) => outcome)).toEqual(program.matches.map(({ outcome }) => outcome))
  expect(ran.matches.map(({ inputs }) => inputs)).toEqual(program.matches.map(({ inputs }) => inputs))
  // The agent has done something.
  expect(ran.matches.some(({ inputs }) => inputs.length > 3)).toBe(true)
  for (const { seats } of ran.matches.map(({ header }) => header)) {
    for (const { name, elsewhere } of seats) expect(elsewhere).toBe(name === 'anna' ? true : undefined)
  }
})
