import { beforeEach, expect, test } from 'vitest'
import type { PlacedDecision } from '../../../main/contract/contests/decisions.ts'
import { scanContest } from '../../../main/histories/segments/contest-scan.ts'
import { generateKey, signingKey } from '../../../main/histories/keys.ts'
import { runContest } from '../../../main/services/contests/engine/contest-run.ts'
import { isBeforeIn } from '../../../main/services/contests/kept/run-kept.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { toy, toyContest, toyWorker } from './format-toy.ts'
import { saying } from '../../refusal.ts'

let folder = ''
beforeEach(() => {
  folder = temporaryFolder('repeated')
})

const key = signingKey(generateKey())!
const contest = toyContest([9, 1, 2, 4, 7, 8, 3, 6])
/** Its pods have twelve matches. */
const after = (matches: number): PlacedDecision => ({
  ...{ stage: 1, matches },
  decision: { type: 'withdraw', entrant: 'says 1', treatment: 'kept' },
})

/** Repeats a contest whose first `before` matches were over before its only decision. */
function repeat(decision: PlacedDecision, before: number) {
  return runContest({
    ...{ folder, contest: 'pods-1', agents: contest.agents, nonce: 'a'.repeat(64), seeds: 'hmac' },
    ...{ description: { ...contest.description, sample: 1 }, decisions: [decision], contests: toy.contests },
    ...{ config: {}, isolation: 'none', key, workers: 2, lanes: 1, repeatable: true, launch: toyWorker },
    isBefore: (_, match) => match < before,
    signal: new AbortController().signal,
    onNotice: () => undefined,
    onProgress: () => undefined,
  })
}

test('the matches before a decision are played before it, and each of the sample is compared once', async () => {
  const { state, record, playedAgain } = await repeat(after(5), 5)
  expect(state).toBe('finished')
  expect(record.decisions).toHaveLength(1)
  expect(playedAgain).toEqual({ matches: record.finished.size, different: [] })
})

test('a contest that goes differently before a decision says so, and its histories stay whole', async () => {
  await expect(repeat(after(5), 4)).rejects.toMatchObject({
    ...{ kind: 'verdict', code: 'repetition-differs' },
    message: saying('pods-1', 'decision 1'),
  })
  const scan = await scanContest({ dir: folder, contest: 'pods-1', key: key.publicKey })
  expect(scan).toMatchObject({ ok: true })
  // It can be tried again, and nothing was recorded that should not be.
  await expect(repeat(after(5), 4)).rejects.toMatchObject({ code: 'repetition-differs' })
})

test('matches were over before a decision by its place in the histories, and all before one that is not there', () => {
  const runs = new Map([3, 9, 20].map((byte, match) => [match, { to: { segment: 1, byte } }]))
  const decision = (stage: number): PlacedDecision => ({ ...after(0), stage })
  const isBefore = isBeforeIn({
    finished: { get: (match: number) => runs.get(match) } as never,
    decidedAt: [{ segment: 1, byte: 9 }],
    decisions: [decision(2), decision(2)],
    voided: [4, 5],
    placeOf: (match) => ({ stage: match === 4 ? 0 : 1 }) as never,
  })
  // The stage of match 5 is the latest that had begun.
  const asked = [0, 1, 2, 3, 4, 5]
  expect(asked.map((match) => isBefore(0, match))).toEqual([true, true, false, false, true, false])
  expect(asked.map((match) => isBefore(1, match))).toEqual([true, true, true, false, true, false])
})
