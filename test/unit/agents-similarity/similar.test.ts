import { transform } from 'esbuild'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeTokens } from '../../../main/services/agents/similarity/code-tokens.ts'
import { fingerprintsOf } from '../../../main/services/agents/similarity/fingerprints.ts'
import { similarAgents, similarWords } from '../../../main/services/agents/similarity/similar-agents.ts'
import { resources } from '../../../main/services/machine/resources.ts'

const games = ['specker', 'haggle', 'punter']
const shipped = (game: string, name: string) => readFile(join(resources.agents, game, `${name}.js`), 'utf8')
const kit = (game: string) => readFile(join(resources.kits, 'agents', 'kits', game, 'javascript', 'agent.cjs'), 'utf8')
const similarTo = (game: string, code: string) => similarAgents(game, Buffer.from(code))

test.each(games)('the strongest agent of %s is recognized, whatever has been done to its text', async (game) => {
  const code = await shipped(game, 'tartaglia')
  const copies = {
    same: code,
    reformatted: code.replaceAll(/\n\s*/g, '\n\n').replaceAll(';\n', '\n;\n// mine\n'),
    renamed: (await transform(code, { minifyIdentifiers: true })).code,
    minified: (await transform(code, { minify: true })).code,
    'in another agent': `${await kit(game)}\n${code}`,
  }
  for (const [how, copy] of Object.entries(copies)) {
    const [first] = await similarTo(game, copy)
    expect(first?.name, how).toBe('tartaglia')
    expect(first?.share, how).toBeGreaterThan(how === 'minified' || how === 'renamed' ? 0.35 : 0.9)
  }
})

test.each(games)('a script that builds on the kit or on the starter of %s is similar to nobody', async (game) => {
  expect(await similarTo(game, await kit(game))).toEqual([])
  expect(await similarTo(game, await shipped(game, 'baby'))).toEqual([])
  // Agents of other games are other work, by the same hands.
  for (const other of games.filter((each) => each !== game)) {
    expect(await similarTo(game, await shipped(other, 'tartaglia'))).toEqual([])
  }
  const own = Array.from({ length: 200 }, (_, at) => `function f${at}(a, b) { return a[${at}] + b.at(a) * ${at} }`)
  expect(await similarTo(game, `${await kit(game)}\n${own.join('\n')}`)).toEqual([])
})

test('it is said in one sentence, and nothing where nothing is similar', () => {
  expect(similarWords([])).toBeNull()
  expect(similarWords([{ name: 'greedy', share: 0.834 }])).toBe(
    'Its code is like that of "greedy" (83 %), which ships with the game.',
  )
})

test('own names, numbers, texts, comments and separators do not count; operators and names of the library do', () => {
  const tokens = (code: string) => [...codeTokens(code)].join(' ')
  expect(tokens('const a = 1; // x\nb("c" + d / e)')).toBe(tokens('let zz=0x2f\n/* y */ q(`w` + r / t);'))
  expect(tokens('a = /["]x/ + b')).toBe(tokens('z = /q/ + z'))
  expect(tokens('if (a === true) return b')).toBe(tokens('a==!0&&b'.replace('&&', ' ')))
  expect(tokens('a.map(c)')).not.toBe(tokens('a.filter(c)'))
  expect(tokens('a.b(c)')).not.toBe(tokens('a.b[c]'))
})

test.each([
  '/*'.repeat(400_000),
  '"'.repeat(800_000),
  '`${'.repeat(300_000),
  '\\'.repeat(800_000),
  '/'.repeat(800_000),
])('a hostile text takes time by its length alone (%#)', async (text) => {
  const prints = await fingerprintsOf(text)
  expect(prints.size).toBeLessThan(1_000)
  expect(await fingerprintsOf(text)).toEqual(prints)
})
