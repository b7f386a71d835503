// A Playwright reporter: writes what happened to the file named by TARTAGLIA_TEST_REPORT, in the form of test-report.mjs.
import { writeFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { root } from './setup.mjs'

const states = { passed: 'passed', skipped: 'skipped' }

export default class EndToEndReport {
  #suite = null
  #unhandled = []

  onBegin(_config, suite) {
    this.#suite = suite
  }

  /** Errors outside any test: a file that does not load, a set-up that fails. */
  onError(error) {
    this.#unhandled.push(String(error.message ?? error.value))
  }

  onEnd({ status }) {
    const files = new Map()
    for (const test of this.#suite?.allTests() ?? []) {
      const file = relative(root, test.location.file).split(sep).join('/')
      const of = files.get(file) ?? { file, seconds: 0, loading: 0, cpu: 0, errors: [], tests: [] }
      files.set(file, of)
      for (const { duration } of test.results) of.seconds += duration / 1000
      const note = test.annotations.concat(test.results.at(-1)?.annotations ?? []).find(({ type }) => type === 'skip')
      of.tests.push({
        name: test.titlePath().slice(3).join(' > '),
        state: states[test.results.at(-1)?.status] ?? 'failed',
        ...(note?.description === undefined ? {} : { note: note.description }),
      })
    }
    const report = { reason: status, unhandled: this.#unhandled, files: [...files.values()] }
    writeFileSync(process.env.TARTAGLIA_TEST_REPORT, JSON.stringify(report))
  }

  printsToStdio() {
    return false
  }
}
