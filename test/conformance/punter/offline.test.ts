import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { playOffline } from '../../../main/services/games/punter/offline.ts'
import { completed, pathMap } from '../../unit/punter/stage.ts'
import { saying } from '../../refusal.ts'

const bot = join(import.meta.dirname, 'offline-bot.mjs')

function played(settings: object, acts: readonly string[], limits: object = {}) {
  return playOffline({
    config: completed(settings),
    programs: acts.map((act) => ({ folder: import.meta.dirname, command: [process.execPath, bot, act] })),
    limits: { startMs: 30_000, moveMs: 30_000, ...limits },
    isolation: null,
  })
}

test('a process for each message, greeted each time, with the state of the one before', async () => {
  const { scores, refused, zombies } = await played({ map: pathMap(6), futures: true }, ['claims', 'bets'])
  // Both claim 0-1, 1-2 and 2-3: whoever comes first has it.
  expect(scores).toEqual([1 + 4 + 9, -1])
  expect(refused.map(({ punter, text }) => [punter, text])).toEqual(
    [0, 1, 2].map((at) => [1, `The river ${at}-${at + 1} belongs to punter 0.`]),
  )
  expect(zombies).toEqual([null, null])
}, 60_000)

test('a player that hangs is killed at the deadline, keeps its state, and hears of the turns that it has missed', async () => {
  const { refused, zombies } = await played({ map: pathMap(10) }, ['hangs', 'claims'], { moveMs: 1_500 })
  expect(zombies).toEqual([null, null])
  const told = refused
    .filter(({ punter }) => punter === 0)
    .map(({ move, text }) => [move, text.replace(/\d+ (m?s)\b.*/, '')])
  expect(told[0]).toEqual([0, 'There is no river 100-2.'])
  expect(told.slice(1, 3).map(([move]) => move)).toEqual([2, 4])
  // Two turns were missed: these and the present one are six moves.
  expect(told[3]).toEqual([6, 'There is no river 101-6.'])
  expect(told[4]).toEqual([8, 'There is no river 102-2.'])
}, 60_000)

test('a state that is left out is null the next time', async () => {
  const { scores, zombies } = await played({ map: pathMap(4) }, ['loses its state', 'claims'])
  expect(zombies).toEqual([null, null])
  expect(scores[1]).toBe(1 + 4)
}, 60_000)

test('invalid JSON makes a zombie; half a message and a crash are a pass; who is not ready never plays', async () => {
  const settings = { map: pathMap(6) }
  const { zombies, refused } = await played(settings, ['breaks off', 'writes half', 'is not ready'])
  expect(zombies[0]).toContain('A message of 1 bytes is not JSON: {')
  expect(zombies[1]).toBeNull()
  expect(zombies[2]).toEqual(saying('ready'))
  expect(refused.filter(({ punter }) => punter === 1)).toHaveLength(2)
}, 60_000)

test('a player that does not greet in time is not ready; the time of the greeting is not part of the answer', async () => {
  const { zombies } = await played({ map: pathMap(2) }, ['greets nobody', 'claims'], { startMs: 2_000 })
  expect(zombies[0]).toEqual(saying('greeting', '2000 ms'))
}, 60_000)

test('a program that reads until its input ends plays if the input ends', async () => {
  const acts = ['waits for the end', 'claims']
  const { scores, zombies } = await played({ map: pathMap(4), endInput: true }, acts)
  expect(scores).toEqual([1 + 4, 0])
  expect(zombies).toEqual([null, null])
  const without = await played({ map: pathMap(4) }, acts, { startMs: 2_000 })
  expect(without.zombies[0]).toEqual(saying('answer', '2000 ms'))
}, 60_000)

test('edition 1.0 begins without a greeting', async () => {
  const { scores } = await played({ map: pathMap(4), edition: '1.0' }, ['edition 1.0', 'edition 1.0'])
  expect(scores).toEqual([1 + 4, 0])
}, 60_000)
