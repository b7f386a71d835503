import type { Ms } from '../contract/clock.ts'
import type { Arrival } from '../contract/game/table.ts'
import type { Json } from '../contract/json.ts'

/** Everything that reaches a referee, in one total order. Only one reader at a time. */
export interface ArrivalQueue {
  push(arrival: Arrival<Json>): void
  /** Discards unread arrivals for which `drop` returns true. */
  discard(drop: (arrival: Arrival<Json>) => boolean): void
  /** The oldest unread arrival, or `time` after `msLeft` ms without one. */
  next(msLeft: Ms): Promise<Arrival<Json> | 'time'>
  /** Makes the pending and every later `next` reject. */
  fail(error: Error): void
}

/** The maximum delay of a timer; longer ones fire at once. */
const longestMs = 2 ** 31 - 1

export function createArrivalQueue(): ArrivalQueue {
  let waiting: Arrival<Json>[] = []
  let reader: { resolve(value: Arrival<Json> | 'time'): void; reject(error: Error): void } | null = null
  let failure: Error | null = null
  let timer: NodeJS.Timeout | undefined

  const settle = (): typeof reader => {
    const settled = reader
    reader = null
    clearTimeout(timer)
    return settled
  }

  const startTimer = (ms: Ms): void => {
    const remaining = ms - longestMs
    const expire = (): void => (remaining > 0 ? startTimer(remaining) : settle()?.resolve('time'))
    timer = setTimeout(expire, Math.min(ms, longestMs))
  }

  return {
    push(arrival) {
      if (reader === null) waiting.push(arrival)
      else settle()!.resolve(arrival)
    },
    discard(drop) {
      waiting = waiting.filter((arrival) => !drop(arrival))
    },
    next(msLeft) {
      if (reader !== null) throw new Error('the table is already being read')
      if (failure !== null) return Promise.reject(failure)
      const first = waiting.shift()
      if (first !== undefined) return Promise.resolve(first)
      if (msLeft <= 0) return Promise.resolve('time')
      return new Promise((resolve, reject) => {
        reader = { resolve, reject }
        if (Number.isFinite(msLeft)) startTimer(msLeft)
      })
    },
    fail(error) {
      failure = error
      settle()?.reject(error)
    },
  }
}
