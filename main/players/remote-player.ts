import type { Fault } from '../contract/faults.ts'
import type { Json } from '../contract/json.ts'
import type { Limits } from '../contract/limits.ts'
import type { Player, PlayerEvent } from '../contract/player.ts'
import type { RemoteCall, RemoteEvent } from '../contract/seat-transport.ts'
import { whyTooLong, whyUnreadable } from './read-answer.ts'
import { makeFault } from './make-fault.ts'
import { overtimeText, startLimit, type Overtime } from './time-limit.ts'

/** An agent whose player is elsewhere, as a worker is told of it. */
export interface RemoteAgent {
  readonly remote: 'human' | 'network'
}

export interface RemoteSeat {
  readonly limits: Pick<Limits, 'startMs' | 'messageBytes'>
  readonly emit: (event: PlayerEvent) => void
  /** Takes what is to be carried to the player. */
  readonly call: (call: RemoteCall) => void
}

export interface RemotePlayer extends Player {
  /** What has come from the player, at any time and in any order. */
  hear(event: RemoteEvent): void
}

const ofPlayer = (text: string): string => text.replace(/^The agent/, 'The player')

/**
 * A player that is not here. A question's clock starts when the question is handed on; the wall clock alone decides, because
 * nobody can see what happens where the player is. Whatever comes in, nothing shifts the dialogue: an answer to a question that
 * is over is late, one to a question that was never asked is none.
 */
export function remotePlayer({ limits, emit, call }: RemoteSeat): RemotePlayer {
  const joined: PromiseWithResolvers<void> = Promise.withResolvers()
  let state: 'coming' | 'here' | 'gone' = 'coming'
  let open: { readonly question: number; readonly since: number; stop(): void } | null = null
  /** The newest question; they only grow. */
  let newest = 0
  let stopWaiting = (): void => undefined

  const settle = (): typeof open => {
    const settled = open
    open = null
    settled?.stop()
    return settled
  }
  const lost = (kind: 'crash' | 'timeout', text: string): void => {
    if (state === 'gone') return
    state = 'gone'
    stopWaiting()
    const owed = settle()
    const fault = makeFault(kind, text)
    emit({ type: 'fault', ...(owed === null ? {} : { to: owed.question }), fault, gone: true })
    joined.resolve()
  }
  const answered = (question: number, value: Json): void => {
    if (!Number.isInteger(question) || question < 1 || question > newest) return
    const owed = open?.question === question ? settle() : null
    const tookMs = owed === null ? 0 : performance.now() - owed.since
    const problem = problemOf(value)
    if (problem === null) emit({ type: 'answer', to: question, value, tookMs })
    else if (owed !== null) {
      emit({ type: 'fault', to: question, fault: makeFault('protocol', problem, { tookMs }), gone: false })
    }
  }

  /** What keeps a value out of every history, in words. */
  const problemOf = (value: Json): string | null => {
    const why = whyUnreadable(value) ?? whyTooLong(value, limits.messageBytes)
    return why === null ? null : `The player sent ${why}.`
  }

  return {
    ready() {
      stopWaiting = startLimit({
        limitMs: limits.startMs,
        effort: () => null,
        late: () => lost('timeout', `The player did not come within ${limits.startMs} ms.`),
      })
      call({ type: 'seat' })
      return joined.promise
    },
    ask(question, message, limitMs, bank) {
      newest = Math.max(newest, question)
      if (state === 'gone') return
      const timedOut = (over: Overtime, text: string): Fault =>
        makeFault(over.kind, ofPlayer(text), { tookMs: over.tookMs })
      call({ type: 'ask', question, message, limitMs })
      const stop = startLimit({
        limitMs,
        effort: () => null,
        late(over) {
          open = null
          call({ type: 'withdraw', question })
          const fault = timedOut(over, overtimeText(over, limitMs, 'gave no answer', bank))
          emit({ type: 'fault', to: question, fault, gone: false })
        },
        bank,
        strike: (over, text) => emit({ type: 'strike', to: question, fault: timedOut(over, text) }),
      })
      open = { question, since: performance.now(), stop }
    },
    tell(message) {
      if (state !== 'gone') call({ type: 'tell', message })
    },
    withdraw(question) {
      if (open?.question === question) settle()
      if (state !== 'gone') call({ type: 'withdraw', question })
    },
    close() {
      if (state !== 'gone') call({ type: 'close' })
      state = 'gone'
      stopWaiting()
      settle()
      joined.resolve()
    },
    hear(event) {
      if (state === 'gone') return
      if (event.type === 'joined') {
        state = 'here'
        stopWaiting()
        joined.resolve()
      } else if (event.type === 'left') lost('crash', event.reason)
      else if (event.type === 'answer') answered(event.question, event.value)
      else if (problemOf(event.value) === null) emit({ type: 'said', value: event.value })
    },
  }
}
