import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'

interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly lines: readonly string[]
}
type CountTests = (
  report: unknown,
  status: number | string | null,
  expected: readonly string[],
  runner: string,
  suite?: string,
) => Counts

const script = pathToFileURL(join(import.meta.dirname, '../../../scripts/count-tests.mjs')).href
const { countTests: count } = (await import(script)) as { countTests: CountTests }
const countTests = (report: unknown, status: number | string | null, expected: readonly string[]): Counts =>
  count(report, status, expected, 'vitest')

const file = (name: string, tests: readonly object[], errors: readonly string[] = []) => ({ file: name, tests, errors })
const report = (...files: readonly object[]) => ({ reason: 'passed', unhandled: [] as string[], files })
const passing = file('test/unit/a.test.ts', [{ name: 'works', state: 'passed' }])

describe('counting tests', () => {
  test('counts by state', () => {
    const mixed = file('test/property/b.test.ts', [
      { name: 'works', state: 'passed' },
      { name: 'breaks', state: 'failed' },
      { name: 'waits (needs bubblewrap)', state: 'skipped' },
    ])
    expect(countTests(report(passing, mixed), 1, [])).toMatchObject({ passed: 2, failed: 1, skipped: 1 })
  })

  test('a run that goes by a name of its own is one suite, whatever folders its files lie in', () => {
    const other = file('test/property/b.test.ts', [{ name: 'works', state: 'passed' }])
    const skipped = file('test/hostile/c.test.ts', [{ name: 'all', state: 'skipped', note: 'needs another machine' }])
    const { lines, ...counts } = count(report(passing, other, skipped), 0, [], 'vitest', 'as somebody else')
    expect(counts).toEqual({ passed: 2, failed: 0, skipped: 1 })
    expect(lines[0]).toBe('passed  as somebody else: 2 passed, 0 failed, 1 skipped')
    expect(lines.join('\n')).toContain('skipped  1 test: needs another machine')
    expect(lines.join('\n')).not.toContain('property:')
  })

  test('a run without a report is a failure', () => {
    expect(countTests(null, 0, [])).toMatchObject({ passed: 0, failed: 1 })
  })

  test('a run that found nothing is a failure', () => {
    expect(countTests(report(), 0, [])).toMatchObject({ passed: 0, failed: 1 })
  })

  test('a file that was not run is a failure', () => {
    const counts = countTests(report(passing), 0, ['test/unit/a.test.ts', 'test/unit/lost.test.ts'])
    expect(counts).toMatchObject({ passed: 1, failed: 1 })
    expect(counts.lines.join('\n')).toContain('test/unit/lost.test.ts was not run')
  })

  test('a file without a test is a failure', () => {
    expect(countTests(report(passing, file('test/unit/b.test.ts', [])), 0, [])).toMatchObject({ passed: 1, failed: 1 })
  })

  test('a file that does not load is one failure', () => {
    const counts = countTests(report(file('test/unit/b.test.ts', [], ['no such module'])), 1, [])
    expect(counts).toMatchObject({ passed: 0, failed: 1 })
  })

  test('a test that vitest did not get to is a failure', () => {
    const cut = file('test/unit/b.test.ts', [{ name: 'cut', state: 'pending' }])
    expect(countTests(report(cut), 0, [])).toMatchObject({ passed: 0, failed: 1 })
  })

  test('an error outside all tests is a failure', () => {
    expect(countTests({ ...report(passing), unhandled: ['late'] }, 0, [])).toMatchObject({ passed: 1, failed: 1 })
  })

  test('a bad end is a failure although every test passed', () => {
    for (const status of [1, 'SIGKILL', null])
      expect(countTests(report(passing), status, [])).toMatchObject({ failed: 1 })
  })

  test('skipped tests are listed by reason, with the command where one helps', () => {
    const skipping = file('test/hostile/c.test.ts', [
      { name: 'box (needs bubblewrap)', state: 'skipped' },
      { name: 'maps', state: 'skipped', note: 'needs ../shared/data' },
    ])
    const { lines } = countTests(report(skipping), 0, [])
    expect(lines).toContain('skipped  1 test: needs bubblewrap')
    expect(lines).toContain('skipped  1 test: needs ../shared/data')
    expect(lines.at(-1)).toContain('npm run setup:debian')
    const dataOnly = report(file('test/hostile/c.test.ts', [{ name: 'maps (needs ../shared/data)', state: 'skipped' }]))
    expect(countTests(dataOnly, 0, []).lines.join('\n')).not.toContain('setup:debian')
  })
})
