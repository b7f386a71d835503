import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { tartaglia, writeContest } from './process.ts'
import { saying } from '../../refusal.ts'

interface Report {
  readonly counts: boolean
  readonly policy: object
  readonly standings: readonly object[]
  readonly histories: readonly { readonly file?: string }[]
}

let folder = ''
beforeEach(() => (folder = temporaryFolder('practice')))

const practice = { administratorAttack: true, intelligenceAttack: true, mechanismAttack: false }
const usual = { ...practice, administratorAttack: false }

async function run(policy: object, data: string, ...more: readonly string[]): Promise<Report> {
  const file = writeContest(join(folder, 'written'), { policy })
  const { code, stdout } = await tartaglia('contest', 'run', file, '--json', '--data', data, ...more).ended
  expect(code).toBe(0)
  return JSON.parse(stdout) as Report
}

test('where agents may attack the administrator a contest is practice: its results count for nothing', async () => {
  const data = join(folder, 'data')
  const practised = await run(practice, data, '--export', join(folder, 'export'))
  expect(practised).toMatchObject({ counts: false, policy: practice })
  // It was played and has standings, and each of its histories says under which policy.
  expect(practised.standings).toHaveLength(4)
  for (const { file = '' } of practised.histories) {
    expect(readFileSync(file, 'utf8')).toContain('"policy":{"administratorAttack":true,')
  }
  // Results are the same as without the practice.
  const counted = await run(usual, data)
  expect(counted).toMatchObject({ counts: true, policy: usual })
  expect(counted.standings).toEqual((await run(usual, join(folder, 'fresh'))).standings)
})

test('and says so where its results are printed', async () => {
  const file = writeContest(folder, { policy: practice })
  const { stdout } = await tartaglia('contest', 'run', file, '--data', join(folder, 'data')).ended
  const lines = stdout.split('\n')
  expect(lines).toContainEqual(saying('Policy', 'attack', 'administrator', 'agents'))
  expect(lines).toContainEqual(saying('practice', 'results', 'count'))
})
