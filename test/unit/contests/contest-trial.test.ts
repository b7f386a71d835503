import { expect, test, vi } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { limits } from '../../../main/contract/limits.ts'
import { addSubmission } from '../../../main/services/agents/hand-in.ts'
import {
  createSmokeMatches,
  type TrialConditions,
  type TrialPlayer,
} from '../../../main/services/agents/smoke-matches.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

test('an agent is tried under the conditions of a contest, by its name, and its own verdict stays', async () => {
  const home = await openClassFolder(temporaryFolder('contest-trial'))
  const content = Buffer.from('module.exports = class { turn() { return [] } }')
  const becomes = { what: 'agent', name: 'anna' } as const
  await addSubmission(home, { file: { fileName: 'a.js', content }, game: 'specker', belonging: {}, becomes, at: 0 })
  const asked: Parameters<TrialPlayer>[0][] = []
  const cannot = { ok: false, text: 'It cannot play the challenge our-own.' }
  const trials = createSmokeMatches(
    home,
    async (trial) => {
      asked.push(trial)
      if (trial.config === undefined) return { ok: true, text: 'It played.' }
      if (trial.limits?.moveMs !== 1) return cannot
      await new Promise((resolve) => trial.signal.addEventListener('abort', resolve))
      return trial.signal.aborted ? cannot : { ok: true, text: '' }
    },
    () => undefined,
  )
  const version = () => home.content.agents[0]!
  await trials.play(version())
  const conditions: TrialConditions = {
    ...{ game: 'specker', config: { challenge: 'our-own' }, clock: 'frozen', isolation: 'permission' },
    limits: limits.parse({ moveMs: 123 }),
  }
  expect(await trials.playIn(version(), conditions)).toEqual(cannot)
  expect(asked[1]).toMatchObject({ ...conditions, name: 'anna', data: home.folder })
  expect(asked[1]).not.toHaveProperty('exportTo')
  expect(version().smoke).toEqual({ ok: true, text: 'It played.' })

  const hangs = trials.playIn(version(), { ...conditions, limits: limits.parse({ moveMs: 1 }) })
  await vi.waitFor(() => expect(asked).toHaveLength(3))
  const waits = trials.playIn(version(), conditions)
  trials.stop(version())
  await hangs
  await expect(waits).rejects.toThrow(refusal('stopped'))
  await trials.close()
  await home.close()
})
