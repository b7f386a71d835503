import { randomBytes } from 'node:crypto'
import type { Listen } from '../../../arenas/gate.ts'
import { statusHtml, statusStyle, type FinishedStatus, type TableStatus } from '../../../arenas/punter/status.ts'
import { openStatusPage, type StatusPage } from '../../../arenas/status-page.ts'
import { riverScore, type State } from '../../../referees/punter/state.ts'
import { playLobby, type LobbyOptions, type OpenLobby } from './lobby.ts'

export interface OpenLobbyOptions extends Omit<LobbyOptions, 'tables' | 'onOpen'> {
  readonly tables: number
  /** The number of private tables, which are the last ones. */
  readonly privateTables: number
  /** The place at which the status page is served; null: nowhere. */
  readonly status: Listen | null
  /** The games that are played, in a sentence for the status page. */
  readonly about: string
  /** Called with each table's address and token, and with the address of the status page; null: there is none. */
  onOpen(tables: readonly OpenTable[], status: string | null): void
}

export interface OpenTable {
  readonly address: string
  /** null: the table is open to everybody. */
  readonly token: string | null
}

/** Finished games on the status page. */
const FINISHED_MAX = 50
/** Seconds between two loads of the status page. */
const REFRESH = 5

/** Plays the games of a lobby as `playLobby` does, with tokens for its private tables and a status page. */
export async function playOpenLobby({
  tables: count,
  privateTables,
  status,
  about,
  ...options
}: OpenLobbyOptions): Promise<void> {
  const tables = Array.from({ length: count }, (_, table) => ({
    token: table < count - privateTables ? null : randomBytes(9).toString('base64url'),
  }))
  const finished: FinishedStatus[] = []
  const page: { open: OpenLobby | null; server: StatusPage | null } = { open: null, server: null }
  const statusOf = (): string => {
    const { open } = page
    if (open === null) return ''
    return statusHtml({
      about,
      finished,
      tables: tables.map(({ token }, table) => tableStatus(open, table, token !== null)),
    })
  }
  if (status !== null) {
    page.server = await openStatusPage({
      ...status,
      body: (path) => (path === '/' ? { title: 'Lambda Punter: games', html: statusOf() } : null),
      style: statusStyle,
      refresh: REFRESH,
      onUnexpected: options.onUnexpected,
    })
  }
  try {
    await playLobby({
      ...options,
      tables,
      onOpen(open) {
        page.open = open
        const opened = tables.map(({ token }, table) => ({ address: open.addresses[table]!, token }))
        options.onOpen(opened, page.server?.address ?? null)
      },
      onResult(played) {
        const { table, names, result } = played
        if (tables[table]!.token === null) finished.unshift({ table: table + 1, names, scores: result.scores })
        finished.splice(FINISHED_MAX)
        options.onResult(played)
      },
    })
  } finally {
    await page.server?.close()
  }
}

function tableStatus(open: OpenLobby, table: number, isPrivate: boolean): TableStatus {
  const state = open.state(table)
  return {
    number: table + 1,
    address: open.addresses[table]!,
    isPrivate,
    names: open.names(table),
    game: state === null ? null : gameStatus(state),
  }
}

/** Without futures, which others must not know before the end. */
function gameStatus({ moves, course, punters }: State): TableStatus['game'] {
  return { moves, most: course.rivers.length, scores: punters.map(riverScore) }
}
