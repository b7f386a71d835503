// The package for npm as a person gets it: one file, installed in an empty folder with an empty home.
import { expect, test } from '@playwright/test'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { stagesOfContainerfile, wordsOf } from '../containerfile.ts'
import { startProgram, type Started } from './start-stage.ts'

const root = join(import.meta.dirname, '..', '..')
const ownNode = join(root, 'node_modules', `node-${process.platform}-${process.arch}`)
test.skip(process.platform !== 'linux' || !existsSync(ownNode), 'needs Linux with a Node of the lockfile')

// The second test runs what the first has installed.
test.describe.configure({ mode: 'serial' })

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
  // The Node of the lockfile is taken from here, so that no registry is asked; copied, as the container sees this folder alone.
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--install-links', file, ownNode]
  const { status, stderr } = spawnSync('npm', install, { cwd: here, env, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  expect(readdirSync(join(here, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    `node-${process.platform}-${process.arch}`,
    'tartaglia',
  ])

  const program = join(here, 'node_modules', '.bin', 'tartaglia')
  const said = (...args: readonly string[]) => spawnSync(program, args, { cwd: here, env, encoding: 'utf8' })
  const { version, optionalDependencies } = JSON.parse(
    String(execFileSync('node', ['-p', 'JSON.stringify(require("tartaglia/package.json"))'], { cwd: here, env })),
  ) as { version: string; optionalDependencies: object }
  // The Node that was given here is one that npm would take from the registry by itself.
  expect(Object.keys(optionalDependencies)).toContain(`node-${process.platform}-${process.arch}`)
  expect(said('--version').stdout).toBe(`${version}\n`)
  expect(said('kit', 'javascript', '--out', 'kit.zip').status).toBe(0)
  const installed = join(here, 'node_modules', 'tartaglia')
  expect(readFileSync(join(installed, 'man', 'tartaglia.1'), 'utf8')).toContain(`tartaglia ${version}`)
  const schemas = readdirSync(join(installed, 'schemas'))
  const listed = said('schema').stdout.trimEnd().split('\n').slice(1)
  expect(schemas.toSorted()).toEqual(listed.map((line) => `${line.split(' ', 1)[0]}.schema.json`).toSorted())
  expect(readFileSync(join(installed, 'schemas', 'contest.schema.json'), 'utf8')).toBe(said('schema', 'contest').stdout)

  started = startProgram([program], env, here)
  const [address] = await started.says(/http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+/)
  expect(started.output()).toContain('70 matches of 70 played.')
  await page.goto(address)
  await expect(page.getByRole('heading', { name: 'Sample contest' })).toBeVisible()
  started.stop('SIGINT')
  expect(await started.ended).toBe(0)
})

test('as in its container: an empty root, an ordinary user, the commands of the Containerfile (needs bubblewrap)', async () => {
  test.skip(spawnSync('bwrap', ['--ro-bind', '/', '/', 'true']).status !== 0, 'needs bubblewrap')
  test.setTimeout(180_000)
  const stage = stagesOfContainerfile().at(-1)!
  const [program, command, check] = ['ENTRYPOINT', 'CMD', 'HEALTHCHECK'].map((name) => wordsOf(stage, name)) as [
    readonly string[],
    readonly string[],
    readonly string[],
  ]
  const data = join(base, 'volume')
  mkdirSync(data)
  // An outer user that is root stands for the one without rights that it maps to.
  const box = [
    ...['bwrap', '--unshare-all', '--die-with-parent', '--uid', '10001', '--gid', '10001', '--clearenv'],
    ...['--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin', '--symlink', 'usr/lib', '/lib'],
    ...['--symlink', 'usr/lib64', '/lib64', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...['--ro-bind', join(base, 'here'), '/opt/tartaglia', '--bind', data, '/data', '--dir', '/home/tartaglia'],
    ...['--setenv', 'PATH', '/opt/tartaglia/node_modules/.bin:/usr/local/bin:/usr/bin:/bin'],
    ...['--setenv', 'HOME', '/home/tartaglia', '--setenv', 'TARTAGLIA_DATA', '/data/class', '--'],
  ]
  // The health is asked from within, as its port is bound to loopback: until it is good, then once more after the end.
  const script = `"$@" & served=$!
    until node -e "$CHECK" 2>/dev/null; do kill -0 $served || exit 9; sleep 0.2; done
    echo healthy; kill -TERM $served; wait $served; code=$?; node -e "$CHECK" 2>/dev/null && exit 8; exit $code`
  const inner = ['env', `CHECK=${check.at(-1)!}`, 'sh', '-c', script, 'sh', ...program, ...command]
  const { status, stdout, stderr } = spawnSync(box[0]!, [...box.slice(1), ...inner], {
    encoding: 'utf8',
    // Nothing else ends it: the call blocks.
    timeout: 150_000,
  })
  expect(stdout, stderr).toContain('healthy')
  expect(stdout).toContain('Open to the network at https://')
  expect(status, stderr).toBe(0)
  expect(readdirSync(join(data, 'class'))).toContain('class.json')
})
