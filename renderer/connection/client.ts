import { createBirpc, type BirpcReturn } from 'birpc'
import type { ErrorCode } from '../../main/contract/error-codes.ts'
import type {
  CallError,
  InputOf,
  OutputOf,
  ProcedureName,
  ProgramSide,
  CallReply,
  ScreenSide,
} from '../../main/contract/procedures/procedures.ts'
import type { SeenPerson } from '../../main/contract/people/caller.ts'
import type { Topics } from '../../main/contract/procedures/topics.ts'
import { LockedOut, connectToProgram, type Channel } from './channel.ts'
import { showFailure } from '../parts/states/toasts.svelte.ts'

/** Why a call failed. `disconnected`: it may or may not have been carried out. `message` is for people. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly code: CallError['code'] | 'disconnected'
  /** The program's code of the refusal; null for a failure of the page or of the connection. */
  readonly reason: ErrorCode | null
  /** Lines to read below the message, such as a compiler's log; '' if there are none. */
  readonly details: string

  constructor({
    code,
    reason,
    message,
    details,
  }: Omit<CallError, 'code' | 'reason'> & {
    readonly code: CallFailure['code']
    readonly reason?: CallError['reason']
  }) {
    super(message)
    this.code = code
    this.reason = reason ?? null
    this.details = details ?? ''
  }
}

/** For `catch`: null for a refusal with this reason; throws every other failure. */
export function nullIf(reason: ErrorCode): (failure: unknown) => null {
  return (failure) => {
    if (failure instanceof CallFailure && failure.reason === reason) return null
    throw failure
  }
}

type PlainTopic =
  | 'status'
  | 'agents'
  | 'people'
  | 'cases'
  | 'recurring'
  | 'grades'
  | 'settings'
  | 'network'
  | 'classes'
  | 'exporting'
  | 'examination'
  | 'verifications'

/** The topics and the types of their values. */
export type TopicName =
  | PlainTopic
  | `contest:${string}`
  | `case:${string}`
  | `caseRoom:${string}`
  | `play:${string}`
  | `live:${string}`
  | `verification:${string}`
  | `otherAnswer:${string}`
  | `rerun:${string}`
export type TopicValue<T extends TopicName> = T extends PlainTopic
  ? Topics[T]
  : T extends `contest:${string}`
    ? Topics['contest']
    : T extends `case:${string}`
      ? Topics['case']
      : T extends `caseRoom:${string}`
        ? Topics['caseRoom']
        : T extends `play:${string}`
          ? Topics['play']
          : T extends `live:${string}`
            ? Topics['live']
            : T extends `otherAnswer:${string}`
              ? Topics['otherAnswer']
              : T extends `rerun:${string}`
                ? Topics['rerun']
                : Topics['verification']

/** `lost`: the connection was lost or could not be made, and is being retried. */
export type LinkState = 'connecting' | 'up' | 'lost' | 'locked'

export interface Client {
  /** Rejects with a CallFailure. Without a connection it waits for the current attempt only. */
  call<N extends ProcedureName>(name: N, input: InputOf<N>): Promise<OutputOf<N>>
  /** Calls `listener` with each value, and at once with the latest one if known. Returns the function to unsubscribe. */
  subscribe<T extends TopicName>(topic: T, listener: (value: TopicValue<T>) => void): () => void
  /** From now on, calls and subscriptions are made as this student or as a guest; null: as oneself. Those that are on stay as they are. */
  lookAs(person: SeenPerson | null): void
  /** Calls `listener` at once and on each change. Returns the function to unsubscribe. */
  onLink(listener: (state: LinkState) => void): () => void
}

export interface ClientOptions {
  connect(): Promise<Channel>
  /** Waits before an attempt, counted from 1. */
  pause(attempt: number): Promise<void>
  /** Called for a refused subscription. */
  onRefused?(failure: CallFailure): void
}

type Listener = (value: never) => void
type Program = BirpcReturn<ProgramSide, ScreenSide>
const gone = { code: 'disconnected', message: 'The connection to Tartaglia was lost. Reconnecting…' } as const

