import { historyPathOf } from '../../contract/evidence/dossier-paths.ts'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DossierFile, KeptDossier } from '../../contract/evidence/dossiers.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ContestId, MatchNumber, Sha256 } from '../../contract/ids.ts'
import { canonicalText, sha256 } from '../../histories/canonical.ts'
import { keyText, type SigningKey } from '../../histories/keys.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { resources } from '../machine/resources.ts'
import {
  DOSSIER,
  FOLDER_BYTES_MAX,
  KEY_FILE,
  MANIFEST,
  matchOfItem,
  PAGE,
  rulePath,
  signedManifest,
  VERIFIER,
} from './dossier-folder.ts'
import { dossierPage } from './dossier-page.ts'

/** A history of which a copy was made. */
export interface CopiedHistory {
  readonly sha256: Sha256
  readonly bytes: number
}

/** Copies an exported match, at most `most` bytes, to the path `into`; null: the class has no match with this head any more. */
export type HistoryReader = (
  match: { readonly contest: ContestId; readonly match: MatchNumber; readonly head: Sha256 },
  most: number,
  into: string,
) => Promise<CopiedHistory | null>

/** The files of a dossier: their paths in it, in the order of the zip, and their names in the folder in which they were written. */
export type WrittenFiles = readonly (readonly [path: string, name: string])[]

/**
 * Writes all files of a dossier to a folder, the manifest last. Histories do not come into the memory of this process. Rejects with
 * ExpectedError `too-large`, and like `history` and the key.
 */
export async function writeDossierFiles(
  { title, items }: KeptDossier,
  { by, written, key, history }: { by: string; written: string; key: SigningKey; history: HistoryReader },
  folder: string,
): Promise<WrittenFiles> {
  const hashes = new Map<string, Sha256>()
  const files: [path: string, name: string][] = []
  const named = (path: string): string => {
    const name = String(files.length)
    files.push([path, name])
    return join(folder, name)
  }
  const add = async (path: string, content: string | Uint8Array): Promise<void> => {
    hashes.set(path, sha256(content))
    const file = named(path)
    await writeFile(file, content, { mode: 0o600 }).catch((error: unknown) => {
      throw machineErrorFrom(error, 'write', file)
    })
  }
  const dossier: DossierFile = { format: 'tartaglia-dossier/1', title, by, written, items }
  await add(DOSSIER, `${canonicalText(dossier)}\n`)
  await add(PAGE, dossierPage(dossier, key.publicKey))
  await add(VERIFIER, await shippedVerifier())
  await add(KEY_FILE, `${keyText(key.publicKey)}\n`)
  let left = FOLDER_BYTES_MAX
  for (const item of items) {
    const match = matchOfItem(item)
    if (match === null || hashes.has(historyPathOf(match.contest, match.match))) continue
    const path = historyPathOf(match.contest, match.match)
    const copied = await history(match, left, named(path))
    if (copied === null)
      throw new ExpectedError(
        'usage',
        'match-unknown',
        `Match ${match.match} of ${match.contest} is not in the class any more: remove what refers to it, and download the dossier then.`,
      )
    left -= copied.bytes
    hashes.set(path, copied.sha256)
  }
  for (const item of items)
    if (item.kind === 'rule' && !hashes.has(rulePath(item.sha256))) await add(rulePath(item.sha256), item.text)
  const manifest = signedManifest(hashes, key)
  await add(MANIFEST, manifest)
  return files
}

async function shippedVerifier(): Promise<Uint8Array> {
  const path = join(resources.evidence, VERIFIER)
  try {
    return await readFile(path)
  } catch (error) {
    throw machineErrorFrom(error, 'read', path)
  }
}

/** The refusal of a history that makes a dossier too large. */
export function tooLarge(): ExpectedError {
  return new ExpectedError(
    'usage',
    'too-large',
    `The histories of a dossier may have ${FOLDER_BYTES_MAX >> 20} MB together: make a second dossier for some of them.`,
  )
}
