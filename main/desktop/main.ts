// The desktop app: a window for the classroom, which runs in this process. Nothing heavy runs here.
import { app, dialog, Menu, nativeTheme, session, type BrowserWindow } from 'electron'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { expectedError } from '../administrator/procedures/call-error.ts'
import { createDispatcher } from '../administrator/procedures/dispatch.ts'
import { openClassroom, type ClassroomService } from '../app/classroom-service.ts'
import { defaultDataFolder } from '../services/machine/data-folder.ts'
import { gameTitles } from '../services/game-facts.ts'
import { resources } from '../services/machine/resources.ts'
import { checkShipped } from '../services/machine/shipped-hashes.ts'
import type { GameId } from '../contract/ids.ts'
import type { ContestSummary, Settings } from '../contract/procedures/procedures.ts'
import { channels } from './channels.ts'
import { guardContents, guardSession } from './guard.ts'
import { readWindowState, withRecent, writeWindowState, type WindowState } from './window-state.ts'
import { menuTemplate, type MenuActions } from './menu.ts'
import { filesOf, openFile } from './open-files.ts'
import { handOutPorts, takeHistories } from './ports.ts'
import { registerScheme, serveScheme } from './scheme.ts'
import { openWindow } from './window.ts'

const data = defaultDataFolder()
const dist = dirname(fileURLToPath(import.meta.url))
const educator = { right: 'educator' } as const

app.setName('Tartaglia')
// Beside the data folder, not in it, because browser caches need no backup. This also gives one instance per data folder.
app.setPath('userData', `${data}-window`)
// It would undo the switch without which Chromium does not start as root. Our window requests the sandbox itself.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
registerScheme()

/** What a second instance passes to the first. */
const secondStart = z.object({ files: z.array(z.string()).max(100) })
const named = filesOf(process.argv.slice(1), process.cwd())
if (app.requestSingleInstanceLock({ files: named })) run()
else app.quit()

