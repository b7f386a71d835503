// `npm test`: sets up, builds, runs every check and every suite. The last line counts them all.
// `npm test -- FILTER` runs the files whose path holds FILTER and leaves the checks out; `npm test -- --as-user [FILTER]`,
// as root, what root runs a second time as an ordinary user.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { ordinaryUser } from './as-user.mjs'
import { build } from './build.mjs'
import { runChecks } from './checks.mjs'
import { countTests } from './count-tests.mjs'
import { entry, note, ownEnvironment, root, setup } from './setup.mjs'

const isRoot = process.platform === 'linux' && process.getuid() === 0
const reportFile = join(root, '.cache', `test-report-${process.pid}.json`)

/** What runs tests: its files, and the command that runs those of them that match a filter. */
const runners = [
  {
    name: 'vitest',
    ending: '.test.ts',
    args: (filter) => [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      ...['run', '--allowOnly=false', '--reporter=default', '--reporter=./scripts/test-report.mjs'],
      ...filter,
    ],
  },
  {
    name: 'Playwright',
    ending: '.spec.ts',
    args: (filter) => [
      join(root, 'node_modules', '@playwright', 'test', 'cli.js'),
      ...['test', '--reporter=list,./scripts/e2e-report.mjs'],
      ...filter,
    ],
  },
]

/** What root runs a second time, as an ordinary user: there the user makes a difference. See docs/security.md. */
const forUsers = [
  'players/',
  'adversary/files',
  'adversary/planted',
  'adversary/traces',
  'contests/shared',
  'contests/villains',
  'contests/soak',
]
const userSuite = 'hostile, as an ordinary user'

await entry(async () => {
  const asUser = process.argv.includes('--as-user')
  const filter = process.argv.slice(2).filter((word) => word !== '--as-user')
  const total = { passed: 0, failed: 0, skipped: 0 }
  try {
    const node = await setup()
    note((await build()) ? 'Built dist/ from the sources.' : 'dist/ is up to date.')
    const whole = filter.length === 0 && !asUser
    const add = (counts) => {
      for (const key of Object.keys(counts)) if (key in total) total[key] += counts[key]
    }
    if (whole) add(await runChecks(node, { whole }))
    if (!asUser) for (const runner of runners) add(await runTests(node, runner, filter))
    if (asUser || (whole && isRoot)) add(await runAsUser(node, runners[0], filter))
    if (filter.length > 0 && total.passed + total.failed + total.skipped === 0) {
      throw new Error(`no test file has "${filter.join('" or "')}" in its path`)
    }
  } catch (error) {
    // Counted, so that the last line cannot be mistaken for a pass.
    console.log(`FAILED  ${error.message}`)
    total.failed += 1
  }
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
  return total.failed === 0 ? 0 : 1
})

/** Runs once more, as an ordinary user, those hostile tests for which that makes a difference. */
async function runAsUser(node, { name, ending, args }, filter) {
  if (!isRoot) throw new Error('--as-user is for root on Linux: an ordinary user runs everything as one')
  const files = testFiles(ending).filter(
    (file) =>
      forUsers.some((start) => file.startsWith(`test/hostile/${start}`)) &&
      (filter.length === 0 || filter.some((part) => file.includes(part))),
  )
  const user = ordinaryUser(node)
  if ('missing' in user) {
    const tests = [{ name: userSuite, state: 'skipped', note: user.missing }]
    const report = { unhandled: [], files: files.map((file) => ({ file, tests, errors: [] })) }
    return told(countTests(report, 0, files, name, userSuite))
  }
  note(`Running ${files.length} files of the hostile suite again, as an ordinary user.`)
  try {
    // The packages lie where it cannot write, which vitest's own loader and the window's plugins do.
    const words = [...args(files), '--project', 'node', '--configLoader', 'native']
    const command = user.command(node, words, { TARTAGLIA_TEST_REPORT: user.report })
    const options = { ...command.options, stdio: ['ignore', 'inherit', 'inherit'] }
    const status = await ended(spawn(command.file, command.args, options))
    return told(countTests(reportIn(user.report), status, files, name, userSuite))
  } finally {
    user.remove()
  }
}

/** Runs one runner's tests. A filter that matches none of its files leaves it out. */
async function runTests(node, { name, ending, args }, filter) {
  const files = testFiles(ending).filter((file) => filter.length === 0 || filter.some((part) => file.includes(part)))
  if (filter.length > 0 && files.length === 0) return { passed: 0, failed: 0, skipped: 0 }
  mkdirSync(join(root, '.cache'), { recursive: true })
  const env = ownEnvironment({ TARTAGLIA_TEST_REPORT: reportFile })
  const status = await ended(spawn(node, args(filter), { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] }))
  const report = reportIn(reportFile)
  rmSync(reportFile, { force: true })
  return told(countTests(report, status, filter.length === 0 ? files : [], name))
}

/** Resolves to the exit code or signal of a child. */
function ended(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(code ?? signal))
  })
}

function reportIn(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}

function told(counts) {
  for (const line of counts.lines) console.log(line)
  return counts
}

/** Every test file with this ending, as paths from the root with forward slashes. */
function testFiles(ending) {
  return readdirSync(join(root, 'test'), { withFileTypes: true, recursive: true })
    .filter((item) => item.isFile() && item.name.endsWith(ending))
    .map((item) =>
      relative(root, join(item.parentPath ?? item.path, item.name))
        .split(sep)
        .join('/'),
    )
}
