import type { PostState } from '../contract/players/arena.ts'
import type { Fault } from '../contract/faults.ts'
import type { NativeEntry, NativeSignIn } from '../contract/game/native-dialogue.ts'
import type { LineCall, LineEvent } from '../contract/players/seat-transport.ts'
import { unreadBytes } from '../players/channels/channel.ts'
import { makeFault } from '../players/make-fault.ts'
import { closeCodes } from './closing.ts'
import type { Link } from './socket-link.ts'

/** By which protocol a connection has come: Tartaglia's own, or the game's, and then for how long a connection is. */
export type ConnectionKind = 'own' | NativeEntry['connection']

/** A connection that has signed in, and what is said to it outside of matches. */
export interface Guest {
  readonly link: Link
  /** null: it is not greeted. */
  readonly greeting: Uint8Array | null
  /** Last words; null: there are none. */
  readonly goodbye: NativeSignIn['goodbye']
  /** What is answered to what has come outside of a match; null: nothing. */
  idle(bytes: Uint8Array): Uint8Array | null
  /** Whether this is what the farewell still waited for. */
  settles(bytes: Uint8Array): boolean
}

/** The connection of one post, which is used for one match after the other. */
export interface PostLine {
  /** Takes the connection that is made where it may come, and greets it; a sentence: why it may not. */
  join(way: ConnectionKind, make: () => Guest): string | null
  state(): PostState
  /** Whether it could be given to somebody who comes this way without a credential; null: not now. */
  vacancy(way: ConnectionKind): Vacancy | null
  /** What the worker says that plays `run`; `hear` gets what comes back. */
  transport(run: number, call: LineCall, hear: (event: LineEvent) => void): void
  /** Sends the agent home, with words. */
  close(text: string): void
}

/** A post at which nobody is. */
export interface Vacancy {
  /** Whether whoever had it has played a match. */
  readonly played: boolean
  /** ms since then; 0: nobody has had it. */
  readonly ms: number
}

export interface PostLineOptions {
  /** Whoever has dropped may come back. */
  readonly rejoins: boolean
  /** It is for one connection and one match: nobody comes for another. Absent: for the matches of a contest. */
  readonly once?: boolean
  /** What may come outside of matches in a minute. */
  readonly idleBytes: number
  /** ms that a client has for an answer that it still owes when its match is over. */
  readonly strayMs: number
  /** It has come, or gone: words that follow "The agent". */
  onChange(change: { readonly came: true } | { readonly came: false; readonly text: string }): void
}

/** What is on its way to a worker at a time; what is more waits where it comes from. */
const windowBytes = 262_144

/** Messages before the first match that are kept for it, however short they are. */
const keptMost = 1_000

/** ms in which `idleBytes` may come. */
const idleMs = 60_000

/** Connections of one match, each of which its table hears of. */
const connectionsMost = 100

/** A match that the post plays. */
interface Bound {
  readonly run: number
  readonly hear: (event: LineEvent) => void
  /** Of the connection that the match knows of; null: none. */
  link: number | null
  /** How many it has had. */
  connections: number
  /** Bytes on their way to the worker. */
  flying: number
}

/** A guest that is here. */
interface Here extends Guest {
  /** Whether it has been in a match. */
  played: boolean
  /** What it has sent before its first match, where that is the match's: none of Tartaglia's own. */
  readonly kept: Uint8Array[]
  /** Bytes that have come outside of a match since `idleSince`. */
  idleBytes: number
  idleSince: number
  /** Its match is over, and the connection with it: called with what still comes. null: it stays. */
  leaving: ((bytes: Uint8Array) => void) | null
}

