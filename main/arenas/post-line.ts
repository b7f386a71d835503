import type { PostState } from '../contract/players/arena.ts'
import type { Fault } from '../contract/faults.ts'
import type { NativeEntry, NativeSignIn } from '../contract/game/native-dialogue.ts'
import type { LineCall, LineEvent, LineNews } from '../contract/players/seat-transport.ts'
import { unreadBytes } from '../players/channels/channel.ts'
import { makeFault } from '../players/make-fault.ts'
import { PauseNews } from '../players/network/pauses.ts'
import { closeCodes } from './closing.ts'
import { everythingRead } from './reading-turns.ts'
import type { Link } from './socket-link.ts'

/** The protocol of a connection: Tartaglia's own, or the game's, which says how long a connection lasts. */
export type ConnectionKind = 'own' | NativeEntry['connection']

/** A connection that has signed in, and the answers to it outside of matches. */
export interface Guest {
  readonly link: Link
  /** null: it is not greeted. */
  readonly greeting: Uint8Array | null
  /** Last words; null: there are none. */
  readonly goodbye: NativeSignIn['goodbye']
  /** The answer to a message that came outside of a match; null: none. */
  idle(bytes: Uint8Array): Uint8Array | null
  /** True if this is what the farewell still waited for. */
  settles(bytes: Uint8Array): boolean
}

/** The connection of one post, which is used for one match after the other. */
export interface PostLine {
  /** Makes the connection and greets it, if one may come; otherwise returns a sentence that says why not. */
  join(way: ConnectionKind, make: () => Guest): string | null
  state(): PostState
  /** The post, if it could be given to a client that comes this way without a credential; null: not now. */
  vacancy(way: ConnectionKind): Vacancy | null
  /** Takes a call of the worker that plays `run`; `hear` gets what comes back. */
  transport(run: number, call: LineCall, hear: (event: LineEvent) => void): void
  /** Sends the agent home, with words. */
  close(text: string): void
}

/** A free post. */
export interface Vacancy {
  /** True if its last guest has played a match. */
  readonly played: boolean
  /** ms since that guest left; 0: nobody has had it. */
  readonly ms: number
}

export interface PostLineOptions {
  /** An agent that has dropped out of a match may come back into it. */
  readonly rejoins: boolean
  /** The post is for one connection and one match. Absent: for the matches of a contest. */
  readonly once?: boolean
  /** Bytes that may come outside of matches in a minute. */
  readonly idleBytes: number
  /** ms that a client has for an answer that it still owes when its match is over. */
  readonly strayMs: number
  /** The agent has come, or gone. `text`: words that follow "The agent". */
  onChange(change: { readonly came: true } | { readonly came: false; readonly text: string }): void
}

/** Bytes on their way to a worker at a time; the rest waits at its sender. */
const windowBytes = 262_144

/** Messages before the first match that are kept for it, however short they are. */
const keptMost = 1_000

/** ms in which `idleBytes` may come. */
const idleMs = 60_000

/** Connections of one match, each of which its table hears of. */
const connectionsMost = 100

/** The match that the post plays. */
interface Bound {
  readonly run: number
  readonly hear: (event: LineEvent) => void
  /** Number of the connection that the match knows of; null: there is none. */
  link: number | null
  /** Connections that the match has had. */
  connections: number
  /** Bytes on their way to the worker. */
  flying: number
  /** Messages that have come during the match. */
  messages: number
  /** The pauses of this process that the worker does not know of yet. */
  readonly pauses: PauseNews
}

/** A guest that is here. */
interface Here extends Guest {
  /** True once it has been in a match. */
  played: boolean
  /** Messages in the game's own protocol that came before its first match, for which they are kept. */
  readonly kept: Uint8Array[]
  /** Bytes that have come outside of a match since `idleSince`. */
  idleBytes: number
  /** In ms of `performance.now()`. */
  idleSince: number
  /** Its match is over, and the connection with it: called with what still comes. null: it stays. */
  leaving: ((bytes: Uint8Array) => void) | null
}

/** The state of a post. */
interface LineState {
  readonly options: PostLineOptions
  /** The guest; null: nobody is here. */
  here: Here | null
  /** The match; null: between matches. */
  bound: Bound | null
  /** The protocol of its first connection, which all others must speak: a contest goes on as it has begun. */
  way: ConnectionKind | null
  closed: boolean
  /** True if the last change that was reported is that a guest has come. */
  isKnownHere: boolean
  /** Number of the newest connection of a match. */
  links: number
  /** True once a match has been played here. */
  played: boolean
  /** When the last guest left, in ms of `performance.now()`; null: nobody has left yet. */
  left: number | null
  /** How the newest connection ended. */
  lost: { readonly text: string; readonly fault?: Fault }
  /** Closes each connection whose match is over and that still owes an answer. */
  readonly leavers: Set<() => void>
}

