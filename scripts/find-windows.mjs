// The means of this machine to show a window: a display, Electron, a browser.
import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { note, root } from './setup.mjs'

/** Longest that the download of Electron, about 110 MB, may take: ms. */
const downloadMost = 300_000

/** True if windows can be shown. */
export function hasDisplay(platform, env) {
  if (platform === 'win32' || platform === 'darwin') return !env.SSH_CONNECTION
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
}

/**
 * The official Electron, fetched by its npm package when it is not there yet: `{ path, version }`, or `{ why }`. Whatever
 * other build the environment names is not looked at.
 */
export async function findElectron() {
  const folder = join(root, 'node_modules', 'electron')
  if (!existsSync(folder)) return { why: 'Electron is not installed' }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const found = () => {
    try {
      const path = join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8'))
      const made = readFileSync(join(folder, 'dist', 'version'), 'utf8')
        .trim()
        .replace(/^v/, '')
      return made === version && existsSync(path) ? { path, version } : null
    } catch {
      return null
    }
  }
  return (
    found() ??
    ((note(`Fetching Electron ${version}, once.`), await fetchElectron(folder)) ? found() : null) ?? {
      why: 'Electron could not be downloaded',
    }
  )
}

/** Resolves to whether it worked. */
function fetchElectron(folder) {
  const env = { ...process.env }
  delete env.ELECTRON_OVERRIDE_DIST_PATH
  const child = spawn(process.execPath, [join(folder, 'install.js')], { env, stdio: 'ignore', timeout: downloadMost })
  return new Promise((resolve) => {
    child.on('error', () => resolve(false))
    child.on('close', (code) => resolve(code === 0))
  })
}

const kinds = [
  {
    name: 'Chrome',
    linux: ['google-chrome-stable', 'google-chrome'],
    darwin: 'Google Chrome',
    win32: 'Google\\Chrome\\Application\\chrome.exe',
  },
  {
    name: 'Chromium',
    linux: ['chromium', 'chromium-browser'],
    darwin: 'Chromium',
    win32: 'Chromium\\Application\\chrome.exe',
  },
  {
    name: 'Edge',
    linux: ['microsoft-edge-stable', 'microsoft-edge'],
    darwin: 'Microsoft Edge',
    win32: 'Microsoft\\Edge\\Application\\msedge.exe',
  },
]

/** An installed browser that can show a page in a window of its own: `{ path, name }`, or null. */
export function findBrowser(platform, env) {
  for (const kind of kinds) {
    for (const path of places(kind, platform, env)) if (usable(path)) return { path, name: kind.name }
  }
  return null
}

function places({ linux, darwin, win32 }, platform, env) {
  if (platform === 'win32') {
    return [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA]
      .filter(Boolean)
      .map((folder) => join(folder, win32))
  }
  if (platform === 'darwin') {
    const inside = join(`${darwin}.app`, 'Contents', 'MacOS', darwin)
    return [join('/Applications', inside), join(env.HOME ?? '/', 'Applications', inside)]
  }
  return linux.flatMap((name) => onPath(name, env))
}

/** Snaps see no hidden folder, such as the one that data lies in. */
function usable(path) {
  try {
    accessSync(path, constants.X_OK)
    return (
      !realpathSync(path).startsWith('/snap/') &&
      !(path.endsWith('chromium-browser') && existsSync('/snap/bin/chromium'))
    )
  } catch {
    return false
  }
}

function onPath(name, env) {
  return (env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
}

/** Command and arguments, without the address, that open an address in the default browser; null: there is none. */
export function findOpener(platform, env) {
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  if (platform === 'darwin') return ['open']
  const path = onPath('xdg-open', env).find(usable)
  return path === undefined ? null : [path]
}

/**
 * Why a window did not even come up, judged by what its program wrote: in words, or null: it was there and has ended.
 * `error`: the program could not be started.
 */
export function whyNoWindow({ error, stderr }) {
  if (error) return `it cannot be started (${error.code ?? error.message})`
  const library = /error while loading shared libraries: ([^\s:]+)/.exec(stderr)?.[1]
  if (library !== undefined) return `the library ${library} is missing`
  if (/running as root without --no-sandbox|no usable sandbox|SUID sandbox helper/i.test(stderr)) {
    return 'this system does not allow its sandbox'
  }
  if (
    /missing x server|cannot open display|unable to open x display|ozone_platform_x11|failed to connect to wayland/i.test(
      stderr,
    )
  ) {
    return 'it cannot reach the display'
  }
  return null
}
