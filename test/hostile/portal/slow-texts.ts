import { monitorEventLoopDelay } from 'node:perf_hooks'
import { draftOf, type Room } from '../../conformance/service/classroom.ts'

// Texts that take seconds to read, as strangers may send them.

const lines = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n')

const challenge = `challenge slow "Slow"\n\n${lines(20_000, (n) => `A${n} = <a> A${n + 1} <b> A${n + 2}.`)}\n`

const sites = 60_000
const map = JSON.stringify({
  sites: Array.from({ length: sites }, (_, id) => ({ id, x: id % 251, y: id / 7 })),
  rivers: Array.from({ length: sites }, (_, n) => ({ source: n, target: (n * 7 + 1) % sites })),
  mines: [0, 1],
})

const script = `module.exports = {}\n${lines(400_000, (n) => `let name_${n} = other_${n} + 1`)}`

const settings = draftOf(
  ['anna', 'bob'].map((name) => ({ name, agent: '0'.repeat(64) })),
  { game: 'haggle', config: { types: 10, minObjects: 1, maxObjects: 100, totalValue: 30_000 } },
)

/** Sends each text to a classroom, which refuses some of them. */
export const slowTexts: readonly (readonly [name: string, send: (room: Room) => Promise<unknown>])[] = [
  ['a challenge', (room) => room.call('challenges.save', { name: 'slow', source: challenge, from: null })],
  ['a map', (room) => room.call('texts.add', { game: 'punter', field: 'map', name: 'large', text: map })],
  ['the settings of a contest', (room) => room.call('contests.estimate', { draft: settings })],
  ['a script', (room) => room.submit({ fileName: 'names.js', content: script, game: 'haggle' })],
]

/** A call's cost for this process, all in ms: its longest pause, its computing time, and the length of the call. */
export interface Cost {
  readonly pauseMs: number
  readonly computedMs: number
  readonly ms: number
  /** The error of the call; null: it succeeded. */
  readonly error: unknown
}

export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  // The monitor begins with its first turn.
  await new Promise((resolve) => setTimeout(resolve, 20))
  delay.reset()
  const began = performance.now()
  const before = process.threadCpuUsage()
  const error = await work().then(
    () => null,
    (reason: unknown) => reason,
  )
  const ms = performance.now() - began
  const { user, system } = process.threadCpuUsage(before)
  // A pause at the end shows in the next turn.
  await new Promise((resolve) => setTimeout(resolve, 20))
  delay.disable()
  return { pauseMs: delay.max / 1e6, computedMs: (user + system) / 1e3, ms, error }
}
