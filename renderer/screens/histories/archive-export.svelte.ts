import type { ArchiveWish } from '../../../main/contract/procedures/procedures.ts'
import { call } from '../../connection/client.ts'
import { asFailure } from '../../connection/resource.svelte.ts'
import { followDownload } from '../../connection/download.ts'
import { saveFile } from '../../files.ts'
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

  async function fetchAll(wish: ArchiveWish): Promise<void> {
    const { fileName, matches, leftOut, ...started } = await call('histories.archive', wish)
    const archive = await followDownload(started, { onPart: (arrived) => (part = arrived), isStopped: () => stopped })
    if (archive === null) return
    saveFile(fileName, archive)
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
