import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { ErasedGame, Game } from '../../../main/contract/game/game.ts'
import type { Json } from '../../../main/contract/json.ts'
import { actingPlayer, play, verifies } from '../toys/harness.ts'

const root = join(import.meta.dirname, '../../..')
/** The files that the recipe of docs/games.md has one write, by their paths. */
const files = new Map(
  [
    ...readFileSync(join(root, 'docs/games.md'), 'utf8').matchAll(
      /^```(?:ts|svelte)\n(?:\/\/|<!--) (\S+).*\n([^]*?)^```$/gm,
    ),
  ].map(([, path = '', text = '']) => [path, text]),
)

let folder = ''
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
let nim: ErasedGame
let Baby: new () => { turn(piles: readonly number[]): Json }

beforeAll(async () => {
  // Within the project, so that packages are found.
  mkdirSync(join(root, '.cache'), { recursive: true })
  folder = mkdtempSync(join(root, '.cache', 'recipe-'))
  for (const [path, text] of files) write(path, text)
  symlinkSync(join(root, 'main', 'contract'), join(folder, 'main', 'contract'), 'junction')
  for (const shared of ['ask-at-once', 'exported']) {
    write(`main/referees/${shared}.ts`, readFileSync(join(root, `main/referees/${shared}.ts`), 'utf8'))
  }
  const load = (path: string): Promise<unknown> => import(/* @vite-ignore */ pathToFileURL(join(folder, path)).href)
  const game = (await load('main/referees/nim/nim.ts')) as { nim: Game<unknown, unknown, unknown, Json, unknown, Json> }
  nim = eraseGame(game.nim)
  Baby = ((await load('agents/nim/baby.ts')) as { default: typeof Baby }).default
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the recipe has rules, a game, an agent, and a window', () => {
  expect([...files.keys()]).toEqual([
    'main/referees/nim/rules.ts',
    'main/referees/nim/nim.ts',
    'agents/nim/baby.ts',
    'renderer/games/nim/nim.ts',
    'renderer/games/nim/settings.ts',
    'renderer/games/nim/story.ts',
    'renderer/games/nim/piles.svelte',
  ])
})

// As `npm run check` does, in the rooms to which the files belong.
test.each([
  ['tsconfig.pure.json', ['main/referees/nim/rules.ts', 'agents/nim/*.ts']],
  ['tsconfig.json', ['main/referees/nim/*.ts']],
  ['renderer/tsconfig.json', ['renderer/games/nim/*.ts']],
])('its files have the types that %s asks for', (project, include) => {
  const settings = {
    extends: join(root, project),
    // Files that the recipe does not write are beside it.
    compilerOptions: { rootDirs: [folder, root] },
    include,
  }
  write('tsconfig.json', JSON.stringify(settings))
  const compiler = join(root, 'node_modules/@typescript/native/bin/tsc')
  const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
  expect([status, stdout]).toEqual([0, ''])
})

test('its game is played at the real table, and the history verifies', async () => {
  const played = await play({
    game: nim,
    config: { piles: 2, stones: 3 },
    entrants: 2,
    seatPlayer: (_seat, _post, emit) =>
      actingPlayer((message) => ({ answer: new Baby().turn((message as { piles: number[] }).piles) }), emit),
  })
  expect(played.inputs.map(({ input }) => input)).toEqual([
    { type: 'take', seat: 0, pile: 0, stones: 1 },
    { type: 'take', seat: 1, pile: 0, stones: 1 },
    { type: 'take', seat: 0, pile: 0, stones: 1 },
    { type: 'take', seat: 1, pile: 1, stones: 1 },
    { type: 'take', seat: 0, pile: 1, stones: 1 },
    { type: 'take', seat: 1, pile: 1, stones: 1 },
  ])
  expect(played.outcome.outcome.places.map(({ seat, rank }) => [seat, rank])).toEqual([
    [0, 2],
    [1, 1],
  ])
  verifies(played)
})

test('an illegal move forfeits it, with the rules’ own words', async () => {
  const played = await play({
    game: nim,
    entrants: 2,
    seatPlayer: (_seat, _post, emit) => actingPlayer(() => ({ answer: { pile: 0, stones: 5 } }), emit),
  })
  expect(played.inputs.at(-1)?.input).toEqual({ type: 'forfeit', seat: 1, reason: 'Pile 0 has only 2 stones.' })
  expect(played.outcome.outcome.places.map(({ rank, removed }) => [rank, removed])).toEqual([
    [1, false],
    [2, true],
  ])
  verifies(played)
})
