import { afterAll, expect, test, vi } from 'vitest'
import type { ReadMatch } from '../../../main/worker/protocol.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { createSwingReader } from '../../../main/services/matches/swing-reader.ts'
import { descendantsOf } from '../../hostile/contests/processes.ts'
import { refusal } from '../../refusal.ts'

const workers = (): readonly number[] =>
  descendantsOf(process.pid).flatMap(({ pid, command }) => (command.includes(resources.worker) ? [pid] : []))

const reader = createSwingReader()
afterAll(() => reader.close())

/** A match of a game whose rules are not there, so that it has no swings. */
const match: ReadMatch = {
  ...{ place: { run: null, stretches: [] }, grows: false, game: 'unknown', version: 1 },
  ...{ config: null, seats: [], seed: '0'.repeat(64) },
}

test('matches share a process, one that was killed is replaced, and after the end nothing is read', async () => {
  expect(await Promise.all([reader.of(async () => match), reader.of(async () => match)])).toEqual([[], []])
  const [first, ...others] = workers()
  expect(others).toEqual([])

  const gone = new Error('The match is gone.')
  await expect(reader.of(() => Promise.reject(gone))).rejects.toBe(gone)
  process.kill(first!, 'SIGKILL')
  await vi.waitFor(() => expect(workers()).toEqual([]), { timeout: 60_000 })
  await vi.waitFor(async () => expect(await reader.of(async () => match)).toEqual([]), { timeout: 60_000 })

  const waiting = reader.of(async () => match)
  reader.close()
  await expect(waiting).rejects.toThrow(refusal('stopped'))
  await expect(reader.of(async () => match)).rejects.toThrow(refusal('stopped'))
})
