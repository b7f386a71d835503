import { performance } from 'node:perf_hooks'
import type { Json } from '../main/contract/json.ts'
import type { Player, PlayerEvent } from '../main/contract/players/player.ts'

/**
 * A player that is a function in this very process: for trusted code alone (benchmarks, tests, a person at the window).
 * `answer` returning undefined means: no answer to this question, ever. There is no limit that could stop it.
 */
export function inProcessPlayer(
  answer: (message: Json) => Json | undefined | Promise<Json | undefined>,
  emit: (event: PlayerEvent) => void,
): Player {
  let open = true
  const crash = (error: unknown, to?: number): void => {
    if (!open) return
    const fault = { kind: 'crash' as const, text: `The player threw: ${String(error)}` }
    emit(to === undefined ? { type: 'fault', fault, gone: false } : { type: 'fault', to, fault, gone: false })
  }
  return {
    ready: () => Promise.resolve(),
    ask(question, message) {
      const asked = performance.now()
      const deliver = (value: Json | undefined): void => {
        if (open && value !== undefined) {
          emit({ type: 'answer', to: question, value, tookMs: performance.now() - asked })
        }
      }
      try {
        const value = answer(message)
        if (value instanceof Promise) value.then(deliver, (error: unknown) => crash(error, question))
        else deliver(value)
      } catch (error) {
        crash(error, question)
      }
    },
    tell(message) {
      try {
        const told = answer(message)
        if (told instanceof Promise) told.catch((error: unknown) => crash(error))
      } catch (error) {
        crash(error)
      }
    },
    withdraw: () => undefined,
    close() {
      open = false
    },
  }
}
