import { createHmac, hash } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { tartaglia, writeContest, type Ended } from './process.ts'
import { refusedCommand } from '../../refusal.ts'

interface Reveal {
  readonly commitment: string
  readonly phrase: string | null
  readonly seed: string | null
  readonly nonce: string | null
}

let folder = ''
let file = ''
beforeAll(() => {
  folder = temporaryFolder('phrase')
  file = writeContest(folder, { classPhrase: true, sample: 0 })
})

const sha = (text: string): string => hash('sha256', text)
const run = (data: string, ...more: readonly string[]): Promise<Ended> =>
  tartaglia('contest', 'run', file, '--json', '--data', join(folder, data), ...more).ended
const revealIn = async (data: string): Promise<Reveal> => {
  const { stdout } = await tartaglia('contest', 'list', '--json', '--data', join(folder, data)).ended
  return (JSON.parse(stdout) as { contests: readonly { reveal: Reveal }[] }).contests[0]!.reveal
}
test('a contest is committed to its seed before the class gives a phrase, and its matches follow from both', async () => {
  const early = await run('data', '--phrase', 'sixteen cows')
  expect([early.code, JSON.parse(early.stdout)]).toEqual([2, refusedCommand('phrase-too-early', '--phrase')])

  const closed = await run('data')
  expect(closed.code).toBe(2)
  const before = await revealIn('data')
  expect(before).toMatchObject({ phrase: null, seed: null, nonce: null })
  expect(JSON.parse(closed.stdout)).toEqual(refusedCommand('phrase-missing', before.commitment!))

  const exported = join(folder, 'exported')
  const played = await run('data', '--phrase', 'sixteen cows', '--export', exported)
  expect(played.stderr).not.toContain('phrase')
  expect(played.code).toBe(0)
  const report = JSON.parse(played.stdout) as {
    readonly contest: string
    readonly reveal: Reveal
    readonly histories: readonly { match: number; file: string }[]
  }
  const { commitment, nonce } = report.reveal
  expect(report).toMatchObject({ contest: 'four-at-a-table-of-two-1', histories: { length: 6 } })
  expect(report.reveal).toEqual({ commitment: before.commitment, phrase: 'sixteen cows', seed: 'conformance', nonce })
  expect(sha(`seed:${nonce}conformance`)).toBe(commitment)

  const files = report.histories.map((each) => each.file)
  const { code, stdout } = await tartaglia(
    'history',
    'verify',
    '--json',
    '--key',
    join(exported, 'class.pub'),
    ...files,
  ).ended
  expect(code).toBe(0)
  const verified = (JSON.parse(stdout) as { files: readonly { seed: string; revealed: unknown }[] }).files
  const mixed = sha(`phrase:${sha('conformance')}sixteen cows`)
  expect(verified.map(({ seed }) => seed)).toEqual(
    files.map((_, match) => createHmac('sha256', mixed).update(`match ${match}`).digest('hex')),
  )
  for (const { revealed } of verified) expect(revealed).toEqual({ seed: 'conformance', phrase: 'sixteen cows' })
})

test('a phrase that no contest asks for is refused, and so is one that a history could not hold', async () => {
  const plain = writeContest(join(folder, 'plain'), {})
  const given = (phrase: string): Promise<Ended> =>
    tartaglia('contest', 'run', plain, '--data', join(folder, 'plain', 'data'), '--phrase', phrase, '--json').ended
  const refused = await given('a herd')
  expect([refused.code, JSON.parse(refused.stdout)]).toEqual([2, refusedCommand('phrase-not-expected')])
  const long = await given('a'.repeat(201))
  expect([long.code, JSON.parse(long.stdout)]).toEqual([2, refusedCommand('input-invalid', '--phrase', 200)])
})
