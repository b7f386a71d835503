import { consoleBody, faultBody, headerBody, outcomeBody, voidBody } from '../../contract/histories/history.ts'
import type { FinishedMatch } from '../../contract/contests/finished-match.ts'
import type { EntrantId, MatchNumber, Sha256 } from '../../contract/ids.ts'
import type { GroupsVersion, IsolationTier } from '../../contract/limits.ts'
import type { ToolchainVersions } from '../../contract/players/toolchains.ts'
import type { ChainValue } from '../chain.ts'
import { createNumberSet } from '../../contract/number-set.ts'

/** A place in a contest's segments. */
export interface RunLocation {
  readonly segment: number
  readonly byte: number
}

/** A finished match, on disk and sealed. */
export interface FinishedRun extends FinishedMatch {
  /** Its lines are between `from` and `to` (exclusive), possibly mixed with those of other runs. */
  readonly from: RunLocation
  readonly to: RunLocation
}

/** An attempt voided by a host fault. */
export interface VoidedRun {
  readonly match: MatchNumber
  readonly attempt: number
  readonly run: number
  readonly reason: string
}

/** A run that has not ended. */
interface OpenRun {
  readonly match: MatchNumber
  readonly attempt: number
  readonly entrants: readonly EntrantId[]
  readonly faults: number[]
  readonly printed: number[]
  readonly isolation: IsolationTier
  readonly groups?: GroupsVersion
  readonly toolchains?: ToolchainVersions
  readonly from: RunLocation
  n: number
  h: ChainValue
}

/** The last line of a chain, for checking the next one. */
export interface ChainEnd {
  readonly n: number
  readonly h: ChainValue
}

/** Stores the runs that a scan finds, as far as the caller needs them: a contest may have millions. */
export interface RunKeeper {
  readonly finished: { has(match: MatchNumber): boolean }
  /** Called for each match when it is finished first. */
  finish(run: FinishedRun): void
  voidAttempt(run: VoidedRun): void
}

/**
 * Collects runs from the lines of segments, in file order. A run's end counts, and is reported to the keeper, once a
 * seal confirms it.
 */
export interface RunIndex {
  /** Adds a line of a run. Returns the problem in words, or null. */
  note(line: PeekedLine, start: RunLocation, end: RunLocation): string | null
  /** Called for a seal, which covers all lines noted before. */
  confirm(): void
  /** Called at the end of a segment: discards what was not confirmed. */
  forget(): void
  /** The ends of the chains that are currently open. */
  chains(): Map<number, ChainEnd>
  /** The number of runs that finished an already finished match; they do not count. */
  readonly doubles: number
  readonly open: number
  readonly highestRun: number
}

/** The kind, position and hash of a line, unchecked. */
export interface PeekedLine {
  readonly k: string
  readonly r: number
  readonly n: number
  readonly h: Sha256
  /** null for an input, whose body is not needed. */
  readonly body: unknown
}

/** Creates an empty index. */
export function createRunIndex(keeper: RunKeeper): RunIndex {
  const open = new Map<number, OpenRun>()
  let ended: (FinishedRun | VoidedRun)[] = []
  let doubles = 0
  // The main process numbers runs when it assigns them; their headers may arrive in any order.
  const begun = createNumberSet()
  let highestRun = 0

  return {
    note({ k, r, n, h, body }, start, end) {
      if (k === 'header') {
        const header = headerBody.safeParse(body)
        if (!header.success || !begun.add(r)) return `the header of run ${r} is not valid here`
        const { match, attempt, seats, isolation, groups, host } = header.data
        const { toolchains } = host
        const counted = {
          ...(groups === undefined ? {} : { groups }),
          ...(toolchains === undefined ? {} : { toolchains }),
        }
        const entrants = seats.map((seat) => seat.name)
        const [faults, printed] = [seats.map(() => 0), seats.map(() => 0)]
        open.set(r, { match, attempt, entrants, faults, printed, isolation, ...counted, from: start, n, h })
        highestRun = Math.max(highestRun, r)
        return null
      }
      const run = open.get(r)
      if (run === undefined) return `a line of run ${r}, which has not begun or has ended`
      run.n = n
      run.h = h
      if (k === 'fault') {
        const fault = faultBody.safeParse(body)
        if (!fault.success) return 'an invalid fault line'
        const { seat } = fault.data.post
        if (run.faults[seat] !== undefined) run.faults[seat]++
      } else if (k === 'console') {
        const line = consoleBody.safeParse(body)
        if (!line.success) return 'an invalid console line'
        const { seat } = line.data.post
        if (run.printed[seat] !== undefined) run.printed[seat]++
      } else if (k === 'outcome') {
        const last = outcomeBody.safeParse(body)
        if (!last.success) return 'an invalid outcome line'
        const { match, attempt, entrants, faults, printed, isolation, groups, toolchains, from } = run
        const { outcome, state, at: ms } = last.data
        const result = {
          outcome,
          state,
          entrants,
          faults,
          printed,
          isolation,
          ...(groups === undefined ? {} : { groups }),
          ...(toolchains === undefined ? {} : { toolchains }),
          ms,
        }
        ended.push({ match, attempt, run: r, head: h, ...result, from, to: end })
        open.delete(r)
      } else if (k === 'void') {
        const last = voidBody.safeParse(body)
        if (!last.success) return 'an invalid void line'
        ended.push({ match: run.match, attempt: run.attempt, run: r, reason: last.data.reason })
        open.delete(r)
      }
      return null
    },
    confirm() {
      for (const run of ended) {
        if ('reason' in run) keeper.voidAttempt(run)
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
