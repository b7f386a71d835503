import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { FILES_MAX, PACKAGE_BYTES_MAX, whyUnsafe, type PackageFile } from './files.ts'

/** The maximum size of an archive: its files, with a header and the rest of a block for each, and long names. */
const ARCHIVE_BYTES_MAX = PACKAGE_BYTES_MAX + FILES_MAX * 4_096
const unpack = promisify(gunzip)

/** Unpacks a gzip, or returns a phrase that says why it holds no package. */
export async function gunzipped(bytes: Uint8Array): Promise<Uint8Array | string> {
  try {
    return await unpack(bytes, { maxOutputLength: ARCHIVE_BYTES_MAX })
  } catch (error) {
    const isTooLarge = error instanceof RangeError
    return isTooLarge
      ? `it unpacks to more than ${PACKAGE_BYTES_MAX >> 20} MB`
      : 'it is not a gzip file, or it is damaged'
  }
}

/**
 * Reads a tar archive that another program wrote, in any of the usual formats (ustar, pax, GNU). Returns its files, or
 * a phrase that says why it is not a package. Folders are left out; the files' paths contain them.
 */
export async function readForeignTar(bytes: Uint8Array): Promise<readonly PackageFile[] | string> {
  const archive = extract()
  archive.end(bytes)
  const files: PackageFile[] = []
  let total = 0
  try {
    for await (const entry of archive) {
      const { name, type, size } = entry.header
      const path = name.replace(/^\.\//, '')
      if (type === 'file' || type === 'contiguous-file') {
        total += size
        if (files.length >= FILES_MAX) return `it holds more than ${FILES_MAX} files`
        if (total > PACKAGE_BYTES_MAX) return `it holds more than ${PACKAGE_BYTES_MAX >> 20} MB`
        const parts: Uint8Array[] = []
        for await (const part of entry) parts.push(part as Uint8Array)
        files.push({ path, bytes: Buffer.concat(parts) })
      } else if (type === 'directory') {
        entry.resume()
      } else {
        return `${JSON.stringify(path)} is neither a file nor a folder`
      }
    }
  } catch (error) {
    const cut = error instanceof Error && /unexpected end/i.test(error.message)
    return cut ? 'its archive is cut off' : 'its archive is damaged'
  }
  return whyUnsafe(files.map(({ path }) => path)) ?? files
}
