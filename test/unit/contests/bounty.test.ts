import { beforeAll, expect, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { openContests } from '../../../main/services/contests/kept/class-contests.ts'
import { contestDescription } from '../../../main/contract/contests/contests.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../cli/environment.ts'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'
import { refusedCommand, type Fact } from '../../refusal.ts'

let data = ''
const described = (title: string, administratorAttack: boolean) =>
  contestDescription.parse({
    title,
    game: 'specker',
    format: { type: 'single' },
    seed: 'x',
    entrants: [{ name: 'anna', agent: 'a'.repeat(64) }],
    policy: { administratorAttack, intelligenceAttack: true, mechanismAttack: false },
  })

beforeAll(async () => {
  data = temporaryFolder('bounty')
  const home = await openClassFolder(data)
  for (const attack of [true, false]) await openContests(home).add(described(attack ? 'practice' : 'real', attack))
  await home.close()
})

const award = (...args: readonly string[]) => run('contest', 'bounty', ...args, '--data', data)
const listed = async (): Promise<Record<string, unknown>> => {
  const { stdout } = await run('contest', 'list', '--data', data, '--json')
  const { contests } = JSON.parse(stdout) as { contests: { contest: string; bounties: unknown }[] }
  return Object.fromEntries(contests.map(({ contest, bounties }) => [contest, bounties]))
}

test('a bounty is noted in the class, outside every match: a million unless another amount is said', async () => {
  expect((await award('practice-1', 'anna', '--why', 'It paid twice.')).code).toBe(0)
  expect((await award('practice-1', 'anna', '--why', 'Again.', '--energy', '5')).code).toBe(0)
  expect(await listed()).toEqual({
    'practice-1': [
      { agent: 'anna', energy: 1_000_000, why: 'It paid twice.' },
      { agent: 'anna', energy: 5, why: 'Again.' },
    ],
    'real-1': [],
  })
})

test.each<[string[], ErrorCode, ...Fact[]]>([
  [['real-1', 'anna', '--why', 'x'], 'not-supported', 'attacks on decisions'],
  [['practice-1', 'berta', '--why', 'x'], 'entrant-unknown', '"berta"', 'practice-1'],
  [['none-1', 'anna', '--why', 'x'], 'contest-unknown', '"none-1"'],
  [['practice-1', 'anna', '--why', ''], 'input-invalid', 'why'],
])('%j is refused in words', async (args, refused, ...facts) => {
  const before = await listed()
  const { code, stdout } = await award(...args, '--json')
  expect([code, JSON.parse(stdout)]).toEqual([2, refusedCommand(refused, ...facts)])
  expect(await listed()).toEqual(before)
})
