import { _electron, chromium, expect, type Browser, type ElectronApplication, type Page } from '@playwright/test'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { copySampleClass } from '../sample-class.ts'

/** An ordinary user, where the tests themselves run as root. */
const user = 1000
const asUser = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups']

/** One person's account for one test: a home, a data folder, and how programs are started there. */
export interface Account {
  readonly data: string
  readonly env: Readonly<Record<string, string>>
  /** True if Chromium's sandbox is on; otherwise `note` gives the reason. */
  readonly sandboxed: boolean
  readonly note: string
  /** The user of the programs; null: our own. */
  readonly user: number | null
  command(program: string, args: readonly string[]): readonly [string, ...string[]]
  /** Writes a file into the home; gives its path. */
  write(name: string, text: string): string
  /**
   * Runs a program there to its end, with the switches of every start before `args`, as systems do: Electron exits at once if a switch
   * follows a link. Gives its exit code.
   */
  run(program: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<number | null>
  dispose(): void
}

export function openAccount(program: string, extra: Readonly<Record<string, string>> = {}): Account {
  const home = mkdtempSync(join(tmpdir(), 'tartaglia-desktop-'))
  const root = process.getuid?.() === 0
  const reason = root ? whyNotAsUser(program) : hasSandbox([])
  const drop = root && reason === null
  for (const name of ['tmp', 'data']) mkdirSync(join(home, name))
  if (drop) for (const path of [home, join(home, 'tmp'), join(home, 'data')]) chownSync(path, user, user)
  const data = join(home, 'data', 'tartaglia')
  const { DISPLAY, PATH } = process.env
  if (reason !== null) sayOnce(`The desktop app runs without Chromium's sandbox here: ${reason}.`)
  const command: Account['command'] = (file, args) =>
    drop ? ['setpriv', ...asUser, '--', file, ...args] : [file, ...args]
  const env = {
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    TARTAGLIA_DATA: data,
    DISPLAY: DISPLAY ?? '',
    PATH: PATH ?? '',
    ...extra,
  }
  return {
    data,
    env,
    user: drop ? user : null,
    sandboxed: reason === null,
    note: reason === null ? "as an ordinary user, in Chromium's sandbox" : `without Chromium's sandbox: ${reason}`,
    command,
    write(name, text) {
      const file = join(home, name)
      writeFileSync(file, text)
      if (drop) chownSync(file, user, user)
      return file
    },
    async run(file, args, more = {}) {
      const [first, ...rest] = command(file, [...switches, ...(reason === null ? [] : ['--no-sandbox']), ...args])
      const child = spawn(first, rest, { env: { ...env, ...more }, stdio: 'ignore' })
      return new Promise((resolve, reject) => {
        child.on('error', reject)
        child.on('exit', resolve)
      })
    },
    dispose: () => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  }
}

/**
 * Gives an account a class whose sample contest has been played: a first start would play it meanwhile, which costs a test that is
 * about something else as much as all the rest of it.
 */
export async function giveSampleClass({ data, user: owner }: Account): Promise<void> {
  await copySampleClass(data)
  if (owner === null) return
  chownSync(data, owner, owner)
  for (const name of readdirSync(data, { recursive: true, encoding: 'utf8' })) chownSync(join(data, name), owner, owner)
}

const told = new Set<string>()
function sayOnce(text: string): void {
  if (!told.has(text)) process.stdout.write(`note: ${text}\n`)
  told.add(text)
}

/** null: the sandbox can be had. */
function whyNotAsUser(program: string): string | null {
  const can = (...args: string[]) => spawnSync('setpriv', [...asUser, '--', ...args]).status === 0
  if (!can('true')) return 'there is no setpriv to leave root with'
  if (!can('test', '-x', program)) return `an ordinary user cannot reach ${dirname(program)}`
  return hasSandbox(['setpriv', ...asUser, '--'])
}

function hasSandbox(prefix: readonly string[]): string | null {
  const [command, ...args] = [...prefix, 'unshare', '--user', 'true'] as const
  return spawnSync(command, args).status === 0 ? null : 'this machine gives ordinary users no user namespaces'
}

/** A display for the windows: the one there is, or one of our own. Sets DISPLAY; the function ends it. */
export async function openDisplay(): Promise<() => void> {
  if (process.env['DISPLAY']) return () => undefined
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1920x1080x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const number = await new Promise<string>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => reject(new Error(`Xvfb ended with ${String(code)}`)))
    child.stdio[3]?.once('data', (bytes: Buffer) => resolve(bytes.toString().trim()))
  })
  process.env['DISPLAY'] = `:${number}`
  return () => {
    delete process.env['DISPLAY']
    child.removeAllListeners('exit')
    child.kill()
  }
}

export const displayMissing = !process.env['DISPLAY'] && spawnSync('Xvfb', ['-help']).error !== undefined

const switches = ['--disable-gpu', '--disable-dev-shm-usage']

/** An app that Playwright looks into, and its window. */
export interface Opened {
  readonly app: ElectronApplication
  readonly page: Page
}

