// The desktop app from the inside: the packaged app but for the one fuse that lets Playwright look into its main process.
import { expect, test, type ElectronApplication, type Page } from '@playwright/test'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { electron, packagesFor, why, type Packages } from './desktop/package.ts'
import { inMainProcess } from './desktop/main-process.ts'
import { displayMissing, giveSampleClass, openAccount, openDisplay, startApp, type Account } from './desktop/start.ts'
import { variablesOf, workersOf } from './desktop/processes.ts'
import { root } from './scripts.ts'

test.describe.configure({ mode: 'default' })
test.skip(electron === null, why)
test.skip(displayMissing, 'needs a display or Xvfb: npm run setup:debian -- --tests')

let packages: Packages
let closeDisplay = (): void => undefined
const program = (): string => join(packages.twin, packages.executable)

test.beforeAll(async () => {
  if (electron === null) return
  packages = await packagesFor(electron)
  closeDisplay = await openDisplay()
})
test.afterAll(() => closeDisplay())

interface Started {
  readonly account: Account
  readonly app: ElectronApplication
  readonly page: Page
  /** The output of the main process so far. */
  said(): string
  /** SIGKILL, however it stands. */
  end(): Promise<void>
}

/** An account whose sample contest has been played. */
async function playedAccount(): Promise<Account> {
  const account = openAccount(program())
  await giveSampleClass(account)
  return account
}

async function start(account: Account): Promise<Started> {
  const { app, page } = await startApp(account, program())
  let said = ''
  app.process().stderr?.on('data', (bytes: Buffer) => (said += bytes.toString()))
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  const gone = new Promise<void>((resolve) => app.process().once('exit', () => resolve()))
  return {
    account,
    app,
    page,
    said: () => said,
    async end() {
      app.process().kill('SIGKILL')
      await gone
      account.dispose()
    },
  }
}

/** Lets nothing out, and keeps account of what would have gone. The person's answer to every question is `answer`. */
async function catchDialogs(app: ElectronApplication, answer: number): Promise<void> {
  await inMainProcess(
    app,
    ({ dialog, shell }, response) => {
      const caught: string[] = []
      Object.assign(globalThis, { caught })
      dialog.showMessageBox = async (...given: unknown[]) => {
        const { message, detail } = given.at(-1) as Electron.MessageBoxOptions
        caught.push(`asked: ${message} ${detail ?? ''}`)
        return { response, checkboxChecked: false }
      }
      dialog.showMessageBoxSync = (...given: unknown[]) => {
        caught.push(`asked: ${(given.at(-1) as Electron.MessageBoxSyncOptions).message}`)
        return response
      }
      shell.openExternal = async (address) => void caught.push(`opened: ${address}`)
    },
    answer,
  )
}
const caught = (app: ElectronApplication): Promise<string[]> =>
  inMainProcess(app, () => (globalThis as unknown as { caught: string[] }).caught.splice(0))

/** Presses a menu item as a person would. */
const press = (app: ElectronApplication, ...path: string[]): Promise<void> =>
  inMainProcess(
    app,
    ({ Menu, BrowserWindow }, labels) => {
      let items = Menu.getApplicationMenu()?.items ?? []
      let item: Electron.MenuItem | undefined
      for (const label of labels) {
        // One & marks a key.
        item = items.find((each) => each.label.replace('&', '') === label)
        items = item?.submenu?.items ?? []
      }
      if (item === undefined) throw new Error(`There is no menu item ${labels.join(' > ')}`)
      const click = item.click as (event: object, window: Electron.BrowserWindow | undefined) => void
      click({}, BrowserWindow.getAllWindows()[0])
    },
    path,
  )

