import { transformSync } from 'esbuild'
import { expect, test } from 'vitest'
import { games } from '../../../main/referees/games.ts'
import { firstAgent, gamesWithKits } from './lessons.ts'

/** What is run of a text: without types and comments. */
function bare(text: string, loader: 'js' | 'ts'): string {
  const { code } = transformSync(text, { loader, target: 'esnext' })
  return code.replaceAll(/^ *(\/\*.*?\*\/|\/\/.*?)\n/gms, '')
}

test('there are kits for all games', () => {
  expect(gamesWithKits).toEqual([...games.keys()])
})

test.each(gamesWithKits)('the kits of %s in JavaScript and TypeScript have one agent', (game) => {
  const javascript = firstAgent(game, 'javascript/agent.cjs').replace("'use strict'\n", '')
  const typescript = firstAgent(game, 'typescript/agent.ts').replace('export default', 'module.exports =')
  expect(bare(javascript, 'js')).toBe(bare(typescript, 'ts'))
})
