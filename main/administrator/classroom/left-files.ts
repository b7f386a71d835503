import { stat } from 'node:fs/promises'
import { hasEnded } from '../../histories/processes.ts'

/** After this time without a change, what a process was making of which it cannot be told if it still runs was left. ms. */
const LEFT_MS = 7 * 24 * 3_600_000

/** True: nobody uses a file or folder any more that a process made under its mark (`ownMark`). */
export async function isLeft(path: string, mark: string): Promise<boolean> {
  const ended = hasEnded(mark)
  // Without a start in the mark, the process that runs may be another one that got the id.
  const isUnsure = ended === null || (!ended && /^\d+$|-0$/.test(mark))
  if (!isUnsure) return ended
  const found = await stat(path).catch(() => null)
  return found !== null && Date.now() - found.mtimeMs > LEFT_MS
}
