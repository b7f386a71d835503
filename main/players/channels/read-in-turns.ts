import { performance } from 'node:perf_hooks'
import type { Readable } from 'node:stream'

/** How long the bytes of one agent may keep others waiting, in ms; and how many are passed on before the next look. */
const turnMs = 1
const sliceBytes = 1_024

/** What is being read from a stream. */
export interface Reading {
  /** Passes on at once what has been read and waits for its turn. */
  finish(): void
}

/**
 * Passes on the bytes of a stream. Those whose handling takes long, such as a flood of short messages, wait between
 * turns, in which the answers of other agents are read.
 */
export function readInTurns(stream: Readable, take: (bytes: Uint8Array) => void): Reading {
  let rest: Uint8Array = new Uint8Array()
  const pass = (until: number): void => {
    while (rest.length > 0 && performance.now() < until) {
      const slice = rest.subarray(0, sliceBytes)
      rest = rest.subarray(sliceBytes)
      take(slice)
    }
  }
  const turn = (): void => {
    pass(performance.now() + turnMs)
    if (rest.length > 0) setImmediate(turn)
    else stream.resume()
  }
  stream.on('data', (chunk: Uint8Array) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    pass(performance.now() + turnMs)
    if (rest.length === 0 || stream.isPaused()) return
    stream.pause()
    setImmediate(turn)
  })
  return { finish: () => pass(Infinity) }
}
