import type { ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { limits } from '../../../main/contract/limits.ts'
import { createRecorder } from '../../../main/histories/recorder.ts'
import { openSegments } from '../../../main/histories/segments/writer.ts'

interface Match {
  readonly contest: string
  readonly match: number
  /** By seat; the first one wins. */
  readonly names: readonly string[]
  readonly game: string
  /** The score of the first one; the others have less. Default: 1. */
  readonly score?: number
}

/** Adds a finished match to the histories of a contest in this folder, as a run does. */
export async function addMatch(
  { key }: Pick<ClassFolder, 'key'>,
  dir: string,
  { contest, match, names, game, score = 1 }: Match,
): Promise<void> {
  const seats = names.map((name, at) => ({
    ...{ id: at, entrant: at, role: 'player', bodies: 1 },
    ...{ name, agent: 'a'.repeat(64) },
  }))
  const hash = 'b'.repeat(64)
  const recorder = createRecorder({
    ...{ run: match + 1, seed: hash, nonce: hash, secret: 'secret' },
    facts: {
      ...{ contest, match, attempt: 1, game, version: 1, config: hash, description: hash, seats },
      ...{ limits: limits.parse({}), isolation: 'none', clock: 'frozen' },
      host: { node: 'v26.10.0', platform: 'linux', cores: 2 },
    },
  })
  const places = seats.map(({ id: seat }) => ({ seat, rank: seat + 1, score: score * (1 - seat), removed: false }))
  recorder.finish(1, { places }, {})
  const opened = await openSegments({ dir, contest, key, blobs: [] })
  if (!opened.ok) throw new Error(opened.damage.message)
  opened.writer.append(recorder.lines(), match + 1)
  await opened.writer.close()
}
