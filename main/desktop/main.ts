// The desktop app: a window for the classroom, which runs in this process. Nothing heavy runs here.
import { app, dialog, nativeTheme, session, type WebContents } from 'electron'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { classesBeside, createClassShelf, requireFree, type ClassShelf } from '../app/class-shelf.ts'
import { createClassFolders } from '../app/class-folders.ts'
import { makeSampleTerm } from '../app/sample-term/sample-term.ts'
import { ExpectedError } from '../contract/expected-error.ts'
import { defaultDataFolder } from '../services/machine/data-folder.ts'
import { resources } from '../services/machine/resources.ts'
import { checkShipped } from '../services/machine/shipped-hashes.ts'
import type { NetworkState } from '../contract/procedures/network.ts'
import type { ContestSummary, Settings } from '../contract/procedures/procedures.ts'
import { guardContents, guardSession } from './guard.ts'
import { LINK_SCHEME } from '../contract/histories/match-link.ts'
import { filesOf, linkedScreens } from './open-files.ts'
import { handOutPorts, takeHistories } from './ports.ts'
import { registerScheme, serveScheme } from './scheme.ts'
import { openClass, switchClass, type OpenClass } from './open-class.ts'
import { opensOther } from './pausing.ts'
import { fail, report, sentenceOf } from './reports.ts'
import {
  keep,
  lead,
  mayClose,
  notClosed,
  notOpened,
  renew,
  setMenu,
  showWindow,
  showRunning,
  stayAwake,
  takeFile,
  type DesktopState,
} from './desktop-state.ts'
import { firstClass, readWindowState, withClass } from './window-state.ts'

/** The folder of the class with which the app begins. Windows, recent files and other classes belong to it. */
const base = defaultDataFolder()
const host = { kind: 'host' } as const
/** The patience with the disk of the class that was open last. ms. */
const LAST_PATIENCE = 5_000

app.setName('Tartaglia')
// Beside the data folder, not in it, because browser caches need no backup. This also gives one instance per data folder.
app.setPath('userData', `${base}-window`)
// It would undo the switch without which Chromium does not start as root. Our window requests the sandbox itself.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
registerScheme()

/** The message of a second instance to the first. */
const secondStart = z.object({
  files: z.array(z.string()).max(100),
  /** Links as the system gives them, which the first instance reads. */
  links: z.array(z.string().max(1_000)).max(10),
})
const named = filesOf(process.argv.slice(1), process.cwd())
const linked = process.argv
  .slice(1)
  .filter((word) => word.startsWith(`${LINK_SCHEME}:`))
  .slice(0, 10)
if (app.requestSingleInstanceLock({ files: named, links: linked })) run()
else app.quit()

function run(): void {
  const keptFile = join(app.getPath('userData'), 'window.json')
  const kept = readWindowState(keptFile)
  const isNamed = Boolean(process.env['TARTAGLIA_DATA'])
  const folders = createClassFolders()
  // A disk that does not answer would hold up the program before it has a window.
  const chosen = firstClass({ isNamed, usual: base, classes: kept.classes }, async (folder) =>
    Boolean((await folders.seek(folder, LAST_PATIENCE))?.hasClass),
  )
  const shelf = createClassShelf({
    ...{ opens: 'here', home: classesBeside(base), makeSample: makeSampleTerm, folders },
    known: () => [...state.kept.classes, { folder: base, name: basename(base) }],
    show: (folder) => showClass(state, shelf, folder),
  })
  const opening = chosen.then((data) => open(data, shelf))
  // Handled where it is awaited, which may be after it has failed.
  opening.catch(() => undefined)
  const state: DesktopState = {
    dist: dirname(fileURLToPath(import.meta.url)),
    keptFile,
    kept,
    data: base,
    window: null,
    running: [],
    tasksOfClass: () => [],
    tasksOfProgram: () => shelf.ongoing(),
    isOnNetwork: false,
    awake: null,
    leaves: false,
    quitting: false,
    opening,
    ready: Promise.withResolvers(),
    page: Promise.withResolvers(),
  }
  hearSystem(state)
  void app
    .whenReady()
    .then(() => chosen)
    .then((data) => {
      state.data = data
      return begin(state)
    })
    .catch(fail)
}

/** Opens the class with which the app begins; the usual one if the last one cannot be opened any more. */
async function open(data: string, shelf: ClassShelf): Promise<OpenClass> {
  await checkShipped()
  if (data === base) return openClass(data, shelf)
  return openClass(data, shelf).catch((error: unknown) => {
    tellWhyNot(error)
    return openClass(base, shelf)
  })
}

