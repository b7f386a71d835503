import { ExpectedError } from '../../contract/expected-error.ts'
import type { GameId } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import type { FinishedRow } from '../../histories/segments/finished-pages.ts'
import type { FoldReport, Folds } from '../../worker/protocol.ts'
import { yieldCores } from '../machine/priority.ts'
import { startWorker } from '../machine/workers.ts'
import { matchLocation } from './match-location.ts'

/** A worker that folds matches of a contest one after the other, so that a hostile history cannot end this process. */
export interface MatchFolding<K extends keyof Folds> {
  /** Throws ExpectedError 'host' if the match cannot be read. One call at a time. */
  fold(run: FinishedRow, config: Json): Promise<readonly Folds[K][]>
  /** Stops the worker; a waiting call fails. Idempotent. */
  close(): void
}

/** How often a worker that exits is started again: somebody may have killed it. */
const RESTARTS_MAX = 8

/** Matches that are played meanwhile have limited time. */
const NICE = 10

/** Starts the worker. `folder`: of the contest. `purpose`: for messages, such as "the report on targeting". */
export function startFolding<K extends keyof Folds>(
  into: K,
  { game, folder, purpose }: { readonly game: GameId; readonly folder: string; readonly purpose: string },
): MatchFolding<K> {
  let closed = false
  let restarts = 0
  let running = start()

  function start() {
    const worker = startWorker<FoldReport<K>>()
    yieldCores(worker.pid, NICE)
    const exited = Promise.withResolvers<string>()
    let waiting: PromiseWithResolvers<FoldReport<K>> | null = null
    worker.onReport((report) => waiting?.resolve(report))
    worker.onExit((how) => exited.resolve(how))
    return {
      worker,
      exited: exited.promise,
      report(): Promise<FoldReport<K>> {
        waiting = Promise.withResolvers()
        return waiting.promise
      },
    }
  }

  return {
    async fold(run, config) {
      const players = run.entrants.length
      for (;;) {
        const { worker, exited, report } = running
        const reported = report()
        worker.send({ type: 'fold', into, game, place: matchLocation(folder, run), config, players })
        const ended = await Promise.race([reported, exited])
        if (typeof ended === 'string') {
          if (closed || restarts === RESTARTS_MAX)
            throw new ExpectedError(
              'host',
              'history-unreadable',
              `The histories could not be read for ${purpose} (${ended}).`,
            )
          restarts += 1
          running = start()
          continue
        }
        if (ended.broken !== null)
          throw new ExpectedError(
            'host',
            'history-unreadable',
            `Match ${run.match} cannot be read for ${purpose}: ${ended.broken}`,
          )
        return ended.items
      }
    },
    close() {
      closed = true
      running.worker.kill()
    },
  }
}
