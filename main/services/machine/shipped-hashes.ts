import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'
import { sha256Hex } from '../../contract/ids.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { resources as own, type Resources } from './resources.ts'

/** The SHA-256 of the files outside the archive that are run; scripts/package.mjs writes them into the archive. */
const shippedHashes = z.strictObject({
  node: sha256Hex,
  worker: sha256Hex,
  reader: sha256Hex,
  agentHost: sha256Hex,
  bundler: sha256Hex,
  esbuild: sha256Hex,
  /** Absent: the package has none. */
  spawner: sha256Hex.optional(),
})

/**
 * Compares the files that a package runs outside its archive with the hashes inside. Does nothing outside a package.
 * Throws ExpectedError 'host' that names a file that differs; nothing must be run then.
 */
export async function checkShipped(resources: Resources = own): Promise<void> {
  if (resources.hashes === null) return
  const parsed = shippedHashes.safeParse(await readJson(resources.hashes))
  if (!parsed.success) throw damaged(resources.hashes)
  const { data } = parsed
  await Promise.all(
    (['node', 'worker', 'reader', 'agentHost', 'bundler', 'esbuild', 'spawner'] as const).map(async (name) => {
      const file = resources[name]
      if ((await hashOf(file)) !== (data[name] ?? null)) throw damaged(file)
    }),
  )
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return null
  }
}

/** null: the file cannot be read. */
async function hashOf(file: string): Promise<string | null> {
  const hash = createHash('sha256')
  return pipeline(createReadStream(file, { highWaterMark: 1_048_576 }), hash).then(
    () => hash.digest('hex'),
    () => null,
  )
}

function damaged(file: string): ExpectedError {
  return new ExpectedError(
    'host',
    'installation-damaged',
    `${file} is not the file that came with Tartaglia. Reinstall Tartaglia.`,
  )
}
