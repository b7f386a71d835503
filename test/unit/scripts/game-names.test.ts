import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'

const script = pathToFileURL(join(import.meta.dirname, '../../../scripts/game-names.mjs')).href
const { gameNames } = (await import(script)) as {
  gameNames: (root: string, excepted?: readonly string[]) => readonly string[]
}

let folder = ''
beforeEach(() => {
  folder = temporaryFolder('names')
  write('main/referees/bridge/bridge.ts', "export const bridge = {\n  title: 'Contract Whist',\n}")
  write('main/referees/games.ts', "import { bridge } from './bridge/bridge.ts'")
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), `${text}\n`)
}

test('folders of games, the registries, documents and tests may name games', () => {
  write('main/services/games/bridge/deal.ts', '// Bridge')
  write('renderer/games/bridge/deal.svelte', 'Bridge')
  write('agents/kits/bridge/javascript/agent.js', '// Bridge')
  write('docs/games.md', 'Bridge')
  write('README.md', 'Bridge')
  write('test/unit/bridge.test.ts', '// Bridge')
  write('main/worker/table.ts', '// a table')
  expect(gameNames(folder, [])).toEqual([])
})

test('shared code may not: not in code, comments or the names of its files, by id or title, nor games that are planned', () => {
  write('main/worker/table.ts', '// a table\nconst forBridge = 1')
  write('renderer/parts/card.svelte', '<p>As in contract whist</p>')
  write('scripts/build.mjs', '// cards of Punters')
  write('electron-builder.yml', 'description: bridge')
  write('grammars/bridge.cd', 'A = .')
  expect(gameNames(folder, [])).toEqual([
    'electron-builder.yml:1: description: bridge',
    'grammars/bridge.cd: the name of the file',
    'main/worker/table.ts:2: const forBridge = 1',
    'renderer/parts/card.svelte:1: <p>As in contract whist</p>',
    'scripts/build.mjs:1: // cards of Punters',
  ])
})

test('a short name is found as a word, and not inside of other words', () => {
  write('main/referees/nim/nim.ts', "export const nim = {\n  title: 'Nim',\n}")
  write('main/worker/table.ts', '// the minimum of animations, an admin image')
  expect(gameNames(folder, [])).toEqual([])
  write('main/worker/table.ts', 'const nimRules = 1\nconst forNim = 2\n// nim\nconst NIM_SEATS = 3\nanimate()')
  expect(gameNames(folder, [])).toHaveLength(4)
})

test('an exception holds as long as there is something to except', () => {
  write('main/worker/table.ts', '// bridge')
  expect(gameNames(folder, ['main/worker/table.ts'])).toEqual([])
  write('main/worker/table.ts', '// a table')
  expect(gameNames(folder, ['main/worker/table.ts', 'main/gone.ts'])).toEqual([
    'main/worker/table.ts names no game any more: take it off the exceptions in scripts/game-names.mjs.',
    'main/gone.ts names no game any more: take it off the exceptions in scripts/game-names.mjs.',
  ])
})
