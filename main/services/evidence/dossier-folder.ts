import { dossierManifest, type DossierItem } from '../../contract/evidence/dossiers.ts'
import type { ContestId, MatchNumber, Sha256 } from '../../contract/ids.ts'
import { canonicalText, sha256 } from '../../histories/canonical.ts'
import { signedBy, type SigningKey } from '../../histories/keys.ts'
import type { z } from 'zod'

// The folder of a downloaded dossier. Its files are listed with their hashes in `manifest.json`, which the class signs. verify.py reads the
// same names.

export const MANIFEST = 'manifest.json'
export const DOSSIER = 'dossier.json'
export const PAGE = 'index.html'
export const VERIFIER = 'verify.py'
export const KEY_FILE = 'keys/class.pub'
const FORMAT = 'tartaglia-dossier/1'

/** The most bytes that the files of a dossier have together, as far as it is downloaded and opened. */
export const FOLDER_BYTES_MAX = 60 * 1024 * 1024

type Manifest = z.infer<typeof dossierManifest>

export function rulePath(hash: Sha256): string {
  return `rules/${hash}.txt`
}

/** The match to which an item refers; null: none. */
export function matchOfItem(
  item: DossierItem,
): { readonly contest: ContestId; readonly match: MatchNumber; readonly head: Sha256 } | null {
  if ('reference' in item) return item.reference
  return item.kind === 'verdict' ? item : null
}

/** The manifest of all other files of a folder, whose hashes are given by path, with its line break. */
export function signedManifest(files: ReadonlyMap<string, Sha256>, key: SigningKey): string {
  const hashes = Object.fromEntries(files)
  const manifest: Manifest = {
    format: FORMAT,
    files: hashes,
    key: key.publicKey,
    signature: key.sign(signedText(hashes)),
  }
  return `${canonicalText(manifest)}\n`
}

function signedText(files: Manifest['files']): string {
  return canonicalText({ files, format: FORMAT, signs: 'tartaglia dossier' })
}

/** The manifest of a folder if all of its files are as they were signed, or the first problem as a clause. */
export function readManifest(files: ReadonlyMap<string, Uint8Array>): Manifest | string {
  const bytes = files.get(MANIFEST)
  if (bytes === undefined) return `${MANIFEST} is missing`
  let value: unknown
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    value = JSON.parse(text)
  } catch {
    return `${MANIFEST} was changed: it is not JSON`
  }
  const read = dossierManifest.safeParse(value)
  if (!read.success) return `${MANIFEST} was changed: it does not have the form of a manifest`
  const manifest = read.data
  if (`${canonicalText(manifest)}\n` !== text) return `${MANIFEST} was changed: it is not in canonical form`
  const missing = [DOSSIER, PAGE, VERIFIER].find((path) => !Object.hasOwn(manifest.files, path))
  if (missing !== undefined) return `${missing} is not listed`
  for (const [path, hash] of Object.entries(manifest.files)) {
    const found = files.get(path)
    if (found === undefined) return `${path} is missing`
    if (sha256(found) !== hash) return `${path} was changed`
  }
  const isSigned = signedBy(manifest.key, signedText(manifest.files), manifest.signature)
  return isSigned ? manifest : `the signature of ${MANIFEST} is not by its key`
}
