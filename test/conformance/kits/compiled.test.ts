import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import Kit from '../../../agents/kits/specker/typescript/agent.ts'
import type { KitName } from '../../../main/contract/players/kits.ts'
import { ENERGY } from '../../../main/referees/specker/messages.ts'
import { isLong } from '../../long.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { configOf } from '../../unit/agents-specker/table.ts'
import { gamesWithKits } from '../../unit/kits/lessons.ts'
import { debuggers, debugMove, missingForEditors } from './attached.ts'
import { compiledLanguages, environment, hasBoxes, hasTool, programIn, shell, writeSources } from './compilers.ts'
import { debugCommand, followPage, isTypedOnce } from './followed-page.ts'
import { install } from './kit.ts'
import { playedLessons } from './lessons-played.ts'
import { playSpecker } from './play-specker.ts'
import { startProgram } from './python-program.ts'

// The kits in compiled languages. For one game, or for all in the long form, every command of the page is typed, which packs the agent,
// builds it in a box and plays with it. All agents are built once, for all their checks.

const folder = temporaryFolder('compiled-kits')

const variants = ['classic', 'belief', 'secret', 'base-ball']
const modes = ['synchronous', 'mega-moves']
const challenges = readdirSync(new URL('../../../grammars/challenges/', import.meta.url)).flatMap((file) =>
  file.endsWith('.challenge') ? [file.replace('.challenge', '')] : [],
)

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
    // An Error is none of Java's usual exceptions.
    ['maxRounds = opt.maxRounds();', 'maxRounds = opt.maxRounds(); if (maxRounds == 99) throw new AssertionError();'],
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

for (const language of compiledLanguages)
  describe.skipIf(!hasBoxes || !hasTool(language.tool)).each(followed)(
    `the kit of %s for ${language.kit} (needs ${language.tool}, bubblewrap)`,
    (game) => {
      test(
        'does what each command of its page says',
        async () => {
          const home = join(folder, `${game}-${language.kit}`)
          await install(game, language.kit, home)
          await followPage(home, game, { kit: language.kit, isolation: 'bubblewrap', isTyped: isTypedOnce })
        },
        LONG_MS,
      )
    },
  )

for (const language of compiledLanguages)
  describe.skipIf(!hasTool(language.tool))(`the agents in ${language.kit} (need ${language.tool})`, () => {
    /** The folder in which an agent is built: the kit whose page was followed, or else one without what runs it. */
    const homeOf = (game: string): string => join(folder, `${game}-${language.kit}`)
    const isFollowed = (game: string): boolean => hasBoxes && followed.includes(game)

    test.each(gamesWithKits)('that of %s answers its saved moves, and plays a match', async (game) => {
      const home = homeOf(game)
      if (!isFollowed(game)) {
        writeSources(game, language, home)
        shell(home, language.build)
        shell(home, language.cases)
      }
      if (game !== 'specker') return playedLessons[game]!(programIn(home), 0)
      // The whole Player; the challenges are shared out among the variants and modes, so that all are played.
      const games = challenges.flatMap((challenge, at) => {
        const variant = variants[at % variants.length]!
        const own = isLong ? modes : [modes[Math.floor(at / variants.length) % modes.length]!]
        return own.map((mode) => [challenge, { variant, mode }] as const)
      })
      const leagues = ['t-ball', 'level-k-reduced'].map((league) => ['max-csp', { league }] as const)
      for (const [challenge, settings] of [...games, ...leagues]) {
        const config = configOf(challenge, {}, { ...settings, maxTurns: 6, init: 1_000 * ENERGY })
        const program = startProgram(home, programIn(home).command(), 3)
        const { faults } = await playSpecker(program, config, Kit, 3)
        expect([challenge, settings, faults]).toEqual([challenge, settings, []])
      }
    })

    test.skipIf(!hasBoxes)(
      'the settings of editors name files that a kit has when it is built (needs bubblewrap)',
      () => {
        expect(missingForEditors(homeOf('haggle'))).toEqual([])
      },
    )

    const attaching = debuggers[language.kit]!
    test.skipIf(!hasBoxes || process.platform !== 'linux' || !attaching.tools.every(hasTool))(
      `that of haggle is stopped by a debugger in a move (needs bubblewrap, ${attaching.tools.join(', ')})`,
      async () => {
        const home = homeOf('haggle')
        await debugMove(home, debugCommand(home), attaching)
      },
    )

    // The agent of Specker plays at random, so its moves are not compared.
    test.each(followed.filter((game) => game !== 'specker'))(
      'the tests of that of %s fail when it changes its mind',
      (game) => {
        const home = homeOf(game)
        const file = join(home, language.agent)
        const text = readFileSync(file, 'utf8')
        const changed = changes[language.kit]!.reduce((all, [from, to]) => all.replace(from, to), text)
        expect(changed).not.toBe(text)
        writeFileSync(file, changed)
        // A case at which the agent ends by an error fails, a broken one fails, and the others are played.
        const cases = join(home, 'cases')
        const saved = readFileSync(join(cases, readdirSync(cases).toSorted()[0]!), 'utf8')
        writeFileSync(join(cases, 'another.json'), saved.replace('"maxRounds": 5', '"maxRounds": 99'))
        writeFileSync(join(cases, 'broken.json'), '{"messages": ')
        shell(home, language.build)
        const { status, stdout } = spawnSync('sh', ['-c', language.cases], {
          cwd: home,
          encoding: 'utf8',
          env: environment,
        })
        const failed = [...stdout.matchAll(/^.*FAIL.*\b([\w-]+)\.json/gm)].map(([, name]) => name)
        expect([status, failed]).toEqual([1, expect.arrayContaining(['broken'])])
        expect(failed.length).toBeGreaterThan(1)
      },
    )
  })
