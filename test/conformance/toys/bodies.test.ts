import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { limits as limitsSchema } from '../../../main/contract/limits.ts'
import { createProgramHost } from '../../../main/players/program-player.ts'
import { createScriptPool } from '../../../main/players/scripts/script-pool.ts'
import { seatProgramAgent, seatScriptAgent } from '../../../main/worker/seating.ts'
import { files } from '../../hostile/players/seats.ts'
import { play, verifies } from './harness.ts'
import { faultsOf, inputsOf } from './scenarios.ts'
import { teams } from './teams.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
/** One realm: what one body has heard all of them know. */
const script = `const heard = new Set()
  module.exports = (message, body) => {
    heard.add(body)
    if (message.type === 'card') return { play: body % 2 === 0 }
    console.log([...heard].join())
  }`

test('(a) six bodies in one realm against six in one process, which ends for all of them', async () => {
  const started: number[] = []
  const onGroup = (group: number, alive: boolean): void => {
    if (alive) started.push(group)
  }
  const scripts = createScriptPool({ ...files, tier: 'none', warmMax: 1, recycleAfter: 1, onGroup })
  const programs = createProgramHost({ tier: 'none', nodeBinary: process.execPath, onGroup })
  onTestFinished(async () => {
    await Promise.all([scripts.close(), programs.close()])
  })
  const config = { rounds: 3, bodies: 6 }
  const limits = limitsSchema.parse({ moveMs: 60_000, startMs: 60_000 })
  const seats = teams.seats(config, 2)
  if (typeof seats === 'string') throw new Error(seats)
  const seating = { game: teams, config, seats, limits, clock: 'frozen', fresh: false, common: undefined } as const
  const program = { folder, command: ['node', 'team-agent.mjs'], process: 'match' } as const
  const played = await play({
    game: teams,
    config,
    entrants: 2,
    limits,
    seatPlayer: () => {
      throw new Error('no body has a player of its own')
    },
    seatBodies: (seat, emit) =>
      seat.id === 0
        ? seatScriptAgent(scripts, script, seating, seat, 'seed', emit)
        : seatProgramAgent(programs, program, seating, seat, String, emit),
  })
  verifies(played)

  expect(started).toHaveLength(2)
  const bodies = [0, 1, 2, 3, 4, 5]
  const plays = (seat: number): string[] =>
    bodies.map((body) => `play ${String(seat)} ${String(body)} ${String(body % 2 === 0)} @${String(seat)}`)
  const skips = bodies.map((body) => `skip 1 ${String(body)} crash @public`)
  expect(inputsOf(played)).toEqual(
    [
      plays(0),
      plays(1),
      'reveal @public',
      plays(0),
      plays(1),
      'reveal @public',
      plays(0),
      skips,
      'reveal @public',
    ].flat(),
  )
  // Each body was owed an answer when the process ended.
  expect(faultsOf(played)).toEqual(bodies.map(() => '1 crash'))
  expect(new Set(played.faults.map(({ question }) => question)).size).toBe(6)
  const printed = played.body.flatMap((line) =>
    line.k === 'console' ? [`${line.post.body}: ${line.text.trim()}`] : [],
  )
  expect([...new Set(printed)].sort()).toEqual(bodies.map((body) => `${String(body)}: 0,1,2,3,4,5`))
})