/** Shows another class in the window, in place of the present one. */
async function showClass(state: DesktopState, shelf: ClassShelf, folder: string): Promise<null> {
  requireFree(folder)
  if (!mayClose(state, opensOther)) throw new ExpectedError('stopped', 'stopped', 'This class stays open.')
  // After the answer to the call, which the class gives that is closed.
  setImmediate(() => {
    state.running = []
    state.tasksOfClass = () => []
    state.isOnNetwork = false
    const failures = {
      onNotClosed: (error: unknown) => tellWhyNot(error, notClosed),
      onNotOpened: (error: unknown) => tellWhyNot(error),
    }
    const openOther = (data: string): Promise<OpenClass> => openClass(data, shelf)
    state.opening = state.opening.then((present) => switchClass(present, folder, openOther, failures))
    void state.opening.then((opened) => followClass(state, opened)).catch(fail)
    state.data = folder
    renew(state)
  })
  return null
}

function tellWhyNot(error: unknown, message = notOpened): void {
  const detail = sentenceOf(error, 'Open Class')
  void app
    .whenReady()
    .then(() => dialog.showMessageBox({ type: 'error', message, detail, buttons: ['OK'], noLink: true }))
}

/** Follows the system and the person at it: other starts, files, the end. */
function hearSystem(state: DesktopState): void {
  app.on('second-instance', (_event, _commandLine, _folder, handed) => {
    const parsed = secondStart.safeParse(handed)
    void state.ready.promise.then(() => showWindow(state))
    if (!parsed.success) return
    for (const path of parsed.data.files) void takeFile(state, path)
    follow(state, parsed.data.links)
  })
  // macOS gives links here, and not on the command line.
  app.on('open-url', (event, link) => {
    event.preventDefault()
    follow(state, [link])
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    void takeFile(state, path)
  })
  app.on('activate', () => void state.ready.promise.then(() => showWindow(state)))
  app.on('window-all-closed', () => app.quit())
  app.on('web-contents-created', (_event, contents) => guardContents(contents, () => state.window))
  app.on('before-quit', (event) => {
    if (state.quitting) return
    // Running contests are stopped properly before the process exits.
    event.preventDefault()
    state.quitting = true
    void state.opening
      .then(({ service }) => service.close())
      .then(
        () => app.quit(),
        (error: unknown) => {
          report(error, 'the end')
          app.exit(1)
        },
      )
  })
}

/** Shows the places in matches to which links lead. Any web page can offer a link, so others than ours do nothing. */
function follow(state: DesktopState, links: readonly string[]): void {
  for (const screen of linkedScreens(links)) void state.ready.promise.then(() => lead(state, screen))
}

/** Shows the first window as soon as Electron is ready, and the classroom in it as soon as that is open. */
async function begin(state: DesktopState): Promise<void> {
  guardSession(session.defaultSession)
  serveScheme(session.defaultSession, resources.renderer, async (kind, query, content) =>
    (await state.opening).dispatcher.take(kind, query, content, host),
  )
  const refused = (address: string): void => report(`A message from ${address} was refused.`, 'the window')
  const contents = (): WebContents | null => state.window?.webContents ?? null
  handOutPorts(
    contents,
    async (transport) => {
      state.page.resolve(undefined)
      return (await state.opening).dispatcher.connect(transport, host)
    },
    refused,
  )
  takeHistories(contents, (path) => void takeFile(state, path), refused)
  setMenu(state)
  showWindow(state)
  state.ready.resolve(undefined)
  for (const path of named) void takeFile(state, path)
  follow(state, linked)
  followClass(state, await state.opening)
}

/** Follows the class that the window shows. A closed class says nothing more. */
function followClass(state: DesktopState, { data, service }: OpenClass): void {
  // The one that was wanted could not be opened: the page is that of the other.
  const isOther = state.data !== data
  state.data = data
  if (isOther && state.window !== null) renew(state)
  state.tasksOfClass = () => service.ongoing()
  service.on('status', (summaries) => {
    state.running = summaries as readonly ContestSummary[]
    showRunning(state)
    stayAwake(state)
  })
  service.on('network', (now) => {
    state.isOnNetwork = (now as NetworkState).isOpen
    stayAwake(state)
  })
  service.on('settings', (now) => {
    const { appearance, school } = now as Settings
    // The system draws menus, dialogs and frames.
    nativeTheme.themeSource = appearance
    keep(state, { classes: withClass(state.kept.classes, { folder: data, name: school || basename(data) }) })
    setMenu(state)
  })
}
