import type { FinishedMatch } from '../../contract/contests/finished-match.ts'
import type { MatchNumber } from '../../contract/ids.ts'
import { hashOf } from '../../histories/canonical.ts'

/** The work of a worker of a cluster in a contest. */
export interface WorkerRecord {
  readonly worker: string
  readonly matches: number
  /** Histories that did not verify. */
  readonly refused: number
  /** Runs that it gave back as interrupted. */
  readonly interrupted: number
  /** Runs that it reported as void. */
  readonly voided: number
  /** Matches that were played again elsewhere before they counted, and came to the same. */
  readonly confirmed: number
  /** Matches that another run, here, on another worker or in fresh processes, played differently. */
  readonly different: number
  /** Mean duration of its matches, in ms on the match clock. */
  readonly ms: number
}

/** Residuals by worker: a worker whose results are not those of others is seen in them. */
export interface WorkerRecords {
  played(worker: string, finished: FinishedMatch, isReplay: boolean): void
  refused(worker: string): void
  interrupted(worker: string): void
  voided(worker: string): void
  /** A match of it was played again elsewhere. `isSame`: both runs came to the same. */
  rechecked(worker: string, isSame: boolean): void
  /** By name. */
  all(): readonly WorkerRecord[]
}

/** Everybody who knows the token can join under any number of new names; more names than this are counted as one. */
const WORKERS_MAX = 1_000
const OTHERS = 'others'

type Counts = Record<'matches' | 'refused' | 'interrupted' | 'voided' | 'confirmed' | 'different' | 'ms', number>

const nothing: Counts = { matches: 0, refused: 0, interrupted: 0, voided: 0, confirmed: 0, different: 0, ms: 0 }

export function createWorkerRecords(): WorkerRecords {
  const records = new Map<string, Counts>()
  const numbers = new Map<string, number>()
  const [first, replayed] = [createRunNotes(), createRunNotes()]
  const nameOf = (worker: string): string => (records.has(worker) || records.size < WORKERS_MAX ? worker : OTHERS)
  const recordOf = (worker: string): Counts => {
    const name = nameOf(worker)
    const known = records.get(name) ?? { ...nothing }
    if (!records.has(name)) numbers.set(name, numbers.size)
    records.set(name, known)
    return known
  }
  return {
    played(worker, { match, outcome, state, ms }, isReplay) {
      const record = recordOf(worker)
      record.matches += 1
      record.ms += ms
      const digest = Number.parseInt(hashOf({ outcome, state }).slice(0, 12), 16)
      const [own, others] = isReplay ? [replayed, first] : [first, replayed]
      const number = numbers.get(nameOf(worker))!
      own.note(match, number, digest)
      const other = others.of(match)
      if (other === null || other.digest === digest) return
      const names = [...numbers.keys()]
      for (const one of new Set([number, other.worker])) records.get(names[one]!)!.different += 1
    },
    refused: (worker) => void (recordOf(worker).refused += 1),
    interrupted: (worker) => void (recordOf(worker).interrupted += 1),
    voided: (worker) => void (recordOf(worker).voided += 1),
    rechecked: (worker, isSame) => void (recordOf(worker)[isSame ? 'confirmed' : 'different'] += 1),
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

/** Matches whose notes are allocated together. */
const PAGE = 4_096

/**
 * The worker and the result of each match, in 8 bytes a match: this room does not know which ones are played twice. Digests
 * have 48 bits.
 */
function createRunNotes() {
  const pages = new Map<
    number,
    { readonly workers: Uint16Array; readonly high: Uint16Array; readonly low: Uint32Array }
  >()
  return {
    note(match: MatchNumber, worker: number, digest: number): void {
      const number = Math.floor(match / PAGE)
      const page = pages.get(number) ?? {
        workers: new Uint16Array(PAGE),
        high: new Uint16Array(PAGE),
        low: new Uint32Array(PAGE),
      }
      pages.set(number, page)
      const at = match % PAGE
      // 0: not played.
      page.workers[at] = worker + 1
      page.high[at] = Math.floor(digest / 2 ** 32)
      page.low[at] = digest % 2 ** 32
    },
    of(match: MatchNumber): { readonly worker: number; readonly digest: number } | null {
      const page = pages.get(Math.floor(match / PAGE))
      const at = match % PAGE
      const worker = page?.workers[at] ?? 0
      return worker === 0 ? null : { worker: worker - 1, digest: page!.high[at]! * 2 ** 32 + page!.low[at]! }
    },
  }
}
