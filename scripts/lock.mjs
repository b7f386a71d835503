// One process at a time: a lock file in .cache/ that names its owner. A lock whose owner has died is taken over.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const cache = join(dirname(dirname(fileURLToPath(import.meta.url))), '.cache')

/** Runs `work` while holding the lock `name`; waits for its present holder. */
export async function withLock(name, work) {
  const file = join(cache, `${name}.lock`)
  mkdirSync(cache, { recursive: true })
  while (!take(file)) {
    if (abandoned(file)) rmSync(file, { force: true })
    else await sleep(50)
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function abandoned(file) {
  try {
    const owner = Number(readFileSync(file, 'utf8'))
    // Created a moment ago and its number not yet written, or left so by a crash.
    if (!Number.isInteger(owner) || owner <= 0) return Date.now() - statSync(file).mtimeMs > 5_000
    if (owner === process.pid) return true
    process.kill(owner, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}
