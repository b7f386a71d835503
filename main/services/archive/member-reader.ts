import { ExpectedError } from '../../contract/expected-error.ts'
import { readTarHeader, TAR_BLOCK } from '../packages/tar.ts'
import { notOfClass, refused } from './manifest.ts'

/** The files of an archive one after the other, from a stream that may be hostile; a block is in memory at a time. */
export interface MemberReader {
  /**
   * Reads the header of the next file, after which `content` has to be read to its end; null: the archive is over. Throws ExpectedError
   * 'usage' for anything but a plain file, and for an archive that is damaged or cut off.
   */
  next(): Promise<{ readonly path: string; readonly size: number } | null>
  /** The content of the file of the last header. */
  content(): AsyncGenerator<Uint8Array>
}

/** `archive`: its name, for messages. */
export function readMembers(bytes: AsyncIterable<Uint8Array>, archive: string): MemberReader {
  const chunks = bytes[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  let left = 0
  let isFirst = true

  /** At most `most` bytes. Throws if there are none. */
  async function some(most: number): Promise<Buffer> {
    while (rest.length === 0) {
      const next = await chunks.next().catch((error: unknown) => {
        throw readingError(error, archive)
      })
      if (next.done === true)
        throw isFirst ? notOfClass(archive) : refused(archive, 'archive-cut-off', 'its end is missing')
      rest = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.length)
    }
    const taken = rest.subarray(0, most)
    rest = rest.subarray(taken.length)
    return taken
  }

  async function block(): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let missing = TAR_BLOCK; missing > 0;) {
      const part = await some(missing)
      parts.push(part)
      missing -= part.length
    }
    return Buffer.concat(parts)
  }

  /** Reads to the end of the stream, whose checksums are at its end. */
  async function drain(): Promise<void> {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        throw readingError(error, archive)
      })
      if (next.done === true) return
    }
  }

  return {
    async next() {
      const header = readTarHeader(await block())
      if (header === null) throw isFirst ? notOfClass(archive) : refused(archive, 'archive-damaged', 'it is damaged')
      isFirst = false
      if (header === 'end') {
        await drain()
        return null
      }
      if (header.type !== 'file')
        throw refused(archive, 'archive-link', `${JSON.stringify(header.path)} is not a plain file`)
      left = header.size
      return { path: header.path, size: header.size }
    },
    async *content() {
      let fill = (TAR_BLOCK - (left % TAR_BLOCK)) % TAR_BLOCK
      while (left > 0) {
        const part = await some(left)
        left -= part.length
        yield part
      }
      while (fill > 0) fill -= (await some(fill)).length
    },
  }
}

/** The error of a stream that unpacks or decrypts. */
function readingError(error: unknown, archive: string): unknown {
  if (error instanceof ExpectedError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'Z_BUF_ERROR') return refused(archive, 'archive-cut-off', 'its end is missing')
  if (code.startsWith('Z_')) return refused(archive, 'archive-damaged', 'it is damaged')
  // Errors of the system have a number; those of age are plain.
  if (error instanceof Error && !('errno' in error))
    return refused(archive, 'archive-damaged', 'it is damaged or cut off')
  return error
}
