import { lstat, mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { writeSynced } from '../../administrator/classroom/synced-file.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { defaultDataFolder } from '../machine/data-folder.ts'
import { randomBytes } from 'node:crypto'

/**
 * The tokens that this user of this machine has used last, by the address of the Redis. So a worker and a classroom of one
 * user on one machine find each other without naming the token twice; for others the classroom prints it.
 */
const content = z.record(z.string().max(1_000), z.string().min(1).max(1_000))

/** Addresses that are kept. */
const MOST = 100

const fileOf = (folder: string): string => join(folder, 'cluster-tokens.json')

/** The folder of a user's worker, beside the data folder. */
export const workerFolder = (): string => join(dirname(defaultDataFolder()), 'tartaglia-worker')

/** null: none is kept, it is a word as older versions accepted it, or the file could be another user's. */
export async function keptToken(address: string, folder = workerFolder()): Promise<string | null> {
  const { [address]: token = '' } = await read(folder)
  return isStrongToken(token) ? token : null
}

/** Keeps a token as the one used last. Throws MachineError. */
export async function keepToken(address: string, token: string, folder = workerFolder()): Promise<void> {
  const { [address]: known, ...others } = await read(folder)
  if (known === token) return
  const kept = [...Object.entries(others).slice(1 - MOST), [address, token]]
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeSynced(fileOf(folder), `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
  } catch (error) {
    throw machineErrorFrom(error, 'keep the token in', folder)
  }
}

/** The kept token, or a new one, which is then kept. Throws MachineError. */
export async function keptOrNewToken(address: string, folder = workerFolder()): Promise<string> {
  const known = await keptToken(address, folder)
  if (known !== null) return known
  const token = newToken()
  await keepToken(address, token, folder)
  return token
}

async function read(folder: string): Promise<Readonly<Record<string, string>>> {
  try {
    const file = fileOf(folder)
    const { uid, mode } = await lstat(file)
    const own = process.getuid?.()
    // A folder such as /tmp lets others put a file there first.
    if (own !== undefined && (uid !== own || (mode & 0o077) !== 0)) return {}
    const parsed = content.safeParse(JSON.parse(await readFile(file, 'utf8')))
    return parsed.success ? parsed.data : {}
  } catch {
    return {}
  }
}

/** Bytes of a new token: 128 bits, which nobody finds by trying. */
const BYTES = 16
/** Hex digits of a token. More than those of a new one are accepted. */
const [DIGITS_MIN, DIGITS_MAX] = [2 * BYTES, 128]
/** Different digits in a token. About forty in a billion random ones of 32 digits have fewer, and are not given out. */
const DIFFERENT_MIN = 8

/** A new token of 128 random bits, as 32 hex digits. */
export function newToken(): string {
  const token = randomBytes(BYTES).toString('hex')
  return isStrongToken(token) ? token : newToken()
}

/** True for a token that was made by a program: random hex digits, at least 128 bits. A word that somebody thought of can be found by trying. */
export function isStrongToken(token: string): boolean {
  const { length } = token
  return (
    length >= DIGITS_MIN && length <= DIGITS_MAX && /^[0-9a-f]+$/.test(token) && new Set(token).size >= DIFFERENT_MIN
  )
}
