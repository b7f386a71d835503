import { NETWORK } from '../../../contract/players/agents.ts'
import type { FinishedMatch } from '../../../contract/contests/finished-match.ts'
import type { EntrantId, MatchNumber, Sha256 } from '../../../contract/ids.ts'
import type { ByteTransport } from '../../../contract/players/seat-transport.ts'
import { newNonce } from '../../../histories/nonce.ts'
import type { SegmentWriter } from '../../../histories/segments/writer.ts'
import type { ContestSetup } from '../../../worker/protocol.ts'
import { playMatches } from './engine.ts'
import type { Ticket } from './ticket.ts'
import type { WorkerProcess } from '../../machine/worker-process.ts'

/** A match between connected agents. */
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
  /** Stops the contest; running matches then do not count. */
  readonly signal: AbortSignal
  /** Called for a match that does not count, with the reason. */
  onVoid(reason: string): void
}

/**
 * A contest without a schedule: matches are added while it runs, such as when agents in a lobby are paired. A worker plays them
 * with the game's referee, and they are recorded like those of any contest.
 */
export interface OpenEndedContest {
  /** The number of matches added, and of bytes of history written. */
  readonly size: { readonly matches: number; readonly bytes: number }
  /**
   * Plays a match, with one attempt. Resolves when its history is on disk; null: it does not count. Rejects like `playMatches`
   * if no more matches can be played.
   */
  play(match: AddedMatch): Promise<FinishedMatch | null>
  /** Stops accepting matches. Resolves when the running ones are over and on disk; rejects like `play`. */
  finish(): Promise<void>
}

/** Opens the contest. The worker is started with the first match. */
export function openEndedContest({ setup, launch, writer, signal, onVoid }: OpenEndedOptions): OpenEndedContest {
  /** Unfinished matches by number. */
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

/** The ticket of a match, which is never played again because agents may have left. undefined: the match is over. */
function ticketOf(match: MatchNumber, known: AddedMatch | undefined): Ticket | undefined {
  if (known === undefined) return undefined
  const entrants = known.entrants.map((name) => ({ name, agent: NETWORK }))
  return { match, attempt: 1, seed: known.seed, entrants, noRetry: true }
}
