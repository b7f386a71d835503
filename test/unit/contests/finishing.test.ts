import { beforeEach, expect, test } from 'vitest'
import { runContest } from '../../../main/services/contests/engine/contest-run.ts'
import { scanContest } from '../../../main/histories/segments/contest-scan.ts'
import { generateKey, signingKey } from '../../../main/histories/keys.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { toy, toyContest, toyWorker } from './format-toy.ts'

let folder = ''
beforeEach(() => {
  folder = temporaryFolder('finishing')
})

const key = signingKey(generateKey())!
const contest = toyContest([9, 1, 2, 4, 7, 8, 3, 6])

function run(finishAfter: number) {
  const finishing = new AbortController()
  return runContest({
    ...{ folder, contest: 'pods-1', ...contest, nonce: 'a'.repeat(64), seeds: 'hmac', contests: toy.contests },
    ...{ config: {}, isolation: 'none', key, workers: 2, lanes: 1, repeatable: true, launch: toyWorker },
    signal: new AbortController().signal,
    finishing: finishing.signal,
    onNotice: () => undefined,
    onProgress: ({ done }) => {
      if (done >= finishAfter) finishing.abort()
    },
  })
}

test('a contest that finishes what is being played leaves no match half played, and goes on later', async () => {
  const stopped = await run(3)
  expect(stopped.state).toBe('stopped')
  expect(stopped.record.done).toBeGreaterThanOrEqual(3)
  expect(stopped.record.done).toBeLessThan(stopped.record.total)
  const scan = await scanContest({ dir: folder, contest: 'pods-1', key: key.publicKey })
  expect(scan).toMatchObject({ ok: true, unfinished: 0 })
  const ended = await run(Infinity)
  expect([ended.state, ended.resumed, ended.record.done]).toEqual(['finished', true, ended.record.total])
})

test('one that is to finish before it has begun plays nothing', async () => {
  const { state, record } = await run(0)
  expect([state, record.done]).toEqual(['stopped', 0])
})
