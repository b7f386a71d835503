import { hash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sha256 } from '../../contract/ids.ts'
import { Trouble } from '../../contract/trouble.ts'
import { writeSynced } from './synced-file.ts'

/** Where an agent's package lies in a data folder: under its SHA-256, for ever the same. */
export function agentFile(data: string, agent: Sha256): string {
  return join(data, 'agents', `${agent}.js`)
}

export interface StoredAgent {
  readonly agent: Sha256
  /** The stored file had been changed since, and was put back. */
  readonly restored: boolean
}

/** Stores a script agent's file under the hash of its bytes; storing it twice changes nothing. */
export async function storeAgent(data: string, bytes: Uint8Array): Promise<StoredAgent> {
  const agent = hash('sha256', bytes)
  const path = agentFile(data, agent)
  const stored = await readFile(path).catch(() => null)
  const restored = stored !== null && hash('sha256', stored) !== agent
  if (stored === null || restored) {
    await mkdir(join(data, 'agents'), { recursive: true })
    await writeSynced(path, bytes)
  }
  return { agent, restored }
}

/** The stored bytes, checked against the hash. */
export async function readAgent(data: string, agent: Sha256): Promise<Uint8Array> {
  const path = agentFile(data, agent)
  const bytes = await readFile(path).catch(() => null)
  if (bytes === null) throw new Trouble('host', `The agent ${path} is missing from the data folder.`)
  if (hash('sha256', bytes) !== agent) throw new Trouble('host', `${path} was changed after it was handed in.`)
  return bytes
}
