import { test as base, type Page } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from './served.ts'

/** The built files. */
export const dist = join(import.meta.dirname, '..', '..', 'dist')

/**
 * As `test` of served.ts, with a class in which one contest has been played: the one that `write` gives, for a folder of its agents. It
 * is played once by each process of tests; each test has a copy of the class.
 */
export const playedTest = (write: (folder: string) => object) =>
  base.extend<{ classroom: Page }, { played: string }>({
    played: [
      async ({ browserName: _ }, use) => {
        const folder = mkdtempSync(join(tmpdir(), 'tartaglia-e2e-played-'))
        const [data, file] = [join(folder, 'data'), join(folder, 'contest.json')]
        writeFileSync(file, JSON.stringify(write(folder)))
        const args = [join(dist, 'cli.js'), 'contest', 'run', file, '--data', data]
        execFileSync(process.execPath, args, { stdio: 'pipe' })
        await use(data)
        rmSync(folder, { recursive: true, force: true })
      },
      { scope: 'worker', timeout: 180_000 },
    ],
    classroom: async ({ page, played }, use) => {
      const data = mkdtempSync(join(tmpdir(), 'tartaglia-e2e-class-'))
      cpSync(played, data, { recursive: true })
      const served = serve(data)
      try {
        await page.goto(await served.address)
        await page.getByRole('button', { name: 'Skip the tour' }).click()
        await use(page)
      } finally {
        await served.stop()
        rmSync(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
      }
    },
  })
