// `npm test`: sets up, builds, runs every check and every suite. The last line counts them all.
// `npm test -- FILTER` hands the filter to vitest and leaves the checks out.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { build } from './build.mjs'
import { runChecks } from './checks.mjs'
import { countTests } from './count-tests.mjs'
import { entry, note, ownEnvironment, root, setup } from './setup.mjs'

const reportFile = join(root, '.cache', `test-report-${process.pid}.json`)

await entry(async () => {
  const filter = process.argv.slice(2)
  const total = { passed: 0, failed: 0, skipped: 0 }
  try {
    const node = await setup()
    note((await build()) ? 'Built dist/ from the sources.' : 'dist/ is up to date.')
    const checks = filter.length === 0 ? await runChecks(node) : { passed: 0, failed: 0 }
    const tests = await runTests(node, filter)
    total.passed = checks.passed + tests.passed
    total.failed = checks.failed + tests.failed
    total.skipped = tests.skipped
  } catch (error) {
    // Counted, so that the last line cannot be mistaken for a pass.
    console.log(`FAILED  ${error.message}`)
    total.failed += 1
  }
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
  return total.failed === 0 ? 0 : 1
})

async function runTests(node, filter) {
  mkdirSync(join(root, '.cache'), { recursive: true })
  const args = [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--allowOnly=false',
    '--reporter=default',
    '--reporter=./scripts/test-report.mjs',
  ]
  const status = await new Promise((resolve, reject) => {
    const env = ownEnvironment({ TARTAGLIA_TEST_REPORT: reportFile })
    const child = spawn(node, [...args, ...filter], { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] })
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(code ?? signal))
  })
  const report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : null
  rmSync(reportFile, { force: true })
  const counts = countTests(report, status, filter.length === 0 ? testFiles() : [])
  for (const line of counts.lines) console.log(line)
  return counts
}

/** Every test file there is, as paths from the root with forward slashes. */
function testFiles() {
  return readdirSync(join(root, 'test'), { withFileTypes: true, recursive: true })
    .filter((item) => item.isFile() && item.name.endsWith('.test.ts'))
    .map((item) =>
      relative(root, join(item.parentPath ?? item.path, item.name))
        .split(sep)
        .join('/'),
    )
}