function run(): void {
  const keptFile = join(app.getPath('userData'), 'window.json')
  let kept = readWindowState(keptFile)
  let window: BrowserWindow | null = null
  let running: readonly ContestSummary[] = []
  let quitting = false

  const opening = open()
  // Handled where it is awaited, which may be after it has failed.
  opening.catch(() => undefined)
  /** Resolves when windows can be created. */
  const ready = Promise.withResolvers<undefined>()
  /** Resolves when the window's page listens; replaced for each new page. */
  let page = Promise.withResolvers<undefined>()

  async function open(): Promise<ClassroomService> {
    await checkShipped()
    return openClassroom({ data, onFatal: fail })
  }

  /** Shows an error in one sentence and exits. */
  function fail(error: unknown): void {
    const expected = expectedError(error)
    if (expected === null) tell(error, 'the start')
    dialog.showErrorBox('Tartaglia cannot continue', expected?.message ?? String(error))
    app.exit(1)
  }

  function tell(error: unknown, doing: string): void {
    process.stderr.write(`${doing}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  }

  function refused(address: string): void {
    tell(`A message from ${address} was refused.`, 'the window')
  }

  function keep(change: Partial<WindowState>): void {
    kept = { ...kept, ...change }
    writeWindowState(keptFile, kept)
  }

  function show(): BrowserWindow {
    if (window !== null) {
      if (window.isMinimized()) window.restore()
      window.focus()
      return window
    }
    page = Promise.withResolvers()
    window = openWindow({
      dist,
      kept,
      devTools: !app.isPackaged,
      mayClose,
      onMoved: keep,
      onGiveUp: () => app.quit(),
    })
    window.on('closed', () => (window = null))
    return window
  }

  function lead(screen: string): void {
    show()
    void page.promise.then(() => window?.webContents.send(channels.go, screen))
  }

  /** Closing the last window ends the app and everything that runs. */
  function mayClose(): boolean {
    if (quitting || running.length === 0) return true
    const [first] = running
    const choice = dialog.showMessageBoxSync({
      type: 'question',
      message: running.length === 1 ? `“${first?.title ?? ''}” is running.` : `${running.length} contests are running.`,
      detail: 'Matches already played are kept. It resumes at the next start.',
      buttons: ['Pause and Quit', 'Cancel'],
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    })
    return choice === 0
  }

  async function chooseGame(): Promise<GameId | null> {
    const [only, ...others] = gameTitles
    if (only !== undefined && others.length === 0) return only.id
    const { response } = await dialog.showMessageBox(show(), {
      type: 'question',
      message: 'Which game is this agent for?',
      buttons: [...gameTitles.map(({ title }) => title), 'Cancel'],
      cancelId: gameTitles.length,
      noLink: true,
    })
    return gameTitles[response]?.id ?? null
  }

  async function take(path: string): Promise<void> {
    await ready.promise
    show()
    const opened = await openFile(path, { service: await opening, chooseGame })
    if (opened === null) return
    if (opened.screen !== undefined) {
      app.addRecentDocument(path)
      keep({ recent: withRecent(kept.recent, path) })
      setMenu()
      lead(opened.screen)
    }
    if ('message' in opened) {
      const { type, message, detail } = opened
      await dialog.showMessageBox(show(), { type, message, detail, buttons: ['OK'], noLink: true })
    }
  }

  async function choose(kind: 'history' | 'agent' | 'challenge'): Promise<void> {
    const filters = {
      history: { name: 'Histories', extensions: ['jsonl'] },
      agent: { name: 'Agents', extensions: ['js', 'zip'] },
      challenge: { name: 'Challenges', extensions: ['challenge'] },
    }
    const { filePaths } = await dialog.showOpenDialog(show(), { properties: ['openFile'], filters: [filters[kind]] })
    for (const path of filePaths) await take(path)
  }

  const actions: MenuActions = {
    open: (kind) => void choose(kind),
    openRecent: (path) => void take(path),
    clearRecent() {
      app.clearRecentDocuments()
      keep({ recent: [] })
      setMenu()
    },
    go: lead,
    about() {
      const detail = `Version ${app.getVersion()}\nElectron ${process.versions.electron}, Chromium ${process.versions.chrome}`
      void dialog.showMessageBox(show(), { message: 'Tartaglia', detail, buttons: ['OK'], noLink: true })
    },
    quit() {
      if (mayClose()) app.quit()
    },
  }

  function setMenu(): void {
    const facts = { platform: process.platform, packaged: app.isPackaged, recent: kept.recent }
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(facts, actions)))
  }

  function showProgress(): void {
    const total = running.reduce((sum, { progress }) => sum + progress.total, 0)
    const done = running.reduce((sum, { progress }) => sum + progress.done, 0)
    // Below 0: no bar.
    window?.setProgressBar(total === 0 ? -1 : done / total)
  }

  app.on('second-instance', (_event, _commandLine, _folder, handed) => {
    const parsed = secondStart.safeParse(handed)
    void ready.promise.then(show)
    if (parsed.success) for (const path of parsed.data.files) void take(path)
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    void take(path)
  })
  app.on('activate', () => void ready.promise.then(show))
  app.on('window-all-closed', () => app.quit())
  app.on('web-contents-created', (_event, contents) => guardContents(contents, () => window))
  app.on('before-quit', (event) => {
    if (quitting) return
    // Running contests are stopped properly before the process exits.
    event.preventDefault()
    quitting = true
    void opening
      .then((service) => service.close())
      .then(
        () => app.quit(),
        (error: unknown) => {
          tell(error, 'the end')
          app.exit(1)
        },
      )
  })

  void app
    .whenReady()
    .then(async () => {
      guardSession(session.defaultSession)
      const dispatching = opening.then((service) => createDispatcher(service, tell))
      dispatching.catch(() => undefined)
      serveScheme(session.defaultSession, resources.renderer, async (kind, query, content) =>
        (await dispatching).take(kind, query, content, educator),
      )
      handOutPorts(
        () => window?.webContents ?? null,
        async (transport) => {
          page.resolve(undefined)
          return (await dispatching).connect(transport, educator)
        },
        refused,
      )
      takeHistories(
        () => window?.webContents ?? null,
        (path) => void take(path),
        refused,
      )
      setMenu()
      show()
      ready.resolve(undefined)
      for (const path of named) void take(path)
      const service = await opening
      service.on('status', (summaries) => {
        running = summaries as readonly ContestSummary[]
        showProgress()
      })
      // The system draws menus, dialogs and frames.
      service.on('settings', (settings) => {
        nativeTheme.themeSource = (settings as Settings).appearance
      })
    })
    .catch(fail)
}
