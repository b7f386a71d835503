import { test as base, type Page } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from './served.ts'

/** The built files. */
export const dist = join(import.meta.dirname, '..', '..', 'dist')

/** As `test` of served.ts, with a class in which one contest has been played: the one that `write` gives, for its folder. */
export const playedTest = (write: (folder: string) => object) =>
  base.extend<{ classroom: Page }>({
    classroom: async ({ page }, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'tartaglia-e2e-played-'))
      const data = join(folder, 'data')
      const file = join(folder, 'contest.json')
      writeFileSync(file, JSON.stringify(write(folder)))
      execFileSync(process.execPath, [join(dist, 'cli.js'), 'contest', 'run', file, '--data', data], { stdio: 'pipe' })
      const served = serve(data)
      try {
        await page.goto(await served.address)
        await page.getByRole('button', { name: 'Skip the tour' }).click()
        await use(page)
      } finally {
        await served.stop()
        rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
      }
    },
  })
