import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ExpectedError } from '../../contract/expected-error.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { readBytes } from '../files/read-file.ts'
import { FILES_MAX, PACKAGE_BYTES_MAX, PackageProblem, whyUnsafe } from '../packages/files.ts'
import { readZip } from '../packages/zip.ts'
import { MANIFEST } from './dossier-folder.ts'

const DEPTH_MAX = 8

/**
 * The files of a dossier that somebody has, a zip or a folder, by their paths in it. Links are not followed, and a zip is unpacked in
 * memory within the limits of packages. Rejects with ExpectedError 'usage' if it cannot be read or is not a dossier.
 */
export async function openDossier(path: string, name = path): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory() === true) return inOneFolder(await readFolder(path), name)
  return unzippedDossier(await readBytes(path, PACKAGE_BYTES_MAX), name)
}

/** The same for the bytes of a zip. Throws like it. */
export function unzippedDossier(bytes: Uint8Array, name: string): ReadonlyMap<string, Uint8Array> {
  const entries = readZip(bytes)
  if (entries instanceof PackageProblem) throw refusal(name, entries)
  const files = new Map<string, Uint8Array>()
  for (const { path, size, read } of entries) {
    const content = read(size)
    if (content instanceof PackageProblem)
      throw refusal(name, new PackageProblem(content.code, `${JSON.stringify(path)}: ${content.why}`))
    files.set(path, content)
  }
  return inOneFolder(files, name)
}

async function readFolder(folder: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  let left = PACKAGE_BYTES_MAX
  const visit = async (below: string, depth: number): Promise<void> => {
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch((error: unknown) => {
      throw machineErrorFrom(error, 'read the folder', folder)
    })
    for (const entry of entries) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory() && depth < DEPTH_MAX) await visit(path, depth + 1)
      if (!entry.isFile()) continue
      if (files.size >= FILES_MAX)
        throw refusal(folder, new PackageProblem('archive-too-many-files', `it holds more than ${FILES_MAX} files`))
      const bytes = await readBytes(join(folder, path), left)
      left -= bytes.length
      files.set(path, bytes)
    }
  }
  await visit('', 1)
  const unsafe = whyUnsafe([...files.keys()])
  if (unsafe !== null) throw refusal(folder, unsafe)
  return files
}

/** The files in the one folder that has a manifest, by their paths in there. */
function inOneFolder(files: ReadonlyMap<string, Uint8Array>, name: string): ReadonlyMap<string, Uint8Array> {
  const manifests = [...files.keys()].filter((path) => path === MANIFEST || path.endsWith(`/${MANIFEST}`))
  const [manifest] = manifests
  if (manifest === undefined || manifests.length > 1)
    throw new ExpectedError('usage', 'dossier-invalid', `${name} is not a dossier: it has no ${MANIFEST}, or several.`)
  const prefix = manifest.slice(0, -MANIFEST.length)
  // A file outside of that folder is not a part of the dossier, which the report says.
  return new Map(
    [...files].map(([path, bytes]) => [path.startsWith(prefix) ? path.slice(prefix.length) : `../${path}`, bytes]),
  )
}

function refusal(name: string, { code, why }: PackageProblem): ExpectedError {
  const other = code === 'not-a-zip' ? ` "tartaglia history verify" checks a match or the record of a case.` : ''
  return new ExpectedError('usage', code, `${name} cannot be opened as a dossier: ${why}.${other}`)
}
