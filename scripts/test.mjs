// `npm test`: sets up, builds, runs every check and every suite. The last line counts them all.
// `npm test -- FILTER` runs the files whose path holds FILTER and leaves the checks out; `npm test -- --changed [COMMIT]` the
// files that a change since COMMIT (HEAD) reaches; `npm run test:long` those that have a long form, in that form;
// `npm test -- --as-user [FILTER]`, as root, what an ordinary user runs for it.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { ordinaryUser } from './as-user.mjs'
import { build } from './build.mjs'
import { changedTests } from './changed-tests.mjs'
import { runChecks } from './checks.mjs'
import { countTests } from './count-tests.mjs'
import { entry, note, ownEnvironment, Plain, root, setup } from './setup.mjs'
import { tellSeconds } from './test-seconds.mjs'

const isRoot = process.platform === 'linux' && process.getuid() === 0
const reportFile = join(root, '.cache', `test-report-${process.pid}.json`)
/** The seconds of the last run, file by file. */
const secondsFile = join(root, '.cache', 'test-seconds.tsv')

/** The test runners: their files, and the command that runs the files that match a filter. */
const runners = [
  {
    name: 'vitest',
    ending: '.test.ts',
    args: (files) => [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      ...['run', '--allowOnly=false', '--reporter=default', '--reporter=./scripts/test-report.mjs'],
      ...files,
    ],
  },
  {
    name: 'Playwright',
    ending: '.spec.ts',
    args: (files) => [
      join(root, 'node_modules', '@playwright', 'test', 'cli.js'),
      ...['test', '--reporter=list,./scripts/e2e-report.mjs'],
      ...files,
    ],
  },
]

/**
 * If the tests run as root, an ordinary user runs these instead: boxes, their leftovers, files and signals between users. The realm
 * of a script, a clock and a web address are the same for everybody. Root runs a file as well where its privileges make the difference
 * that the value names. See docs/security/tests.md.
 */
const forUsers = {
  'players/accounting': 'its control groups',
  'players/box': 'its boxes begin by becoming nobody',
  'players/half-made': null,
  'players/limits': null,
  'players/outliving': "it ends processes of nobody's",
  'players/packages': null,
  'players/programs': null,
  'players/shared': 'it makes the folder, which nobody then has',
  'players/system-calls': 'its boxes begin by becoming nobody',
  'adversary/files': null,
  'adversary/planted': null,
  'adversary/traces': null,
  'contests/shared': null,
  'contests/villains': null,
}
const userSuite = 'hostile, as an ordinary user'

await entry(async () => {
  const { mode, words } = modeOf(process.argv.slice(2))
  const total = { passed: 0, failed: 0, skipped: 0 }
  const timed = []
  let user = null
  const add = (counts) => {
    timed.push(...(counts.timed ?? []))
    for (const key of Object.keys(counts)) if (key in total) total[key] += counts[key]
  }
  try {
    const node = await setup()
    note((await build()) ? 'Built dist/ from the sources.' : 'dist/ is up to date.')
    if (mode === 'whole') add(await runChecks(node, { whole: true }))
    // After the build, of which the user gets a copy.
    user = isRoot && ['whole', 'as-user'].includes(mode) ? ordinaryUser(node) : null
    if (mode !== 'as-user') {
      const files = (await filesFor(mode, words, node)).filter((file) => !(hasUser(user) && isOnlyForUsers(file)))
      if (files.length === 0 && mode !== 'changed') throw new Error(nothingFound(mode, words))
      const env = mode === 'long' ? { TARTAGLIA_LONG: '1' } : {}
      for (const runner of runners) add(await runTests(node, runner, files, env))
    }
    if (mode === 'as-user' || user !== null) add(await runAsUser(node, user, runners[0], words))
  } catch (error) {
    // Counted, so that the last line cannot be mistaken for a pass.
    console.log(`FAILED  ${error.message}`)
    total.failed += 1
  } finally {
    user?.remove?.()
  }
  if (timed.length > 0) for (const line of tellSeconds(timed, secondsFile)) console.log(line)
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
  return total.failed === 0 ? 0 : 1
})

/** The mode of the command line, and its words: filters, or the commit of --changed. */
function modeOf(args) {
  const [option] = args.filter((word) => word.startsWith('--'))
  const words = args.filter((word) => !word.startsWith('--'))
  const modes = ['--changed', '--long', '--as-user']
  if (option !== undefined && !modes.includes(option)) {
    throw new Plain(`There is no option ${option} here; there are ${modes.join(', ')}.`)
  }
  if (option === '--changed' && words.length > 1) throw new Plain('--changed takes one commit, and no filters.')
  return { mode: option?.slice(2) ?? (words.length === 0 ? 'whole' : 'filter'), words }
}