export function createPostLine(options: PostLineOptions): PostLine {
  const line: LineState = {
    options,
    here: null,
    bound: null,
    way: null,
    closed: false,
    isKnownHere: false,
    links: 0,
    played: false,
    left: null,
    lost: { text: 'has not connected.' },
    leavers: new Set(),
  }
  return {
    state: () => (line.here !== null ? 'here' : line.closed || isUsedUp(line) ? 'gone' : 'awaited'),
    vacancy(by) {
      const { here, closed, way, played, left } = line
      if (here !== null || closed || (way !== null && way !== by) || isUsedUp(line)) return null
      return { played, ms: left === null ? 0 : performance.now() - left }
    },
    join: (by, make) => join(line, by, make),
    transport(run, call, hear) {
      if (call.type === 'open') bindTo(line, run, hear)
      else if (line.bound?.run === run) carry(line, line.bound, call)
    },
    close: (text) => close(line, text),
  }
}

/** True where connections may follow each other: within a match, or one a match. */
function mayReturn({ way, options: { rejoins, once = false } }: LineState): boolean {
  return rejoins || (way === 'match' && !once)
}

/** True where a connection has been, and no other may come. */
const isUsedUp = (line: LineState): boolean => line.way !== null && !mayReturn(line)

function report(line: LineState, change: Parameters<PostLineOptions['onChange']>[0]): void {
  // A connection a match comes and goes with each match: only the first coming is reported.
  if (change.came && line.isKnownHere) return
  line.isKnownHere = change.came
  line.options.onChange(change)
}

function send({ link }: Guest, bytes: Uint8Array | null): void {
  if (bytes !== null) link.write(bytes)
}

/** See PostLine.join. */
function join(line: LineState, by: ConnectionKind, make: () => Guest): string | null {
  const { here, bound, way, closed } = line
  if (closed) return 'The contest is over.'
  if (isUsedUp(line)) return 'This credential has already been used; it is valid for one connection.'
  if (way !== null && by !== way) return 'This post is already in use through another port.'
  if (by === 'match' && here !== null) return 'An agent is already connected with this credential.'
  if (bound !== null && bound.connections >= connectionsMost)
    return `This post has had ${connectionsMost} connections in this match; reconnect for the next one.`
  line.way = by
  here?.link.close()
  const idleSince = performance.now()
  const next: Here = { ...make(), played: false, kept: [], idleBytes: 0, idleSince, leaving: null }
  line.here = next
  send(next, next.greeting)
  next.link.start({
    data: (bytes) => receive(line, next, bytes),
    printed: () => undefined,
    end: ({ text, fault }) => drop(line, next, text, fault),
  })
  report(line, { came: true })
  connect(line)
  return null
}

/** Begins a match. */
function bindTo(line: LineState, run: number, hear: Bound['hear']): void {
  // The match before is still open: its worker has died without closing it. The next match wants a new connection.
  if (line.way === 'match' && line.here?.played === true) sendHome(line, line.here, { type: 'shut' })
  line.bound?.pauses.close()
  const bound: Bound = { run, hear, link: null, connections: 0, flying: 0, messages: 0, pauses: new PauseNews() }
  line.bound = bound
  const { here } = line
  if (here !== null) {
    here.idleBytes = 0
    here.link.resume()
    connect(line)
  } else if (!mayReturn(line)) pass(bound, { type: 'down', link: ++line.links, ...line.lost })
}

/** Connects the guest with the match, where both are here. */
function connect(line: LineState): void {
  const { here, bound } = line
  // A guest that has dropped out of this match is here for the next one.
  if (bound === null || here === null || (bound.connections > 0 && !line.options.rejoins)) return
  bound.link = ++line.links
  bound.connections += 1
  bound.flying = 0
  here.played = true
  line.played = true
  pass(bound, { type: 'up', link: bound.link, ...(line.way === 'own' ? {} : { native: true }) })
  for (const bytes of here.kept.splice(0)) deliver(line, here, bytes)
}

/** Hands a message to the match. */
function deliver({ bound }: LineState, { link }: Here, bytes: Uint8Array): void {
  if (bound === null || bound.link === null) return
  bound.flying += bytes.byteLength
  if (bound.flying > windowBytes) link.pause()
  bound.messages += 1
  pass(bound, { type: 'data', link: bound.link, bytes })
}