test.describe('the page is shut in', () => {
  let started: Started
  test.beforeAll(async () => {
    if (electron !== null && !displayMissing) started = await start(await playedAccount())
  })
  test.afterAll(() => (electron === null || displayMissing ? undefined : started.end()))
  test.beforeEach(({ browserName: _ }, info) => {
    info.annotations.push({ type: 'run', description: started.account.note })
  })

  test('no Node, no Electron, nothing of ours but its own scripts', async () => {
    const seen = await started.page.evaluate(() => ({
      require: typeof Reflect.get(window, 'require'),
      process: typeof Reflect.get(window, 'process'),
      module: typeof Reflect.get(window, 'module'),
      electron: Object.keys(window).filter((name) => /electron|ipc|tartaglia/i.test(name)),
      isolated: window.opener === null && window.parent === window,
    }))
    expect(seen).toEqual({
      require: 'undefined',
      process: 'undefined',
      module: 'undefined',
      electron: [],
      isolated: true,
    })
    const preferences = await inMainProcess(started.app, ({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows()
      // Electron has the method; its types leave it out.
      const contents = window?.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> }
      return contents.getLastWebPreferences()
    })
    expect(preferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
    })
    expect(preferences['enableBlinkFeatures'] ?? '').toBe('')
    const tools = await inMainProcess(started.app, ({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      contents?.openDevTools({ mode: 'detach' })
      return contents?.isDevToolsOpened()
    })
    expect(tools).toBe(false)
  })

  test("the page's process is in Chromium's sandbox", async () => {
    test.skip(!started.account.sandboxed, started.account.note)
    const pid = await inMainProcess(started.app, ({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
    )
    const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8')
    expect(status).toMatch(/^Seccomp:\s+2$/m)
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
  })

  test('app:// serves the window, and never anything beside it', async () => {
    // Asked by the page: in Electron's main process session.fetch leaves bodies without an end, in some runs every one.
    const get = (address: string) =>
      started.page.evaluate(async (url) => {
        const answer = await fetch(url)
        const policy = answer.headers.get('content-security-policy')
        return { status: answer.status, policy, length: (await answer.text()).length }
      }, address)
    /** The reason why a window of the app shows nothing of an address; null: it shows it. */
    const refusalOf = (address: string) =>
      inMainProcess(
        started.app,
        async ({ BrowserWindow }, url) => {
          const window = new BrowserWindow({ show: false, webPreferences: { sandbox: true } })
          try {
            await window.loadURL(url)
            return null
          } catch (error) {
            return String(error)
          } finally {
            window.destroy()
          }
        },
        address,
      )
    const index = await get('app://tartaglia/')
    expect(index.status).toBe(200)
    expect(index.policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(index.policy).not.toContain('unsafe')
    for (const path of [
      '../desktop.js',
      '%2e%2e/desktop.js',
      '..%2fdesktop.js',
      '..\\desktop.js',
      'a/../../package.json',
    ]) {
      expect(await get(`app://tartaglia/${path}`), path).toMatchObject({ status: 404, length: 0 })
    }
    for (const address of [
      'app://other/index.html',
      'file:///etc/passwd',
      'https://example.org/',
      'http://127.0.0.1/',
    ]) {
      expect(await refusalOf(address), address).toContain('ERR_BLOCKED_BY_CLIENT')
    }
    expect(await refusalOf('app://tartaglia/')).toBeNull()
  })

  test('the policy stops scripts in the page and connections out of it', async () => {
    const violations = () => started.page.evaluate(() => (window as unknown as { violations: string[] }).violations)
    const stopped = await started.page.evaluate(async () => {
      const violations: string[] = []
      Object.assign(window, { violations })
      document.addEventListener('securitypolicyviolation', (event) => violations.push(event.effectiveDirective))
      const script = document.createElement('script')
      script.textContent = 'window.planted = true'
      document.body.append(script)
      const frame = document.createElement('iframe')
      frame.src = 'https://example.org/'
      document.body.append(frame)
      const fetched = await fetch('https://example.org/').then(
        () => true,
        () => false,
      )
      script.remove()
      frame.remove()
      return { fetched, planted: 'planted' in window }
    })
    expect(stopped).toEqual({ fetched: false, planted: false })
    await expect.poll(violations).toEqual(expect.arrayContaining(['script-src-elem', 'frame-src', 'connect-src']))
  })

  test('it stays where it is; the browser is offered only web pages, and gets them only if the person agrees', async () => {
    const { app, page } = started
    const before = page.url()
    const lead = (address: string) => page.evaluate((to) => void (location.href = to), address)
    for (const answer of [1, 0]) {
      await catchDialogs(app, answer)
      for (const address of ['file:///etc/passwd', 'app://tartaglia/other', 'https://a@example.org/'])
        await lead(address)
      await lead('https://example.org/page')
      const expected = ['asked: Open this page in your browser? https://example.org/page']
      if (answer === 0) expected.push('opened: https://example.org/page')
      const all: string[] = []
      await expect.poll(async () => (all.push(...(await caught(app))), all)).toEqual(expected)
      expect(page.url()).toBe(before)
    }
    await page.evaluate(() => {
      const form = document.createElement('form')
      form.action = 'https://example.org/'
      document.body.append(form)
      form.submit()
      form.remove()
    })
    expect(page.url()).toBe(before)
  })

  test('it opens no window', async () => {
    const { app, page } = started
    await catchDialogs(app, 1)
    const opened = await page.evaluate(() =>
      ['about:blank', 'file:///etc/passwd', 'app://tartaglia/', 'https://example.org/', 'javascript:1'].map(
        (address) => window.open(address) === null,
      ),
    )
    expect(opened).toEqual([true, true, true, true, true])
    await expect.poll(() => caught(app)).toEqual(['asked: Open this page in your browser? https://example.org/'])
    expect(app.windows()).toHaveLength(1)
  })

  test('the documentation has a window of its own, which stays in it and has no way into the class', async () => {
    const { app } = started
    await catchDialogs(app, 1)
    const [docs] = await Promise.all([app.waitForEvent('window'), press(app, 'Help', 'All Documentation')])
    await expect(docs.getByRole('heading', { level: 1 })).toHaveText('Documentation')
    const pages = docs.getByRole('navigation', { name: 'All pages' })
    await pages.getByRole('link', { name: 'Standings', exact: true }).click()
    await expect(docs.getByRole('heading', { level: 1 })).toHaveText('Standings and statistics')
    for (const address of ['app://tartaglia/', 'file:///etc/passwd', 'https://example.org/'])
      await docs.evaluate((to) => void (location.href = to), address)
    await expect.poll(() => caught(app)).toEqual(['asked: Open this page in your browser? https://example.org/'])
    expect(docs.url()).toBe('app://tartaglia/help/standings.html')
    const sent = await docs.evaluate(() =>
      fetch('app://tartaglia/histories?name=a.jsonl', { method: 'POST', body: 'x' }).then(
        () => true,
        () => false,
      ),
    )
    expect(sent).toBe(false)
    await docs.close()
  })

  test('it gets no permission but to put text on the clipboard', async () => {
    const granted = await started.page.evaluate(async () => {
      const state = (name: string) =>
        navigator.permissions.query({ name: name as PermissionName }).then(
          (found) => found.state,
          () => 'unknown',
        )
      const names = [
        'geolocation',
        'notifications',
        'camera',
        'microphone',
        'midi',
        'clipboard-read',
        'clipboard-write',
      ]
      const states = await Promise.all(names.map(async (name) => [name, await state(name)]))
      return {
        ...(Object.fromEntries(states) as Record<string, string>),
        asked: await Notification.requestPermission(),
        camera2: await navigator.mediaDevices.getUserMedia({ video: true, audio: true }).then(
          () => 'granted',
          (error: unknown) => (error as Error).name,
        ),
        position: await new Promise((resolve) =>
          navigator.geolocation.getCurrentPosition(
            () => resolve('granted'),
            ({ code }) => resolve(code),
          ),
        ),
      }
    })
    // A machine without a camera has none to refuse.
    expect(['NotAllowedError', 'NotFoundError']).toContain(granted.camera2)
    expect(granted).toMatchObject({
      geolocation: 'denied',
      notifications: 'denied',
      camera: 'denied',
      microphone: 'denied',
      midi: 'denied',
      'clipboard-read': 'denied',
      'clipboard-write': 'granted',
      asked: 'denied',
      position: 1,
    })
  })

  test('only files that it has made itself can be saved', async () => {
    const { account, app, page } = started
    const target = account.write('saved.txt', '')
    await inMainProcess(
      app,
      ({ session }, path) => {
        const downloads: string[] = []
        Object.assign(globalThis, { downloads })
        session.defaultSession.on('will-download', (event, item) => {
          const [kind] = item.getURL().split(':')
          if (event.defaultPrevented) return void downloads.push(`${kind ?? ''} refused`)
          item.setSavePath(path)
          item.once('done', (_event, state) => downloads.push(`${kind ?? ''} ${state}`))
        })
      },
      target,
    )
    const save = (text: string | null) =>
      page.evaluate((made) => {
        const link = document.createElement('a')
        link.href = made === null ? 'data:text/plain,planted' : URL.createObjectURL(new Blob([made]))
        link.download = 'saved.txt'
        link.click()
      }, text)
    const downloads = () => inMainProcess(app, () => (globalThis as unknown as { downloads: string[] }).downloads)
    await save(null)
    await expect.poll(downloads).toEqual(['data refused'])
    await save('a history')
    await expect.poll(downloads).toEqual(['data refused', 'blob completed'])
    expect(readFileSync(target, 'utf8')).toBe('a history')
  })

  test('another page with the very same preload gets no port', async () => {
    const { app } = started
    const title = await inMainProcess(app, async ({ app: electronApp, BrowserWindow }) => {
      const preload = `${electronApp.getAppPath()}/dist/preload.cjs`
      const foreign = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } })
      const script = `addEventListener('message', ({ data }) => { document.title = 'got ' + data })`
      await foreign.loadURL(`data:text/html,<title>nothing</title><script>${script}</script>`)
      // Its request was sent before the page had loaded, and requests are answered in turn.
      const answered: unknown = await foreign.webContents.executeJavaScript(
        'new Promise(r => setTimeout(() => r(document.title)))',
      )
      foreign.destroy()
      return String(answered)
    })
    expect(title).toBe('nothing')
    await expect.poll(started.said).toContain('A message from data:text/html')
    expect(started.said()).toContain('was refused')
  })

  test('when it dies, it is loaded again, and the class is there', async () => {
    const { app } = started
    const pid = () =>
      inMainProcess(app, ({ BrowserWindow }) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents
        return contents === undefined || contents.isCrashed() || contents.isLoading() ? 0 : contents.getOSProcessId()
      })
    const old = await pid()
    await inMainProcess(app, ({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
    )
    await expect.poll(async () => ![0, old].includes(await pid())).toBe(true)
    // Playwright's own page ended with the process.
    const heading = (): Promise<unknown> =>
      inMainProcess(app, ({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('document.querySelector("h1")?.textContent'),
      )
    await expect.poll(heading).toBe('Class')
  })
})

test('unpackaged, as `npm start` opens it, it is the same classroom', async ({ browserName: _ }, info) => {
  if (electron === null) return
  const binary = join(electron.folder, 'electron')
  const account = openAccount(binary)
  info.annotations.push({ type: 'run', description: account.note })
  const { app, page } = await startApp(account, binary, [root])
  await expect(page.getByRole('heading', { name: 'Class', level: 1 })).toBeVisible()
  // Played by workers on the Node of the lockfile: Electron's own is another Node.
  await expect(page.getByText(/\b[1-9]\d* of 70 matches/).first()).toBeVisible()
  expect(await inMainProcess(app, ({ app: { isPackaged } }) => isPackaged)).toBe(false)
  const gone = new Promise((resolve) => app.process().once('exit', resolve))
  app.process().kill('SIGKILL')
  await gone
  account.dispose()
})

test('the window comes back where it was', async () => {
  const account = await playedAccount()
  const first = await start(account)
  const bounds = { x: 120, y: 90, width: 1000, height: 700 }
  await inMainProcess(first.app, ({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to), bounds)
  const boundsOf = ({ app }: Started) =>
    inMainProcess(app, ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())
  await expect.poll(() => boundsOf(first)).toEqual(bounds)
  await catchDialogs(first.app, 0)
  await first.app.close()
  const second = await start(account)
  await expect.poll(() => boundsOf(second)).toEqual(bounds)
  await second.end()
})

test('menus and dialogs are as light or dark as the classroom, at once and after the next start', async () => {
  const account = await playedAccount()
  const first = await start(account)
  const theme = ({ app }: Started) => inMainProcess(app, ({ nativeTheme }) => nativeTheme.themeSource)
  await expect.poll(() => theme(first)).toBe('system')
  await press(first.app, 'View', 'Settings')
  await first.page.getByRole('radio', { name: 'Dark' }).check()
  await expect.poll(() => theme(first)).toBe('dark')
  await catchDialogs(first.app, 0)
  await first.app.close()
  const second = await start(account)
  await expect.poll(() => theme(second)).toBe('dark')
  await second.end()
})

test('files are opened from the menu, from a second start, and again from the recent ones', async () => {
  const started = await start(await playedAccount())
  const { account, app, page } = started
  const history = account.write('a match.jsonl', aHistory())
  const baby = readFileSync(join(root, 'dist/agents/specker/baby.js'), 'utf8')
  const agent = account.write('newcomer.js', `// not the class's own baby\n${baby}`)
  const broken = account.write('broken.challenge', 'nonsense')
  await catchDialogs(app, 0)
  const choose = (file: string) =>
    inMainProcess(
      app,
      ({ dialog }, path) => {
        dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] })
      },
      file,
    )
  const place = () => page.evaluate(() => location.hash)

  await choose(history)
  await press(app, 'File', 'Open History…')
  await expect.poll(place).toMatch(/^#\/histories\/file\/./)

  await choose(agent)
  await press(app, 'File', 'Hand in Agent…')
  await expect.poll(place).toBe('#/agents/newcomer')

  await choose(broken)
  await press(app, 'File', 'Check Challenge…')
  // The question for which game the agent is may stand before it.
  const asked: string[] = []
  const askedSoFar = async (): Promise<string[]> => (asked.push(...(await caught(app))), asked)
  await expect
    .poll(askedSoFar)
    .toContainEqual(expect.stringMatching(/^asked: broken\.challenge has errors\. .*:1:\d+: /))

  await press(app, 'View', 'Settings')
  await expect.poll(place).toBe('#/settings')
  expect(await account.run(program(), [history])).toBe(0)
  await expect.poll(place).toMatch(/^#\/histories\/file\/./)

  const linked = 'match/sample-contest-1/0?move=2&class=0000000000000000'
  expect(await account.run(program(), [`tartaglia://${linked}`])).toBe(0)
  await expect.poll(place).toBe(`#/contests/${linked.replace('match/', '').replace('/0', '/matches/0')}`)
  await expect(page.getByRole('heading', { name: 'This link is for another class' })).toBeVisible()

  await press(app, 'File', 'Open Recent', 'newcomer.js')
  await expect
    .poll(askedSoFar)
    .toContain('asked: newcomer.js has already been handed in. The class already has the same file as "newcomer".')
  await expect.poll(place).toBe('#/agents/newcomer')
  await press(app, 'File', 'Open Recent', 'Clear')
  await press(app, 'File', 'Open Recent', 'No Files Yet')
  await started.end()
})

test('a history that is dropped on the window, or chosen there, is opened where it lies; the page is never told where that is', async () => {
  const started = await start(await playedAccount())
  const { account, app, page } = started
  const history = account.write('dropped.jsonl', aHistory())
  await press(app, 'View', 'Histories')
  await expect(page.getByText('Open history files')).toBeVisible()
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    window.addEventListener('drop', () => seen.push('drop'))
    let overs = 0
    window.addEventListener('dragover', () => Object.assign(window, { overs: ++overs }))
    // A file made by a script has no path, and its events are not the person's: it stays in the page.
    const made = new DataTransfer()
    made.items.add(new File(['x'], 'made.jsonl'))
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: made }))
  })
  const devTools = await page.context().newCDPSession(page)
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop'): Promise<unknown> => {
    const data = { items: [], files: [history], dragOperationsMask: 1 }
    return devTools.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data })
  }
  const overs = (): Promise<number> => page.evaluate(() => (window as unknown as { overs?: number }).overs ?? 0)
  // A hand that drags moves on and on, and tries again: a browser drops nothing where the page was too slow to say that it may.
  await expect(async () => {
    await drag('dragEnter')
    for (const before = await overs(); (await overs()) < before + 3;) await drag('dragOver')
    await drag('drop')
    await expect.poll(() => page.evaluate(() => location.hash), { timeout: 10_000 }).toMatch(/^#\/histories\/file\/./)
  }).toPass()
  await expect(page.getByText('Intact, signer unknown', { exact: true })).toBeVisible()
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual(['drop'])
  const dropped = await page.evaluate(() => location.hash)
  await press(app, 'View', 'Histories')
  await page.getByLabel('Open history files').setInputFiles(history)
  await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/^#\/histories\/file\/./)
  expect(await page.evaluate(() => location.hash)).not.toBe(dropped)
  // Files opened by their paths are among the recent ones.
  await press(app, 'File', 'Open Recent', 'dropped.jsonl')
  await started.end()
})