/** The test files of a mode, as paths from the root. */
async function filesFor(mode, words, node) {
  const all = runners.flatMap(({ ending }) => testFiles(ending))
  const matches = (file) => words.length === 0 || words.some((part) => file.includes(part))
  if (mode === 'long') {
    return all.filter((file) => matches(file) && /from '[./]*\/long\.ts'/.test(readFileSync(join(root, file), 'utf8')))
  }
  return mode === 'changed' ? filesOfChange(words[0] ?? 'HEAD', all, node) : all.filter(matches)
}

async function filesOfChange(commit, all, node) {
  const { changed, sources, chosen, chosenByTable, testsAll } = changedTests(commit, all)
  if (testsAll !== undefined) note(`${testsAll} has changed, which all tests depend on: run npm test as well.`)
  const byImport = sources.length === 0 ? [] : await relatedTests(node, sources)
  const files = all.filter(
    (file) => chosen.includes(file) || (byImport.includes(file) && !chosenByTable.includes(file)),
  )
  note(`${changed.length} changed files since ${commit}; ${files.length} of ${all.length} test files reach them.`)
  return files
}

async function relatedTests(node, sources) {
  const child = spawn(node, [join(root, 'scripts', 'related-tests.mjs'), ...sources], {
    cwd: root,
    env: ownEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
  const status = await ended(child)
  if (status !== 0) throw new Error(`Vitest could not tell which tests are related: it ended with ${status}`)
  return JSON.parse(output)
}

function nothingFound(mode, words) {
  const named = words.length === 0 ? '' : ` with "${words.join('" or "')}" in its path`
  return `no test file${named}${mode === 'long' ? ' has a long form' : ' was found'}`
}

/** user: what `ordinaryUser` gives, or null: the tests run as an ordinary user already. */
function hasUser(user) {
  return user !== null && !('missing' in user)
}

/** The row of `forUsers` for a test file. */
function rowFor(file) {
  return Object.keys(forUsers).find((start) => file.startsWith(`test/hostile/${start}`))
}

function isOnlyForUsers(file) {
  return forUsers[rowFor(file)] === null
}

/** Runs those hostile tests for which that makes a difference as an ordinary user. */
async function runAsUser(node, user, { name, ending, args }, filter) {
  if (user === null) throw new Error('--as-user is for root on Linux: an ordinary user runs everything as one')
  const files = testFiles(ending).filter(
    (file) => rowFor(file) !== undefined && (filter.length === 0 || filter.some((part) => file.includes(part))),
  )
  if (files.length === 0) throw new Error(nothingFound('as-user', filter))
  if (!hasUser(user)) {
    const tests = [{ name: userSuite, state: 'skipped', note: user.missing }]
    const report = { unhandled: [], files: files.map((file) => ({ file, tests, errors: [] })) }
    return told(countTests(report, 0, files, name, userSuite))
  }
  note(`Running ${files.length} files of the hostile suite as an ordinary user.`)
  // The packages lie where it cannot write, which vitest's own loader and the window's plugins do.
  const words = [...args(files), '--project', 'node', '--project', 'waiting', '--configLoader', 'native']
  const command = user.command(node, words, { TARTAGLIA_TEST_REPORT: user.report })
  const options = { ...command.options, stdio: ['ignore', 'inherit', 'inherit'] }
  const status = await ended(spawn(command.file, command.args, options))
  const report = reportIn(user.report)
  return { ...told(countTests(report, status, files, name, userSuite)), timed: timesIn(report, userSuite) }
}

/** Runs those of these files that are one runner's. */
async function runTests(node, { name, ending, args }, files, variables) {
  const own = files.filter((file) => file.endsWith(ending))
  if (own.length === 0) return { passed: 0, failed: 0, skipped: 0 }
  mkdirSync(join(root, '.cache'), { recursive: true })
  const env = ownEnvironment({ TARTAGLIA_TEST_REPORT: reportFile, ...variables })
  const status = await ended(spawn(node, args(own), { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] }))
  const report = reportIn(reportFile)
  rmSync(reportFile, { force: true })
  return { ...told(countTests(report, status, own, name)), timed: timesIn(report) }
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

/** The times in a report, for tellSeconds. */
function timesIn(report, suite) {
  return (report?.files ?? []).map(({ file, seconds, loading, cpu }) => ({ file, seconds, loading, cpu, suite }))
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
