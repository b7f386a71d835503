import { afterAll, vi } from 'vitest'

const LONGEST_MS = 60_000
const isPatient = Symbol.for('tartaglia.patient')

// Before every test: what is waited for may take long where others have the cores. vi.waitFor gives up after a second, and Vitest
// has no setting for that. Files that share a process come here once each.
if (!(isPatient in vi.waitFor)) {
  const waitFor = vi.waitFor.bind(vi)
  const patient: typeof vi.waitFor = (assertion, options) =>
    waitFor(assertion, typeof options === 'number' ? options : { timeout: LONGEST_MS, ...options })
  vi.waitFor = Object.assign(patient, { [isPatient]: true })
}

// The next file may run in this process.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})
