import { onDestroy } from 'svelte'
import type { PlayTest } from '../../../grammars/play-test/report.ts'
import type { Sample } from '../../challenge-worker/messages.ts'
import { tryGame } from '../../challenge-worker/worker-client.ts'

/** A challenge tried out as a game while it is written. */
export interface GameTrial {
  /** The report on the text that was tried last; null: none yet. */
  readonly test: PlayTest | null
  /** A random instance of it, solved; null: none was found. */
  readonly sample: Sample | null
  /** `current`: of the text in the editor. */
  readonly state: 'idle' | 'running' | 'current' | 'failed'
  /** Why it failed; '' if it did not. */
  readonly failure: string
}

/** Idle time of a text without errors before it is tried out, in ms. */
const STILL = 800

/**
 * Tries out the text in a worker of its own whenever it has been left alone for a while, and stops when it changes. null: a
 * text that is not tried out, because it has errors or nobody looks. Call only during component initialization.
 */
export function createGameTrial(text: () => string | null): GameTrial {
  let test = $state.raw<PlayTest | null>(null)
  let sample = $state.raw<Sample | null>(null)
  /** The text that they belong to. */
  let tried = $state.raw<string | null>(null)
  let isRunning = $state(false)
  let failure = $state('')
  let stop = (): void => undefined

  function begin(source: string): void {
    isRunning = true
    failure = ''
    let found: Sample | null = null
    stop = tryGame(source, {}, (answer) => {
      if (answer.kind === 'sampled') found = answer.sample
      else if (answer.kind === 'tried') {
        test = answer.test
        sample = found
        tried = source
        isRunning = false
      } else {
        isRunning = false
        failure = answer.failure ?? ''
      }
    })
  }
  onDestroy(() => stop())
  $effect(() => {
    const source = text()
    if (source === null || source === tried) return
    const timer = setTimeout(() => begin(source), STILL)
    return () => {
      clearTimeout(timer)
      stop()
      isRunning = false
    }
  })
  return {
    get test() {
      return test
    },
    get sample() {
      return sample
    },
    get state() {
      if (isRunning) return 'running'
      if (failure !== '') return 'failed'
      return test !== null && tried === text() ? 'current' : 'idle'
    },
    get failure() {
      return failure
    },
  }
}
