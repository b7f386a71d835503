import { hash } from 'node:crypto'
import { once } from 'node:events'
import { WebSocket } from 'ws'

/** A script of the 2018 challenge. */
export type Script = new (
  me: number,
  counts: readonly number[],
  values: readonly number[],
  maxRounds: number,
  log: (text: unknown) => void,
) => { offer(o: readonly number[] | undefined): unknown }

export interface Start {
  readonly me: 0 | 1
  readonly counts: readonly number[]
  readonly values: readonly number[]
  readonly max_rounds: number
}

/** The events and actions of one connection of a client. */
export interface Played {
  readonly start: Start | null
  /** Every frame of the server, in order. */
  readonly frames: readonly Frame[]
  /** Arguments and results of the calls of `offer`. */
  readonly calls: readonly { readonly o: unknown; readonly answer: unknown }[]
  /** Logged entries: those of the server, and its own. */
  readonly log: readonly (readonly unknown[])[]
  readonly code: number
  readonly reason: string
  /** The error that ended it: it sends without checking that the connection is still open. null: none. */
  readonly crash: string | null
}

export interface Frame {
  readonly type: string
  readonly arg?: readonly unknown[]
  readonly opt?: Start
  readonly offer?: readonly number[]
}

export interface ClientOptions {
  readonly url: string
  readonly id: string
  readonly script: Script
  /** Closes the connection, as Ctrl-C does. */
  readonly signal?: AbortSignal
  /** Ends the wait for a partner; a session that has begun goes on. */
  readonly enough?: AbortSignal
  /** Before the script answers, beside the round trip that a process of its own takes. */
  think?(frames: readonly Frame[]): boolean
}

/**
 * Connects, plays one session and ends, as the original client does, whose behaviour it takes from the facts: a frame of an
 * unknown type or a log of an unknown kind is a protocol error; when the partner accepts, the script is called once more,
 * and what it answers is sent, over a connection that must still be open then.
 */
export async function play({ url, id, script, signal, enough, think = () => true }: ClientOptions): Promise<Played> {
  const socket = new WebSocket(url, { headers: { 'X-Hola-Challenge-ID': id } })
  const frames: Frame[] = []
  const calls: { o: unknown; answer: unknown }[] = []
  const log: (readonly unknown[])[] = []
  let start: Start | null = null
  let agent: InstanceType<Script> | null = null
  let broken: unknown = null
  let crash: string | null = null
  let gone = false
  const send = (frame: object): void => {
    // In the same case ws throws an exception that the original does not catch.
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame))
    else crash ??= `not opened, but ${['connecting', 'open', 'closing', 'closed'][socket.readyState]}`
  }
  // The original's script lives in another process: by the time it answers, whatever the arena has sent together with the
  // question is here, be it the end of the connection.
  const ask = (o: readonly number[] | undefined): void => {
    let back = false
    socket.once('pong', () => (back = true))
    if (socket.readyState === WebSocket.OPEN) socket.ping()
    const wait = (): void => {
      // When the connection has ended, so has the original.
      if (gone) return
      if ((back || socket.readyState !== WebSocket.OPEN) && think(frames)) answerTo(o)
      else setImmediate(wait)
    }
    setImmediate(wait)
  }
  const answerTo = (o: readonly number[] | undefined): void => {
    let answer: unknown
    try {
      answer = agent!.offer(o)
    } catch (error) {
      send({ type: 'abort', reason: String(error) })
      socket.close()
      return
    }
    calls.push({ o, answer })
    send({ type: 'offer', offer: answer })
    log.push(['offer', start!.me, answer])
  }
  const hear = (frame: Frame): void => {
    if (frame.type === 'start') {
      start = frame.opt!
      const { me, counts, values, max_rounds } = start
      agent = new script(me, [...counts], [...values], max_rounds, (text) => send({ type: 'info', text }))
      log.push(['init'])
      if (me === 0) ask(undefined)
    } else if (frame.type === 'offer') {
      log.push(['offer', 1 - start!.me, frame.offer])
      ask(frame.offer)
    } else if (frame.type === 'log') {
      const [kind, , pow] = frame.arg!
      if (!known.has(String(kind))) throw new Error(`a log of an unknown kind: ${String(kind)}`)
      log.push(frame.arg!)
      if (kind === 'network' && typeof pow === 'string') {
        send({ type: 'pow', nonce: String(findNonce(id, Number(/^pow:(\d+)$/.exec(pow)![1]))) })
      }
    } else throw new Error(`an unknown type: ${frame.type}`)
  }
  socket.on('message', (data: Buffer, binary: boolean) => {
    try {
      if (binary) throw new Error('a binary frame')
      const frame = JSON.parse(data.toString()) as Frame
      frames.push(frame)
      hear(frame)
    } catch (error) {
      broken = error
      socket.close()
    }
  })
  const stop = (): void => {
    if (socket.readyState !== WebSocket.CONNECTING) socket.close()
    else socket.once('open', () => socket.close())
  }
  const giveUp = (): void => {
    if (start === null) stop()
  }
  if (signal?.aborted || enough?.aborted) stop()
  signal?.addEventListener('abort', stop)
  enough?.addEventListener('abort', giveUp)
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer]
  gone = true
  signal?.removeEventListener('abort', stop)
  enough?.removeEventListener('abort', giveUp)
  if (broken !== null) throw new Error(`protocol error: ${String(broken)}`)
  return { start, frames, calls, log, code, reason: reason.toString(), crash }
}

/** The kinds of log entries that the original knows. */
const known = new Set(['network', 'init', 'seed', 'info', 'offer', 'abort', 'valuation', 'score', 'done'])

/** The smallest number whose proof the original takes; slow and plain. */
export function findNonce(id: string, bits: number): number {
  for (let nonce = 0; ; nonce++) {
    const digest = hash('sha256', `${nonce}:${id}`, 'buffer')
    let zero = true
    for (let bit = 0; bit < bits; bit++) zero &&= ((digest[bit >> 3]! >> (bit & 7)) & 1) === 0
    if (zero) return nonce
  }
}

/** Entries of the log that are of one kind. */
export function entries({ log }: Played, kind: string): readonly (readonly unknown[])[] {
  return log.filter(([name]) => name === kind)
}