/** Starts an app that Playwright may look into: the twin, or an unpackaged one (`args` then name its folder). */
export async function startApp(account: Account, program: string, args: readonly string[] = []): Promise<Opened> {
  const [command, ...before] = account.command(program, [])
  // Playwright puts its own switches first, which are not for setpriv.
  const wrapper = join(dirname(account.data), 'start.sh')
  const words = [command, ...before].map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
  // Whatever it becomes keeps the process id.
  const pid = join(dirname(account.data), 'start.pid')
  writeFileSync(wrapper, `#!/bin/sh\necho $$ > '${pid}'\nexec ${words.join(' ')} "$@"\n`)
  chmodSync(wrapper, 0o755)
  const launch = (): Promise<ElectronApplication> =>
    _electron.launch({
      executablePath: wrapper,
      args: [...switches, ...args],
      env: { ...account.env },
      chromiumSandbox: account.sandboxed,
      timeout: 120_000,
    })
  const launched = launchTwice(account, launch, () => process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL'))
  const opened = launched.then(async (app) => ({ app, page: await app.firstWindow({ timeout: 120_000 }) }))
  return reloadingUnseen(account, opened)
}

/** ms; longer than a start takes to open the classroom on a busy machine. */
const BEGINS = 45_000

/**
 * Launches an app, once more if it stands still before it has opened its classroom, which is the first thing that it does. If several
 * start at a time, Electron has been seen to stand still for minutes after it listens for DevTools, with nothing of ours in between.
 * Every other failure is that of the first launch.
 */
async function launchTwice(
  account: Account,
  launch: () => Promise<ElectronApplication>,
  kill: () => void,
): Promise<ElectronApplication> {
  const opened = (): number => statSync(join(account.data, 'holder.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const before = opened()
  const launched = launch()
  const timer = new AbortController()
  const late = await Promise.race([
    launched.then(() => false),
    setTimeout(BEGINS, true, { signal: timer.signal }),
  ]).finally(() => timer.abort())
  if (!late || opened() !== before) return launched
  process.stdout.write(
    `note: Electron stood still for ${BEGINS / 1_000} s before it opened the classroom; it is started again\n`,
  )
  kill()
  await launched.catch(() => undefined)
  return launch()
}

/**
 * Waits for a window of Playwright's, whose start has a race with the page (microsoft/playwright#17765): if it attaches just as the
 * page replaces the window's empty one, `Page.getFrameTree` still answers with the empty page (its url is ":"), the navigation is never
 * reported, and Playwright waits for ever while the page is up. A page that is loaded again is seen. This happened in 3 of 60
 * starts, six at a time; of 120 without Playwright (60 with an inspector and a DevTools port, 60 with neither) all opened the classroom within 4 s.
 */
async function reloadingUnseen(account: Account, opened: Promise<Opened>): Promise<Opened> {
  for (;;) {
    const seen = await Promise.race([opened, setTimeout(10_000, null)])
    if (seen !== null) return seen
    for (const page of await loadedPages(account)) await reload(page)
  }
}

/** A page as DevTools reports it; one without a title has not loaded yet. */
interface DevToolsPage {
  readonly url: string
  readonly title: string
  readonly webSocketDebuggerUrl: string
}

async function pagesAt(host: string): Promise<readonly DevToolsPage[]> {
  const list = (await fetch(`http://${host}/json/list`).then((answer) => answer.json())) as readonly DevToolsPage[]
  return list.filter(({ title }) => title.includes('Tartaglia'))
}

/** The loaded pages of an account's app; none before it has written where its DevTools listen. */
async function loadedPages(account: Account): Promise<readonly DevToolsPage[]> {
  const file = join(`${account.data}-window`, 'DevToolsActivePort')
  if (!existsSync(file)) return []
  return pagesAt(`127.0.0.1:${readFileSync(file, 'utf8').split('\n')[0]!}`)
}

async function reload(page: DevToolsPage): Promise<void> {
  const socket = new WebSocket(page.webSocketDebuggerUrl)
  await once(socket, 'open')
  socket.send(JSON.stringify({ id: 1, method: 'Page.reload' }))
  await once(socket, 'message')
  socket.close()
}

/** The app as it ships, seen through the window's DevTools protocol, which needs no fuse. */
export interface Shipped {
  readonly browser: Browser
  readonly page: Page
  readonly process: ChildProcess
  /** SIGKILL, and until it is gone. */
  kill(): Promise<void>
}

async function connectTo(address: string): Promise<Browser> {
  const urls = async (): Promise<readonly string[]> => (await pagesAt(new URL(address).host)).map(({ url }) => url)
  // Playwright waits for ever for a window that is only coming up.
  const loaded = expect.stringContaining('app://tartaglia/') as unknown
  await expect.poll(urls, { timeout: 60_000 }).toContainEqual(loaded)
  return chromium.connectOverCDP(address)
}

/** `files`: those that a double click opens. */
export async function startShipped(account: Account, program: string, files: readonly string[] = []): Promise<Shipped> {
  const unsafe = account.sandboxed ? [] : ['--no-sandbox']
  const [command, ...args] = account.command(program, [
    ...[...switches, ...unsafe, '--remote-debugging-port=0'],
    ...files,
  ])
  const child = spawn(command, args, { env: { ...account.env }, stdio: ['ignore', 'ignore', 'pipe'] })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const address = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const found = /DevTools listening on (ws:\S+)/.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    })
    void gone.then(() => reject(new Error(`The app ended before its window was there:\n${said}`)))
  })
  const browser = await connectTo(address).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  const context = browser.contexts()[0]!
  const page = context.pages()[0] ?? (await context.waitForEvent('page'))
  return {
    browser,
    page,
    process: child,
    async kill() {
      child.kill('SIGKILL')
      await gone
      await browser.close().catch(() => undefined)
    },
  }
}
