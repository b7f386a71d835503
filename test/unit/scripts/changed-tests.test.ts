import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { temporaryFolder } from '../../temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
const games = readdirSync(join(root, 'main/referees'), { withFileTypes: true })
  .filter((item) => item.isDirectory())
  .map(({ name }) => name)
interface Changed {
  readonly changed: readonly string[]
  readonly sources: readonly string[]
  readonly chosen: readonly string[]
  readonly chosenByTable: readonly string[]
  readonly testsAll?: string
}
type ChangedTests = (commit: string, all: readonly string[]) => Changed

let folder = ''
let changedTests: ChangedTests
beforeEach(async () => {
  folder = temporaryFolder('changed')
  cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true })
  write('main/histories/merkle.ts', 'export {}')
  write('renderer/screens/match/fold.ts', 'export {}')
  write('docs/games/specker.md', '# Games')
  // The table follows the games' folders.
  for (const game of games) write(`main/referees/${game}/${game}.ts`, 'export {}')
  git('init', '--quiet')
  git('add', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'first')
  const script = pathToFileURL(join(folder, 'scripts', 'changed-tests.mjs')).href
  ;({ changedTests } = (await import(script)) as { changedTests: ChangedTests })
})

const git = (...args: string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const all = [
  'test/unit/histories/merkle.test.ts',
  'test/hostile/contests/data-folder.test.ts',
  'test/e2e/match.spec.ts',
  'test/e2e/settings.spec.ts',
]

test('a changed source chooses the tests that the table has for its room; Vitest is asked for the others', () => {
  write('main/histories/merkle.ts', 'export const changed = true')
  expect(changedTests('HEAD', all)).toEqual({
    changed: ['main/histories/merkle.ts'],
    sources: ['main/histories/merkle.ts'],
    chosen: ['test/hostile/contests/data-folder.test.ts'],
    chosenByTable: ['test/hostile/contests/data-folder.test.ts', 'test/e2e/match.spec.ts', 'test/e2e/settings.spec.ts'],
    testsAll: undefined,
  })
})

test('files that are new, committed since, or gone count; words alone reach no test', () => {
  write('renderer/screens/match/new.ts', 'export {}')
  write('docs/games/specker.md', '# All games')
  git('add', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'second')
  rmSync(join(folder, 'main/histories/merkle.ts'))
  write('test/e2e/settings.spec.ts', 'export {}')
  const now = changedTests('HEAD~1', all)
  expect([...now.changed].sort()).toEqual([
    'docs/games/specker.md',
    'main/histories/merkle.ts',
    'renderer/screens/match/new.ts',
    'test/e2e/settings.spec.ts',
  ])
  // A deleted file has no imports to follow.
  expect([...now.sources].sort()).toEqual(['renderer/screens/match/new.ts', 'test/e2e/settings.spec.ts'])
  expect(now.chosen).toEqual([
    'test/hostile/contests/data-folder.test.ts',
    'test/e2e/match.spec.ts',
    'test/e2e/settings.spec.ts',
  ])
})

test('what kits, the site of the documentation and the single file are made of chooses their tests', () => {
  for (const [source, name] of [
    ['main/services/agents/kit-code/go.ts', 'test/conformance/kits/compiled.test.ts'],
    ['main/services/packages/pack.ts', 'test/conformance/kits/submit.test.ts'],
    ['main/cli/verbs/kit.ts', 'test/conformance/kits/update.test.ts'],
    ['main/referees/haggle/messages.ts', 'test/conformance/kits/compiled.test.ts'],
    ['main/services/machine/docs-pages.ts', 'test/e2e/docs-site.spec.ts'],
    ['scripts/single-file-main.mjs', 'test/conformance/cli/single-file.test.ts'],
  ] as const) {
    const before = existsSync(join(folder, source)) ? readFileSync(join(folder, source), 'utf8') : null
    write(source, 'export const changed = true')
    expect([source, changedTests('HEAD', [name]).chosen]).toEqual([source, [name]])
    if (before === null) rmSync(join(folder, source))
    else write(source, before)
  }
})

test('a file that every test depends on is named, and a commit that is not there is one sentence', () => {
  write('package.json', '{}')
  expect(changedTests('HEAD', all).testsAll).toBe('package.json')
  expect(() => changedTests('no-such-commit', all)).toThrow(/^git cannot tell what has changed: .*no-such-commit/)
})

test('the table names rooms and tests that exist, and every end-to-end file', () => {
  const text = readFileSync(join(root, 'scripts', 'changed-tests.mjs'), 'utf8')
  const paths = [...text.matchAll(/'((?:main|renderer|agents|test|scripts)\/[^']+)'/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(40)
  const exists = (path: string): boolean => {
    const place = join(root, path)
    if (existsSync(place)) return true
    return (
      existsSync(dirname(place)) &&
      readdirSync(dirname(place)).some((name) => join(dirname(place), name).startsWith(place))
    )
  }
  expect(paths.filter((path) => !exists(path))).toEqual([])
  // No file of the composition root is without tests.
  expect(paths).toContain('main/app/')
  const specs = readdirSync(join(root, 'test/e2e')).filter((name) => name.endsWith('.spec.ts'))
  const { chosenByTable } = changedTests(
    'HEAD',
    specs.map((name) => `test/e2e/${name}`),
  )
  expect(chosenByTable).toHaveLength(specs.length)
})
