import { lstat, mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { writeSynced } from '../../administrator/classroom/synced-file.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { defaultDataFolder } from '../machine/data-folder.ts'
import { isStrongToken, newToken } from './token.ts'

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
