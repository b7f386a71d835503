import { hash, timingSafeEqual } from 'node:crypto'
import type { NativeClaim } from '../contract/game/native-dialogue.ts'
import { createPostLine, type PostLine } from './post-line.ts'
import type { SignIn } from './sign-in.ts'

/** A table whose seats are given to clients as they come. */
export interface HallTable {
  readonly id: string
  readonly seats: number
  /** Clients write it before their names, as `TOKEN/NAME`. null: the table is open to everybody. */
  readonly token: string | null
}

/** A client at a table. */
export interface Seated {
  /** As the client says it, without a token. */
  readonly name: string
  readonly line: PostLine
}

export interface HallOptions {
  /** In the order in which they are filled. */
  readonly tables: readonly HallTable[]
  /** Bytes that a client may send while it waits. */
  readonly idleBytes: number
  /** ms that a client has for an answer that it still owes when its game is over. */
  readonly strayMs: number
  /** All seats of a table are taken: its game begins. In seat order. */
  onFull(table: string, seated: readonly Seated[]): void
  /** A client has come to a table, or has left it before the game. A sentence. */
  onNotice(table: string, text: string): void
}

/** Tables behind one port. */
export interface Hall extends SignIn {
  /** The names at a table, by seat; null: the seat is free. */
  names(table: string): readonly (string | null)[]
  /** The game is over: the seats are free for the next one. */
  clear(table: string): void
  /** Sends away who waits at tables whose game has not begun; nobody is seated any more. */
  close(text: string): void
}

interface Table extends HallTable {
  readonly places: (Seated | null)[]
  /** Everybody is there: who leaves now leaves a game. */
  playing: boolean
}

/** Seats clients by their arrival: at the first table that has a free seat, or at the private one whose token they name. */
export function createHall({ tables: of, idleBytes, strayMs, onFull, onNotice }: HallOptions): Hall {
  const tables = of.map((table): Table => ({
    ...table,
    places: Array<Seated | null>(table.seats).fill(null),
    playing: false,
  }))
  const byId = new Map(tables.map((table) => [table.id, table]))
  let closed = false

  const sit = (table: Table, seat: number, name: string): PostLine => {
    const line = createPostLine({
      rejoins: false,
      once: true,
      idleBytes,
      strayMs,
      onChange(change) {
        if (closed || table.playing) return
        if (!change.came && table.places[seat]?.line === line) table.places[seat] = null
        onNotice(table.id, change.came ? `${name} has taken a seat.` : `${name} has left: it ${change.text}`)
      },
    })
    table.places[seat] = { name, line }
    return line
  }
  const beginIfFull = (table: Table): void => {
    const seated = table.places.filter((place) => place !== null)
    if (table.playing || seated.length < table.seats) return
    table.playing = true
    onFull(table.id, seated)
  }

  return {
    signIn(claim, _address, way, guest) {
      if (closed) return 'No more games are played here.'
      const { name, token } = nameOf(claim, tables)
      // A text that looks like a token of no table must not be shown as a name.
      if (token === null && name.includes('/') && tables.some((table) => table.token !== null)) {
        return 'There is no private game with this token.'
      }
      const candidates = tables.filter((table) => table.token === token)
      if (candidates.length === 0) return 'Games here are private: connect with the name TOKEN/NAME.'
      const table = fullest(candidates.filter(({ playing, places }) => !playing && places.includes(null)))
      if (table === undefined) return 'All seats are taken; try again when a game is over.'
      const seat = table.places.indexOf(null)
      const refusal = sit(table, seat, name).join(way, () => guest({ entrant: name, line: seat }))
      if (refusal === null) beginIfFull(table)
      return refusal
    },
    names: (id) => byId.get(id)?.places.map((place) => place?.name ?? null) ?? [],
    clear(id) {
      const table = byId.get(id)
      if (table === undefined) return
      table.places.fill(null)
      table.playing = false
    },
    close(text) {
      closed = true
      for (const { playing, places } of tables) if (!playing) for (const place of places) place?.line.close(text)
    },
  }
}

/** The table with the fewest free seats, the first of several: who waits there must not wait while others begin to fill. */
function fullest(tables: readonly Table[]): Table | undefined {
  const free = ({ places }: Table): number => places.filter((place) => place === null).length
  return tables.toSorted((one, other) => free(one) - free(other))[0]
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => hash('sha256', text, 'buffer')
  return timingSafeEqual(digest(one), digest(other))
}

/** The name of a client, and the private table that it wants; an unknown token is a part of the name. */
function nameOf(claim: NativeClaim, tables: readonly HallTable[]): { name: string; token: string | null } {
  const said = claim.by === 'arrival' ? (claim.name ?? '') : ''
  const slash = said.indexOf('/')
  const first = said.slice(0, slash)
  // All tokens are compared, each in the same time, so that time tells nothing of them.
  const isToken = tables.filter(({ token }) => token !== null && isSame(token, first)).length > 0 && slash > 0
  return isToken ? { name: said.slice(slash + 1), token: first } : { name: said, token: null }
}
