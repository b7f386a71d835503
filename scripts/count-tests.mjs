// Counts what test runners report, so that nothing that went wrong can look like a pass.

/** Suites in the order in which they are listed; a suite is a folder under test/. */
const suites = ['unit', 'property', 'conformance', 'hostile', 'e2e']

/**
 * report: what the runner's reporter wrote, or null if there is none. status: the runner's exit code or signal.
 * expected: test files that must be in the report. runner: its name. suite: what all of it is counted as; absent: as the
 * folders have it. Gives the counts and the lines to print.
 */
export function countTests(report, status, expected, runner, suite = null) {
  const lines = []
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const fail = (text) => {
    counts.failed += 1
    lines.push(`FAILED  ${text}`)
  }
  if (report === null) {
    fail(`${runner} left no report (it ended with ${status}), so nothing is known to work`)
    return { ...counts, lines }
  }
  const bySuite = new Map(suites.map((each) => [each, { passed: 0, failed: 0, skipped: 0 }]))
  const skipped = []
  for (const { file, tests, errors } of report.files) {
    const name = suite ?? file.split('/')[1]
    if (!bySuite.has(name)) bySuite.set(name, { passed: 0, failed: 0, skipped: 0 })
    const of = bySuite.get(name)
    const failedBefore = of.failed
    for (const { name: test, state, note } of tests) {
      if (state === 'passed') of.passed += 1
      else if (state === 'skipped') {
        of.skipped += 1
        skipped.push({ file, name: test, note })
      } else of.failed += 1 // failed, or pending: the run ended before it
    }
    for (const error of errors) {
      of.failed += 1
      lines.push(`FAILED  ${file}: ${firstLine(error)}`)
    }
    if (tests.length === 0 && of.failed === failedBefore) {
      of.failed += 1
      lines.push(`FAILED  ${file} holds no test`)
    }
  }
  for (const [name, of] of bySuite) {
    if (of.passed + of.failed + of.skipped === 0) continue
    lines.push(`${of.failed === 0 ? 'passed' : 'FAILED'}  ${name}: ${inWords(of)}`)
    for (const key of Object.keys(counts)) counts[key] += of[key]
  }
  const seen = new Set(report.files.map(({ file }) => file))
  for (const file of expected) if (!seen.has(file)) fail(`${file} was not run`)
  for (const error of report.unhandled) fail(`an error outside all tests: ${firstLine(error)}`)
  if (report.files.length === 0) fail(`${runner} found no test to run`)
  if (status !== 0 && counts.failed === 0) fail(`${runner} ended with ${status} although no test failed`)
  return { ...counts, lines: [...lines, ...skippedLines(skipped)] }
}

function skippedLines(skipped) {
  if (skipped.length === 0) return []
  const reasons = new Map()
  for (const { file, name, note } of skipped) {
    // A test that needs something says so in its name, `... (needs bubblewrap)`, or when it skips itself.
    const reason = note ?? /\((needs [^()]+)\)/.exec(name)?.[1] ?? 'skipped without a reason'
    reasons.set(reason, [...(reasons.get(reason) ?? []), `${file}: ${name}`])
  }
  const lines = [...reasons].flatMap(([reason, names]) => [
    `skipped  ${names.length === 1 ? '1 test' : `${names.length} tests`}: ${reason}`,
    ...names.map((name) => `    ${name}`),
  ])
  const packages = [...reasons.keys()].some((reason) => /bubblewrap|setpriv|prlimit/.test(reason))
  return packages ? [...lines, 'To run these too: npm run setup:debian (as root, on Debian or Ubuntu)'] : lines
}

function inWords({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}

function firstLine(text) {
  return text.split('\n', 1)[0]
}
