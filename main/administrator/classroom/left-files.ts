import { stat } from 'node:fs/promises'
import { hasEnded } from '../../histories/processes.ts'

/** After this time without a change, what a process of another machine or container was making was left. ms. */
const LEFT_MS = 7 * 24 * 3_600_000

/** True: nobody uses a file or folder any more that a process made under its mark (`ownMark`). */
export async function isLeft(path: string, mark: string): Promise<boolean> {
  const ended = hasEnded(mark)
  if (ended !== null) return ended
  const found = await stat(path).catch(() => null)
  return found !== null && Date.now() - found.mtimeMs > LEFT_MS
}
