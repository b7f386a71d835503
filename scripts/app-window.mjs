// The classroom in a window of an installed Chrome, Chromium or Edge, with a profile of its own.
import { spawn } from 'node:child_process'
import { mkdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Opens a window at an address that lets one browser in. `closed` resolves when the browser has ended, to what it wrote on
 * stderr, or to the error because of which it did not start; `elsewhere`: the window belongs to a browser that ran before, so
 * that nobody can tell when it is closed.
 */
export function openAppWindow(browser, address, data) {
  const profile = join(data, 'browser')
  mkdirSync(profile, { recursive: true, mode: 0o700 })
  const elsewhere = inUse(profile)
  const door = writeDoor(profile, address)
  const args = [
    `--app=${pathToFileURL(door).href}`,
    `--user-data-dir=${profile}`,
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-mode',
    '--class=Tartaglia',
  ]
  const child = spawn(browser, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr = (stderr + text).slice(-20_000)))
  const closed = new Promise((resolve) => {
    child.on('error', (error) => resolve({ error, stderr, elsewhere: false }))
    child.on('exit', () => resolve({ stderr, elsewhere }))
  }).finally(() => rmSync(door, { force: true }))
  return { closed, close: () => child.kill() }
}

/** A page that leads to the address. A command line, where the address would stand otherwise, is there for all users to read. */
function writeDoor(profile, address) {
  const door = join(profile, 'open.html')
  rmSync(door, { force: true })
  const page = `<!doctype html><meta charset="utf-8"><title>Tartaglia</title><meta http-equiv="refresh" content="0;url=${address}">\n`
  writeFileSync(door, page, { mode: 0o600, flag: 'wx' })
  return door
}

/** True if a browser runs on the profile: left over from a start that was killed. */
function inUse(profile) {
  try {
    const owner = Number(/-(\d+)$/.exec(readlinkSync(join(profile, 'SingletonLock')))?.[1])
    process.kill(owner, 0)
    return true
  } catch {
    return false
  }
}
