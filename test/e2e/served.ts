import { expect, test as base, type Locator, type Page } from '@playwright/test'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copySampleClass } from './sample-class.ts'
import { root } from './scripts.ts'

/** The path of the Chromium that these tests drive; null: none, and they are skipped. */
export const chromium =
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync) ?? null

/** The browser that the tests of the served classroom want. As root Chromium has no sandbox of its own. */
export const browser = {
  launchOptions: {
    ...(chromium === null ? {} : { executablePath: chromium }),
    args: ['--disable-gpu', '--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  },
}

/**
 * The classroom as `tartaglia serve` opens it, and a page that it has let in. Its sample contest has been played, unless
 * `firstStart` says that there are no data yet: then it is played meanwhile.
 */
export const test = base.extend<{ classroom: Page; firstStart: boolean }>({
  firstStart: [false, { option: true }],
  classroom: async ({ page, firstStart }, use) => {
    const data = mkdtempSync(join(tmpdir(), 'tartaglia-e2e-'))
    if (!firstStart) await copySampleClass(data)
    const served = serve(data)
    const troubles: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') troubles.push(message.text())
    })
    page.on('pageerror', (error) => troubles.push(String(error)))
    try {
      await page.goto(await served.address)
      const skip = page.getByRole('button', { name: 'Skip the tour' })
      await skip.click()
      await expect(skip).toBeHidden()
      await use(page)
      expect(troubles, 'nothing on the console').toEqual([])
    } finally {
      await served.stop()
      rmSync(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    }
  },
})

/** `tartaglia serve` on a data folder. */
export interface Serving {
  readonly address: Promise<string>
  readonly pid: number
  stop(): Promise<void>
}

export function serve(data: string): Serving {
  const child = spawn(process.execPath, [join(root, 'dist', 'cli.js'), 'serve', '--data', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  return {
    address: addressFrom(child.stdout),
    pid: child.pid ?? 0,
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** The address that `serve` prints. Rejects where it ends before. */
function addressFrom(stdout: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    stdout.setEncoding('utf8')
    stdout.on('data', (chunk: string) => {
      text += chunk
      // Whatever stands behind it, be it the end of the line or of a colour: then it is whole.
      const found = /http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+(?=[^\w-])/.exec(text)
      if (found !== null) resolve(found[0])
    })
    stdout.on('end', () => reject(new Error(`serve has ended: ${text}`)))
  })
}

/** Goes to a screen by its address, as a link would. */
export async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to
  }, hash)
}

/** Goes to a screen by `g` and a key of its own, to where `sign` is seen. A pair is forgotten when it comes too slowly. */
export async function goByKeys(page: Page, key: string, sign: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('g')
    await page.keyboard.press(key)
    await expect(sign).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 60_000 })
}
