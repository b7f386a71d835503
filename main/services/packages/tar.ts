import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { FILES_MAX, PACKAGE_BYTES_MAX, PackageProblem, whyUnsafe, type PackageFile } from './files.ts'

const block = 512
const nameBytes = 100
const prefixBytes = 155
const file = '0'
const folder = '5'

/**
 * Writes a tar archive (POSIX ustar) of plain files that everybody may read and run; equal files give equal bytes. A program is known by
 * the hash of these bytes, in classes, histories and signed entries. tar-stream, which reads the archives of others below, fills the
 * numeric fields of a header in another way: with it, every program would get a new hash.
 */
export function writeTar(files: readonly PackageFile[]): Uint8Array {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1))
  const blocks = sorted.flatMap(({ path, bytes }) => [tarHeader(path, bytes.length), bytes, tarFill(bytes.length)])
  return Buffer.concat([...blocks, tarEnd])
}

/** The end of an archive. */
export const tarEnd = Buffer.alloc(2 * block)

/** The zeros that follow a file of a size up to the next header. */
export function tarFill(size: number): Buffer {
  return Buffer.alloc((block - (size % block)) % block)
}

/** The header of a plain file. `mode`: its permissions in octal. Throws Error if the path is too long. */
export function tarHeader(path: string, size: number, mode = '755'): Buffer {
  const header = Buffer.alloc(block)
  const [prefix, name] = splitPath(path)
  header.write(name, 0)
  header.write(`${mode.padStart(7, '0')}\0`, 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write(file, 156)
  header.write('ustar\u000000', 257)
  header.write(prefix, 345)
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** Splits a path that is longer than the name field at a slash. `whyUnsafe` refuses paths that would not fit. */
function splitPath(path: string): readonly [string, string] {
  if (Buffer.byteLength(path) <= nameBytes) return ['', path]
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)]
    if (Buffer.byteLength(name) <= nameBytes && Buffer.byteLength(prefix) <= prefixBytes) return [prefix, name]
  }
  throw new Error(`the path ${path} fits into no archive`)
}

/**
 * Reads a tar archive that `writeTar` wrote, or that claims so and may be hostile, without waiting and without copying its files. Returns its files without folders, or the problem that makes it
 * unusable.
 */
export function readTar(bytes: Uint8Array): readonly PackageFile[] | PackageProblem {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const files: PackageFile[] = []
  let total = 0
  let at = 0
  for (;;) {
    if (at + block > archive.length) return new PackageProblem('archive-cut-off', 'its archive is cut off')
    const header = readTarHeader(archive.subarray(at, at + block))
    if (header === 'end') break
    if (header === null) return new PackageProblem('archive-damaged', 'its archive is damaged')
    const { path, size, type } = header
    at += block
    if (at + size > archive.length) return new PackageProblem('archive-cut-off', 'its archive is cut off')
    if (type === 'file') {
      total += size
      if (files.length >= FILES_MAX)
        return new PackageProblem('archive-too-many-files', `it holds more than ${FILES_MAX} files`)
      if (total > PACKAGE_BYTES_MAX)
        return new PackageProblem('archive-too-large', `it holds more than ${PACKAGE_BYTES_MAX >> 20} MB`)
      files.push({ path, bytes: archive.subarray(at, at + size) })
    } else if (type !== 'folder' || size !== 0) {
      return new PackageProblem('archive-link', `${JSON.stringify(path)} is neither a file nor a folder`)
    }
    at += Math.ceil(size / block) * block
  }
  return whyUnsafe(files.map(({ path }) => path)) ?? files
}

/** A header of an archive, which may be hostile. */
export interface TarHeader {
  readonly path: string
  /** Bytes that follow it. */
  readonly size: number
  /** `about`: what follows describes the next file or all files, such as a long name. `other`: a link or a device. */
  readonly type: 'file' | 'folder' | 'about' | 'other'
}

/** The size of a header; the content of files is filled up to a multiple of it. */
export const TAR_BLOCK = block

