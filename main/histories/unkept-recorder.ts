import type { Ms } from '../contract/clock.ts'
import type { Post } from '../contract/game/game.ts'
import { longestLine } from '../contract/histories/history.ts'
import { microseconds, type Recorder } from './recorder.ts'

/** What stands for the hashes of a run that nobody keeps. */
const noHash = '0'.repeat(64)

/**
 * A recorder for a match that nobody keeps: it writes inputs, faults and output with the members that a history has, but no
 * header, no end, no salts and no chain, so that nothing is hashed and nothing is put into canonical order.
 */
export function createUnkeptRecorder(run: number, seats: number): Recorder {
  let text = ''
  let n = 0
  let inputs = 0
  const printed = Array.from({ length: seats }, () => 0)
  const write = (body: Readonly<Record<string, unknown>>): void => {
    const line = JSON.stringify({ ...body, n, r: run })
    if (line.length > longestLine) throw new Error(`a line of run ${run} is longer than ${longestLine} characters`)
    text += `{"b":${line}}\n`
    n++
  }
  const print = (at: Ms, post: Post, stream: 'console' | 'stderr', words: string): void => {
    write({ at: microseconds(at), k: 'console', post, stream, text: words.toWellFormed() })
    printed[post.seat] = (printed[post.seat] ?? 0) + 1
  }
  return {
    lines() {
      const drained = text
      text = ''
      return drained
    },
    get pending() {
      return text.length
    },
    get inputs() {
      return inputs
    },
    printed,
    input(at, audience, input) {
      write({ at: microseconds(at), audience, input, k: 'input' })
      inputs++
    },
    fault(at, post, question, { stderr = '', ...fault }) {
      write({ at: microseconds(at), fault: { ...fault, text: fault.text.toWellFormed() }, k: 'fault', post, question })
      if (stderr !== '') print(at, post, 'stderr', stderr)
    },
    console: (at, post, words) => print(at, post, 'console', words),
    checkpoint: () => undefined,
    finish: () => ({ head: noHash, state: noHash }),
    voided: () => noHash,
  }
}