test('the task bar shows how far contests are, workers have a bare environment, and quitting asks while a contest runs', async () => {
  const started = await start(openAccount(program(), { TARTAGLIA_SECRET: 'planted' }))
  const { account, app } = started
  await inMainProcess(app, ({ BrowserWindow }) => {
    const bars: number[] = []
    Object.assign(globalThis, { bars })
    for (const window of BrowserWindow.getAllWindows()) window.setProgressBar = (value) => void bars.push(value)
  })
  const bars = (): Promise<number[]> => inMainProcess(app, () => (globalThis as unknown as { bars: number[] }).bars)
  await expect.poll(async () => (await bars()).some((value) => value > 0 && value < 1)).toBe(true)
  await expect.poll(() => workersOf(packages.twin).length).toBeGreaterThan(0)
  expect(variablesOf(workersOf(packages.twin))).toEqual([])

  await catchDialogs(app, 1)
  await press(app, 'File', 'Quit')
  await expect.poll(() => caught(app)).toEqual(['asked: “Sample contest” is running.'])
  expect(app.process().exitCode).toBeNull()

  await catchDialogs(app, 0)
  const gone = new Promise<number | null>((resolve) => app.process().once('exit', resolve))
  await press(app, 'File', 'Quit').catch(() => undefined) // It may be gone before it answers.
  expect(await gone).toBe(0)
  expect(readFileSync(join(account.data, 'class.json'), 'utf8')).toContain('"open"')
  account.dispose()
})

