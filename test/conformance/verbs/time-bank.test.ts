import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { FileVerdict } from '../../../main/services/histories/verify-histories.ts'
import { openStage, reportOf } from './stage.ts'
import { saying } from '../../refusal.ts'

const stage = openStage('bank')
afterAll(() => stage.remove())

/** A haggler that takes what it is offered, and counts for long before its first answer. */
const haggler = (turns: number): string => `
let first = true
module.exports = class {
  constructor(me, counts) { this.counts = counts }
  offer(offered) {
    let n = 0
    if (first) for (let i = 0; i < ${turns}; i++) n = (n * 31 + i) | 0
    first = false
    return offered === undefined ? this.counts : n === 7 ? [] : undefined
  }
}`
const slow = stage.write('slow.js', haggler(200_000_000))
const quick = stage.write('quick.js', haggler(1))

/** Runs a contest of one slow and one quick haggler, and verifies its histories. */
async function play(name: string, limits: object) {
  const entrants = [
    { name: 'slow', agent: slow },
    { name: 'quick', agent: quick },
  ]
  const format = { type: 'round-robin', seats: 2 }
  const contest = stage.contest(`${name}.json`, { game: 'haggle', config: {}, format, entrants, limits })
  const exported = join(stage.folder, name)
  const data = join(stage.folder, `${name}-data`)
  const ended = await stage.run('contest', 'run', contest, '--data', data, '--export', exported, '--json')
  expect(ended).toMatchObject({ code: 0 })
  const files = reportOf(ended).histories.map(({ file = '' }) => file)
  const verified = await stage.run('history', 'verify', ...files, '--key', join(exported, 'class.pub'), '--json')
  const { files: verdicts } = JSON.parse(verified.stdout) as { files: readonly FileVerdict[] }
  return {
    outcomes: verdicts.map((verdict) => (verdict.ok ? verdict.outcome : verdict)),
    faults: reportOf(ended).standings.find(({ agent }) => agent === 'slow')!.faults,
    shown: async () => (await stage.run('history', 'show', files[0]!)).stdout,
  }
}

test('a contest file gives its agents a time bank and strikes; whoever needs them gets the same result', async () => {
  const startMs = 120_000
  const patient = await play('patient', { startMs, moveMs: 120_000 })
  expect(patient.faults).toBe(0)
  const hurried = await play('hurried', { startMs, moveMs: 20 })
  expect(hurried.outcomes).not.toEqual(patient.outcomes)
  expect(hurried.faults).toBe(1)

  const banked = await play('banked', { startMs, moveMs: 20, bankMs: 120_000 })
  expect(banked).toMatchObject({ outcomes: patient.outcomes, faults: 0 })
  const struck = await play('struck', { startMs, moveMs: 100, strikes: 100 })
  expect(struck.outcomes).toEqual(patient.outcomes)
  expect(struck.faults).toBeGreaterThan(0)
  expect(await struck.shown()).toEqual(saying('100 ms', 'strike 1 of 100'))
})
