import { app, dialog, Menu, powerSaveBlocker, type BrowserWindow } from 'electron'
import { gameTitles } from '../services/game-facts.ts'
import type { GameId } from '../contract/ids.ts'
import { ExpectedError } from '../contract/expected-error.ts'
import { hostCaller } from '../contract/people/caller.ts'
import type { KnownClass, OngoingTask } from '../contract/procedures/classes.ts'
import type { ContestSummary } from '../contract/procedures/procedures.ts'
import { keepAwake } from './awake.ts'
import { channels } from './channels.ts'
import type { OpenClass } from './open-class.ts'
import { questionOf, quits, type Pausing } from './pausing.ts'
import { report, sentenceOf } from './reports.ts'
import { menuTemplate, type MenuActions } from './menu.ts'
import { openFile } from './open-files.ts'
import { withRecent, writeWindowState, type WindowState } from './window-state.ts'
import { showDocs } from './docs-window.ts'
import { addressOf, docsAddress } from './scheme.ts'
import { openWindow } from './window.ts'

/** The state of the desktop app. */
export interface DesktopState {
  /** The folder of the built program. */
  readonly dist: string
  /** The file of `kept`. */
  readonly keptFile: string
  /** Place of the window and recent files, which survive the app. */
  kept: WindowState
  /** null: there is none at the moment. */
  window: BrowserWindow | null
  /** The contests that run now. */
  running: readonly ContestSummary[]
  /** The tasks of the class that go on now. */
  tasksOfClass(): readonly OngoingTask[]
  /** The tasks that go on whichever class is shown. */
  readonly tasksOfProgram: () => readonly OngoingTask[]
  /** True while the class is open to the network. */
  isOnNetwork: boolean
  /** The id of the blocker that keeps the machine from sleeping; null: it may sleep. */
  awake: number | null
  /** True while the page is left on purpose: it is not asked whether it may be. */
  leaves: boolean
  /** True once the app is about to exit. */
  quitting: boolean
  /** The class that is shown, once it is open; replaced when another one is opened. */
  opening: Promise<OpenClass>
  /** The folder of that class; the page is its own. */
  data: string
  /** Resolves when windows can be created. */
  readonly ready: PromiseWithResolvers<undefined>
  /** Resolves when the window's page listens; replaced for each new page. */
  page: PromiseWithResolvers<undefined>
}

export function keep(state: DesktopState, change: Partial<WindowState>): void {
  state.kept = { ...state.kept, ...change }
  writeWindowState(state.keptFile, state.kept)
}

/** Brings the window to the front; opens one if there is none. */
export function showWindow(state: DesktopState): BrowserWindow {
  if (state.window !== null) {
    if (state.window.isMinimized()) state.window.restore()
    state.window.focus()
    return state.window
  }
  state.page = Promise.withResolvers()
  state.leaves = false
  state.window = openWindow({
    dist: state.dist,
    kept: state.kept,
    devTools: !app.isPackaged,
    address: addressOf(state.data),
    mayClose: () => mayQuit(state),
    mayLeave: () => mayLeave(state),
    onMoved: (change) => keep(state, change),
    onGiveUp: () => app.quit(),
  })
  state.window.on('closed', () => (state.window = null))
  return state.window
}

/** Shows a screen by its address, such as `#/contests`. */
export function lead(state: DesktopState, screen: string): void {
  showWindow(state)
  void state.page.promise.then(() => state.window?.webContents.send(channels.go, screen))
}

/** Loads the page anew, for the class of `state.data`. */
export function renew(state: DesktopState): void {
  state.page = Promise.withResolvers()
  const window = showWindow(state)
  state.leaves = true
  window
    .loadURL(addressOf(state.data))
    .catch((error: unknown) => report(error, 'the page of the class'))
    .finally(() => (state.leaves = false))
}

/** Asks the person if contests run or tasks go on, which another class, or the end of the app, pauses or breaks off. */
export function mayClose({ quitting, running, tasksOfClass, tasksOfProgram }: DesktopState, words: Pausing): boolean {
  const tasks = words === quits ? [...tasksOfClass(), ...tasksOfProgram()] : tasksOfClass()
  const asked = quitting ? null : questionOf(running, tasks, words)
  if (asked === null) return true
  const { button, ...question } = asked
  return dialog.showMessageBoxSync({ ...question, ...questionBox, buttons: [button, 'Cancel'] }) === 0
}

/** Asks the person if the page has something that is lost when it is left, unless the answer is known. Electron itself would ask nothing, and stay. */
function mayLeave({ quitting, leaves }: DesktopState): boolean {
  if (quitting || leaves) return true
  const message = 'The page holds work that is lost if you leave it.'
  return dialog.showMessageBoxSync({ message, ...questionBox, buttons: ['Leave', 'Cancel'] }) === 0
}

