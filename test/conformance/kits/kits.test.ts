import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import type { Answer, Start, Turn } from '../../../agents/kits/typescript/specker.d.ts'
import { files } from '../../hostile/players/seats.ts'
import { availableTiers } from '../../../main/players/isolation/detect.ts'
import type { Bundle, StartMessage, TurnMessage } from '../../../main/referees/specker/messages.ts'
import { run } from '../../unit/cli/surroundings.ts'

const kits = fileURLToPath(new URL('../../../agents/kits/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'tartaglia-kits-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const boxed = (await availableTiers(files)).some(({ tier, available }) => tier === 'bubblewrap' && available)

/** What stands in the messages as any JSON is, with max-csp, what the kits say. */
type Plain<T> = { [K in keyof T as string extends K ? never : K]: T[K] }
const fits: {
  readonly start: (message: Omit<Plain<StartMessage>, 'challenge'> & Pick<Start, 'challenge'>) => Start
  readonly account: (message: Plain<TurnMessage>) => Omit<Turn, 'store' | 'toDeliver' | 'toSolve'>
} = { start: (message) => message, account: (message) => message }
const answers = (answer: Answer): Pick<Bundle, 'actions'>['actions'][number]['type'][] =>
  answer.actions.map(({ type }) => type)

test('the kits say the same of the messages, and what the game says', () => {
  const [javascript, typescript] = ['javascript', 'typescript'].map((kit) =>
    readFileSync(join(kits, kit, 'specker.d.ts')),
  )
  expect(javascript).toEqual(typescript)
  expect(Object.keys(fits)).toHaveLength(2)
  expect(answers({ actions: [{ type: 'accept', challenge: 0 }] })).toEqual(['accept'])
})

describe.each([
  ['javascript', 'agent.cjs', 'permission'],
  ['typescript', 'agent.ts', 'bubblewrap'],
])('the kit for %s', (kit, agent, isolation) => {
  const held = ['--isolation', isolation]
  /** TypeScript is bundled in a box. */
  const skip = isolation === 'bubblewrap' && !boxed
  const copy = join(folder, kit)
  cpSync(join(kits, kit), copy, { recursive: true })
  const tests = (): ReturnType<typeof spawnSync> => spawnSync(process.execPath, ['--test'], { cwd: copy, env: {} })

  test('its tests pass in a folder of its own, and fail when the agent changes its mind', () => {
    expect(tests().status).toBe(0)
    const file = join(copy, agent)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('variables: [1, 2, 3]', 'variables: [3, 2, 1]'))
    expect(readFileSync(file, 'utf8')).not.toBe(text)
    expect(tests().status).not.toBe(0)
    writeFileSync(file, text)
  })

  test.skipIf(skip)('its agent walks and talks (typescript needs bubblewrap)', async () => {
    const checked = await run('agent', 'check', '--game', 'specker', join(copy, agent), ...held, '--json')
    expect(checked).toMatchObject({ code: 0 })
    for (const seed of ['a', 'b', 'c']) {
      const played = await run(
        'match',
        'play',
        '--game',
        'specker',
        join(copy, agent),
        'baby',
        '--seed',
        seed,
        ...held,
        '--json',
      )
      const { seats } = JSON.parse(played.stdout) as { seats: { agent: string; removed: boolean; faults: unknown[] }[] }
      expect(seats[0]).toMatchObject({ agent: 'agent', removed: false, faults: [] })
    }
  })

  test.skipIf(skip)('its cases are moves that replay saves (typescript needs bubblewrap)', async () => {
    const [history, saved] = [join(folder, `${kit}.history`), join(folder, `${kit}.json`)]
    const file = join(copy, agent)
    await run('match', 'play', '--game', 'specker', file, 'baby', '--seed', 'kit', '--export', history, ...held)
    for (const [move, name] of [
      ['1', 'first'],
      ['6', 'sixth'],
    ] as const) {
      const at = ['--seat', '0', '--until', move, '--agent', file, '--save', saved, '--overwrite']
      expect(await run('match', 'replay', history, ...at, ...held)).toMatchObject({ code: 0 })
      expect(JSON.parse(readFileSync(saved, 'utf8'))).toEqual(
        JSON.parse(readFileSync(join(kits, kit, 'cases', `${name}.json`), 'utf8')),
      )
    }
  })
})
