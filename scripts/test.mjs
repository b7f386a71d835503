// `npm test`: sets up, builds, runs every check and every suite. The last line counts them all.
// `npm test -- FILTER` runs the files whose path holds FILTER and leaves the checks out.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { build } from './build.mjs'
import { runChecks } from './checks.mjs'
import { countTests } from './count-tests.mjs'
import { entry, note, ownEnvironment, root, setup } from './setup.mjs'

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

await entry(async () => {
  const filter = process.argv.slice(2)
  const total = { passed: 0, failed: 0, skipped: 0 }
  try {
    const node = await setup()
    note((await build()) ? 'Built dist/ from the sources.' : 'dist/ is up to date.')
    const checks = filter.length === 0 ? await runChecks(node, { whole: true }) : { passed: 0, failed: 0 }
    total.passed += checks.passed
    total.failed += checks.failed
    for (const runner of runners) {
      const tests = await runTests(node, runner, filter)
      for (const key of Object.keys(total)) total[key] += tests[key]
    }
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

/** Runs one runner's tests. A filter that matches none of its files leaves it out. */
async function runTests(node, { name, ending, args }, filter) {
  const files = testFiles(ending).filter((file) => filter.length === 0 || filter.some((part) => file.includes(part)))
  if (filter.length > 0 && files.length === 0) return { passed: 0, failed: 0, skipped: 0 }
  mkdirSync(join(root, '.cache'), { recursive: true })
  const status = await new Promise((resolve, reject) => {
    const env = ownEnvironment({ TARTAGLIA_TEST_REPORT: reportFile })
    const child = spawn(node, args(filter), { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] })
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(code ?? signal))
  })
  const report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : null
  rmSync(reportFile, { force: true })
  const counts = countTests(report, status, filter.length === 0 ? files : [], name)
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