/** Reads a header of 512 bytes. null: it is damaged, or the archive is not ustar, pax or GNU. */
export function readTarHeader(header: Buffer): TarHeader | 'end' | null {
  if (header.every((byte) => byte === 0)) return 'end'
  const size = numberOf(header, 124, 12)
  if (size === null || numberOf(header, 148, 8) !== sumOf(header) || textOf(header, 257, 5) !== 'ustar') return null
  const [name, prefix, type] = [textOf(header, 0, nameBytes), textOf(header, 345, prefixBytes), textOf(header, 156, 1)]
  const path = (prefix === '' ? name : `${prefix}/${name}`).replace(/^\.\//, '')
  if (type === file || type === '') return { path, size, type: 'file' }
  if (type === folder) return { path, size, type: 'folder' }
  return { path, size, type: ['x', 'g', 'L', 'K'].includes(type) ? 'about' : 'other' }
}

/** The header's checksum is computed with spaces in its own field. */
function sumOf(header: Buffer): number {
  let sum = 0
  for (let at = 0; at < block; at++) sum += at >= 148 && at < 156 ? 32 : header[at]!
  return sum
}

function textOf(header: Buffer, at: number, length: number): string {
  const field = header.subarray(at, at + length)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end === -1 ? length : end)
}

function numberOf(header: Buffer, at: number, length: number): number | null {
  const digits = textOf(header, at, length).trim()
  return /^[0-7]{1,11}$/.test(digits) ? Number.parseInt(digits, 8) : null
}

/** The maximum size of an archive: its files, with a header and the rest of a block for each, and long names. */
const ARCHIVE_BYTES_MAX = PACKAGE_BYTES_MAX + FILES_MAX * 4_096
const unpack = promisify(gunzip)

/** Unpacks a gzip, or returns the problem. */
export async function gunzipped(bytes: Uint8Array): Promise<Uint8Array | PackageProblem> {
  try {
    return await unpack(bytes, { maxOutputLength: ARCHIVE_BYTES_MAX })
  } catch (error) {
    if (error instanceof RangeError)
      return new PackageProblem('archive-too-large', `it unpacks to more than ${PACKAGE_BYTES_MAX >> 20} MB`)
    const begins = bytes[0] === 0x1f && bytes[1] === 0x8b
    const isCut = begins && error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR'
    return isCut
      ? new PackageProblem('archive-cut-off', 'it is a gzip file whose end is missing; make it or copy it again')
      : new PackageProblem('not-a-gzip', 'it is not a gzip file, or it is damaged')
  }
}

/**
 * Reads a tar archive that another program wrote, in any of the usual formats (ustar, pax, GNU). Returns its files, or
 * the problem. Folders are left out; the files' paths contain them.
 */
export async function readForeignTar(bytes: Uint8Array): Promise<readonly PackageFile[] | PackageProblem> {
  const archive = extract()
  archive.end(bytes)
  const files: PackageFile[] = []
  let total = 0
  try {
    for await (const entry of archive) {
      const { name, type, size } = entry.header
      const path = name.replace(/^\.\//, '').normalize()
      if (type === 'file' || type === 'contiguous-file') {
        total += size
        if (files.length >= FILES_MAX)
          return new PackageProblem('archive-too-many-files', `it holds more than ${FILES_MAX} files`)
        if (total > PACKAGE_BYTES_MAX)
          return new PackageProblem('archive-too-large', `it holds more than ${PACKAGE_BYTES_MAX >> 20} MB`)
        const parts: Uint8Array[] = []
        for await (const part of entry) parts.push(part as Uint8Array)
        files.push({ path, bytes: Buffer.concat(parts) })
      } else if (type === 'directory') {
        entry.resume()
      } else {
        return new PackageProblem('archive-link', `${JSON.stringify(path)} is neither a file nor a folder`)
      }
    }
  } catch (error) {
    const cut = error instanceof Error && /unexpected end/i.test(error.message)
    return cut
      ? new PackageProblem('archive-cut-off', 'its archive is cut off')
      : new PackageProblem('archive-damaged', 'its archive is damaged')
  }
  return whyUnsafe(files.map(({ path }) => path)) ?? files
}
