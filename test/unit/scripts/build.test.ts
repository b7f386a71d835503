import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { compileFunction } from 'node:vm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
/** A project that has been built once. Each test has a copy. */
let built = ''
let folder = ''

beforeAll(async () => {
  folder = built = temporaryFolder('build')
  for (const path of ['scripts', 'package.json', 'package-lock.json'])
    cpSync(join(root, path), join(folder, path), { recursive: true })
  linkPackages()
  write('main/cli/start.ts', "import { readFileSync } from 'node:fs'\nconsole.log(typeof readFileSync, 1 as number)")
  write(
    'main/worker/main.ts',
    "import { createServer } from 'node:http'\nimport 'fastify'\nconsole.log('\u00e4', createServer)",
  )
  write('main/app/reading-process.ts', "console.log('reader')")
  write('main/players/inside/host.ts', "console.log('host')")
  write('main/services/packages/bundler.ts', "console.log('bundler')")
  write('main/desktop/main.ts', "import { app } from 'electron'\napp.quit()")
  write('main/desktop/preload.ts', "import { ipcRenderer } from 'electron'\nipcRenderer.send('x')")
  write(
    'agents/specker/baby.ts',
    "import { move } from './parts/move.ts'\nexport default class Baby { answer() { return move } }",
  )
  write('agents/specker/parts/move.ts', 'export const move = 7')
  write('agents/kits/specker/python/agent.py', 'print(1)')
  for (const page of ['agents', 'games/specker', 'security']) write(`docs/${page}.md`, `# The page ${page}\n`)
  write('CHANGELOG.md', '# Changes')
  write('CONTRIBUTING.md', '# Contributing')
  const links = ['docs/agents', 'docs/games/specker', 'docs/security', 'CHANGELOG', 'CONTRIBUTING']
  const rows = links.map((page) => `| [${page}](../${page}.md) |\n`).join('')
  write('docs/README.md', `# Documentation\n\n## Pages\n\n| Page |\n| --- |\n${rows}`)
  cpSync(join(root, 'docs/editors'), join(folder, 'docs/editors'), { recursive: true })
  write('renderer/site/main.ts', "import './site.css'\ndocument.title = 'found' as string")
  write('renderer/site/site.css', 'body { margin: 0 }')
  write('main/services/evidence/verify.py', 'print(2)')
  write('grammars/challenges/max.challenge', 'a challenge')
  write('vite.config.ts', "export default { root: 'renderer', base: './' }")
  write('renderer/index.html', '<!doctype html><script type="module" src="./main.ts"></script>')
  write('renderer/main.ts', "document.title = 'a window' as string")
  write(
    'vite.replay.config.ts',
    "export default { root: 'renderer', build: { cssCodeSplit: false, rolldownOptions: { input: 'renderer/replay.ts', output: { format: 'iife' } } } }",
  )
  write('renderer/replay.ts', "import './replay.css'\ndocument.title = 'a match' as string")
  write('renderer/replay.css', 'body { margin: 0 }')
  write('renderer/icon.svg', '<svg xmlns="http://www.w3.org/2000/svg" />')
  expect(await run()).toEqual({ status: 0, stderr: 'Built dist/.\n' })
})

beforeEach(() => {
  folder = temporaryFolder('build')
  cpSync(built, folder, { recursive: true, filter: (path) => basename(path) !== 'node_modules' })
  linkPackages()
})

test('makes every file that is run or read by itself', () => {
  for (const file of [
    'cli.js',
    'desktop.js',
    'preload.cjs',
    'worker.js',
    'reader.js',
    'host.cjs',
    'bundler.cjs',
    'agents/specker/baby.js',
    'challenges/max.challenge',
    'kits/agents/kits/specker/python/agent.py',
    'kits/docs/agents.md',
    'kits/docs/games/specker.md',
    'replay.html',
    'renderer/help/index.html',
    'renderer/help/games/specker.html',
    'renderer/help/site.js',
    'renderer/help/site.css',
  ]) {
    expect(existsSync(join(folder, 'dist', file)), file).toBe(true)
  }
  expect(readdirSync(join(folder, 'dist/agents/specker'))).toEqual(['baby.js'])
})

