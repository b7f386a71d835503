import type { LaunchOptions } from '@playwright/test'
import { existsSync } from 'node:fs'

const withWindows = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** Debian's package of Chromium without windows. It opens a page in half the time: no window of its own is drawn around it. */
const shell = '/usr/lib/chromium/chromium-headless-shell'

/** The path of a Chromium that shows windows; null: there is none. */
export const windowedChromium = withWindows.find(existsSync) ?? null
/** The path of the Chromium that drives pages; null: there is none, and the tests of pages are skipped. */
export const chromium = existsSync(shell) ? shell : windowedChromium

/** How a Chromium is started for a test. As root it has no sandbox of its own. */
export function launching(executable: string | null): LaunchOptions {
  return {
    ...(executable === null ? {} : { executablePath: executable }),
    args: ['--disable-gpu', '--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  }
}