/** Takes what has come from a guest. */
function receive(line: LineState, guest: Here, bytes: Uint8Array): void {
  if (guest.leaving !== null) return guest.leaving(bytes)
  if (line.here !== guest) return
  if (line.bound !== null && line.bound.link !== null) return deliver(line, guest, bytes)
  const now = performance.now()
  if (now - guest.idleSince > idleMs) {
    guest.idleBytes = 0
    guest.idleSince = now
  }
  guest.idleBytes += bytes.byteLength
  const { idleBytes } = line.options
  if (guest.idleBytes > idleBytes) cut(line, guest, `sent more than ${idleBytes} bytes in a minute outside of a match.`)
  else if (line.way === 'own') return
  else if (guest.played || line.way === 'contest') send(guest, guest.idle(bytes))
  else if (guest.kept.length >= keptMost)
    cut(line, guest, `sent more than ${keptMost} messages before its first match.`)
  else guest.kept.push(bytes)
}

/** Takes what the match's worker says, other than that it opens the match. */
function carry(line: LineState, bound: Bound, call: Exclude<LineCall, { type: 'open' }>): void {
  const { here } = line
  if (call.type === 'shut') {
    line.bound = null
    bound.pauses.close()
    if (line.way === 'match' && here !== null && bound.link !== null) sendHome(line, here, call)
    else here?.link.resume()
    return
  }
  if (call.type === 'check') return void check(line, bound, call.check)
  if (here === null || bound.link !== call.link) return
  if (call.type === 'write') {
    here.link.write(call.bytes)
    const unread = here.link.unread()
    if (unread > unreadBytes) cut(line, here, `does not read: ${unread} bytes are waiting for it.`)
  } else if (call.type === 'cut') {
    bound.link = null
    here.link.close(call.text)
    drop(line, here, call.text)
  } else {
    bound.flying -= call.bytes
    if (bound.flying <= windowBytes / 2) here.link.resume()
  }
}

/** Passes something on to the match, with the pauses that it does not know of yet. */
function pass(bound: Bound, news: LineNews): void {
  bound.hear(bound.pauses.with(news))
}

/** Answers once everything that has arrived has been passed on. */
async function check(line: LineState, bound: Bound, number: number): Promise<void> {
  await everythingRead(() => bound.messages)
  if (line.bound === bound) pass(bound, { type: 'checked', check: number })
}

/** Ends a connection for what came over it, or was not read from it. */
function cut(line: LineState, guest: Here, text: string): void {
  send(guest, guest.goodbye(`The agent ${text}`, 'offence'))
  guest.link.close(`The agent ${text}`)
  drop(line, guest, text, makeFault('protocol', `The agent ${text}`))
}

/** A connection has ended. */
function drop(line: LineState, guest: Here, text: string, fault?: Fault): void {
  guest.leaving?.(new Uint8Array())
  if (line.here !== guest) return
  line.here = null
  line.left = performance.now()
  line.lost = { text, ...(fault === undefined ? {} : { fault }) }
  const { bound } = line
  if (bound !== null && bound.link !== null) {
    const { link } = bound
    bound.link = null
    pass(bound, { type: 'down', link, ...line.lost })
  }
  report(line, { came: false, text })
}

/** Closes the connection of a match that is over; a guest that owes an answer is heard until it has come. */
function sendHome(
  line: LineState,
  guest: Here,
  { reason, awaits, refused }: Extract<LineCall, { type: 'shut' }>,
): void {
  const { strayMs, idleBytes } = line.options
  line.here = null
  line.left = performance.now()
  const end = (): void => {
    clearTimeout(late)
    line.leavers.delete(end)
    guest.leaving = () => undefined
    guest.link.close(reason, refused === true ? closeCodes.policy : closeCodes.done)
  }
  const late = setTimeout(end, awaits === true ? strayMs : 0)
  line.leavers.add(end)
  guest.link.resume()
  guest.leaving = (bytes) => {
    guest.idleBytes += bytes.byteLength
    if (bytes.byteLength === 0 || guest.idleBytes > idleBytes || guest.settles(bytes)) end()
  }
  if (awaits !== true) end()
}

/** See PostLine.close. */
function close(line: LineState, text: string): void {
  line.closed = true
  line.bound?.pauses.close()
  for (const end of line.leavers) end()
  const { here } = line
  if (here === null) return
  send(here, here.goodbye(text, 'over'))
  here.link.close(text)
  line.here = null
}
