import { promisify } from 'node:util'
import { crc32, deflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib'
import { FILES_MAX, PACKAGE_BYTES_MAX, PackageProblem, whyUnsafe } from './files.ts'

// Zip archives are read and written here rather than by a library. Packages are hostile and are looked at without a disk: reading takes a
// list of names first, refuses by that list alone (number, sizes, ratio, links, names), and unpacks one file at a time, never more than it
// announces. yauzl, the library that comes closest, reads the list in the same way and checks sizes while it streams; links, ratios, the total,
// checksums (crc32) and names that differ only in case would still be checked here, by as much code, and each read would become
// asynchronous. Node has the two parts that are easily done wrong, inflate and crc32. yauzl writes no archives.

/** A file of a zip. */
export interface ZipEntry {
  /** Relative, with forward slashes, safe according to files.ts. */
  readonly path: string
  /** The unpacked size in bytes that the zip announces. */
  readonly size: number
  /** Returns the contents, at most `most` bytes, or the problem that says why they cannot be read. */
  read(most: number): Uint8Array | PackageProblem
}

const END = 0x06054b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
const endBytes = 22
const centralBytes = 46
const localBytes = 30
const stored = 0
const deflated = 8
const encrypted = 1
const madeOnUnix = 3
const plainFile = 0o100000
const plainFolder = 0o040000
/** A file that grows by more than this factor when unpacked is meant to fill the disk; small files are exempt. */
const ratioMax = 200
const smallFile = 1024 * 1024

/**
 * Reads the list of files of a zip (APPNOTE 6.3, without ZIP64 and encryption). Returns the files, or the problem that
 * says why it is not a package. Checks limits and names before anything is unpacked.
 */
export function readZip(bytes: Uint8Array): readonly ZipEntry[] | PackageProblem {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const end = endOf(zip)
  if (end === null) {
    const begun = zip.length >= 4 && zip.readUInt32LE(0) === LOCAL
    return begun
      ? new PackageProblem('archive-cut-off', 'it is a zip file whose end is missing; make it or copy it again')
      : new PackageProblem('not-a-zip', 'it is not a zip file')
  }
  const count = zip.readUInt16LE(end + 10)
  if (count > FILES_MAX) return new PackageProblem('archive-too-many-files', `it holds more than ${FILES_MAX} files`)
  const entries: ZipEntry[] = []
  let total = 0
  let at = zip.readUInt32LE(end + 16)
  for (let i = 0; i < count; i++) {
    if (at + centralBytes > end || zip.readUInt32LE(at) !== CENTRAL)
      return new PackageProblem('archive-list-damaged', 'its list of files is damaged')
    const [name, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field)) as [number, number, number]
    const next = at + centralBytes + name + extra + comment
    if (next > end) return new PackageProblem('archive-list-damaged', 'its list of files is damaged')
    const path = zip
      .toString('utf8', at + centralBytes, at + centralBytes + name)
      .replaceAll('\\', '/')
      .normalize()
    const central = at
    at = next
    const mode = modeOf(zip, central)
    if (mode !== 0 && mode !== plainFile && mode !== plainFolder)
      return new PackageProblem('archive-link', `${JSON.stringify(path)} is a link or a device`)
    const [packed, size] = [zip.readUInt32LE(central + 20), zip.readUInt32LE(central + 24)]
    total += size
    if (total > PACKAGE_BYTES_MAX)
      return new PackageProblem('archive-too-large', `it unpacks to more than ${PACKAGE_BYTES_MAX >> 20} MB`)
    if (size > smallFile && size > packed * ratioMax)
      return new PackageProblem('archive-bomb', `${JSON.stringify(path)} is compressed suspiciously well`)
    if (!path.endsWith('/')) entries.push({ path, size, read: (most) => unpack(zip, central, most) })
  }
  return whyUnsafe(entries.map(({ path }) => path)) ?? entries
}

/** The Unix file type, or 0 if the zip has none. */
function modeOf(zip: Buffer, central: number): number {
  return zip[central + 5] === madeOnUnix ? (zip.readUInt32LE(central + 38) >>> 16) & 0o170000 : 0
}

