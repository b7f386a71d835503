import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import Kit from '../../../agents/kits/specker/typescript/agent.ts'
import type { KitName } from '../../../main/contract/players/kits.ts'
import { declaredFolders } from '../../../main/players/isolation/declared-toolchains.ts'
import { ENERGY } from '../../../main/referees/specker/messages.ts'
import { isLong } from '../../long.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { configOf } from '../../unit/agents-specker/table.ts'
import { gamesWithKits } from '../../unit/kits/lessons.ts'
import { install, type } from './kit.ts'
import { playSpecker } from './play-specker.ts'
import { startProgram } from './python-program.ts'

// The kits in compiled languages, followed to the letter: their saved moves are played, and their agents packed, built in a box and
// handed to a trial match.

const folder = temporaryFolder('compiled-kits')
const { path: declared } = await declaredFolders()
const hasBoxes = existsSync('/usr/bin/bwrap')
const has = (tool: string): boolean =>
  hasBoxes && ['/usr/bin', ...declared].some((each) => existsSync(join(each, tool)))

const variants = ['classic', 'belief', 'secret', 'base-ball']
const challenges = readdirSync(new URL('../../../grammars/challenges/', import.meta.url)).flatMap((file) =>
  file.endsWith('.challenge') ? [file.replace('.challenge', '')] : [],
)

const tests = 'npx tartaglia test'

/** A language: its compiler, and changes of all agents' minds. */
interface Language {
  readonly kit: KitName
  readonly tool: string
  readonly agent: string
  readonly changes: readonly (readonly [string, string])[]
}

const languages: readonly Language[] = [
  {
    kit: 'go',
    tool: 'go',
    agent: 'agent.go',
    changes: [
      ['agent.Values[at] > 0', 'agent.Values[at] < 0'],
      ['> agent.Worth(*best)', '>= agent.Worth(*best)'],
      ['7*body', '8*body'],
      ['world.World) % 7', 'world.World) % 5'],
    ],
  },
  {
    kit: 'java',
    tool: 'javac',
    agent: 'Agent.java',
    changes: [
      ['values.get(at) > 0', 'values.get(at) < 0'],
      ['worth(river) > worth(best)', 'worth(river) >= worth(best)'],
      ['7 * body', '8 * body'],
      ['world.world()) % 7', 'world.world()) % 5'],
    ],
  },
  {
    kit: 'cpp',
    tool: 'g++',
    agent: 'agent.cpp',
    changes: [
      ['values[type] <= 0', 'values[type] > 0'],
      ['rating <= most) continue', 'rating < most) continue'],
      ['7 * body', '8 * body'],
      ['world.world) % 7', 'world.world) % 5'],
    ],
  },
  {
    kit: 'rust',
    tool: 'rustc',
    agent: 'agent.rs',
    changes: [
      ['*value > 0', '*value < 0'],
      ['worth > most', 'worth >= most'],
      ['7 * body', '8 * body'],
      ['world.world) % 7', 'world.world) % 5'],
    ],
  },
]

for (const { kit, tool, agent, changes } of languages)
  describe.skipIf(!has(tool)).each(gamesWithKits)(`the kit of %s for ${kit} (needs ${tool}, bubblewrap)`, (game) => {
    const home = join(folder, `${game}-${kit}`)

    test('plays its saved moves, is packed, and wins or loses a match by the rules', async () => {
      await install(game, kit, home)
      const page = readFileSync(join(home, 'README.md'), 'utf8').replaceAll(/\n */g, ' ')
      const pack = 'npx tartaglia pack --name NAME --out agent.zip'
      const match = [
        `npx tartaglia match play --game ${game} agent.zip baby --export match.history`,
        'npx tartaglia history show match.history',
      ]
      // The trial match of a packed agent is such a match too, so one game shows the rest of the page.
      const commands = [tests, pack, ...(game === 'punter' || isLong ? match : [])]
      for (const command of commands) {
        expect(page).toContain(`\`${command}\``)
        const { status, stdout, stderr } = type(home, command)
        expect([command, status, stderr, stdout]).toEqual([command, 0, expect.any(String), stdout])
        if (command === pack) expect(stdout).toContain('fine: It played its match')
        // Seat, agent, rank, score and faults.
        if (command.includes('match play')) expect(stdout).toMatch(/^ +0 +agent +\d+ +[\d.-]+ +0$/m)
      }
    })

    // The agent of Specker plays at random, so its moves are not compared. One game shows that a language's tests can fail.
    test.skipIf(game === 'specker' || (game !== 'haggle' && !isLong))(
      'has tests that fail when the agent changes its mind',
      () => {
        const file = join(home, agent)
        const text = readFileSync(file, 'utf8')
        const changed = changes.reduce((all, [from, to]) => all.replace(from, to), text)
        expect(changed).not.toBe(text)
        writeFileSync(file, changed)
        expect(type(home, tests)).toMatchObject({ status: 1, stdout: expect.stringMatching(/FAIL/) as string })
        writeFileSync(file, text)
      },
    )
  })

/** The whole Player of each language, without a box; the challenges are shared out among the variants, so that all are played. */
for (const { kit, tool } of languages)
  test.skipIf(!has(tool))(
    `the agent of Specker in ${kit} plays every challenge and every variant by the rules (needs ${tool})`,
    async () => {
      const home = join(folder, `specker-${kit}-alone`)
      await install('specker', kit, home)
      const manifest = JSON.parse(readFileSync(join(home, 'agent.json'), 'utf8')) as Record<
        'build' | 'command',
        string[]
      >
      const [builder, ...given] = manifest.build
      expect(spawnSync(builder!, given, { cwd: home, encoding: 'utf8' })).toMatchObject({ status: 0 })
      const games = challenges.flatMap((challenge, at) => {
        const variant = variants[at % variants.length]!
        return ['synchronous', 'mega-moves'].map((mode) => [challenge, { variant, mode }] as const)
      })
      const leagues = ['t-ball', 'level-k-reduced'].map((league) => ['max-csp', { league }] as const)
      for (const [challenge, settings] of [...games, ...leagues]) {
        const config = configOf(challenge, {}, { ...settings, maxTurns: 6, init: 1_000 * ENERGY })
        const program = startProgram(home, manifest.command, 3)
        const { faults } = await playSpecker(program, config, Kit, 3)
        expect([challenge, settings, faults]).toEqual([challenge, settings, []])
      }
    },
  )
