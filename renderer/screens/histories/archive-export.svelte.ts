import type { ArchiveWish } from '../../../main/contract/procedures/procedures.ts'
import { call } from '../../connection/client.ts'
import { asFailure } from '../../connection/resource.svelte.ts'
import { bytesOf, saveFile } from '../../files.ts'
import { showNews } from '../../parts/states/toasts.svelte.ts'
import { count } from '../../words.ts'

/** An export of matches as one archive. */
export interface ArchiveExport {
  /** How far it is, 0 to 1; null: none is running. */
  readonly part: number | null
  /** Why the last one failed; '' if it did not. */
  readonly problem: string
  /** Fetches an archive piece by piece and saves it to the downloads. A message says when it is saved. */
  run(wish: ArchiveWish): Promise<void>
  stop(): void
}

export function createArchiveExport(): ArchiveExport {
  let part = $state<number | null>(null)
  let problem = $state('')
  let stopped = false
  const isStopped = (): boolean => stopped

  async function fetchAll(wish: ArchiveWish): Promise<void> {
    const { archive, fileName, matches, leftOut } = await call('histories.archive', wish)
    // A browser keeps blobs on disk when there are many.
    const blobs: Blob[] = []
    for (let last = false; !last;) {
      if (isStopped()) {
        await call('histories.dropArchive', { archive })
        return
      }
      const piece = await call('histories.archivePiece', { archive })
      blobs.push(new Blob([bytesOf(piece.content)]))
      part = piece.done / matches
      last = piece.last
    }
    if (isStopped()) return
    saveFile(fileName, new Blob(blobs))
    const left = leftOut.length === 0 ? '' : ` Left out: ${leftOut.join(' ')}`
    showNews(`${fileName} with ${count(matches, 'match', 'matches')} was saved to your downloads.${left}`)
  }

  return {
    get part() {
      return part
    },
    get problem() {
      return problem
    },
    async run(wish) {
      if (part !== null) return
      part = 0
      problem = ''
      stopped = false
      try {
        await fetchAll(wish)
      } catch (reason) {
        problem = asFailure(reason).message
      } finally {
        part = null
      }
    },
    stop: () => void (stopped = true),
  }
}