/** The offset of the end record, which a comment may follow; null: there is none. */
function endOf(zip: Buffer): number | null {
  const first = Math.max(0, zip.length - endBytes - 65_535)
  for (let at = zip.length - endBytes; at >= first; at--) if (zip.readUInt32LE(at) === END) return at
  return null
}

function unpack(zip: Buffer, central: number, most: number): Uint8Array | PackageProblem {
  const flags = zip.readUInt16LE(central + 8)
  const method = zip.readUInt16LE(central + 10)
  const sum = zip.readUInt32LE(central + 16)
  const packed = zip.readUInt32LE(central + 20)
  const size = zip.readUInt32LE(central + 24)
  const local = zip.readUInt32LE(central + 42)
  if ((flags & encrypted) !== 0) return new PackageProblem('archive-encrypted', 'it is encrypted')
  if (method !== stored && method !== deflated)
    return new PackageProblem('archive-method-unknown', 'it uses an unknown compression method')
  if (size > most) return new PackageProblem('archive-too-large', `it is larger than ${most} bytes`)
  if (local + localBytes > zip.length || zip.readUInt32LE(local) !== LOCAL)
    return new PackageProblem('archive-damaged', 'the zip is damaged')
  const from = local + localBytes + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  const part = zip.subarray(from, from + packed)
  try {
    // Stops at the announced size, in case the zip understates it to fill the memory.
    const bytes = method === stored ? part : inflateRawSync(part, { maxOutputLength: Math.max(1, size) })
    return bytes.length === size && crc32(bytes) === sum
      ? bytes
      : new PackageProblem('archive-damaged', 'it is damaged')
  } catch {
    return new PackageProblem('archive-damaged', 'it is damaged')
  }
}

const utf8Names = 0x0800
const version = 20
/** The earliest date in the zip format, so that equal files give equal archives. */
const firstDay = 0x0021

/** A file that was compressed. */
interface PackedFile {
  readonly path: string
  readonly size: number
  readonly checksum: number
  readonly packed: Uint8Array
}

/** Writes a zip of files by path (relative, with forward slashes), in the given order; less than 4 GB in total. */
export function writeZip(files: ReadonlyMap<string, Uint8Array>): Buffer {
  return Buffer.concat([...zipPieces(files)])
}

/** The same piece by piece, with one file in memory at a time if the files are read one after the other. */
export function* zipPieces(files: Iterable<readonly [path: string, bytes: Uint8Array]>): Generator<Uint8Array> {
  function* packed(): Generator<PackedFile> {
    for (const [path, bytes] of files) yield packedFile(path, bytes, deflateRawSync(bytes))
  }
  yield* piecesOf(packed())
}

/** Like `writeZip`, between other work of this process: other threads compress. */
export async function writeZipInTurns(files: ReadonlyMap<string, Uint8Array>): Promise<Buffer> {
  const packed: PackedFile[] = []
  for (const [path, bytes] of files) packed.push(packedFile(path, bytes, await promisify(deflateRaw)(bytes)))
  return Buffer.concat([...piecesOf(packed)])
}

const packedFile = (path: string, bytes: Uint8Array, packed: Uint8Array): PackedFile => ({
  ...{ path, size: bytes.length, checksum: crc32(bytes), packed },
})

function* piecesOf(files: Iterable<PackedFile>): Generator<Uint8Array> {
  const list: Buffer[] = []
  let [at, count] = [0, 0]
  for (const { path, size, checksum, packed } of files) {
    const name = Buffer.from(path)
    // The part that both headers of a file share: version, flags, method, time, date, checksum, sizes, length of the
    // name, no extra field.
    const about = Buffer.alloc(26)
    about.writeUInt16LE(version, 0)
    about.writeUInt16LE(utf8Names, 2)
    about.writeUInt16LE(deflated, 4)
    about.writeUInt16LE(firstDay, 8)
    about.writeUInt32LE(checksum, 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(size, 18)
    about.writeUInt16LE(name.length, 22)
    yield* [Buffer.from('PK\x03\x04', 'latin1'), about, name, packed]
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    list.push(Buffer.from('PK\x01\x02', 'latin1'), uint16(version), about, rest, name)
    at += 30 + name.length + packed.length
    count++
  }
  const listBytes = list.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(listBytes, 8)
  end.writeUInt32LE(at, 12)
  yield* [...list, Buffer.from('PK\x05\x06', 'latin1'), end]
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
