import { NETWORK } from '../../contract/agents.ts'
import type { FinishedMatch } from '../../contract/finished-match.ts'
import type { EntrantId, MatchNumber, Sha256 } from '../../contract/ids.ts'
import type { ByteTransport } from '../../contract/seat-transport.ts'
import { newNonce } from '../../histories/nonce.ts'
import type { SegmentWriter } from '../../histories/writer.ts'
import type { ContestSetup } from '../../worker/protocol.ts'
import { playMatches } from './engine.ts'
import type { Ticket } from './ticket.ts'
import type { WorkerProcess } from './worker-process.ts'

/** A match between agents that are connected. */
export interface AddedMatch {
  /** In the order of the match's entrants. */
  readonly entrants: readonly EntrantId[]
  readonly seed: Sha256
  readonly byteTransport: ByteTransport
}

export interface OpenEndedOptions {
  readonly setup: ContestSetup
  launch(): WorkerProcess
  /** null: nothing is recorded. */
  readonly writer: SegmentWriter | null
  /** Stops it soon: what runs then does not count. */
  readonly signal: AbortSignal
  /** A match does not count, for this reason. */
  onVoid(reason: string): void
}

/**
 * A contest without a schedule: matches are added while it runs, as those who wait in a lobby meet. They are played by a worker,
 * by the game's referee, and recorded like those of any contest.
 */
export interface OpenEndedContest {
  /** Matches that were added, and bytes of history that were written. */
  readonly size: { readonly matches: number; readonly bytes: number }
  /**
   * Plays a match, once. Resolves when its history is on disk; null: it does not count. Rejects as `playMatches` does, where no
   * match can be played any more.
   */
  play(match: AddedMatch): Promise<FinishedMatch | null>
  /** Nothing is added any more. Resolves when what runs is over and on disk; rejects as `play`. */
  finish(): Promise<void>
}

/** Begins one. No worker is started before the first match. */
export function openEndedContest({ setup, launch, writer, signal, onVoid }: OpenEndedOptions): OpenEndedContest {
  /** Those that are not over, by their numbers. */
  const matches = new Map<MatchNumber, AddedMatch & { settle(finished: FinishedMatch | null): void }>()
  const matchOf = new Map<number, MatchNumber>()
  let added = 0
  let runs = 0
  let bytes = 0
  let open = true
  let changed = (): void => undefined

  const settle = (match: MatchNumber, finished: FinishedMatch | null): void => {
    matches.get(match)?.settle(finished)
    matches.delete(match)
  }
  const over = (run: number): void => {
    matchOf.delete(run)
    writer?.extent(run)
  }
  const ended = playMatches({
    setup,
    workers: 1,
    launch,
    agents: new Map([[NETWORK, { remote: 'network' }]]),
    tickets: {
      get length() {
        return added
      },
      at: (match) => ticketOf(match, matches.get(match)),
      growing: { open: () => open, onChange: (listener) => void (changed = listener) },
    },
    openRun({ match }) {
      runs += 1
      matchOf.set(runs, match)
      return { run: runs, nonce: newNonce() }
    },
    append(text, run) {
      bytes += Buffer.byteLength(text)
      writer?.append(text, run)
    },
    commit: async () => writer?.commit(),
    onFinished(finished) {
      over(finished.run)
      settle(finished.match, finished)
    },
    onVoid({ match }, reason) {
      for (const [run, of] of matchOf) if (of === match) over(run)
      onVoid(reason)
      settle(match, null)
    },
    byteTransport: (place, call, hear) => matches.get(matchOf.get(place.run) ?? -1)?.byteTransport(place, call, hear),
    signal,
  })
  ended.then(
    () => [...matches.keys()].forEach((match) => settle(match, null)),
    () => undefined,
  )

  return {
    get size() {
      return { matches: added, bytes }
    },
    play(match) {
      const { promise, resolve } = Promise.withResolvers<FinishedMatch | null>()
      if (!open || signal.aborted) return Promise.resolve(null)
      matches.set(added, { ...match, settle: resolve })
      added += 1
      changed()
      return Promise.race([promise, ended.then(() => promise)])
    },
    async finish() {
      open = false
      changed()
      try {
        await ended
      } finally {
        await writer?.close()
      }
    },
  }
}

/** Nobody can be asked to play a match again. undefined: it is over. */
function ticketOf(match: MatchNumber, known: AddedMatch | undefined): Ticket | undefined {
  if (known === undefined) return undefined
  const entrants = known.entrants.map((name) => ({ name, agent: NETWORK }))
  return { match, attempt: 1, seed: known.seed, entrants, noRetry: true }
}
