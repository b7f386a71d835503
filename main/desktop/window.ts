import { BrowserWindow, dialog, nativeTheme, screen } from 'electron'
import { join } from 'node:path'
import { placeFor, type WindowState } from './window-state.ts'

const paper = { light: '#FBF8F1', dark: '#161410' }
/** A page that crashes more often than this within a minute is not reloaded automatically. */
const RELOADS_MAX = 2

export interface WindowOptions {
  /** dist/, which contains the preload script. */
  readonly dist: string
  readonly kept: WindowState
  readonly devTools: boolean
  /** The address of its page. */
  readonly address: string
  /** Called before the window closes; returns whether it may. */
  mayClose(): boolean
  /** Called where the page asks to stay, as with a match that is played by hand; returns whether it is left nevertheless. */
  mayLeave(): boolean
  /** Called when size or place may have changed. */
  onMoved(window: Pick<WindowState, 'bounds' | 'maximized'>): void
  onGiveUp(): void
}

/** Opens the one window. */
export function openWindow(options: WindowOptions): BrowserWindow {
  const { kept, devTools } = options
  const place = placeFor(
    kept.bounds,
    screen.getAllDisplays().map(({ workArea }) => workArea),
  )
  const window = new BrowserWindow({
    ...(place ?? { width: 1280, height: 800 }),
    minWidth: 480,
    minHeight: 400,
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? paper.dark : paper.light,
    title: 'Tartaglia',
    webPreferences: {
      preload: join(options.dist, 'preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webviewTag: false,
      webSecurity: true,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools,
    },
  })
  if (kept.maximized) window.maximize()
  window.once('ready-to-show', () => window.show())
  const moved = (): void => {
    options.onMoved({ bounds: window.getNormalBounds(), maximized: window.isMaximized() })
  }
  window.on('close', (event) => {
    moved()
    if (!options.mayClose()) event.preventDefault()
  })
  window.webContents.on('will-prevent-unload', (event) => {
    if (options.mayLeave()) event.preventDefault()
  })
  window.on('resized', moved)
  window.on('moved', moved)
  reviveWhenGone(window, options)
  void window.loadURL(options.address)
  return window
}

/** A crash of the page does no harm, because contests run elsewhere. It is reloaded; if that does not help, the person is asked. */
function reviveWhenGone(window: BrowserWindow, { onGiveUp }: Pick<WindowOptions, 'onGiveUp'>): void {
  let deaths: number[] = []
  const load = (): void => {
    if (!window.isDestroyed()) window.reload()
  }
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return
    const now = performance.now()
    deaths = [...deaths.filter((at) => now - at < 60_000), now]
    // Chromium is still cleaning up the old process; loading at once would crash the new one.
    if (deaths.length <= RELOADS_MAX) return void setImmediate(load)
    void ask(window, `The window's page has stopped (${reason}).`, ['Reload', 'Quit']).then((answer) => {
      if (answer === 0) load()
      else onGiveUp()
    })
  })
  window.on('unresponsive', () => {
    void ask(window, 'The window is not responding.', ['Wait', 'Reload']).then((answer) => {
      // The page is reloaded when its process has ended.
      if (answer === 1) window.webContents.forcefullyCrashRenderer()
    })
  })
}

async function ask(window: BrowserWindow, message: string, buttons: string[]): Promise<number> {
  const detail = 'Contests keep running; nothing is lost.'
  const { response } = await dialog.showMessageBox(window, { type: 'warning', message, detail, buttons, noLink: true })
  return response
}
