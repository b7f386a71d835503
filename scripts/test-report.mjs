// A vitest reporter: writes what happened to the file named by TARTAGLIA_TEST_REPORT, for scripts/test.mjs to count.
import { writeFileSync } from 'node:fs'

export default class TestReport {
  onTestRunEnd(modules, unhandledErrors, reason) {
    const report = {
      reason,
      unhandled: unhandledErrors.map((error) => String(error.message ?? error)),
      files: modules.map((module) => ({
        file: module.relativeModuleId ?? module.moduleId,
        ...secondsOf(module.diagnostic()),
        cpu: module.meta().cpuSeconds ?? 0,
        errors: [...errorsOf(module), ...[...module.children.allSuites()].flatMap(errorsOf)],
        tests: [...module.children.allTests()].map((test) => {
          const { state, note } = test.result()
          return { name: test.fullName, state, ...(note === undefined ? {} : { note }) }
        }),
      })),
    }
    writeFileSync(process.env.TARTAGLIA_TEST_REPORT, JSON.stringify(report))
  }
}

/** Errors outside any test: a file that does not load, a hook that throws. */
function errorsOf(part) {
  return part.errors().map((error) => String(error.message))
}

/** seconds: of tests and hooks. loading: of the process, the environment and the imports. */
function secondsOf({ duration, prepareDuration, environmentSetupDuration, setupDuration, collectDuration }) {
  const loading = prepareDuration + environmentSetupDuration + setupDuration + collectDuration
  return { seconds: duration / 1000, loading: loading / 1000 }
}
