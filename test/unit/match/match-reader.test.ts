import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { startReading } from '../../../main/services/matches/match-reader.ts'
import type { ReadMatch, ReadReport } from '../../../main/worker/protocol.ts'
import type { WorkerProcess } from '../../../main/services/machine/worker-process.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const match: ReadMatch = {
  place: { run: null, stretches: [] },
  ...{ grows: false, game: 'haggle', version: 1, config: {}, seats: [], seed: '0'.repeat(64) },
}

test('a match whose file of states cannot be made is not shown, and nothing else stops', async () => {
  let killed = 0
  const worker: WorkerProcess<ReadReport> = {
    ...{ pid: undefined, send: () => undefined, onReport: () => undefined, onExit: () => undefined },
    kill: () => void (killed += 1),
  }
  const path = join(temporaryFolder('match-reader'), 'gone', 'states.jsonl')
  const reading = startReading(worker, match, () => Promise.resolve(path))
  // Nobody is waiting when it fails: an error that nobody handles would end the process.
  await vi.waitFor(() => expect(killed).toBeGreaterThan(0))
  await expect(reading.outline(0)).rejects.toMatchObject({ kind: 'host', code: 'history-unreadable' })
  await reading.close()
})
