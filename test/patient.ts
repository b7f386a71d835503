import { vi } from 'vitest'

const LONGEST_MS = 60_000

// Before every test: what is waited for may take long where others have the cores. vi.waitFor gives up after a second, and Vitest
// has no setting for that.
const waitFor = vi.waitFor.bind(vi)
vi.waitFor = (assertion, options) =>
  waitFor(assertion, typeof options === 'number' ? options : { timeout: LONGEST_MS, ...options })
