import type { Ms } from '../contract/clock.ts'
import type { Arrival } from '../contract/game.ts'
import type { Json } from '../contract/json.ts'

/** The one total order in which everything reaches a referee. One reader at a time. */
export interface ArrivalQueue {
  push(arrival: Arrival<Json>): void
  /** Forgets what has arrived and was not read, where `drop` says so. */
  discard(drop: (arrival: Arrival<Json>) => boolean): void
  /** The oldest arrival, or `time` once `msLeft` have passed without one. */
  next(msLeft: Ms): Promise<Arrival<Json> | 'time'>
  /** Makes the pending and every later `next` reject. */
  fail(error: Error): void
}

/** What a timer can hold: it rings at once where it is given more. */
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

  const ring = (inMs: Ms): void => {
    const later = inMs - longestMs
    timer = setTimeout(() => (later > 0 ? ring(later) : settle()?.resolve('time')), Math.min(inMs, longestMs))
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
        if (Number.isFinite(msLeft)) ring(msLeft)
      })
    },
    fail(error) {
      failure = error
      settle()?.reject(error)
    },
  }
}
