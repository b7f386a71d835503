import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = 'port'

/** The port that a classroom was served at the last time; 0: none is known. */
export function lastPort(data: string): number {
  try {
    const text = readFileSync(join(data, FILE), 'latin1').trim()
    const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
    return port > 65_535 ? 0 : port
  } catch {
    return 0
  }
}

/** Keeps the port of an address for the next time. A classroom works without it, so nothing is said where that fails. */
export function keepPort(data: string, origin: string): void {
  try {
    writeFileSync(join(data, FILE), `${new URL(origin).port}\n`, { mode: 0o600 })
  } catch {
    // The next time there is another one.
  }
}