/** `leaves` until the window is gone: a person who agreed to give a match up is not asked again by its page. */
function mayQuit(state: DesktopState): boolean {
  const may = mayClose(state, quits)
  state.leaves = may && state.running.some(({ person }) => person)
  return may
}

const questionBox = { type: 'question' as const, defaultId: 1, cancelId: 1, noLink: true }

/** Opens a file that the person chose, dropped or named. */
export async function takeFile(state: DesktopState, path: string): Promise<void> {
  await state.ready.promise
  showWindow(state)
  const opened = await openFile(path, { service: (await state.opening).service, chooseGame: () => chooseGame(state) })
  if (opened === null) return
  if (opened.screen !== undefined) {
    app.addRecentDocument(path)
    keep(state, { recent: withRecent(state.kept.recent, path) })
    setMenu(state)
    lead(state, opened.screen)
  }
  if ('message' in opened) {
    const { type, message, detail } = opened
    await dialog.showMessageBox(showWindow(state), { type, message, detail, buttons: ['OK'], noLink: true })
  }
}

/** The game that an agent is for; null: the person has cancelled. */
async function chooseGame(state: DesktopState): Promise<GameId | null> {
  const [only, ...others] = gameTitles
  if (only !== undefined && others.length === 0) return only.id
  const { response } = await dialog.showMessageBox(showWindow(state), {
    type: 'question',
    message: 'Which game is this agent for?',
    buttons: [...gameTitles.map(({ title }) => title), 'Cancel'],
    cancelId: gameTitles.length,
    noLink: true,
  })
  return gameTitles[response]?.id ?? null
}

const filters = {
  history: { name: 'Histories', extensions: ['jsonl'] },
  agent: { name: 'Agents', extensions: ['js', 'zip'] },
  challenge: { name: 'Challenges', extensions: ['challenge'] },
}

async function choose(state: DesktopState, kind: keyof typeof filters): Promise<void> {
  const options = { properties: ['openFile' as const], filters: [filters[kind]] }
  const { filePaths } = await dialog.showOpenDialog(showWindow(state), options)
  for (const path of filePaths) await takeFile(state, path)
}

export const notOpened = 'The class cannot be opened.'
export const notClosed = 'The other class did not close as it should.'

async function chooseClass(state: DesktopState): Promise<void> {
  const { filePaths } = await dialog.showOpenDialog(showWindow(state), { properties: ['openDirectory'] })
  for (const folder of filePaths.slice(0, 1)) await takeClass(state, folder)
}

/** Opens a class that the person chose in the menu. */
async function takeClass(state: DesktopState, folder: string): Promise<void> {
  try {
    const { handlers } = (await state.opening).service
    await handlers['classes.open']({ folder }, hostCaller)
  } catch (error) {
    // The person has just answered so.
    if (error instanceof ExpectedError && error.code === 'stopped') return
    const detail = sentenceOf(error, 'Open Class')
    await dialog.showMessageBox(showWindow(state), {
      type: 'error',
      message: notOpened,
      detail,
      buttons: ['OK'],
      noLink: true,
    })
  }
}

/** Makes the menu anew, because it lists the recent files and classes. */
export function setMenu(state: DesktopState): void {
  const facts = {
    platform: process.platform,
    packaged: app.isPackaged,
    recent: state.kept.recent,
    classes: othersOf(state),
  }
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(facts, actionsOn(state))))
}

const othersOf = ({ kept, data }: DesktopState): readonly KnownClass[] =>
  kept.classes.filter(({ folder }) => folder !== data)

function actionsOn(state: DesktopState): MenuActions {
  return {
    open: (kind) => void choose(state, kind),
    openRecent: (path) => void takeFile(state, path),
    clearRecent() {
      app.clearRecentDocuments()
      keep(state, { recent: [] })
      setMenu(state)
    },
    chooseClass: () => void chooseClass(state),
    openClass: (folder) => void takeClass(state, folder),
    go: (screen) => lead(state, screen),
    docs: () => showDocs(docsAddress, state.window),
    about() {
      const detail = `Version ${app.getVersion()}\nElectron ${process.versions.electron}, Chromium ${process.versions.chrome}`
      void dialog.showMessageBox(showWindow(state), { message: 'Tartaglia', detail, buttons: ['OK'], noLink: true })
    },
    quit() {
      if (mayClose(state, quits)) app.quit()
    },
  }
}

/** See `keepAwake`. */
export function stayAwake(state: DesktopState): void {
  state.awake = keepAwake(state, powerSaveBlocker)
}

/** Shows the progress of all running contests at the app's icon. */
export function showRunning({ running, window }: DesktopState): void {
  const total = running.reduce((sum, { progress }) => sum + progress.total, 0)
  const done = running.reduce((sum, { progress }) => sum + progress.done, 0)
  // Below 0: no bar.
  window?.setProgressBar(total === 0 ? -1 : done / total)
}
