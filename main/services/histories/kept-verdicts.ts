import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { ByteRange, MatchPlace } from '../../histories/segments/match-place.ts'

/** Verdicts on matches of the class; each holds as long as the match's part of its files has not changed. */
export interface KeptVerdicts {
  /** Keeps the verdict that `verify` reaches, unless the files change meanwhile. Rejects like `verify`. */
  following<V extends { readonly ok: boolean }>(key: string, place: MatchPlace, verify: () => Promise<V>): Promise<V>
  /** True if the match was found genuine; null: it has not been verified, or its files have changed since. */
  get(key: string, place: MatchPlace): Promise<boolean | null>
}

/** The maximum number of verdicts; beyond it, the oldest is dropped. */
const VERDICTS_MAX = 100_000

interface Kept {
  readonly genuine: boolean
  readonly digest: string
  /** The files' times and sizes when the digest was last known to be right. */
  marks: string
}

export function createKeptVerdicts(): KeptVerdicts {
  const kept = new Map<string, Kept>()
  return {
    async following(key, { stretches }, verify) {
      kept.delete(key)
      const [marks, digest] = [await marksOf(stretches), await digestOf(stretches)]
      const verdict = await verify()
      if (marks === null || digest === null || digest !== (await digestOf(stretches))) return verdict
      kept.set(key, { genuine: verdict.ok, digest, marks })
      if (kept.size > VERDICTS_MAX) kept.delete(kept.keys().next().value!)
      return verdict
    },
    async get(key, { stretches }) {
      const known = kept.get(key)
      if (known === undefined) return null
      const marks = await marksOf(stretches)
      // A running contest appends to its files, so only the match's own part counts.
      if (marks !== known.marks && known.digest !== (await digestOf(stretches))) {
        kept.delete(key)
        return null
      }
      known.marks = marks ?? known.marks
      return known.genuine
    },
  }
}

/** The identities of files, and the times of their last change; null: one of them cannot be found. */
async function marksOf(stretches: readonly ByteRange[]): Promise<string | null> {
  try {
    const found = await Promise.all(stretches.map(({ path }) => stat(path, { bigint: true })))
    return found.map(({ dev, ino, size, mtimeNs, ctimeNs }) => [dev, ino, size, mtimeNs, ctimeNs].join()).join(';')
  } catch {
    return null
  }
}

/** SHA-256 of the match's part of the files; null: it cannot be read. */
async function digestOf(stretches: readonly ByteRange[]): Promise<string | null> {
  const hash = createHash('sha256')
  try {
    for (const { path, from, to } of stretches) {
      const pieces = createReadStream(path, { start: from, end: to - 1 }) as AsyncIterable<Buffer>
      for await (const piece of pieces) hash.update(piece)
    }
    return hash.digest('hex')
  } catch {
    return null
  }
}