test('an agent is one script whose module.exports is its class', () => {
  const exported: { exports: unknown } = { exports: {} }
  // As an agent is loaded: the text of one file, with nothing to require.
  const load = compileFunction(read('dist/agents/specker/baby.js'), ['module', 'exports'])
  Reflect.apply(load, undefined, [exported, exported.exports])
  const Baby = exported.exports as new () => { answer(): number }
  expect(new Baby().answer()).toBe(7)
})

test("a program's text is ASCII, loads parts of Node by need, and has no library that none of our servers uses", () => {
  const text = read('dist/worker.js')
  expect(text).toContain('fastify')
  expect(text).toContain('\\xE4')
  expect(text).toMatch(/^[\0-\x7F]*$/)
  expect(text).not.toMatch(/from ?"node:https?2?"|require\("node:http2"\)|ajv\/dist/)
})

test('does nothing when nothing changed, and builds again when a source did', async () => {
  const before = statSync(join(folder, 'dist/worker.js')).mtimeMs
  expect((await run()).stderr).toContain('up to date')
  expect(statSync(join(folder, 'dist/worker.js')).mtimeMs).toBe(before)
  write('main/worker/main.ts', "console.log('another worker')")
  await run()
  expect(read('dist/worker.js')).toContain('another worker')
})

test('a lost file is made again and a left-over one goes', async () => {
  rmSync(join(folder, 'dist/host.cjs'))
  write('dist/agents/specker/gone.js', '')
  await run()
  expect(existsSync(join(folder, 'dist/host.cjs'))).toBe(true)
  expect(existsSync(join(folder, 'dist/agents/specker/gone.js'))).toBe(false)
})

test('the window is built with the rest, and again when a part of it changed', async () => {
  expect(read('dist/renderer/index.html')).toContain('assets/')
  expect(windowScript()).toContain('a window')
  write('renderer/main.ts', "document.title = 'another window'")
  expect((await run()).status).toBe(0)
  expect(windowScript()).toContain('another window')
})

test('a link of the documentation that leads nowhere is one sentence with its page', async () => {
  write('docs/agents.md', '# Agents\n\nSee [this](nowhere.md).')
  const { status, stderr } = await run()
  expect(status).toBe(3)
  expect(stderr).toBe('The build failed: docs/agents.md: The link nowhere.md leads to no file.\n')
})

test.each([
  ['main.ts', 'const x = ;', 'renderer/main.ts:1:11: '],
  ['main.ts', "import './lost.ts'", 'renderer/main.ts:1:8: '],
])('a window that does not compile is one sentence with its place (%s: %s)', async (file, text, place) => {
  write(`renderer/${file}`, text)
  const { status, stderr } = await run()
  expect(status).toBe(3)
  expect(stderr).toMatch(/^The build failed: .+\n$/)
  expect(stderr).toContain(`The build failed: ${place}`)
})

test('two builds at once both end well', async () => {
  rmSync(join(folder, 'dist'), { recursive: true })
  const both = await Promise.all([run(), run(), run()])
  expect(both.map(({ status }) => status)).toEqual([0, 0, 0])
  expect(readdirSync(join(folder, 'dist')).filter((file) => file.endsWith('.new'))).toEqual([])
  expect(read('dist/worker.js')).toContain('createServer')
})

test('a source that does not compile is one sentence with its place', async () => {
  write('main/worker/main.ts', 'const x = ;')
  const { status, stderr } = await run()
  expect(status).toBe(3)
  expect(stderr).toMatch(/^The build failed: main\/worker\/main\.ts:1:11: .+\n$/)
})

/** The window's one script. */
function windowScript(): string {
  const [script, ...more] = readdirSync(join(folder, 'dist/renderer/assets')).filter((file) => file.endsWith('.js'))
  expect(more).toEqual([])
  return read(`dist/renderer/assets/${script}`)
}

function linkPackages(): void {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
}

function read(path: string): string {
  return readFileSync(join(folder, path), 'utf8')
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function run(): Promise<{ status: number | null; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['scripts/build.mjs'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, stderr }))
  })
}
