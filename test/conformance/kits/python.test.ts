import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import Kit from '../../../agents/kits/specker/typescript/agent.ts'
import Baby from '../../../agents/specker/baby.ts'
import type { Json } from '../../../main/contract/json.ts'
import { ENERGY } from '../../../main/referees/specker/messages.ts'
import { hasPython } from '../../hostile/players/programs.ts'
import { configOf } from '../../unit/agents-specker/table.ts'
import { lessonsOf } from '../../unit/kits/lessons.ts'
import { playedLessons } from './lessons-played.ts'
import { playSpecker as playProgram } from './play-specker.ts'
import { startPython, writePythonKit } from './python-program.ts'

/** A match of the kit for Python after some lessons. */
const playSpecker = (
  settings: Json,
  lessons: number,
  Other: Parameters<typeof playProgram>[2],
  seed = 1,
): ReturnType<typeof playProgram> => playProgram(startPython('specker', lessons, seed), settings, Other, seed)

const SHIPPED = readdirSync(new URL('../../../grammars/challenges/', import.meta.url)).flatMap((file) =>
  file.endsWith('.challenge') ? [file.replace('.challenge', '')] : [],
)

describe.skipIf(!hasPython)('the kits for Python (needs python3)', () => {
  test.each(SHIPPED)(
    'the Specker agent plays %s by the rules, in every variant and step by step',
    async (challenge) => {
      for (const variant of ['classic', 'belief', 'secret', 'base-ball']) {
        for (const mode of ['synchronous', 'mega-moves']) {
          const config = configOf(challenge, {}, { variant, mode, maxTurns: 12, init: 1_000 * ENERGY })
          const { faults } = await playSpecker(config, 0, Kit)
          expect([variant, mode, faults]).toEqual([variant, mode, []])
        }
      }
    },
  )

  test.each(['t-ball', 'slow-pitch', 'level-k-independent', 'level-k-reduced'])(
    'and in the league %s',
    async (league) => {
      for (const challenge of ['max-csp', 'max-sat']) {
        const config = configOf(challenge, {}, { league, maxTurns: 5, init: 1_000 * ENERGY })
        expect(await playSpecker(config, 0, Kit)).toMatchObject({ faults: [] })
      }
    },
  )

  const small = configOf('max-csp', { maxVars: 8, maxConstraints: 60 }, { maxTurns: 8 })

  test.each([1, 2])('after %i lessons it keeps the rules', async (lessons) => {
    for (const seed of [1, 2]) expect(await playSpecker(small, lessons, Baby, seed)).toMatchObject({ faults: [] })
  })

  test('after all of them it beats the baby', async () => {
    const wins = []
    for (let seed = 0; seed < 6; seed++) wins.push(await playSpecker(small, 3, Baby, seed))
    expect(wins.map(({ faults }) => faults)).toEqual(wins.map(() => []))
    expect(wins.filter(({ won }) => won).length).toBeGreaterThanOrEqual(5)
  })

  test.each(['haggle', 'punter'])('the agent of %s does after each lesson what it does in JavaScript', async (game) => {
    for (let done = 0; done <= lessonsOf(game).length; done++)
      await playedLessons[game]!({ folder: writePythonKit(game, done), command: () => ['python3', 'agent.py'] }, done)
  })

  test('the saved moves are played from any folder, and one without an answer in time fails', () => {
    const home = writePythonKit('haggle', 0)
    const kits = fileURLToPath(new URL('../../../agents/kits/', import.meta.url))
    cpSync(join(kits, 'haggle/typescript/cases'), join(home, 'cases'), { recursive: true })
    const tests = readFileSync(join(kits, 'shared/python/agent_test.py'), 'utf8')
    const play = (limit: string) => {
      writeFileSync(join(home, 'agent_test.py'), tests.replace(/^SECONDS = .*/m, limit))
      return spawnSync('python3', [join(home, 'agent_test.py')], { cwd: '/', encoding: 'utf8' })
    }
    expect(play('SECONDS = 60')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^2 passed, 0 failed$/m) })
    const broken = join(home, 'cases', 'a-broken.json')
    writeFileSync(broken, '{"messages": ')
    const { status, stdout } = play('SECONDS = 60')
    expect([status, stdout]).toEqual([1, expect.stringMatching(/^2 passed, 1 failed$/m)])
    // In a line of its own, without the lines of a program.
    expect(stdout.split('\n').filter((line) => line.includes('a-broken.json'))).toHaveLength(2)
    expect(stdout).not.toContain('Traceback')
    rmSync(broken)
    const agent = readFileSync(join(home, 'agent.py'), 'utf8')
    writeFileSync(join(home, 'agent.py'), `import time\ntime.sleep(50)\n${agent}`)
    const stuck = play('SECONDS = 0.3')
    expect(stuck).toMatchObject({ status: 1, stdout: expect.stringMatching(/^FAILED +first\.json\n +.*0\.3 s$/m) })
    expect(stuck.stdout).toMatch(/^0 passed, 2 failed$/m)
  })
})
