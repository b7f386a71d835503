import { readFileSync } from 'node:fs'
import process from 'node:process'
import { expect, test } from 'vitest'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { Json } from '../../../main/contract/json.ts'
import { limits } from '../../../main/contract/limits.ts'
import { processChannel, processSource } from '../../../main/players/channels/process-channel.ts'
import { wirePlayer } from '../../../main/players/wire-player.ts'
import { wireHost } from '../../../main/players/wires/wire-host.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import { createTable } from '../../../main/worker/table.ts'

const source = readFileSync(new URL('../../../grammars/challenges/max-csp.challenge', import.meta.url), 'utf8')
const game = eraseGame(specker)

/** A whole agent of a few lines: reads a line, writes a line. `market`: what it does there, in JavaScript. */
const program = (market: string): string => `
  const lines = require('node:readline').createInterface({ input: process.stdin })
  let me
  lines.on('line', (line) => {
    const view = JSON.parse(line)
    if (view.type === 'start') me = view.me
    const actions = []
    if (view.type === 'turn') {
      const instance = { variables: 3, constraints: [{ weight: 1, relation: 22, variables: [1, 2, 3] }] }
      for (const { challenge } of view.toDeliver) actions.push({ type: 'deliver', challenge, instance })
      for (const { challenge } of view.toSolve) actions.push({ type: 'solve', challenge, solution: { values: [0, 1, 0] } })
      const others = view.store.filter(({ seller }) => seller !== me)
      if (view.trading) { ${market} }
    }
    console.log(JSON.stringify({ protocol: view.protocol, question: view.question, actions }))
  })`

const seller = program(
  `if (view.store.length === 0) actions.push({ type: 'offer', predicate: { relations: [22] }, price: 500000000 })`,
)
const buyer = program(`for (const { challenge } of others) actions.push({ type: 'accept', challenge })`)

/** Plays a match of programs in processes of their own. */
async function played(programs: readonly string[], settings: Record<string, Json>) {
  const read = game.config({ challenge: source, offersMin: 0, ...settings })
  if (!read.ok) throw new Error(read.error)
  const config = read.value
  const seats = game.seats(config, programs.length)
  if (typeof seats === 'string') throw new Error(seats)
  const seed = '0'.repeat(64)
  const table = createTable({
    seats,
    seed,
    seeds: 'hmac',
    log: { input: () => undefined, fault: () => undefined, console: () => undefined },
    seatPlayer: ({ id }, emit) =>
      wirePlayer({
        wire: game.dialogue.wire!(config, { seat: id, body: 0 }, seats, wireHost()),
        channels: processSource(
          () => processChannel({ file: process.execPath, args: ['-e', programs[id]!] }, { boxed: false }),
          'never',
        ),
        limits: limits.parse({ startMs: 60_000 }),
        emit,
      }),
  })
  await table.ready()
  const end = await game.conduct(table, config, seed, { startMs: 60_000, moveMs: 60_000 })
  table.close()
  return end.outcome()!.places.map(({ score, removed }) => [score, removed])
}

test('programs play turn by turn', async () => {
  // Three sales at 0.5, each of them solved for 1.
  const places = await played([seller, buyer], { maxTurns: 3, order: 'fixed' })
  expect(places).toEqual([
    [8_500_000_000, false],
    [11_500_000_000, false],
  ])
}, 60_000)

test('programs speak unasked in the asynchronous game; who writes rubbish is removed', async () => {
  // Answers every question with nothing, and some time after the first turn makes an offer that nobody has asked for.
  const unasked = program(`
    globalThis.spoken ??= setTimeout(() => {
      const offer = { type: 'offer', predicate: { relations: [22] }, price: 500000000 }
      console.log(JSON.stringify({ question: null, actions: [offer] }))
    }, 20)`)
  const rubbish = `process.stdin.on('data', () => console.log('rubbish'))`
  const places = await played([unasked, buyer, rubbish], { mode: 'asynchronous', duration: 10_000 })
  expect(places).toEqual([
    [9_500_000_000, false],
    [10_500_000_000, false],
    [10_000_000_000, true],
  ])
}, 60_000)
