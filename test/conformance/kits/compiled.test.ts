import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import Kit from '../../../agents/kits/specker/typescript/agent.ts'
import type { KitName } from '../../../main/contract/players/kits.ts'
import { kitTest } from '../../../main/services/agents/kit-code/emitters.ts'
import { ENERGY } from '../../../main/referees/specker/messages.ts'
import { isLong } from '../../long.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { configOf } from '../../unit/agents-specker/table.ts'
import { run } from '../../unit/cli/environment.ts'
import { gamesWithKits } from '../../unit/kits/lessons.ts'
import { debuggers, debugMove, missingForEditors } from './attached.ts'
import { compiledLanguages, environment, hasBoxes, hasTool, programIn, shell, writeSources } from './compilers.ts'
import { install, type } from './kit.ts'
import { playedLessons } from './lessons-played.ts'
import { playSpecker } from './play-specker.ts'
import { startProgram } from './python-program.ts'

// The kits in compiled languages. For one game, or for all in the long form, the agent is packed, built in a box and handed to a trial
// match; in one language, or in the long form in all, the page is followed to the letter. All agents are built once, for all their
// checks.

const folder = temporaryFolder('compiled-kits')

const variants = ['classic', 'belief', 'secret', 'base-ball']
const challenges = readdirSync(new URL('../../../grammars/challenges/', import.meta.url)).flatMap((file) =>
  file.endsWith('.challenge') ? [file.replace('.challenge', '')] : [],
)

const tests = 'npx tartaglia test'

/** Changes of all agents' minds, by language. */
const changes: Partial<Record<KitName, readonly (readonly [string, string])[]>> = {
  go: [
    ['agent.Values[at] > 0', 'agent.Values[at] < 0'],
    ['> agent.Worth(*best)', '>= agent.Worth(*best)'],
    ['7*body', '8*body'],
    ['world.World) % 7', 'world.World) % 5'],
  ],
  java: [
    ['values.get(at) > 0', 'values.get(at) < 0'],
    ['worth(river) > worth(best)', 'worth(river) >= worth(best)'],
    ['7 * body', '8 * body'],
    ['world.world()) % 7', 'world.world()) % 5'],
  ],
  cpp: [
    ['values[type] <= 0', 'values[type] > 0'],
    ['rating <= most) continue', 'rating < most) continue'],
    ['7 * body', '8 * body'],
    ['world.world) % 7', 'world.world) % 5'],
  ],
  rust: [
    ['*value > 0', '*value < 0'],
    ['worth > most', 'worth >= most'],
    ['7 * body', '8 * body'],
    ['world.world) % 7', 'world.world) % 5'],
  ],
}

/** On a busy machine optimised builds take minutes. */
const LONG_MS = 600_000

const followed = gamesWithKits.filter((game) => isLong || game === 'haggle')

/** The language whose page is followed to the letter in the usual run. */
const literal = compiledLanguages.find(({ tool }) => hasTool(tool))?.kit

for (const { kit, tool } of compiledLanguages)
  describe.skipIf(!hasBoxes || !hasTool(tool)).each(followed)(
    `the kit of %s for ${kit} (needs ${tool}, bubblewrap)`,
    (game) => {
      const home = join(folder, `${game}-${kit}`)

      test(
        'is packed, and wins or loses a match by the rules',
        async () => {
          await install(game, kit, home)
          const page = readFileSync(join(home, 'README.md'), 'utf8').replaceAll(/\n */g, ' ')
          const pack = 'npx tartaglia pack --name NAME --out agent.zip'
          const commands = [
            ...[tests, pack, `npx tartaglia match play --game ${game} agent.zip baby --export match.history`],
            'npx tartaglia history show match.history',
            /npx tartaglia match replay match\.history [^`]*--save cases\/mine\.json/.exec(page)?.[0] ??
              'no saved move',
          ]
          for (const command of commands) expect(page).toContain(`\`${command}\``)
          for (const command of isLong || kit === literal ? commands : [pack]) {
            const { status, stdout, stderr } = type(home, command, environment)
            expect([command, status, stderr, stdout]).toEqual([command, 0, expect.any(String), stdout])
            if (command === pack) expect(stdout).toContain('fine: It played its match')
            // The saved move is a test that passes.
            if (command.includes('--save')) expect(type(home, tests, environment)).toMatchObject({ status: 0 })
            // Seat, agent, rank, score and faults.
            if (command.includes('match play')) expect(stdout).toMatch(/^ +0 +agent +\d+ +[\d.-]+ +0$/m)
          }
        },
        LONG_MS,
      )
    },
  )

/** A match of Haggling, for debuggers. */
const match = join(folder, 'debugged.history')

for (const language of compiledLanguages)
  describe.skipIf(!hasTool(language.tool))(`the agents in ${language.kit} (need ${language.tool})`, () => {
    const alone = (game: string): string => join(folder, `${game}-${language.kit}-alone`)

    test.each(gamesWithKits)('that of %s answers its saved moves, and plays a match', async (game) => {
      const home = alone(game)
      writeSources(game, language, home)
      // The runner's "test" builds an optimised agent, which takes longer, so it is done once.
      if (game === 'haggle') shell(home, kitTest(language.kit))
      if (game !== 'haggle' || !kitTest(language.kit).includes('-o agent')) shell(home, language.build)
      if (game !== 'haggle') shell(home, language.cases)
      if (game !== 'specker') return playedLessons[game]!(programIn(home), 0)
      // The whole Player; the challenges are shared out among the variants, so that all are played.
      const games = challenges.flatMap((challenge, at) => {
        const variant = variants[at % variants.length]!
        return ['synchronous', 'mega-moves'].map((mode) => [challenge, { variant, mode }] as const)
      })
      const leagues = ['t-ball', 'level-k-reduced'].map((league) => ['max-csp', { league }] as const)
      for (const [challenge, settings] of [...games, ...leagues]) {
        const config = configOf(challenge, {}, { ...settings, maxTurns: 6, init: 1_000 * ENERGY })
        const program = startProgram(home, programIn(home).command(), 3)
        const { faults } = await playSpecker(program, config, Kit, 3)
        expect([challenge, settings, faults]).toEqual([challenge, settings, []])
      }
    })

    test('the settings of editors name files that a kit has when it is built', () => {
      expect(missingForEditors(alone('haggle'))).toEqual([])
    })

    const attaching = debuggers[language.kit]!
    test.skipIf(process.platform !== 'linux' || !attaching.tools.every(hasTool))(
      `that of haggle is stopped by a debugger in a move (needs ${attaching.tools.join(', ')})`,
      async () => {
        if (!existsSync(match))
          expect(await run('match', 'play', '--game', 'haggle', 'baby', 'baby', '--export', match)).toMatchObject({
            code: 0,
          })
        await debugMove(alone('haggle'), match, attaching)
      },
    )

    // The agent of Specker plays at random, so its moves are not compared.
    test.each(followed.filter((game) => game !== 'specker'))(
      'the tests of that of %s fail when it changes its mind',
      (game) => {
        const home = alone(game)
        const file = join(home, language.agent)
        const text = readFileSync(file, 'utf8')
        const changed = changes[language.kit]!.reduce((all, [from, to]) => all.replace(from, to), text)
        expect(changed).not.toBe(text)
        writeFileSync(file, changed)
        shell(home, language.build)
        const { status, stdout } = spawnSync('sh', ['-c', language.cases], {
          cwd: home,
          encoding: 'utf8',
          env: environment,
        })
        expect([status, stdout]).toEqual([1, expect.stringMatching(/FAIL/)])
      },
    )
  })
