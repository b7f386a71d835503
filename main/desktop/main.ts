// The desktop app: a window for the classroom, which runs in this process. Nothing heavy runs here.
import { app, nativeTheme, session, type WebContents } from 'electron'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { createDispatcher } from '../administrator/procedures/dispatch.ts'
import { openClassroom, type ClassroomService } from '../app/classroom-service.ts'
import { classNetwork } from '../app/network.ts'
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
import {
  fail,
  lead,
  report,
  setMenu,
  showWindow,
  showRunning,
  stayAwake,
  takeFile,
  type DesktopState,
} from './desktop-state.ts'
import { readWindowState } from './window-state.ts'

const data = defaultDataFolder()
const host = { kind: 'host' } as const
const network = classNetwork(data, report)

app.setName('Tartaglia')
// Beside the data folder, not in it, because browser caches need no backup. This also gives one instance per data folder.
app.setPath('userData', `${data}-window`)
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
  const opening = open()
  // Handled where it is awaited, which may be after it has failed.
  opening.catch(() => undefined)
  const state: DesktopState = {
    dist: dirname(fileURLToPath(import.meta.url)),
    keptFile,
    kept: readWindowState(keptFile),
    window: null,
    running: [],
    isOnNetwork: false,
    awake: null,
    quitting: false,
    opening,
    ready: Promise.withResolvers(),
    page: Promise.withResolvers(),
  }
  hearSystem(state)
  void app
    .whenReady()
    .then(() => begin(state))
    .catch(fail)
}

async function open(): Promise<ClassroomService> {
  await checkShipped()
  return openClassroom({ data, network, onFatal: fail })
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
      .then((service) => service.close())
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
  const dispatching = state.opening.then((service) => {
    const dispatcher = createDispatcher(service, report)
    network.serve({ dispatcher, accounts: service.accounts })
    return dispatcher
  })
  dispatching.catch(() => undefined)
  serveScheme(session.defaultSession, resources.renderer, async (kind, query, content) =>
    (await dispatching).take(kind, query, content, host),
  )
  const refused = (address: string): void => report(`A message from ${address} was refused.`, 'the window')
  const contents = (): WebContents | null => state.window?.webContents ?? null
  handOutPorts(
    contents,
    async (transport) => {
      state.page.resolve(undefined)
      return (await dispatching).connect(transport, host)
    },
    refused,
  )
  takeHistories(contents, (path) => void takeFile(state, path), refused)
  setMenu(state)
  showWindow(state)
  state.ready.resolve(undefined)
  for (const path of named) void takeFile(state, path)
  follow(state, linked)
  const service = await state.opening
  service.on('status', (summaries) => {
    state.running = summaries as readonly ContestSummary[]
    showRunning(state)
    stayAwake(state)
  })
  service.on('network', (now) => {
    state.isOnNetwork = (now as NetworkState).isOpen
    stayAwake(state)
  })
  // The system draws menus, dialogs and frames.
  service.on('settings', (settings) => {
    nativeTheme.themeSource = (settings as Settings).appearance
  })
}
