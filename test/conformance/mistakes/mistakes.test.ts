import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'
import type { GameId } from '../../../main/contract/ids.ts'
import type { Json } from '../../../main/contract/json.ts'
import { trialConfig } from '../../../main/services/game-facts.ts'
import { isLong } from '../../long.ts'
import { refusedCommand, saying, type Fact } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'
import { zip } from '../service/zip.ts'
import { copsMistakes } from './cops.ts'
import { cowsMistakes } from './cows.ts'
import { haggleMistakes } from './haggle.ts'
import type { Mistake } from './mistake.ts'
import { punterMistakes } from './punter.ts'
import { speckerMistakes } from './specker.ts'
import { reportsOf, type Report } from './trials.ts'

// Agents with mistakes of students, and what their students are told: the place, the value, the remedy. One contest a game
// plays them all, as each alone takes a second; in the long form `agent check` tells the same of each.

const hasPython = existsSync('/usr/bin/python3')

/** Short matches: a mistake shows in the first moves. */
const games: readonly (readonly [GameId, readonly Mistake[], Json])[] = [
  ['specker', speckerMistakes, trialConfig('specker')],
  ['haggle', haggleMistakes, {}],
  ['punter', punterMistakes, { map: 'sample' }],
  ['cows', cowsMistakes, { map: 'small', steps: 3 }],
  ['cops', copsMistakes, { map: 'hamlet', lastWorld: 4 }],
]

/** Limits that are used up soon, for mistakes that use them up. */
const soon = { startMs: 2_000, moveMs: 1_000 }

const folder = temporaryFolder('mistaken')

/** The reports to all students, to be judged by eye: .cache/mistakes.txt. */
const told: string[] = []
afterAll(() => {
  const cache = join(import.meta.dirname, '../../../.cache')
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, 'mistakes.txt'), told.join('\n'))
})

describe.each(games)('%s', (game, all, config) => {
  const mistakes = all.filter(({ file }) => hasPython || !file.endsWith('.zip'))
  const reports = new Map<string, Report>()
  beforeAll(async () => {
    const [slow, quick] = [mistakes.filter((each) => each.slow === true), mistakes.filter((each) => each.slow !== true)]
    for (const [name, report] of await reportsOf(game, quick, { config })) reports.set(name, report)
    if (slow.length === 0) return
    for (const [name, report] of await reportsOf(game, slow, { config, limits: soon })) reports.set(name, report)
  })

  test.for(all)('$name', ({ name, file, kind, orKind, facts }, { skip }) => {
    skip(!hasPython && file.endsWith('.zip'), 'needs python3')
    const report = reports.get(name)!
    told.push(`${game}, ${name} (${report.kind})\n  ${report.verdict ?? report.text.trim()}\n`)
    expect(report.text).toEqual(saying(...facts))
    expect([kind, orKind]).toContain(report.kind)
  })
})

describe('an agent that cannot be read or bundled is refused before its match', () => {
  const program = { name: 'mine', game: 'haggle', kind: 'program' }
  test.each<[string, GameId, string, string | Uint8Array, ErrorCode, ...Fact[]]>([
    [
      'a syntax error',
      'specker',
      'agent.ts',
      'export default class {\n  turn(): [] {\n    return [1,, ]]\n',
      'not-bundled',
      'agent.ts:3:',
    ],
    [
      'a file that is not there',
      'cows',
      'agent.ts',
      "import { plan } from './plan'\nexport const act = plan\n",
      'not-bundled',
      'agent.ts:1:21',
      '"./plan"',
      '.zip',
    ],
    [
      'a package of npm',
      'punter',
      'agent.ts',
      "import _ from 'lodash'\nexport default _\n",
      'not-bundled',
      'agent.ts:1:14',
      '"lodash"',
      'npm package',
      'node_modules',
    ],
    [
      'a module of Node',
      'cops',
      'agent.mjs',
      "import fs from 'node:fs'\nexport default fs\n",
      'not-bundled',
      'agent.mjs:1:15',
      '"node:fs"',
      'module of Node',
    ],
    [
      'an agent of another game',
      'haggle',
      'agent.js',
      'module.exports = class { turn(view) { return [] } }',
      'other-game',
      'haggle',
      'offer',
      'turn',
      'specker',
    ],
    [
      'Python outside of a package',
      'haggle',
      'agent.py',
      'print(1)',
      'package-form-unknown',
      '.zip',
      'agent.json',
      'tartaglia kit python',
    ],
    [
      'a program without a command',
      'haggle',
      'agent.zip',
      zip({ 'agent.json': JSON.stringify(program), 'agent.py': '' }),
      'manifest-invalid',
      'agent.json',
      'command',
    ],
    [
      'a program of one role',
      'cops',
      'agent.zip',
      zip({
        'agent.json': JSON.stringify({ ...program, game: 'cops', commands: { cop: ['python3', 'agent.py'] } }),
        'agent.py': '',
      }),
      'role-missing',
      'robber',
    ],
    [
      'an agent.json that is not JSON',
      'haggle',
      'agent.zip',
      zip({ 'agent.json': '{"name": "mine",}', 'agent.py': '' }),
      'manifest-invalid',
      'agent.json',
      '1:17',
    ],
  ])('%s (%s)', async (name, game, file, content, code, ...facts) => {
    writeFileSync(join(folder, file), content)
    const { code: exit, stdout } = await run('agent', 'check', join(folder, file), '--game', game, '--json')
    told.push(`${game}, ${name} (${code})\n  ${stdout}`)
    expect([exit, JSON.parse(stdout)]).toEqual([2, refusedCommand(code, ...facts)])
  })
})

// Only in the long form: the contests above tell the same of each.
if (isLong) {
  const quick = games.flatMap(([game, all]) =>
    // A trial match has the agent in its first seat, or in all.
    all.filter(({ slow, seat }) => slow !== true && (seat !== 1 || game === 'cops')).map((each) => ({ game, ...each })),
  )
  test.for(quick)('agent check tells the same: $game $name', async ({ game, file, content, kind, facts }, { skip }) => {
    skip(!hasPython && file.endsWith('.zip'), 'needs python3')
    writeFileSync(join(folder, file), content)
    const { code, stdout } = await run('agent', 'check', join(folder, file), '--game', game)
    expect({ code, stdout }).toEqual({ code: kind === 'fine' ? 0 : 1, stdout: saying(...facts) })
  })
}
