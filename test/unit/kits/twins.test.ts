import { transformSync } from 'esbuild'
import { expect, test } from 'vitest'
import { games } from '../../../main/referees/games.ts'
import { firstAgent, gamesWithKits } from './lessons.ts'

/** The code of a text that runs: without types and comments. */
function bare(text: string, loader: 'js' | 'ts'): string {
  const { code } = transformSync(text, { loader, target: 'esnext' })
  return code.replaceAll(/^ *(\/\*.*?\*\/|\/\/.*?)\n/gms, '')
}

test('there are kits for all games', () => {
  expect(gamesWithKits).toEqual([...games.keys()])
})

test.each(gamesWithKits)('the agent in JavaScript for %s has the code of that in TypeScript', (game) => {
  const javascript = firstAgent(game, 'javascript/agent.cjs').replace("'use strict'\n", '')
  const typescript = firstAgent(game, 'typescript/agent.ts').replace('export default', 'module.exports =')
  expect(bare(javascript, 'js')).toBe(bare(typescript, 'ts'))
})

test.each(gamesWithKits)('it has its comments and blank lines, and types in JSDoc, for %s', (game) => {
  const javascript = firstAgent(game, 'javascript/agent.cjs')
  // Without interfaces and aliases, whose comments go with them.
  const typescript = firstAgent(game, 'typescript/agent.ts').replaceAll(
    /^(\/\*\*[^\n]*\*\/\n)?(interface .*?^\}\n|type [^\n]*\n)/gms,
    '',
  )
  const comments = [...typescript.matchAll(/(?:\/\*\*|^ *\*|\/\/) (\w.*?)(?: \*\/)?$/gm)].map(([, words]) => words!)
  expect(comments.length).toBeGreaterThan(5)
  for (const words of comments) expect(javascript).toContain(words)
  expect(javascript).toMatch(/^'use strict'\n(\/\*\* @import \{.*\} from '\.\/\w+\.d\.ts' \*\/\n)+\n/)
  expect(javascript).toMatch(/@param \{\w+\} \w+\n/)
  expect(javascript).toMatch(/ {2}\}\n\n {2}\/\*\*/)
  expect(javascript).not.toContain('\n\n\n')
})
