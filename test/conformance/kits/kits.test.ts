import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Answer, Limits, Start, Turn } from '../../../agents/kits/specker/typescript/specker.d.ts'
import type { Bundle, StartMessage, TurnMessage } from '../../../main/referees/specker/messages.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'
import { firstAgent, gamesWithKits, lessonsOf, withLessons } from '../../unit/kits/lessons.ts'

const kits = fileURLToPath(new URL('../../../agents/kits/', import.meta.url))
const project = fileURLToPath(new URL('../../../', import.meta.url))
const folder = temporaryFolder('kits')

/** Members that are any JSON in the messages have the types of the kits. */
type Plain<T> = { [K in keyof T as string extends K ? never : K]: T[K] }
const fits: {
  readonly start: (message: Plain<StartMessage>) => Start
  readonly turn: (message: Plain<TurnMessage>) => Turn
  readonly answer: (answer: Answer) => Pick<Bundle, 'actions'>['actions'][number]['type'][]
} = {
  start: (message) => message,
  turn: (message) => message,
  answer: ({ actions }) => actions.map(({ type }) => type),
}

test('the kits say of the messages what the game says', () => {
  expect(fits.answer({ actions: [{ type: 'accept', challenge: 0 }] })).toEqual(['accept'])
  const { config } = (
    JSON.parse(readFileSync(join(kits, 'specker/typescript/cases/first.json'), 'utf8')) as { messages: [Start] }
  ).messages[0].challenge
  const limits = config as Limits
  expect(Object.keys(limits)).toEqual(['maxVars', 'maxConstraints', 'maxWeight'])
})

/** By case: the move that it is. The agent of the kit has that seat, and the baby the other ones. */
const moves: Readonly<Record<string, readonly string[]>> = {
  first: ['--seat', '0', '--until', '1'],
  second: ['--seat', '0', '--until', '2'],
  fourth: ['--seat', '0', '--until', '4'],
  'herder-1': ['--seat', '0', '--body', '1', '--until', '1'],
  robber: ['--seat', '0', '--until', '2'],
  cop: ['--seat', '1', '--until', '8'],
}

describe.each(gamesWithKits)('the kits of %s', (game) => {
  test('their cases are moves that replay saves', async () => {
    const saved = join(folder, `${game}.json`)
    const agent = join(resources.kits, 'agents/kits', game, 'javascript/agent.cjs')
    const held = ['--isolation', 'permission']
    const histories = [join(folder, `${game}-first`), join(folder, `${game}-last`)] as const
    for (const [at, players] of [[agent, 'baby'] as const, ['baby', agent] as const].entries())
      await run('match', 'play', '--game', game, ...players, '--seed', 'kit', '--export', histories[at]!, ...held)
    const cases = join(kits, game, 'typescript', 'cases')
    expect(readdirSync(cases).length).toBeGreaterThan(1)
    for (const name of readdirSync(cases)) {
      const move = moves[name.replace('.json', '')]!
      const history = move[1] === '0' ? histories[0] : histories[1]
      const at = [...move, '--agent', agent, '--save', saved, '--overwrite']
      expect(await run('match', 'replay', history, ...at, ...held)).toMatchObject({ code: 0 })
      expect(JSON.parse(readFileSync(saved, 'utf8'))).toEqual(JSON.parse(readFileSync(join(cases, name), 'utf8')))
    }
  })
})

test('the agents in TypeScript pass the compiler of their kits after each lesson', () => {
  const home = join(folder, 'types')
  mkdirSync(home)
  symlinkSync(join(project, 'node_modules'), join(home, 'node_modules'), 'junction')
  const settings = JSON.parse(readFileSync(join(kits, 'shared/typescript/tsconfig.json'), 'utf8')) as object
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(home, 'tsconfig.json'), JSON.stringify({ ...settings, include: ['*/*.ts'] }))
  for (const game of gamesWithKits) {
    const lessons = lessonsOf(game)
    for (let done = 0; done <= lessons.length; done++) {
      const place = join(home, `${game}-${done}`)
      mkdirSync(place)
      for (const types of readdirSync(join(kits, game, 'typescript')).filter((name) => name.endsWith('.d.ts')))
        writeFileSync(join(place, types), readFileSync(join(kits, game, 'typescript', types)))
      writeFileSync(
        join(place, 'agent.ts'),
        withLessons(firstAgent(game, 'typescript/agent.ts'), lessons.slice(0, done)),
      )
    }
  }
  const compiler = join(project, 'node_modules', 'typescript', 'bin', 'tsc')
  const args = [compiler, '--noEmit', '--listFiles']
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: home, encoding: 'utf8' })
  expect([status, stdout]).toEqual([0, stdout])
  for (const game of gamesWithKits) expect(stdout).toContain(`${game}-${lessonsOf(game).length}/agent.ts`)
})
