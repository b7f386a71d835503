import { join } from 'node:path'
import { describe, test } from 'vitest'
import { isLong } from '../../long.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { gamesWithKits, lessonsOf, methodsOf, withMethods } from '../../unit/kits/lessons.ts'
import { compiledLanguages, hasTool, programIn, shell, writeSources } from './compilers.ts'
import { playedLessons } from './lessons-played.ts'

// The lessons in compiled languages, done as the page of the kit says: after each of them the agent is built and does what the one in
// JavaScript does after the same lessons, so that the figures on the page are those of all languages.

const folder = temporaryFolder('compiled-lessons')

/** One game per language in the usual run. */
const usual: Readonly<Record<string, string>> = { go: 'cows', java: 'haggle', cpp: 'punter', rust: 'cops' }

/** The agent of Specker searches for 50 ms, and on a busy machine finds little in them: here it has 300 ms. */
const patient = (agent: string): string =>
  agent
    .replace('milliseconds(50)', 'milliseconds(300)')
    .replace('Seconds() + 0.05', 'Seconds() + 0.3')
    .replace('nanoTime() + 50_000_000', 'nanoTime() + 300_000_000')
    .replace('as_millis() < 50', 'as_millis() < 300')

for (const language of compiledLanguages)
  describe.skipIf(!hasTool(language.tool)).each(gamesWithKits.filter((game) => isLong || usual[language.kit] === game))(
    `the lessons of %s in ${language.kit} (needs ${language.tool})`,
    (game) => {
      test.each(lessonsOf(game).map((_, at) => at + 1))(
        'the agent plays after %i of them as in JavaScript, or by the rules where it plays at random',
        async (lessons) => {
          const home = join(folder, `${game}-${language.kit}-${lessons}`)
          const methods = methodsOf(game, language.kit, lessons)
          writeSources(game, language, home, (agent) => patient(withMethods(agent, methods)))
          shell(home, language.build)
          await playedLessons[game]!(programIn(home), lessons)
        },
      )
    },
  )