let history: string | null = null
/** A match's history as `tartaglia match play` exports it. */
function aHistory(): string {
  history ??= playHistory()
  return history
}

function playHistory(): string {
  const home = openAccount(program())
  const file = join(home.data, '..', 'match.jsonl')
  const args = [
    join(root, 'dist/cli.js'),
    'match',
    'play',
    'baby',
    'baby',
    '--isolation',
    'permission',
    '--export',
    file,
  ]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  const text = readFileSync(file, 'utf8')
  home.dispose()
  return text
}

test('classes are switched like documents: one is released, the other is taken, and the window has its name', async () => {
  const { account, app, page, end } = await start(await playedAccount())
  try {
    await catchDialogs(app, 1)
    await press(app, 'File', 'New Class…')
    await page.getByLabel('Name of the new class').fill('Geometry')
    await page.getByRole('button', { name: 'Make an empty class' }).click()
    const other = `${account.data}-classes/geometry`
    await expect(page).toHaveTitle('Class · Geometry · Tartaglia')
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Geometry' })).toBeVisible()
    const held = (folder: string): boolean => existsSync(join(folder, 'holder.json'))
    expect([held(account.data), held(other)]).toEqual([false, true])
    await page.getByRole('navigation').getByRole('link', { name: 'Geometry' }).click()
    await expect(page.getByText(account.data, { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Open tartaglia' }).click()
    await expect(page).toHaveTitle('Class · Tartaglia')
    expect([held(account.data), held(other)]).toEqual([true, false])
    // By the menu, too; its list holds the other class.
    await press(app, 'File', 'Open Recent Class', 'Geometry')
    await expect(page).toHaveTitle('Class · Geometry · Tartaglia')
    expect(await caught(app)).toEqual([])
  } finally {
    await end()
  }
})
