// The package for npm as a person gets it: one file, installed in an empty folder with an empty home.
import { expect, test } from '@playwright/test'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { startProgram, type Started } from './start-stage.ts'

const root = join(import.meta.dirname, '..', '..')
const ownNode = join(root, 'node_modules', `node-${process.platform}-${process.arch}`)
test.skip(process.platform !== 'linux' || !existsSync(ownNode), 'needs Linux with a Node of the lockfile')

let base = ''
let env: Record<string, string> = {}
let file = ''
let started: Started | null = null

test.beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'tartaglia-installed-'))
  for (const name of ['home', 'tmp', 'here']) mkdirSync(join(base, name))
  const system = ['/usr/local/bin', '/usr/bin', '/bin']
  env = { PATH: system.join(delimiter), HOME: join(base, 'home'), TMPDIR: join(base, 'tmp'), DISPLAY: '' }
  const npm = { ...process.env, PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) }
  const made = execFileSync(process.execPath, [join(root, 'scripts', 'npm-package.mjs')], { env: npm, stdio: 'pipe' })
  file = String(made).trim()
})
test.afterEach(async () => {
  started?.stop('SIGKILL')
  await started?.ended
})
test.afterAll(() => rmSync(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

test('installs without a clone, plays the sample contest, and opens the classroom', async ({ page }) => {
  test.setTimeout(180_000)
  expect(statSync(file).size).toBeLessThan(12_000_000)
  const here = join(base, 'here')
  writeFileSync(join(here, 'package.json'), '{}')
  // The Node of the lockfile is taken from here, so that no registry is asked.
  const install = ['install', '--offline', '--no-audit', '--no-fund', file, ownNode]
  const { status, stderr } = spawnSync('npm', install, { cwd: here, env, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  expect(readdirSync(join(here, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    `node-${process.platform}-${process.arch}`,
    'tartaglia',
  ])

  const program = join(here, 'node_modules', '.bin', 'tartaglia')
  const said = (...args: readonly string[]) => spawnSync(program, args, { cwd: here, env, encoding: 'utf8' })
  const { version } = JSON.parse(
    String(execFileSync('node', ['-p', 'JSON.stringify(require("tartaglia/package.json"))'], { cwd: here, env })),
  ) as { version: string }
  expect(said('--version').stdout).toBe(`${version}\n`)
  expect(said('kit', 'javascript', '--out', 'kit.zip').status).toBe(0)

  started = startProgram([program], env, here)
  const [address] = await started.says(/http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+/)
  expect(started.output()).toContain('70 matches of 70 played.')
  await page.goto(address)
  await expect(page.getByRole('heading', { name: 'Sample contest' })).toBeVisible()
  started.stop('SIGINT')
  expect(await started.ended).toBe(0)
})