export function createPostLine({ rejoins, once = false, idleBytes, strayMs, onChange }: PostLineOptions): PostLine {
  let here: Here | null = null
  let bound: Bound | null = null
  /** How it was reached first: one contest goes on as it has begun. */
  let way: ConnectionKind | null = null
  let closed = false
  /** Whether the last change that was told was that it has come. */
  let toldHere = false
  let links = 0
  /** Whether a match has been played here. */
  let played = false
  /** When nobody has been here any more. */
  let left: number | null = null
  /** How the newest connection ended. */
  let lost: { readonly text: string; readonly fault?: Fault } = { text: 'has not connected.' }
  /** Connections whose match is over and that still owe an answer: how each is closed. */
  const leavers = new Set<() => void>()

  const returns = (): boolean => rejoins || (way === 'match' && !once)
  const tell = (change: Parameters<typeof onChange>[0]): void => {
    // A connection a match comes and goes with each match: only what is new is told.
    if (change.came && toldHere) return
    toldHere = change.came
    onChange(change)
  }
  const send = ({ link }: Guest, bytes: Uint8Array | null): void => {
    if (bytes !== null) link.write(bytes)
  }

  const bind = (): void => {
    // Who has dropped out of this match is here for the next one.
    if (bound === null || here === null || (bound.connections > 0 && !rejoins)) return
    bound.link = ++links
    bound.connections += 1
    bound.flying = 0
    here.played = true
    played = true
    bound.hear({ type: 'up', link: bound.link, ...(way === 'own' ? {} : { native: true }) })
    for (const bytes of here.kept.splice(0)) deliver(here, bytes)
  }
  const deliver = ({ link }: Here, bytes: Uint8Array): void => {
    if (bound === null || bound.link === null) return
    bound.flying += bytes.byteLength
    if (bound.flying > windowBytes) link.pause()
    bound.hear({ type: 'data', link: bound.link, bytes })
  }
  const dropped = (mine: Here, text: string, fault?: Fault): void => {
    mine.leaving?.(new Uint8Array())
    if (here !== mine) return
    here = null
    left = performance.now()
    lost = { text, ...(fault === undefined ? {} : { fault }) }
    if (bound !== null && bound.link !== null) {
      const number = bound.link
      bound.link = null
      bound.hear({ type: 'down', link: number, ...lost })
    }
    tell({ came: false, text })
  }
  /** Ends a connection for what came over it, or was not read from it. */
  const cut = (mine: Here, text: string): void => {
    send(mine, mine.goodbye(`The agent ${text}`, 'offence'))
    mine.link.close(`The agent ${text}`)
    dropped(mine, text, makeFault('protocol', `The agent ${text}`))
  }
  const came = (mine: Here, bytes: Uint8Array): void => {
    if (mine.leaving !== null) return mine.leaving(bytes)
    if (here !== mine) return
    if (bound !== null && bound.link !== null) return deliver(mine, bytes)
    const now = performance.now()
    if (now - mine.idleSince > idleMs) {
      mine.idleBytes = 0
      mine.idleSince = now
    }
    mine.idleBytes += bytes.byteLength
    if (mine.idleBytes > idleBytes) cut(mine, `sent more than ${idleBytes} bytes in a minute outside of a match.`)
    else if (way === 'own') return
    else if (mine.played || way === 'contest') send(mine, mine.idle(bytes))
    else if (mine.kept.length >= keptMost) cut(mine, `sent more than ${keptMost} messages before its first match.`)
    else mine.kept.push(bytes)
  }
  /** Closes the connection of a match that is over; who owes an answer is heard until it has come. */
  const sendHome = (mine: Here, { reason, awaits, refused }: Extract<LineCall, { type: 'shut' }>): void => {
    here = null
    left = performance.now()
    const end = (): void => {
      clearTimeout(late)
      leavers.delete(end)
      mine.leaving = () => undefined
      mine.link.close(reason, refused === true ? closeCodes.policy : closeCodes.done)
    }
    const late = setTimeout(end, awaits === true ? strayMs : 0)
    leavers.add(end)
    mine.link.resume()
    mine.leaving = (bytes) => {
      mine.idleBytes += bytes.byteLength
      if (bytes.byteLength === 0 || mine.idleBytes > idleBytes || mine.settles(bytes)) end()
    }
    if (awaits !== true) end()
  }

  return {
    state: () => (here !== null ? 'here' : closed || (way !== null && !returns()) ? 'gone' : 'awaited'),
    vacancy(by) {
      if (here !== null || closed || (way !== null && (way !== by || !returns()))) return null
      return { played, ms: left === null ? 0 : performance.now() - left }
    },
    join(by, make) {
      if (closed) return 'The contest is over.'
      if (way !== null && !returns()) return 'This credential has already been used; it is valid for one connection.'
      if (way !== null && by !== way) return 'This post is already in use through another port.'
      if (by === 'match' && here !== null) return 'An agent is already connected with this credential.'
      if (bound !== null && bound.connections >= connectionsMost)
        return `This post has had ${connectionsMost} connections in this match; reconnect for the next one.`
      way = by
      here?.link.close()
      const next: Here = {
        ...make(),
        played: false,
        kept: [],
        idleBytes: 0,
        idleSince: performance.now(),
        leaving: null,
      }
      here = next
      send(next, next.greeting)
      next.link.start({
        data: (bytes) => came(next, bytes),
        printed: () => undefined,
        end: ({ text, fault }) => dropped(next, text, fault),
      })
      tell({ came: true })
      bind()
      return null
    },
    transport(run, call, hear) {
      if (call.type === 'open') {
        // Nobody has ended the match that it played last: its worker has. Another one wants a new connection.
        if (way === 'match' && here !== null && here.played) sendHome(here, { type: 'shut' })
        bound = { run, hear, link: null, connections: 0, flying: 0 }
        if (here !== null) {
          here.idleBytes = 0
          here.link.resume()
          bind()
        } else if (!returns()) hear({ type: 'down', link: ++links, ...lost })
        return
      }
      if (bound?.run !== run) return
      if (call.type === 'shut') {
        const over = bound
        bound = null
        if (way === 'match' && here !== null && over.link !== null) sendHome(here, call)
        else here?.link.resume()
        return
      }
      if (here === null || bound.link !== call.link) return
      if (call.type === 'write') {
        here.link.write(call.bytes)
        const unread = here.link.unread()
        if (unread > unreadBytes) cut(here, `does not read: ${unread} bytes are waiting for it.`)
      } else if (call.type === 'cut') {
        bound.link = null
        here.link.close(call.text)
        dropped(here, call.text)
      } else {
        bound.flying -= call.bytes
        if (bound.flying <= windowBytes / 2) here.link.resume()
      }
    },
    close(text) {
      closed = true
      for (const end of leavers) end()
      if (here === null) return
      send(here, here.goodbye(text, 'over'))
      here.link.close(text)
      here = null
    },
  }
}
