import type { StartedDownload } from '../../main/contract/procedures/downloads.ts'
import { bytesOf } from '../files.ts'
import { call } from './client.ts'

/** Follows a download. */
interface Following {
  /** Called with the part that has arrived, 0 to 1. */
  onPart(part: number): void
  /** Asked before each piece. */
  isStopped(): boolean
}

/** Fetches a file of the program piece by piece. Rejects with CallFailure. */
export async function fetchDownload(started: Pick<StartedDownload, 'download'>): Promise<Blob> {
  return (await followDownload(started, { onPart: () => undefined, isStopped: () => false })) ?? new Blob()
}

/** Like `fetchDownload`; null: it was stopped. */
export async function followDownload(
  { download }: Pick<StartedDownload, 'download'>,
  { onPart, isStopped }: Following,
): Promise<Blob | null> {
  // A browser keeps blobs on disk when there are many.
  const blobs: Blob[] = []
  for (let last = false; !last;) {
    if (isStopped()) {
      await call('downloads.drop', { download })
      return null
    }
    const piece = await call('downloads.piece', { download })
    blobs.push(new Blob([bytesOf(piece.content)]))
    onPart(piece.part)
    last = piece.last
  }
  return isStopped() ? null : new Blob(blobs)
}
