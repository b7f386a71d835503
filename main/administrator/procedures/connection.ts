import { createBirpc } from 'birpc'
import type { Visitor } from '../../contract/people/caller.ts'
import type { ProgramSide, CallReply, ScreenSide } from '../../contract/procedures/procedures.ts'
import type { ErrorCode } from '../../contract/error-codes.ts'
import type { ServiceDesk, Told } from './service-desk.ts'

/** The transport to one screen: a WebSocket or a MessagePort. */
export interface Transport {
  /**
   * Sends one message: plain data, suitable for JSON and for a structured clone. The returned promise settles when the
   * other side is ready for more; until then its answers count as pending and its topics wait. Throws only for a
   * message that cannot be sent at all; a disconnected screen is not an error.
   */
  send(message: object): Promise<void> | undefined
  /** Ends the connection after a violation by the other side; `reason` is for the log. */
  end(reason: string): void
}

/** The program's side of the connection to one screen. */
export interface Connection {
  /** Receives a message from the screen. Never throws. */
  receive(message: unknown): void
  /** Called when the screen is gone: ends its subscriptions and discards pending answers. */
  close(): void
}

export const connectionLimits = {
  /** A screen gets a topic's latest value at most once in this time, or, where many are connected, in this time for each. ms. */
  interval: 250,
  intervalEach: 10,
  /** The maximum number of calls in progress or with undelivered answers; more are refused. */
  calls: 100,
  /** Like `calls`, including refused ones: a screen that keeps asking without reading answers is disconnected. */
  questions: 1_000,
  /** The maximum characters of all inputs of running calls: two of the largest. */
  characters: 17_000_000,
  subscriptions: 100,
} as const

/** A birpc request with an answer. A screen never sends answers, since `notify` has none. */
interface Question {
  readonly t: 'q'
  readonly i: string
  readonly m: keyof ProgramSide
  readonly a: readonly unknown[]
}

/** Messages of birpc: answers to questions, and `notify`, which has no number. */
type Posted = { readonly t: 's'; readonly i: string; readonly r: object } | { readonly t: 'q'; readonly i?: undefined }

/** The time in which a screen gets a topic's latest value once, so that 200 of them cost what 25 do. ms. */
export const paceOf = (screens: number): number =>
  Math.max(connectionLimits.interval, screens * connectionLimits.intervalEach)

/** Starts a connection. Every message of the screen leads to a typed answer or to `transport.end`. `pace`: see `paceOf`. */
export function openConnection(
  desk: ServiceDesk,
  transport: Transport,
  visitor: Visitor,
  pace: () => number = () => paceOf(1),
): Connection {
  const topics = new Map<unknown, () => void>()
  /** Answers that have not been delivered yet. */
  const answers = new WeakSet()
  let questions = 0
  let calls = 0
  let characters = 0
  let closed = false
  let hear: (question: Question) => unknown = () => undefined

  const program: ProgramSide = {
    async call(name, input, as) {
      const admitted = desk.admit(name, input, visitor, as)
      if (!admitted.ok) return admitted
      const { characters: size, run } = admitted.value
      if (calls >= connectionLimits.calls) {
        return refusal('busy', `More than ${connectionLimits.calls} calls are in progress. Wait for their answers.`)
      }
      if (characters + size > connectionLimits.characters) {
        return refusal('busy', 'Other large calls are still being answered. Wait for their answers.')
      }
      calls += 1
      characters += size
      const reply = await run()
      characters -= size
      answers.add(reply)
      return reply
    },

    async subscribe(topic, as) {
      if (closed || topics.has(topic)) return done
      if (topics.size >= connectionLimits.subscriptions) {
        return tooManySubscriptions
      }
      const deliver = async (told: Told): Promise<void> => {
        const seen = told()
        if (seen !== null) await rpc.notify(topic, seen.value)
      }
      const { push, stop } = coalesce(deliver, pace)
      const begun = desk.subscribe(topic, visitor, push, as)
      if (!begun.ok) return begun
      topics.set(topic, () => {
        stop()
        begun.value()
      })
      return done
    },

    async unsubscribe(topic) {
      topics.get(topic)?.()
      topics.delete(topic)
      return done
    },
  }

  const post = async (message: Posted): Promise<void> => {
    if (closed) return
    try {
      await transport.send(message)
    } catch (error) {
      const failure = { ok: false, error: desk.explain(error, 'An answer') }
      if (message.t === 's') await transport.send({ t: 's', i: message.i, r: failure })
    }
    if (message.t !== 's') return
    questions -= 1
    if (answers.has(message.r)) calls -= 1
  }

  const rpc = createBirpc<ScreenSide, ProgramSide>(program, {
    post,
    on: (listener) => void (hear = listener),
    eventNames: ['notify'],
    bind: 'functions',
    timeout: -1,
  })

  return {
    receive(message) {
      if (closed) return
      if (!isQuestion(message, program)) {
        transport.end('a message that is not a question')
        return
      }
      questions += 1
      if (questions > connectionLimits.questions) transport.end('answers are not being taken')
      else hear(message)
    },
    close() {
      closed = true
      for (const end of topics.values()) end()
      topics.clear()
    },
  }
}

const done: CallReply<null> = { ok: true, value: null }

function refusal(reason: ErrorCode, message: string): CallReply<never> {
  return { ok: false, error: { code: 'refused', reason, message } }
}

const tooManySubscriptions = refusal(
  'limit-reached',
  `There are ${connectionLimits.subscriptions} subscriptions already. End some of them.`,
)

/** birpc looks up names and applies arguments unchecked, so messages are validated first. */
function isQuestion(message: unknown, program: ProgramSide): message is Question {
  if (typeof message !== 'object' || message === null) return false
  const { t, i, m, a }: { t?: unknown; i?: unknown; m?: unknown; a?: unknown } = message
  if (t !== 'q' || typeof i !== 'string' || i.length === 0 || i.length > 64) return false
  return typeof m === 'string' && Object.hasOwn(program, m) && Array.isArray(a) && a.length <= 3
}

/** A subscription of one screen, which gets the latest value at its own pace. */
interface Coalescer<T> {
  push(value: T): void
  /** Discards undelivered values. */
  stop(): void
}

/**
 * Delivers the first value at once, then the latest value, at most once per `interval` ms and not before the previous
 * delivery has settled: a slow reader gets fewer values, never a queue. A value whose delivery fails is left out.
 */
export function coalesce<T>(deliver: (value: T) => Promise<void>, interval: () => number): Coalescer<T> {
  let newest: { readonly value: T } | null = null
  let timer: NodeJS.Timeout | undefined
  let taken = true
  let stopped = false

  const next = (): void => {
    if (newest === null || !taken || timer !== undefined || stopped) return
    const { value } = newest
    newest = null
    taken = false
    timer = setTimeout(() => {
      timer = undefined
      next()
    }, interval())
    const goOn = (): void => {
      taken = true
      next()
    }
    void deliver(value).then(goOn, goOn)
  }

  return {
    push(value) {
      newest = { value }
      next()
    },
    stop() {
      stopped = true
      newest = null
      clearTimeout(timer)
    },
  }
}
