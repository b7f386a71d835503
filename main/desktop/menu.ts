import type { MenuItemConstructorOptions } from 'electron'
import { basename } from 'node:path'
import type { KnownClass } from '../contract/procedures/classes.ts'

/** Actions of the menu. */
export interface MenuActions {
  open(kind: 'history' | 'agent' | 'challenge'): void
  openRecent(path: string): void
  clearRecent(): void
  /** Asks for the folder of a class. */
  chooseClass(): void
  openClass(folder: string): void
  /** A screen's address, such as `#/contests`. */
  go(screen: string): void
  /** Shows the documentation as pages. */
  docs(): void
  about(): void
  quit(): void
}

export interface MenuFacts {
  readonly platform: NodeJS.Platform
  readonly packaged: boolean
  readonly recent: readonly string[]
  /** The other classes, the last one first. */
  readonly classes: readonly KnownClass[]
}

const screens = [
  ['Class', '#/class'],
  ['Agents', '#/agents'],
  ['Challenges', '#/challenges'],
  ['Contests', '#/contests'],
  ['Histories', '#/histories'],
  ['Settings', '#/settings'],
] as const

const line: MenuItemConstructorOptions = { type: 'separator' }

/** The menu bar as data. */
export function menuTemplate(facts: MenuFacts, actions: MenuActions): MenuItemConstructorOptions[] {
  const mac = facts.platform === 'darwin'
  const about: MenuItemConstructorOptions = { label: 'About Tartaglia', click: () => actions.about() }
  const quit: MenuItemConstructorOptions = {
    label: mac ? 'Quit Tartaglia' : facts.platform === 'win32' ? 'Exit' : 'Quit',
    accelerator: 'CmdOrCtrl+Q',
    click: () => actions.quit(),
  }
  const app: MenuItemConstructorOptions = {
    label: 'Tartaglia',
    submenu: [about, line, { role: 'hide' }, { role: 'hideOthers' }, { role: 'unhide' }, line, quit],
  }
  return [
    ...(mac ? [app] : []),
    {
      label: '&File',
      submenu: [
        { label: 'New Contest…', accelerator: 'CmdOrCtrl+N', click: () => actions.go('#/contests/new') },
        line,
        { label: 'Open History…', accelerator: 'CmdOrCtrl+O', click: () => actions.open('history') },
        { label: 'Hand in Agent…', accelerator: 'CmdOrCtrl+Shift+O', click: () => actions.open('agent') },
        { label: 'Check Challenge…', click: () => actions.open('challenge') },
        { label: 'Open Recent', submenu: recentItems(facts.recent, actions) },
        line,
        { label: 'Open Class…', click: () => actions.chooseClass() },
        { label: 'Open Recent Class', submenu: classItems(facts.classes, actions) },
        { label: 'New Class…', click: () => actions.go('#/classes') },
        { label: 'New Term from This Class…', click: () => actions.go('#/classes') },
        line,
        ...(mac ? [{ role: 'close' } as const] : [quit]),
      ],
    },
    { label: '&Edit', role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        ...screens.map(([label, screen]) => ({ label, click: () => actions.go(screen) })),
        line,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        line,
        { role: 'reload' },
        ...(facts.packaged ? [] : [{ role: 'toggleDevTools' } as const]),
      ],
    },
    { label: '&Window', role: 'windowMenu' },
    {
      label: '&Help',
      role: 'help',
      submenu: [
        { label: 'Manual', accelerator: 'F1', click: () => actions.go('#/help') },
        { label: 'All Documentation', click: () => actions.docs() },
        { label: 'Check This Machine', click: () => actions.go('#/settings') },
        ...(mac ? [] : [about]),
      ],
    },
  ]
}

function classItems(classes: readonly KnownClass[], actions: MenuActions): MenuItemConstructorOptions[] {
  if (classes.length === 0) return [{ label: 'No Other Class Yet', enabled: false }]
  return classes.map(({ folder, name }) => ({
    label: name.replaceAll('&', '&&'),
    toolTip: folder,
    click: () => actions.openClass(folder),
  }))
}

function recentItems(recent: readonly string[], actions: MenuActions): MenuItemConstructorOptions[] {
  if (recent.length === 0) return [{ label: 'No Files Yet', enabled: false }]
  return [
    // In a menu & marks an access key; && is a literal &.
    ...recent.map((path) => ({
      label: basename(path).replaceAll('&', '&&'),
      toolTip: path,
      click: () => actions.openRecent(path),
    })),
    line,
    { label: 'Clear', click: () => actions.clearRecent() },
  ]
}
