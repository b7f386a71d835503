import { consoleBody, faultBody, headerBody, outcomeBody, voidBody } from '../contract/history.ts'
import type { FinishedMatch } from '../contract/finished-match.ts'
import type { EntrantId, MatchNumber, Sha256 } from '../contract/ids.ts'
import type { IsolationTier } from '../contract/limits.ts'
import type { ChainValue } from './chain.ts'
import { createNumberSet } from './number-set.ts'

/** A place in a contest's segments. */
export interface Place {
  readonly segment: number
  readonly byte: number
}

/** A finished match, on disk and sealed. */
export interface FinishedRun extends FinishedMatch {
  /** Its lines lie from the first place to before the second, perhaps among those of other runs. */
  readonly from: Place
  readonly to: Place
}

/** An attempt that the host spoilt. */
export interface VoidedRun {
  readonly match: MatchNumber
  readonly attempt: number
  readonly run: number
  readonly reason: string
}

/** A run of which more lines may come. */
interface OpenRun {
  readonly match: MatchNumber
  readonly attempt: number
  readonly entrants: readonly EntrantId[]
  readonly faults: number[]
  readonly printed: number[]
  readonly isolation: IsolationTier
  readonly from: Place
  n: number
  h: ChainValue
}

/** What is needed to check a chain's next line. */
export interface ChainEnd {
  readonly n: number
  readonly h: ChainValue
}

/** Who keeps what is found: of ten million runs nobody keeps all. */
export interface RunKeeper {
  readonly finished: { has(match: MatchNumber): boolean }
  /** A match has ended that was not finished before. */
  finish(run: FinishedRun): void
  spoil(run: VoidedRun): void
}

/** Gathers runs from the lines of segments, in file order. Ends count once a seal has confirmed them; then the keeper hears of them. */
export interface RunBook {
  /** A line that is not the segment's own. Returns what does not fit, in words, or null. */
  note(line: PeekedLine, start: Place, end: Place): string | null
  /** A seal covers all that was noted. */
  confirm(): void
  /** The segment is over: what was not confirmed never will be. */
  forget(): void
  /** Ends of the chains that are open now. */
  chains(): Map<number, ChainEnd>
  /** Runs that ended a match which an earlier run had ended already; they do not count. */
  readonly doubles: number
  readonly open: number
  readonly highestRun: number
}

/** The parts of a line that say where it belongs. */
export interface PeekedLine {
  readonly k: string
  readonly r: number
  readonly n: number
  readonly h: Sha256
  /** null for an input: nobody looks into it. */
  readonly body: unknown
}

/** An empty book. */
export function createRunBook(keeper: RunKeeper): RunBook {
  const open = new Map<number, OpenRun>()
  let ended: (FinishedRun | VoidedRun)[] = []
  let doubles = 0
  // Main numbers runs when it hands them out; their headers may come in any order.
  const begun = createNumberSet()
  let highestRun = 0

  return {
    note({ k, r, n, h, body }, start, end) {
      if (k === 'header') {
        const header = headerBody.safeParse(body)
        if (!header.success || !begun.add(r)) return `run ${r} begins where it cannot`
        const { match, attempt, seats, isolation } = header.data
        const entrants = seats.map((seat) => seat.name)
        const [faults, printed] = [seats.map(() => 0), seats.map(() => 0)]
        open.set(r, { match, attempt, entrants, faults, printed, isolation, from: start, n, h })
        highestRun = Math.max(highestRun, r)
        return null
      }
      const run = open.get(r)
      if (run === undefined) return `a line of run ${r}, which has not begun or is over`
      run.n = n
      run.h = h
      if (k === 'fault') {
        const fault = faultBody.safeParse(body)
        if (!fault.success) return 'a fault that cannot be read'
        const { seat } = fault.data.post
        if (run.faults[seat] !== undefined) run.faults[seat]++
      } else if (k === 'console') {
        const line = consoleBody.safeParse(body)
        if (!line.success) return 'a console line that cannot be read'
        const { seat } = line.data.post
        if (run.printed[seat] !== undefined) run.printed[seat]++
      } else if (k === 'outcome') {
        const last = outcomeBody.safeParse(body)
        if (!last.success) return 'an outcome that cannot be read'
        const { match, attempt, entrants, faults, printed, isolation, from } = run
        const { outcome, state, at: ms } = last.data
        const told = { outcome, state, entrants, faults, printed, isolation, ms }
        ended.push({ match, attempt, run: r, head: h, ...told, from, to: end })
        open.delete(r)
      } else if (k === 'void') {
        const last = voidBody.safeParse(body)
        if (!last.success) return 'a void attempt that cannot be read'
        ended.push({ match: run.match, attempt: run.attempt, run: r, reason: last.data.reason })
        open.delete(r)
      }
      return null
    },
    confirm() {
      for (const run of ended) {
        if ('reason' in run) keeper.spoil(run)
        else if (keeper.finished.has(run.match)) doubles++
        else keeper.finish(run)
      }
      ended = []
    },
    forget() {
      ended = []
    },
    chains: () => new Map([...open].map(([r, { n, h }]) => [r, { n, h }])),
    get doubles() {
      return doubles
    },
    get open() {
      return open.size
    },
    get highestRun() {
      return highestRun
    },
  }
}
