import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ChannelListener, ChannelSource } from '../../../main/players/channels/channel.ts'
import { limits as limitsSchema } from '../../../main/contract/limits.ts'
import { wirePlayer, type WirePlayerOptions } from '../../../main/players/wire-player.ts'
import { onlineWire } from '../../../main/referees/punter/online.ts'
import { playOneMatch, type MatchResult } from '../../../main/services/games/punter/one-match.ts'
import { completed, pathMap } from './stage.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Message = Readonly<Record<string, unknown>>
/** A punter's answer to a message, and its delay in ms; null: none. */
type Habit = (message: Message) => { readonly value: object; readonly ms: number } | null

interface Player {
  readonly heard: Message[]
  closed: boolean
}

/** A connection whose other end answers by habit, on the fake clock. */
function habitual(habit: Habit, player: Player): ChannelSource {
  return {
    reopens: 'never',
    open(up) {
      let listener: ChannelListener | null = null
      up({
        start: (to) => void (listener = to),
        write(bytes) {
          const text = Buffer.from(bytes).toString()
          const message = JSON.parse(text.slice(text.indexOf(':') + 1)) as Message
          player.heard.push(message)
          const said = habit(message)
          if (said === null) return
          const json = JSON.stringify(said.value)
          setTimeout(() => listener?.data(Buffer.from(`${json.length}:${json}`)), said.ms)
        },
        unread: () => 0,
        close: () => void (player.closed = true),
      })
    },
    close: () => undefined,
  }
}

/** Plays a match of two on the fake clock; 1 s a move. */
async function played(settings: object, ...habits: readonly Habit[]) {
  const limits = limitsSchema.parse({ startMs: 10_000, moveMs: 1_000 })
  const players = habits.map((): Player => ({ heard: [], closed: false }))
  let result: MatchResult | undefined
  let trouble: unknown
  playOneMatch({
    config: completed(settings),
    punters: habits.length,
    limits,
    isolation: 'none',
    seatPlayer: ({ id }, _, emit) =>
      wirePlayer({
        wire: onlineWire() as WirePlayerOptions['wire'],
        channels: habitual(habits[id]!, players[id]!),
        limits,
        emit,
      }),
  }).then(
    (end) => (result = end),
    (error: unknown) => (trouble = error),
  )
  let ms = 0
  for (; result === undefined && trouble === undefined && ms < 600_000; ms += 100)
    await vi.advanceTimersByTimeAsync(100)
  if (result === undefined) throw trouble
  return { result, players, ms }
}

const quick: Habit = (message) => {
  if ('punter' in message) return { value: { ready: message['punter'] }, ms: 1 }
  return 'move' in message ? { value: { pass: {} }, ms: 1 } : null
}
/** As often as it is asked, in order; then nothing. */
function saying(...said: readonly { readonly value: object; readonly ms: number }[]): Habit {
  const left = [...said]
  return (message) => ('move' in message ? (left.shift() ?? null) : quick(message))
}
const kindsOf = ({ heard }: Player) => heard.map((message) => Object.keys(message)[0])

test('ten time-outs make a zombie, which hears ten times of them, and nothing more: not even the stop', async () => {
  const { result, players, ms } = await played({ map: pathMap(60) }, saying(), quick)
  expect(result.zombies).toEqual(['It timed out 10 times.', null])
  expect(result.moves).toBe(60)
  expect(kindsOf(players[0]!).filter((kind) => kind === 'timeout')).toHaveLength(10)
  expect(players[0]!.heard.find((message) => 'timeout' in message)).toEqual({ timeout: 1 })
  expect(kindsOf(players[0]!).at(-1)).toBe('timeout')
  expect(players[0]!.closed).toBe(true)
  expect(kindsOf(players[1]!).at(-1)).toBe('stop')
  // Ten turns of a second, and no more: nobody waits for a zombie.
  expect(ms).toBeGreaterThanOrEqual(10_000)
  expect(ms).toBeLessThan(12_000)
})

/** Leaves out the answers to these prompts, counted from 0. */
function skipping(...prompts: readonly number[]): Habit {
  let prompt = 0
  return (message) => ('move' in message && prompts.includes(prompt++) ? null : quick(message))
}

test('a player that leaves out an answer is even again after four time-outs; those in a row are counted anew after an answer', async () => {
  const map = pathMap(60)
  const total = await played({ map, maxTimeouts: 5 }, skipping(1, 6), quick)
  expect(total.result.zombies[0]).toBe('It timed out 5 times.')
  const inARow = await played({ map, maxTimeouts: 5, timeouts: 'in-a-row' }, skipping(1, 6), quick)
  expect(inARow.result.zombies[0]).toBeNull()
  expect(kindsOf(inARow.players[0]!).filter((kind) => kind === 'timeout')).toHaveLength(8)
})

test('a player that is not ready within ten seconds is a zombie that is asked nothing', async () => {
  const { result, players, ms } = await played({ map: pathMap(4) }, () => null, quick)
  expect(result.zombies[0]).toContain('It was not ready: ')
  expect(kindsOf(players[0]!)).toEqual(['punter', 'timeout'])
  expect(players[0]!.heard[1]).toEqual({ timeout: 10 })
  expect(ms).toBeGreaterThanOrEqual(10_000)
})

test('an answer that is late by half a turn is a pass, and the one after it counts for its own turn', async () => {
  const claim = (source: number, ms: number) => ({ value: { claim: { source, target: source + 1 } }, ms })
  const { result, players } = await played(
    { map: pathMap(8) },
    saying(claim(5, 1_500), claim(0, 1), claim(1, 1)),
    quick,
  )
  // 5-6 came after its turn; had it counted for the next one, 0-1 and 1-2 would have slipped.
  expect(result.scores).toEqual([1 + 4, 0])
  expect(result.refused.map(({ punter, move }) => [punter, move])).toEqual([
    [0, 0],
    [0, 6],
  ])
  expect(kindsOf(players[0]!).slice(0, 4)).toEqual(['punter', 'move', 'timeout', 'move'])
})
