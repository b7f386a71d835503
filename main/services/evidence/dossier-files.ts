import { historyPathOf } from '../../contract/evidence/dossier-paths.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DossierFile, DossierItem, KeptDossier } from '../../contract/evidence/dossiers.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ContestId, MatchNumber, Sha256 } from '../../contract/ids.ts'
import { canonicalText } from '../../histories/canonical.ts'
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

/** Returns an exported match, at most `most` bytes; null: the class has no match with this head any more. */
export type HistoryReader = (
  contest: ContestId,
  match: MatchNumber,
  head: Sha256,
  most: number,
) => Promise<Uint8Array | null>

/**
 * All files of a dossier by their paths, the manifest last. Rejects with ExpectedError `too-large`, and like `history` and the key.
 */
export async function dossierFiles(
  { title, items }: KeptDossier,
  { by, written, key, history }: { by: string; written: string; key: SigningKey; history: HistoryReader },
): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  const histories = await readHistories(items, history)
  const texts = items.flatMap((item) => (item.kind === 'rule' ? [[rulePath(item.sha256), item.text] as const] : []))
  const dossier: DossierFile = { format: 'tartaglia-dossier/1', title, by, written, items }
  const add = (path: string, text: string): unknown => files.set(path, Buffer.from(text))
  add(DOSSIER, `${canonicalText(dossier)}\n`)
  add(PAGE, dossierPage(dossier, key.publicKey))
  files.set(VERIFIER, await shippedVerifier())
  add(KEY_FILE, `${keyText(key.publicKey)}\n`)
  for (const [path, bytes] of histories) files.set(path, bytes)
  for (const [path, text] of texts) add(path, text)
  add(MANIFEST, signedManifest(files, key))
  return files
}

async function readHistories(
  items: readonly DossierItem[],
  history: HistoryReader,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  let left = FOLDER_BYTES_MAX
  for (const item of items) {
    const match = matchOfItem(item)
    if (match === null || files.has(historyPathOf(match.contest, match.match))) continue
    const bytes = await history(match.contest, match.match, match.head, left)
    if (bytes === null)
      throw new ExpectedError(
        'usage',
        'match-unknown',
        `Match ${match.match} of ${match.contest} is not in the class any more: remove what refers to it, and download the dossier then.`,
      )
    left -= bytes.length
    files.set(historyPathOf(match.contest, match.match), bytes)
  }
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
