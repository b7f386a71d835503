import type { GivenFile } from '../../parts/files/given-files.ts'
import { bytesOf, contentOf } from '../../files.ts'
import { storedZip } from '../../parts/files/stored-zip.ts'

/**
 * The file to hand in: a single file as it is, several as a zip, without the folder that contains them all. Files are in the order of
 * their paths, so that equal folders give equal bytes. Rejects with a CallFailure if one cannot be read.
 */
export async function asOneFile(given: readonly GivenFile[]): Promise<File> {
  const [first] = given
  if (first !== undefined && given.length === 1) return first.file
  const folder = commonFolder(given)
  const files: (readonly [string, Uint8Array])[] = []
  for (const { file, path } of given.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
    files.push([folder === '' ? path : path.slice(folder.length + 1), bytesOf(await contentOf(file))])
  return new File(storedZip(files), `${folder === '' ? 'agent' : folder}.zip`)
}

/** The first folder of all paths; '': they have none in common. */
function commonFolder(given: readonly GivenFile[]): string {
  const folders = new Set(given.map(({ path }) => (path.includes('/') ? path.split('/', 1).join('') : '')))
  return folders.size === 1 ? [...folders].join('') : ''
}
