import type { FinishedMatch } from '../../contract/finished-match.ts'
import type { MatchNumber } from '../../contract/ids.ts'
import { hashOf } from '../../histories/canonical.ts'

/** What a worker of a cluster has done in a contest. */
export interface WorkerRecord {
  readonly worker: string
  readonly matches: number
  /** Histories that did not verify. */
  readonly refused: number
  /** Matches that another run, in fresh processes, played differently. */
  readonly different: number
  /** Mean duration of its matches, in ms on the match clock. */
  readonly ms: number
}

/** Residuals by worker: a worker whose results are not those of others is seen in them. */
export interface WorkerRecords {
  played(worker: string, finished: FinishedMatch, isReplay: boolean): void
  refused(worker: string): void
  /** By name. */
  all(): readonly WorkerRecord[]
}

interface Run {
  readonly worker: string
  readonly digest: string
}

export function createWorkerRecords(): WorkerRecords {
  const records = new Map<string, { matches: number; refused: number; different: number; ms: number }>()
  /** Of matches that are played twice, the run that came first; kept for all, because nobody knows which these are. */
  const first = new Map<MatchNumber, Run>()
  const replayed = new Map<MatchNumber, Run>()
  const recordOf = (worker: string) => {
    const known = records.get(worker) ?? { matches: 0, refused: 0, different: 0, ms: 0 }
    records.set(worker, known)
    return known
  }
  return {
    played(worker, { match, outcome, state, ms }, isReplay) {
      const record = recordOf(worker)
      record.matches += 1
      record.ms += ms
      const run = { worker, digest: hashOf({ outcome, state }).slice(0, 16) }
      const [own, others] = isReplay ? [replayed, first] : [first, replayed]
      own.set(match, run)
      const other = others.get(match)
      if (other === undefined || other.digest === run.digest) return
      for (const one of new Set([worker, other.worker])) recordOf(one).different += 1
    },
    refused: (worker) => void (recordOf(worker).refused += 1),
    all: () =>
      [...records]
        .map(([worker, { ms, ...counts }]) => ({
          worker,
          ...counts,
          ms: counts.matches === 0 ? 0 : ms / counts.matches,
        }))
        .sort((a, b) => (a.worker < b.worker ? -1 : 1)),
  }
}
