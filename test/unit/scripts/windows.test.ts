import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'

type Environment = Readonly<Record<string, string>>
interface Program {
  readonly path: string
  readonly name: string
}
interface Machine {
  readonly display: boolean
  readonly root: boolean
  electron(): Promise<{ readonly path: string; readonly version: string } | { readonly why: string }>
  browser(): Program | null
  opener(): readonly string[] | null
}
interface Choice {
  readonly mode: string
  readonly line: string
  readonly path?: string
}

const load = (name: string): Promise<unknown> =>
  import(pathToFileURL(join(import.meta.dirname, '../../../scripts', name)).href)
const { chooseWindow } = (await load('choose-window.mjs')) as { chooseWindow(machine: Machine): Promise<Choice> }
const { findBrowser, findOpener, hasDisplay, whyNoWindow } = (await load('find-windows.mjs')) as {
  findBrowser(platform: string, env: Environment): Program | null
  findOpener(platform: string, env: Environment): readonly string[] | null
  hasDisplay(platform: string, env: Environment): boolean
  whyNoWindow(end: { readonly error?: Error; readonly stderr: string }): string | null
}

describe('which window', () => {
  const machine = (some: Partial<Machine>): Machine => ({
    display: true,
    root: false,
    electron: async () => ({ why: 'Electron could not be downloaded' }),
    browser: () => null,
    opener: () => null,
    ...some,
  })
  const here = { path: '/x/electron', version: '45.3.4' }
  const chromium = { path: '/usr/bin/chromium', name: 'Chromium' }

  test.each([
    ['no display', { display: false, electron: async () => here }, 'terminal', 'No display'],
    ['no display, as root', { display: false, root: true }, 'terminal', 'No display'],
    ['root', { root: true, electron: async () => here, browser: () => chromium }, 'serve', 'root'],
    ['Electron', { electron: async () => here, browser: () => chromium }, 'desktop', 'Electron 45.3.4'],
    ['a browser', { browser: () => chromium, opener: () => ['open'] }, 'window', 'Electron could not be downloaded'],
    ['an opener', { opener: () => ['open'] }, 'browser', 'neither Chrome nor Chromium nor Edge'],
    ['nothing', {}, 'serve', 'neither Chrome nor Chromium nor Edge'],
  ] satisfies [string, Partial<Machine>, string, string][])('%s', async (_, some, mode, why) => {
    const choice = await chooseWindow(machine(some))
    expect(choice.mode).toBe(mode)
    expect(choice.line).toContain(why)
    expect(choice.line).toMatch(/^[A-Z][^\n]*\.$/)
  })

  test('nothing is fetched where no window can be shown', async () => {
    const electron = vi.fn<Machine['electron']>()
    await chooseWindow(machine({ display: false, electron }))
    await chooseWindow(machine({ root: true, electron }))
    expect(electron).not.toHaveBeenCalled()
  })
})

describe('what is there', () => {
  let folder = ''
  beforeEach(() => (folder = temporaryFolder('windows')))

  const program = (...path: string[]): string => {
    const file = join(folder, ...path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
    chmodSync(file, 0o755)
    return file
  }

  test.each([
    ['linux', {}, false],
    ['linux', { DISPLAY: '' }, false],
    ['linux', { DISPLAY: ':0' }, true],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
    ['darwin', {}, true],
    ['darwin', { SSH_CONNECTION: '1' }, false],
    ['win32', {}, true],
  ])('a display: %s %j', (platform, env, expected) => {
    expect(hasDisplay(platform, env)).toBe(expected)
  })

  test('browsers on the path, Chrome first, and none that cannot be run', () => {
    const env = { PATH: [join(folder, 'a'), '', join(folder, 'b')].join(':') }
    expect(findBrowser('linux', env)).toBeNull()
    chmodSync(program('a', 'google-chrome'), 0o644)
    expect(process.getuid?.() === 0 ? null : findBrowser('linux', env)).toBeNull()
    const edge = program('b', 'microsoft-edge')
    expect(findBrowser('linux', env)).toEqual({ path: edge, name: 'Edge' })
    const chromium = program('b', 'chromium')
    expect(findBrowser('linux', env)).toEqual({ path: chromium, name: 'Chromium' })
    const chrome = program('b', 'google-chrome')
    expect(findBrowser('linux', env)).toEqual({ path: chrome, name: 'Chrome' })
  })

  test('browsers where macOS keeps them', () => {
    const path = program('Applications', 'Chromium.app', 'Contents', 'MacOS', 'Chromium')
    expect(findBrowser('darwin', { HOME: folder })).toEqual({ path, name: 'Chromium' })
  })

  test.skipIf(process.platform === 'win32')('the default browser', () => {
    expect(findOpener('linux', { PATH: folder })).toBeNull()
    const path = program('xdg-open')
    expect(findOpener('linux', { PATH: folder })).toEqual([path])
    expect(findOpener('darwin', {})).toEqual(['open'])
  })
})

describe('why there is no window', () => {
  test.each([
    ['chrome: error while loading shared libraries: libgtk-3.so.0: cannot open shared object file', 'libgtk-3.so.0'],
    ['[1:2:3:ERROR] Running as root without --no-sandbox is not supported.', 'sandbox'],
    ['[FATAL] No usable sandbox! If you are running on Ubuntu 23.10+', 'sandbox'],
    ['The SUID sandbox helper binary was found, but is not configured correctly.', 'sandbox'],
    ['[ERROR:ozone_platform_x11.cc] Missing X server or $DISPLAY', 'display'],
  ])('%s', (stderr, why) => {
    expect(whyNoWindow({ stderr })).toContain(why)
  })

  test('a program that cannot be started', () => {
    const error = Object.assign(new Error('spawn EACCES'), { code: 'EACCES' })
    expect(whyNoWindow({ error, stderr: '' })).toBe('it cannot be started (EACCES)')
  })

  test('one that was there and has ended does not count', () => {
    expect(whyNoWindow({ stderr: '[1:2:3:ERROR:dbus/bus.cc] Failed to connect to the bus' })).toBeNull()
  })
})
