import { afterAll, describe, expect, test, vi } from 'vitest'
import type { SeatRecord } from '../../../main/contract/game/table.ts'
import { limits as limitsSchema, type Limits } from '../../../main/contract/limits.ts'
import type { Player } from '../../../main/contract/players/player.ts'
import { createProgramHost } from '../../../main/players/program-player.ts'
import { seatProgramAgent } from '../../../main/worker/seating.ts'
import { teams } from '../../conformance/toys/teams.ts'
import { openEar, type Ear } from './ear.ts'
import { packageOf } from './programs.ts'

/** A process for each move. It uses memory as it is told, prints, and answers when nobody can have missed it. */
const agent = `
const { createInterface } = require('node:readline')
const hold = []
console.log('{"ready":true}')
createInterface(process.stdin).once('line', (line) => {
  const { megabytes, print, afterMs, question } = JSON.parse(line)
  for (let n = 0; n < megabytes; n++) hold.push(Buffer.alloc(1_048_576, 1))
  process.stderr.write('x'.repeat(print), () =>
    setTimeout(() => console.log(JSON.stringify({ question, play: hold.length > 0 })), afterMs))
})`

const { folder, remove } = packageOf('agent.cjs', agent)
const programs = createProgramHost({ tier: 'none', nodeBinary: process.execPath })
afterAll(async () => {
  await programs.close()
  remove()
})

const config = { rounds: 1, bodies: 3 }
const bodies = [0, 1, 2]

/** A seat of three bodies, with a process for each of their moves. */
async function seated(own: Partial<Limits>): Promise<Ear & { readonly player: Player }> {
  const ear = openEar()
  const limits = limitsSchema.parse({ startMs: 60_000, ...own })
  const seats = teams.seats(config, 2)
  if (typeof seats === 'string') throw new Error(seats)
  const player = seatProgramAgent(
    programs,
    { folder, command: ['node', 'agent.cjs'], process: 'move' },
    { game: teams, config, seats, limits, clock: 'frozen', fresh: false, common: undefined },
    { ...seats[0]!, name: 'team', agent: '0'.repeat(64) } satisfies SeatRecord,
    String,
    ear.emit,
  )
  await player.ready()
  return { ...ear, player }
}

describe('the limits of a seat hold for all of its bodies together', () => {
  test.skipIf(process.platform !== 'linux')('memory', async () => {
    const { player, next } = await seated({ memoryMb: 250 })
    const task = { type: 'card', megabytes: 100, print: 0 }
    player.ask(1, { ...task, afterMs: 500 }, 60_000)
    expect(await next()).toMatchObject({ type: 'answer', to: 1, value: { play: true } })
    for (const body of bodies) player.ask(body + 2, { ...task, afterMs: 30_000 }, 60_000, undefined, body)
    const ends = [await next(), await next(), await next()]
    expect(ends).toMatchObject(bodies.map(() => ({ type: 'fault', fault: { kind: 'memory' }, gone: false })))
    expect(ends.map((event) => 'to' in event && event.to).sort()).toEqual([2, 3, 4])
    // Each move has fresh processes, and the whole of it again.
    player.ask(5, { ...task, afterMs: 500 }, 60_000, undefined, 2)
    expect(await next()).toMatchObject({ type: 'answer', to: 5, body: 2 })
    player.close()
  })

  test('console output', async () => {
    const { player, next, console } = await seated({ consoleBytes: 100 })
    for (const body of bodies) {
      player.ask(body + 1, { type: 'card', megabytes: 0, print: 60, afterMs: 0 }, 60_000, undefined, body)
      expect(await next()).toMatchObject({ type: 'answer', to: body + 1 })
    }
    // Its output may arrive after the answer.
    await vi.waitUntil(() => /^x{100}/.test(console.join('')), { timeout: 60_000 })
    player.close()
    expect(console.join('')).toMatch(/^x{100}\n\[[^\n]*\bdropped\]\n$/)
  })
})
