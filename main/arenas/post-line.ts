import type { PostState } from '../contract/arena.ts'
import type { Fault } from '../contract/faults.ts'
import type { LineCall, LineEvent } from '../contract/seat-transport.ts'
import { arenaLine } from '../players/arena-wire.ts'
import { makeFault } from '../players/make-fault.ts'
import { unreadBytes } from '../players/wire-player.ts'
import type { Link } from './socket-link.ts'

/** The connection of one post, which is used for one match after the other. */
export interface PostLine {
  /** Takes the connection that is made where it may come, and greets it; a sentence: why it may not. */
  join(make: () => Link, greeting: Uint8Array): string | null
  state(): PostState
  /** What the worker says that plays `run`; `hear` gets what comes back. */
  transport(run: number, call: LineCall, hear: (event: LineEvent) => void): void
  /** Sends the agent home, with words. */
  close(text: string): void
}

export interface PostLineOptions {
  /** Whoever has dropped may come back. */
  readonly rejoins: boolean
  /** What may come between two matches, which nobody reads. */
  readonly idleBytes: number
  /** It has come, or gone: words that follow "The agent". */
  onChange(change: { readonly came: true } | { readonly came: false; readonly text: string }): void
}

/** What is on its way to a worker at a time; what is more waits where it comes from. */
const windowBytes = 262_144

/** A match that the post plays. */
interface Bound {
  readonly run: number
  readonly hear: (event: LineEvent) => void
  /** Of the connection that the match knows of; null: none. */
  link: number | null
  /** Bytes on their way to the worker. */
  flying: number
}

export function createPostLine({ rejoins, idleBytes, onChange }: PostLineOptions): PostLine {
  let link: Link | null = null
  let bound: Bound | null = null
  let used = false
  let links = 0
  let idle = 0
  /** How the newest connection ended. */
  let lost: { readonly text: string; readonly fault?: Fault } = { text: 'has not connected.' }

  const bind = (): void => {
    if (bound === null || link === null) return
    bound.link = ++links
    bound.flying = 0
    bound.hear({ type: 'up', link: bound.link })
  }
  const dropped = (mine: Link, text: string, fault?: Fault): void => {
    if (link !== mine) return
    link = null
    lost = { text, ...(fault === undefined ? {} : { fault }) }
    if (bound !== null && bound.link !== null) {
      const number = bound.link
      bound.link = null
      bound.hear({ type: 'down', link: number, ...lost })
    }
    onChange({ came: false, text })
  }
  /** Ends a connection for what came over it, or was not read from it. */
  const cut = (mine: Link, text: string): void => {
    mine.write(arenaLine({ arena: 'goodbye', text: `The agent ${text}` }))
    mine.close()
    dropped(mine, text, makeFault('protocol', `The agent ${text}`))
  }
  const came = (mine: Link, bytes: Uint8Array): void => {
    if (link !== mine) return
    if (bound === null || bound.link === null) {
      idle += bytes.byteLength
      if (idle > idleBytes) cut(mine, `sent more than ${idleBytes} bytes outside of a match.`)
      return
    }
    bound.flying += bytes.byteLength
    if (bound.flying > windowBytes) mine.pause()
    bound.hear({ type: 'data', link: bound.link, bytes })
  }

  return {
    state: () => (link !== null ? 'here' : used && !rejoins ? 'gone' : 'awaited'),
    join(make, greeting) {
      if (used && !rejoins) return 'This credential has been used: it is good for one connection.'
      used = true
      link?.close()
      const next = make()
      link = next
      idle = 0
      next.write(greeting)
      next.start({
        data: (bytes) => came(next, bytes),
        printed: () => undefined,
        end: ({ text, fault }) => dropped(next, text, fault),
      })
      onChange({ came: true })
      bind()
      return null
    },
    transport(run, call, hear) {
      if (call.type === 'open') {
        bound = { run, hear, link: null, flying: 0 }
        idle = 0
        if (link !== null) {
          link.resume()
          bind()
        } else if (!rejoins) hear({ type: 'down', link: ++links, ...lost })
        return
      }
      if (bound?.run !== run) return
      if (call.type === 'shut') {
        bound = null
        link?.resume()
        return
      }
      if (link === null || bound.link !== call.link) return
      if (call.type === 'write') {
        link.write(call.bytes)
        const unread = link.unread()
        if (unread > unreadBytes) cut(link, `does not read: ${unread} bytes wait for it.`)
      } else {
        bound.flying -= call.bytes
        if (bound.flying <= windowBytes / 2) link.resume()
      }
    },
    close(text) {
      used = true
      link?.write(arenaLine({ arena: 'goodbye', text }))
      link?.close()
      link = null
    },
  }
}
