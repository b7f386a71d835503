import { open } from 'node:fs/promises'
import { machineErrorFrom } from '../../histories/machine-error.ts'

/**
 * Writes what arrives into an existing empty file, in a folder that belongs to this process, so that no file is in memory as a
 * whole. Returns its length in bytes, or null as soon as it exceeds `most`. `onGrown`: called with the length so far. Rejects
 * with MachineError, and with the error of `content`.
 */
export async function receiveFile(
  path: string,
  content: AsyncIterable<Uint8Array>,
  most: number,
  onGrown: (bytes: number) => void = () => undefined,
): Promise<number | null> {
  const failed = (error: unknown): never => {
    throw machineErrorFrom(error, 'write', path)
  }
  const file = await open(path, 'r+').catch(failed)
  try {
    let bytes = 0
    for await (const piece of content) {
      if (bytes + piece.length > most) return null
      for (let done = 0; done < piece.length;) done += (await file.write(piece, done).catch(failed)).bytesWritten
      bytes += piece.length
      onGrown(bytes)
    }
    return bytes
  } finally {
    await file.close()
  }
}
