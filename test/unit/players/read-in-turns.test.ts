import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readInTurns } from '../../../main/players/channels/process-channel.ts'

const chunkOf = (length: number, first: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, i) => (first + i) % 251))

function busyFor(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('bytes whose handling takes long are passed on in turns and in order', async () => {
  const sent = [chunkOf(20_000, 0), chunkOf(7, 100), chunkOf(5_000, 50)]
  const got: Buffer[] = []
  let turns = 0
  const tick = (): void => {
    turns += 1
    ticking = setImmediate(tick)
  }
  let ticking = setImmediate(tick)
  const turnOfSlice: number[] = []
  const stream = Readable.from(sent, { objectMode: false })
  const reading = readInTurns(stream, (bytes) => {
    got.push(Buffer.from(bytes))
    turnOfSlice.push(turns)
    busyFor(2)
  })
  await new Promise((resolve) => stream.on('end', resolve))
  clearImmediate(ticking)
  reading.finish()
  expect(Buffer.concat(got).equals(Buffer.concat(sent))).toBe(true)
  expect(got.length).toBeGreaterThan(20)
  // Each slice takes longer than a turn may: others come between any two of one chunk.
  expect(new Set(turnOfSlice).size).toBeGreaterThan(15)
})

test('what takes no time is passed on at once', () => {
  const stream = new Readable({ read: () => undefined })
  const got: number[] = []
  readInTurns(stream, (bytes) => got.push(...bytes))
  stream.emit('data', Buffer.from([1, 2, 3]))
  expect(got).toEqual([1, 2, 3])
  expect(stream.isPaused()).toBe(false)
})

test('what waits for its turn when the agent ends is still passed on', () => {
  const stream = new Readable({ read: () => undefined })
  let bytes = 0
  const reading = readInTurns(stream, (slice) => {
    bytes += slice.length
    busyFor(2)
  })
  stream.emit('data', chunkOf(10_000, 0))
  expect(bytes).toBeLessThan(10_000)
  expect(stream.isPaused()).toBe(true)
  reading.finish()
  expect(bytes).toBe(10_000)
})
