import { chromium as driver, type Page } from '@playwright/test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { electron } from '../e2e/desktop/package.ts'
import { displayMissing, openDisplay } from '../e2e/desktop/start.ts'
import { root } from '../e2e/scripts.ts'
import { serve } from '../e2e/served.ts'
import { makeSampleClass } from '../e2e/make-sample-class.ts'
import { withFolder } from './folder.ts'
import { alternately, median } from './measure.ts'
import { rowOf, type Bench, type Row, type Target } from './row.ts'
import { inBrowser, memoryOf, residentOf } from './window-stage.ts'

const ROUNDS = 2
/** ms that a program is left alone before its memory is looked at. */
const IDLE = 1_000
/** ms between two looks at whether the window is there. */
const POLL = 20

/** The cost of a start: time and memory. */
interface Start {
  /** ms from the command to the first screen. */
  readonly ms: number
  /** MB; null where the system does not say. */
  readonly mb: number | null
  /** MB of the program's own process as tools show it, shared pages included; null as above. */
  readonly residentMb: number | null
}

/** A start of the classroom with the sample class in it, warm: everything has been read before. */
export const windowStart: Bench = {
  name: 'window-start',
  measure: () =>
    withFolder(async (folder) => {
      const data = join(folder, 'data')
      await makeSampleClass(data)
      return [...(await inABrowser(data).measure()), ...(await onTheDesktop(folder, data))]
    }),
}

const inABrowser = (data: string): Bench =>
  inBrowser('window-start', async (page) => {
    const { first, second } = await alternately(
      ROUNDS,
      () => startServed(page, data),
      () => startBare(page),
    )
    return rowsOf('serve', 'a bare web server and an empty page', first, second)
  })

async function startServed(page: Page, data: string): Promise<Start> {
  const begun = performance.now()
  const served = serve(data)
  try {
    await page.goto(await served.address)
    await firstScreen(page)
    const ms = performance.now() - begun
    await sleep(IDLE)
    return { ms, mb: memoryOf(served.pid), residentMb: residentOf(served.pid) }
  } finally {
    await served.stop()
  }
}

const BARE = `require('node:http').createServer((_, answer) => answer.end('<h1>Nothing</h1>'))
  .listen(0, '127.0.0.1', function () { console.log(this.address().port) })`

async function startBare(page: Page): Promise<Start> {
  const begun = performance.now()
  const child = spawn(process.execPath, ['-e', BARE], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer]
    await page.goto(`http://127.0.0.1:${port.toString().trim()}/`)
    await shown(page, 'Nothing')
    const ms = performance.now() - begun
    await sleep(IDLE)
    return { ms, mb: memoryOf(child.pid ?? 0), residentMb: residentOf(child.pid ?? 0) }
  } finally {
    child.kill()
  }
}

async function onTheDesktop(folder: string, data: string): Promise<readonly Row[]> {
  if (electron === null || displayMissing) {
    console.error('  the desktop app is left out: it needs an Electron and a display (.ci/run fetches them)')
    return []
  }
  const bare = join(folder, 'bare')
  mkdirSync(bare)
  writeFileSync(join(bare, 'package.json'), JSON.stringify({ name: 'bare', main: 'main.cjs' }))
  writeFileSync(
    join(bare, 'main.cjs'),
    `const { app, BrowserWindow } = require('electron')
app.whenReady().then(() => new BrowserWindow().loadURL('data:text/html,<title>Nothing</title><h1>Nothing</h1>'))`,
  )
  const program = join(electron.folder, 'electron')
  const closeDisplay = await openDisplay()
  try {
    const { first, second } = await alternately(
      ROUNDS,
      () => startDesktop(program, root, folder, data),
      () => startDesktop(program, bare, folder, data),
    )
    return rowsOf('desktop', 'a bare Electron with an empty window', first, second)
  } finally {
    closeDisplay()
  }
}

let homes = 0

async function startDesktop(program: string, app: string, folder: string, data: string): Promise<Start> {
  const home = join(folder, `home-${++homes}`)
  const own = join(home, 'data')
  cpSync(data, own, { recursive: true })
  const { DISPLAY = '', PATH = '' } = process.env
  const begun = performance.now()
  const switches = ['--disable-gpu', '--disable-dev-shm-usage', '--remote-debugging-port=0']
  // Chromium has no sandbox of its own for root.
  const args = [...switches, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), app]
  const env = { HOME: home, TARTAGLIA_DATA: own, DISPLAY, PATH }
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const gone = once(child, 'exit')
  try {
    const address = await devToolsOf(child.stderr)
    // Before its page has a title there is nothing to connect to.
    while (!(await titlesAt(address)).some((title) => /Tartaglia|Nothing/.test(title))) await sleep(POLL)
    const browser = await driver.connectOverCDP(address)
    const page = browser.contexts()[0]!.pages()[0]!
    await (app === root ? firstScreen(page) : shown(page, 'Nothing'))
    const ms = performance.now() - begun
    await sleep(IDLE)
    const [mb, residentMb] = [memoryOf(child.pid ?? 0), residentOf(child.pid ?? 0)]
    await browser.close()
    return { ms, mb, residentMb }
  } finally {
    child.kill('SIGKILL')
    await gone
  }
}

/** The address that a program with a debugging port tells. */
function devToolsOf(stderr: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    stderr.setEncoding('utf8')
    stderr.on('data', (text: string) => {
      said += text
      const found = /DevTools listening on (ws:\S+)/.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    })
    stderr.on('end', () => reject(new Error(`the desktop app has ended: ${said}`)))
  })
}

async function titlesAt(address: string): Promise<readonly string[]> {
  const answer = await fetch(`http://${new URL(address).host}/json/list`)
  return ((await answer.json()) as readonly { readonly title: string }[]).map(({ title }) => title)
}

/** The Class screen with the standings of the last contest. */
const firstScreen = (page: Page): Promise<void> => shown(page, 'Last result')

/** Resolves in the frame in which a text stands in the page: who asks from outside, asks twice a second. */
async function shown(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => document.body.innerText.includes(wanted), text, { polling: 'raf' })
}

function rowsOf(
  what: 'serve' | 'desktop',
  bare: string,
  ours: readonly Start[],
  others: readonly Start[],
): readonly Row[] {
  const row = (name: string, unit: string, of: (start: Start) => number | null, target?: Target): readonly Row[] => {
    const [own, other] = [ours, others].map((starts) => starts.flatMap((start) => of(start) ?? []))
    if (own!.length === 0 || other!.length === 0) return []
    const figure = { name: `window, ${what}, ${name}`, value: median(own!), unit }
    return [rowOf(figure, { name: bare, value: median(other!), unit }, target)]
  }
  return [
    ...row('from the command to the first screen', 'ms', ({ ms }) => ms, { of: 'ratio', below: aims[what].start }),
    ...row('memory of the idle program', 'MB', ({ mb }) => mb, { of: 'value', below: aims[what].mb }),
    ...row('resident memory of its own process', 'MB', ({ residentMb }) => residentMb),
  ]
}

/** The start as a ratio to the bare one, and MB in all. */
const aims = { serve: { start: 2.5, mb: 90 }, desktop: { start: 1.4, mb: 310 } } as const
