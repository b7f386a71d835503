import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
const { npmWords, progressLine } = (await import(pathToFileURL(join(root, 'scripts/npm-output.mjs')).href)) as {
  npmWords: (output: string) => { readonly answers: number; readonly words: string }
  progressLine: (here: number, all: number, answers: number, seconds: number) => string
}
let folder = ''

/** A clone with one package in its lockfile and an npm of ours, which notes each call. */
beforeEach(() => {
  folder = temporaryFolder('setup')
  cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true })
  lockfile('1.0.0')
  write('try.mjs', "import { entry, setup } from './scripts/setup.mjs'\nawait entry(async () => void (await setup()))")
})

const installs = `
  const fs = require('node:fs')
  fs.appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n')
  setTimeout(() => {
    fs.mkdirSync('node_modules', { recursive: true })
    fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json')
  }, 200)`

test('installs once, then never again while the lockfile stays', async () => {
  npm(installs)
  const first = await run()
  expect(first).toMatchObject({ status: 0, stdout: '' })
  expect(first.stderr).toContain('node_modules is missing')
  expect(await run()).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(calls()).toHaveLength(1)
})

test('an installed package on an older Node says which one it needs, and runs nothing', () => {
  // A file that a package lacks, and its place in one.
  rmSync(join(folder, 'scripts', 'build.mjs'))
  write('old.mjs', "Object.defineProperty(process, 'version', { value: 'v18.19.0' })")
  for (const words of [[], ['doctor']]) {
    const begun = [...['--import', './old.mjs'], join('scripts', 'tartaglia.mjs'), ...words]
    const { status, stdout, stderr } = spawnSync(process.execPath, begun, { cwd: folder, encoding: 'utf8' })
    expect([status, stdout]).toEqual([3, ''])
    expect(stderr).toMatch(/^[^\n]*\bv18\.19\.0\b[^\n]*\n$/)
    expect(stderr).toContain('20')
  }
})

test('installs again when the lockfile has changed', async () => {
  npm(installs)
  await run()
  lockfile('1.0.1')
  expect((await run()).stderr).toContain('node_modules is older than the lockfile')
  expect(calls()).toHaveLength(2)
})

test('two at once install once', async () => {
  npm(installs)
  const both = await Promise.all([run(), run()])
  expect(both.map(({ status }) => status)).toEqual([0, 0])
  expect(calls()).toHaveLength(1)
})

test('a lock left by a process that died is taken over', async () => {
  npm(installs)
  write('.cache/setup.lock', String(2 ** 30))
  expect(await run()).toMatchObject({ status: 0 })
  expect(existsSync(join(folder, '.cache/setup.lock'))).toBe(false)
})

test.each([
  ['npm error code ENOTFOUND\\nnpm error errno ENOTFOUND', /no way to the package registry/],
  ['npm error code EACCES', /may not write/],
  ['npm error code ENOSPC', /disk is full/],
  ['npm error code EINTEGRITY', /did not match the hash/],
  ['npm error code EUSAGE', /do not fit together/],
  ['npm error something odd', /something odd/],
])('a failed install is one sentence: %s', async (words, sentence) => {
  npm(`console.error('${words}'); process.exit(1)`)
  const { status, stdout, stderr } = await run()
  expect(status).toBe(3)
  expect(stdout).toBe('')
  const lines = stderr.trimEnd().split('\n')
  expect(lines).toHaveLength(2) // what it does, and what went wrong
  expect(lines[1]).toMatch(sentence)
})

test('a damaged lockfile is named', async () => {
  write('package-lock.json', '{')
  expect(await run()).toMatchObject({
    status: 3,
    stderr: expect.stringMatching(/^package-lock\.json is .*\n$/) as string,
  })
})

test('the answers that npm names are counted, and are not part of its words', () => {
  const answer = 'npm http fetch GET 200 https://registry.example/one 5ms (cache updated)'
  expect(npmWords(`${answer}\nnpm error code ENOSPC\n${answer}\n`)).toEqual({
    answers: 2,
    words: 'npm error code ENOSPC\n',
  })
  expect(progressLine(21, 893, 431, 40)).toBe(
    '431 answers of the package registry, 21 of 893 packages in their place, 40 s',
  )
})

function lockfile(version: string): void {
  const packages = { '': {}, 'node_modules/x': { version, integrity: `sha512-${version}` } }
  write('package-lock.json', JSON.stringify({ packages }))
}

function npm(source: string): void {
  write('npm/npm-cli.js', source)
}

function calls(): readonly string[] {
  return readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n')
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function run(): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const env = {
    PATH: process.env['PATH'],
    npm_node_execpath: process.execPath,
    npm_execpath: join(folder, 'npm', 'npm-cli.js'),
  }
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['try.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, stdout, stderr }))
  })
}
