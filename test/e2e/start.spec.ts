// `npm start` in each of its ways: which it takes, what it says, and that the classroom is there.
import { chromium as playwright, expect, test } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { windowedChromium } from './browser.ts'
import { displayMissing, giveSampleClass, openDisplay } from './desktop/start.ts'

import { go } from './served.ts'
import { openStartStage, type StartStage } from './start-stage.ts'

test.skip(process.platform !== 'linux', 'needs Linux')
test.skip(windowedChromium === null, 'needs Chromium: npm run setup:debian -- --tests')

const address = /http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+/
let stage: StartStage
test.beforeEach(() => void (stage = openStartStage()))
test.afterEach(() => stage.dispose())

test('without a display: the sample contest, then an address, until Ctrl-C', async ({ page }) => {
  const started = stage.start()
  await started.says(/^No display here, so this runs in the terminal: .+\n/)
  await started.says(/70 matches of 70 played\./)
  const [found] = await started.says(address)
  await started.says(/rank {2}agent .+\n +1 {2}(tartaglia|minmax) /)
  await page.goto(found)
  await expect(page).toHaveURL(/^http:\/\/127\.0\.0\.1:\d+\/(#.*)?$/)
  await expect(page.getByRole('heading', { name: 'Sample contest' })).toBeVisible()
  await expect(page.getByText('Sample duels')).toBeVisible()
  started.stop('SIGINT')
  expect(await started.ended).toBe(0)

  // It was played once and for all.
  const again = stage.start()
  await again.says(address)
  await again.says(/70 matches of 70 played\./)
  again.stop('SIGTERM')
  expect(await again.ended).toBe(0)
})

test('the sample term is made at the first start, and opened as it is after that', async ({ page }) => {
  const first = stage.start({}, '--sample-term')
  const [found] = await first.says(address)
  expect(first.output()).toMatch(/people and teams\.\.\.\n[^]*week 6: /)
  await page.goto(found)
  await expect(page).toHaveTitle('Class · Algebra · Tartaglia')
  await go(page, '#/contests')
  await expect(page.getByText('Winter cup').first()).toBeVisible()
  first.stop('SIGINT')
  expect(await first.ended).toBe(0)

  const again = stage.start({}, '--sample-term')
  await again.says(address)
  expect(again.output()).not.toContain('people and teams')
  again.stop('SIGTERM')
  expect(await again.ended).toBe(0)
})

test('a second start on the same data is one sentence', async () => {
  await giveSampleClass(stage.account)
  const first = stage.start()
  await first.says(/matches/)
  const second = stage.start()
  expect(await second.ended).toBe(3)
  expect(second.output().trim().split('\n')).toHaveLength(2)
  expect(second.output()).toContain(stage.account.data)
})

test('with an Electron: the desktop window, and none of what the environment would rather have', async () => {
  test.skip(stage.unfit !== null, `needs an ordinary user: ${String(stage.unfit)}`)
  const log = join(stage.account.env['TMPDIR'] ?? '', 'log')
  stage.electron(`env > ${log}; echo "folder $1" >> ${log}`)
  const started = stage.start({ DISPLAY: ':77', ELECTRON_OVERRIDE_DIST_PATH: '/elsewhere', ELECTRON_RUN_AS_NODE: '1' })
  expect(await started.ended).toBe(0)
  expect(started.output()).toBe('The desktop window: a display and Electron 45.3.4 are here.\n')
  const seen = readFileSync(log, 'utf8')
  expect(seen).toMatch(/^folder \/.*tartaglia-start-/m)
  expect(seen).toContain('DISPLAY=:77')
  expect(seen).not.toMatch(/ELECTRON_OVERRIDE_DIST_PATH|ELECTRON_RUN_AS_NODE/)
})

test("the desktop window's own end is the end", async () => {
  test.skip(stage.unfit !== null, `needs an ordinary user: ${String(stage.unfit)}`)
  stage.electron('echo "[123:0101/000000.1:ERROR:dbus/bus.cc(408)] noise" >&2; echo "A sentence." >&2; exit 7')
  const started = stage.start({ DISPLAY: ':77' })
  expect(await started.ended).toBe(7)
  expect(started.output()).toContain('\nA sentence.\n')
  expect(started.output()).not.toContain('noise')
})

test('with an Electron that this system does not let start, the next best way', async () => {
  test.skip(stage.unfit !== null, `needs an ordinary user: ${String(stage.unfit)}`)
  await giveSampleClass(stage.account)
  stage.electron(
    'echo "FATAL: The SUID sandbox helper binary was found, but is not configured correctly." >&2; kill -ABRT $$',
  )
  const started = stage.start({ DISPLAY: ':77' })
  await started.says(
    /an address for a browser, because Electron is here, but this system does not allow its sandbox, and neither Chrome nor/,
  )
  await started.says(address)
})

test('in an app window of Chromium, whose end is the end', async () => {
  test.skip(displayMissing, 'needs a display or Xvfb: npm run setup:debian -- --tests')
  test.skip(stage.unfit !== null, `needs an ordinary user and Chromium's sandbox: ${String(stage.unfit)}`)
  await giveSampleClass(stage.account)
  const closeDisplay = await openDisplay()
  // Looked at from outside; everything else is as it is for people.
  stage.program(
    'chromium',
    `PATH=/usr/bin:/bin exec ${String(windowedChromium)} "$@" --disable-gpu --remote-debugging-port=0`,
  )
  const started = stage.start({ DISPLAY: process.env['DISPLAY'] ?? '' })
  try {
    await started.says(/^An app window of Chromium, because Electron is not installed\.\n/)
    const profile = join(stage.account.data, 'browser')
    const written = join(profile, 'DevToolsActivePort')
    const devTools = () => (existsSync(written) ? readFileSync(written, 'utf8') : '')
    await expect.poll(devTools).toMatch(/^\d+\n/)
    const window = await playwright.connectOverCDP(`http://127.0.0.1:${String(devTools().split('\n')[0])}`)
    const pages = () => window.contexts()[0]?.pages() ?? []
    await expect.poll(() => pages().length).toBeGreaterThan(0)
    const [page] = pages()
    if (page === undefined) throw new Error('there is no window')
    await expect(page.getByRole('heading', { name: 'Class', exact: true })).toBeVisible()
    expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/(#.*)?$/)
    expect(commandLines()).not.toContain(`:${new URL(page.url()).port}/?token=`)
    await page.close()
    expect(await started.ended).toBe(0)
    expect(existsSync(join(profile, 'open.html'))).toBe(false)
  } finally {
    closeDisplay()
  }
})

test('where the window does not come up, the address is printed and still good', async ({ page }) => {
  test.skip(stage.unfit !== null, `needs an ordinary user: ${String(stage.unfit)}`)
  await giveSampleClass(stage.account)
  stage.program('chromium', `PATH=/usr/bin:/bin exec ${String(windowedChromium)} "$@"`)
  const started = stage.start({ DISPLAY: ':7777' })
  await started.says(/Chromium shows no window: it cannot reach the display\./)
  const [found] = await started.says(address)
  await page.goto(found)
  await expect(page.getByRole('heading', { name: 'Class', exact: true })).toBeVisible()
  started.stop('SIGINT')
  expect(await started.ended).toBe(0)
})

test('in the default browser, with the address at hand', async ({ page }) => {
  test.skip(stage.unfit !== null, `needs an ordinary user: ${String(stage.unfit)}`)
  const log = join(stage.account.env['TMPDIR'] ?? '', 'opened')
  await giveSampleClass(stage.account)
  stage.program('xdg-open', `echo "$1" > ${log}`)
  const started = stage.start({ WAYLAND_DISPLAY: 'wayland-9' })
  await started.says(
    /^The default browser, because Electron is not installed, and neither Chrome nor Chromium nor Edge is installed\.\n/,
  )
  const [printed] = await started.says(address)
  await expect.poll(() => existsSync(log) && readFileSync(log, 'utf8')).toBe(`${printed}\n`)
  await page.goto(printed)
  await expect(page.getByRole('heading', { name: 'Class', exact: true })).toBeVisible()
})

test('root gets no window, and is told why', async () => {
  test.skip(process.getuid?.() !== 0, 'needs root')
  await giveSampleClass(stage.account)
  const started = stage.startAsSelf({ DISPLAY: ':77' })
  await started.says(/^This is root, for whom windows would have to run without their sandbox, /)
  await started.says(address)
})

test('an unknown option gives one sentence', async () => {
  const started = stage.start({}, '--prot', '8080')
  expect(await started.ended).toBe(3)
  expect(started.output()).toBe(
    "Unknown option '--prot'. The classroom opens with --data FOLDER, --port NUMBER and --sample-term.\n",
  )
})

/** The command line of every process of this machine that we may read. */
function commandLines(): string {
  return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
}
