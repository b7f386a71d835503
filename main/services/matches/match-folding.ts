import { setPriority } from 'node:os'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { GameId } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import type { FinishedRow } from '../../histories/finished-table.ts'
import type { FoldReport, Folds } from '../../worker/protocol.ts'
import { startWorker } from '../machine/workers.ts'
import { matchLocation } from './match-location.ts'

/** A worker that folds matches of a contest one after the other, so that a hostile history cannot end this process. */
export interface MatchFolding<K extends keyof Folds> {
  /** Throws ExpectedError 'host' if the match cannot be read. One call at a time. */
  fold(run: FinishedRow, config: Json): Promise<readonly Folds[K][]>
  /** Stops the worker; a waiting call fails. Idempotent. */
  close(): void
}

/** The priority of the worker: matches that are played meanwhile have limited time. */
const NICE = 10

/** Starts the worker. `folder`: of the contest. `purpose`: for messages, such as "the report on targeting". */
export function startFolding<K extends keyof Folds>(
  into: K,
  { game, folder, purpose }: { readonly game: GameId; readonly folder: string; readonly purpose: string },
): MatchFolding<K> {
  const worker = startWorker<FoldReport<K>>()
  if (worker.pid !== undefined) yieldCores(worker.pid)
  let waiting: PromiseWithResolvers<FoldReport<K>> | null = null
  let gone: ExpectedError | null = null
  worker.onReport((report) => waiting?.resolve(report))
  worker.onExit((how) => {
    gone = new ExpectedError('host', `The histories could not be read for ${purpose} (${how}).`)
    waiting?.reject(gone)
  })
  return {
    async fold(run, config) {
      if (gone !== null) throw gone
      waiting = Promise.withResolvers()
      const players = run.entrants.length
      worker.send({ type: 'fold', into, game, place: matchLocation(folder, run), config, players })
      const { items, broken } = await waiting.promise
      if (broken !== null)
        throw new ExpectedError('host', `Match ${run.match} cannot be read for ${purpose}: ${broken}`)
      return items
    },
    close: () => worker.kill(),
  }
}

function yieldCores(pid: number): void {
  try {
    setPriority(pid, NICE)
  } catch {
    // It has exited, which is reported.
  }
}
