import type { Asked, MinedCell, MinedRows } from '../../../main/contract/procedures/procedures.ts'
import { call, type CallFailure } from '../../connection/client.ts'
import { fetchDownload } from '../../connection/download.ts'
import { asFailure } from '../../connection/resource.svelte.ts'
import { saveFile } from '../../files.ts'
import { randomHex } from '../../random-hex.ts'

/** An answer with the rows that have been fetched. */
export interface Answered extends Omit<MinedRows, 'rows'> {
  readonly asked: Asked
  readonly rows: readonly (readonly MinedCell[])[]
}

/** A question that is being answered, and its last answer. */
export interface Asking {
  readonly answer: Answered | null
  readonly busy: boolean
  readonly failure: CallFailure | null
  ask(asked: Asked): Promise<void>
  /** Fetches more rows of the answer. If matches have finished since, all rows are fetched again. */
  more(): Promise<void>
  /** Saves all rows of the answer as a file. */
  save(as: 'csv' | 'json'): Promise<void>
  stop(): void
}

const PAGE = 200

/** A random UUID; browsers give one only to pages from https. */
export function newRequest(): string {
  const hex = randomHex()
  const part = (from: number, to: number): string => hex.slice(from, to)
  return `${part(0, 8)}-${part(8, 12)}-4${part(13, 16)}-8${part(17, 20)}-${part(20, 32)}`
}

/** Call only during component initialization. */
export function createAsking(contest: () => string): Asking {
  let answer = $state.raw<Answered | null>(null)
  let request = $state<string | null>(null)
  let failure = $state.raw<CallFailure | null>(null)

  /** Settles when the last call is over. */
  let running: Promise<unknown> = Promise.resolve()
  /** The number of the newest call; those before it are not begun any more. */
  let newest = 0

  function stop(): void {
    newest += 1
    if (request !== null) call('mining.stop', { request }).catch(() => undefined)
  }
  // A person who leaves the screen can ask something else at once.
  $effect(() => stop)

  /** Stops what is being answered, and asks the next. */
  function run<T>(work: (id: string) => Promise<T>): Promise<T | null> {
    stop()
    const number = newest
    const mine = running.then(async () => {
      if (number !== newest) return null
      const id = newRequest()
      request = id
      failure = null
      try {
        return await work(id)
      } catch (reason) {
        const problem = asFailure(reason)
        // The person who stopped it knows.
        if (problem.reason !== 'stopped') failure = problem
        return null
      } finally {
        request = null
      }
    })
    running = mine
    return mine
  }

  const page = (asked: Asked, id: string, offset: number): Promise<MinedRows> => {
    const wanted = { contest: contest(), request: id, offset, limit: PAGE }
    return 'sql' in asked ? call('mining.query', { ...wanted, ...asked }) : call('mining.ask', { ...wanted, ...asked })
  }

  return {
    get answer() {
      return answer
    },
    get busy() {
      return request !== null
    },
    get failure() {
      return failure
    },
    async ask(asked) {
      const rows = await run((id) => page(asked, id, 0))
      if (rows !== null) answer = { ...rows, asked }
      else if (failure !== null) answer = null
    },
    async more() {
      const before = answer
      if (before === null) return
      const next = await run((id) => page(before.asked, id, before.rows.length))
      if (next === null) return
      if (next.matches === before.matches)
        answer = { ...before, ...next, rows: [...before.rows, ...next.rows], cut: before.cut || next.cut }
      else await this.ask(before.asked)
    },
    async save(as) {
      const asked = answer?.asked
      if (asked === undefined) return
      await run(async (id) => {
        const started = await call('mining.download', { contest: contest(), request: id, asked, as })
        saveFile(started.fileName, await fetchDownload(started))
      })
    },
    stop,
  }
}
