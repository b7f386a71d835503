import { expect, test as base, type BrowserContext, type Locator, type Page } from '@playwright/test'
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copySampleClass } from './sample-class.ts'
import { root } from './scripts.ts'

export { chromium } from './browser.ts'

/** The built files. */
export const dist = join(root, 'dist')

/** The class that tests begin with. */
interface Beginning {
  /** Fills the data folder, if anything is to lie there. `folder` is an empty one for further files. */
  prepare(data: string, folder: string): void | Promise<void>
}

/** A class whose sample contest has been played. */
const sampleClass: Beginning = { prepare: copySampleClass }
/** No data: the first start begins the sample contest. */
export const firstStart: Beginning = { prepare: () => undefined }

/** A class in which one contest has been played: the one that `write` gives, for a folder of its agents. */
export function classWith(write: (folder: string) => object): Beginning {
  return {
    prepare(data, folder) {
      const file = join(folder, 'contest.json')
      writeFileSync(file, JSON.stringify(write(folder)))
      execFileSync(process.execPath, [join(dist, 'cli.js'), 'contest', 'run', file, '--data', data], { stdio: 'pipe' })
    },
  }
}

/** A class that is served to the tests of one file. */
interface OpenClass {
  readonly of: Beginning
  readonly file: string
  /** The address for pages that have the cookie. */
  readonly origin: string
  readonly cookies: Awaited<ReturnType<BrowserContext['cookies']>>
  close(): Promise<void>
}

/** The open class of a process of tests. */
interface OpenClasses {
  current: OpenClass | null
}

interface Given {
  /** A page that the classroom, as `tartaglia serve` opens it, has let in. */
  classroom: Page
  /**
   * The class of the file's tests. The first test opens it and the others find what those before have left, so they choose names of
   * their own.
   */
  beginning: Beginning
  /** True: the test has the class for itself. */
  alone: boolean
}

export const test = base.extend<Given, { classes: OpenClasses }>({
  beginning: [sampleClass, { option: true }],
  alone: [false, { option: true }],
  classes: [
    async ({ browserName: _ }, use) => {
      const classes: OpenClasses = { current: null }
      await use(classes)
      await classes.current?.close()
    },
    { scope: 'worker' },
  ],
  classroom: async ({ page, classes, beginning, alone }, use, { file }) => {
    const troubles: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') troubles.push(message.text())
    })
    page.on('pageerror', (error) => troubles.push(String(error)))
    const { current } = classes
    if (current !== null && !alone && current.file === file && current.of === beginning) {
      await page.context().addCookies(current.cookies)
      await page.goto(current.origin)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    } else {
      classes.current = null
      await current?.close()
      classes.current = await openClass(page, beginning, file)
    }
    await use(page)
    expect(troubles, 'nothing on the console').toEqual([])
    if (!alone) return
    await classes.current?.close()
    classes.current = null
  },
})

/** Opens a class in a page, which is at its first screen afterwards and has left the tour. */
async function openClass(page: Page, of: Beginning, file: string): Promise<OpenClass> {
  const home = mkdtempSync(join(tmpdir(), 'tartaglia-e2e-'))
  const remove = (): void => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  const [data, more] = [join(home, 'data'), join(home, 'more')]
  for (const folder of [data, more]) mkdirSync(folder)
  try {
    await of.prepare(data, more)
  } catch (error) {
    remove()
    throw error
  }
  const served = serve(data)
  const close = async (): Promise<void> => {
    await served.stop()
    remove()
  }
  try {
    const address = await served.address
    await page.goto(address)
    const skip = page.getByRole('button', { name: 'Skip the tour' })
    await skip.click()
    await expect(skip).toBeHidden()
    return { of, file, origin: new URL(address).origin, cookies: await page.context().cookies(), close }
  } catch (error) {
    await close()
    throw error
  }
}

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

/** Goes to a screen by its address, as a link would, and waits until the screen before is gone: both may have the same fields and keys. */
export async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate(
    (to) =>
      new Promise<void>((resolve) => {
        // The router has heard of the change before, and draws before the next task.
        window.addEventListener('hashchange', () => setTimeout(resolve), { once: true })
        const before = location.href
        location.hash = to
        if (location.href === before) resolve()
      }),
    hash,
  )
}

/** Goes to a screen by `g` and a key of its own, to where `sign` is seen. A pair is forgotten when it comes too slowly. */
export async function goByKeys(page: Page, key: string, sign: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('g')
    await page.keyboard.press(key)
    await expect(sign).toBeVisible({ timeout: 10_000 })
  }).toPass({ timeout: 120_000 })
}