/** A connection to the program that reconnects by itself and restores its subscriptions. */
export function createClient({ connect, pause, onRefused }: ClientOptions): Client {
  const subscriptions = new Map<string, { readonly listeners: Set<Listener>; last?: { readonly value: unknown } }>()
  const linkListeners = new Set<(state: LinkState) => void>()
  let state: LinkState = 'connecting'
  let failures = 0
  /** The last argument of each call: the student as whom somebody looks at the class. */
  let as: readonly [] | readonly [SeenPerson] = []
  let program: Promise<Program> = attempt()

  /** Handles one connection until it ends, then makes the next attempt. */
  function attempt(): Promise<Program> {
    const coming = connect().then((channel) => {
      const rpc = createBirpc<ProgramSide, ScreenSide>({ notify }, { ...channel.options, timeout: -1 })
      failures = 0
      change('up')
      for (const topic of subscriptions.keys()) void ask(() => rpc.subscribe(topic, ...as))
      void channel.closed.then(() => {
        rpc.$close()
        retry(null)
      })
      return rpc
    })
    coming.catch(retry)
    return coming
  }

  function retry(reason: unknown): void {
    failures += 1
    // Until the next attempt starts, calls fail at once.
    program = Promise.reject(new CallFailure(gone))
    program.catch(() => undefined)
    // Another window of this browser may open the new address, which lets this one in as well.
    change(reason instanceof LockedOut ? 'locked' : 'lost')
    void pause(failures).then(() => {
      program = attempt()
    })
  }

  function change(to: LinkState): void {
    state = to
    for (const listener of linkListeners) listener(to)
  }

  function notify(topic: string, value: unknown): void {
    const subscription = subscriptions.get(topic)
    if (subscription === undefined) return
    subscription.last = { value }
    // A topic's name determines the type of its values; `subscribe` has checked both.
    for (const listener of subscription.listeners) listener(value as never)
  }

  /** For subscriptions: a lost connection is ignored, because the next one restores them. */
  async function ask(request: () => Promise<CallReply<null>>): Promise<void> {
    const reply = await request().catch(() => null)
    if (reply !== null && !reply.ok) onRefused?.(new CallFailure(reply.error))
  }

  return {
    async call<N extends ProcedureName>(name: N, input: InputOf<N>): Promise<OutputOf<N>> {
      const reply = await program
        .then((rpc) => rpc.call(name, input, ...as))
        .catch(() => {
          throw new CallFailure(gone)
        })
      if (!reply.ok) throw new CallFailure(reply.error)
      return reply.value as OutputOf<N>
    },

    subscribe(topic, listener) {
      const known = subscriptions.get(topic)
      if (known === undefined) {
        subscriptions.set(topic, { listeners: new Set([listener]) })
        // While connecting, `attempt` subscribes.
        if (state === 'up') void ask(async () => (await program).subscribe(topic, ...as))
      } else {
        known.listeners.add(listener)
        if (known.last !== undefined) listener(known.last.value as never)
      }
      return () => {
        const { listeners } = subscriptions.get(topic) ?? { listeners: new Set() }
        if (!listeners.delete(listener) || listeners.size > 0) return
        subscriptions.delete(topic)
        if (state === 'up') void ask(async () => (await program).unsubscribe(topic))
      }
    },

    lookAs(person) {
      as = person === null ? [] : [person]
    },

    onLink(listener) {
      linkListeners.add(listener)
      listener(state)
      return () => linkListeners.delete(listener)
    },
  }
}

/** 250 ms, doubled each time, at most 5 s. */
function backOff(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.min(5_000, 250 * 2 ** (attempt - 1))))
}

let client: Client | null = null

/** The page's only connection, opened on first use. */
export function sharedClient(): Client {
  client ??= createClient({ connect: connectToProgram, pause: backOff, onRefused: showFailure })
  return client
}

/** From now on this page calls the given client: the page of a recorded match has no program. */
export function useClient(own: Client): void {
  client = own
}

/** Calls a procedure of the program. Rejects with a CallFailure. */
export const call: Client['call'] = (name, input) => sharedClient().call(name, input)

/** Subscribes to a topic. Returns the function to unsubscribe. */
export const subscribe: Client['subscribe'] = (topic, listener) => sharedClient().subscribe(topic, listener)
