import { defaultArenaPlace, type ArenaPlace } from '../../../../main/contract/players/arena.ts'
import type { Problems } from '../../../games/field.ts'
import type { GameNetwork } from '../../../games/game.ts'

/** The contents of an arena's fields. null: an empty number field. */
export interface ArenaForm {
  host: string
  /** null: any free port. */
  port: number | null
  /** Plain TCP as well. */
  plain: boolean
  plainPort: number | null
  /** The game's own protocol as well. */
  native: boolean
  nativePort: number | null
  waitMinutes: number | null
}

/** The form's contents for an arena's place. */
export function arenaForm({ host, webSocket, tcp, native, waitMs }: ArenaPlace = defaultArenaPlace): ArenaForm {
  const port = (number: number | null): number | null => (number === 0 ? null : number)
  return {
    host,
    port: port(webSocket),
    plain: tcp !== null,
    plainPort: port(tcp),
    native: native !== undefined,
    nativePort: port(native ?? null),
    waitMinutes: waitMs / 60_000,
  }
}

/** The place that the fields describe, or their problems. */
export function readArena({
  host,
  port,
  plain,
  plainPort,
  native,
  nativePort,
  waitMinutes,
}: ArenaForm): { readonly ok: true; readonly place: ArenaPlace } | { readonly ok: false; readonly problems: Problems } {
  const problems: Record<string, string> = {}
  if (!isPort(port)) problems.arenaPort = noPort
  if (plain && !isPort(plainPort)) problems.arenaPlainPort = noPort
  else if (plain && plainPort !== null && plainPort === port) {
    problems.arenaPlainPort = 'Plain TCP needs a port of its own.'
  }
  if (native && !isPort(nativePort)) problems.arenaNativePort = noPort
  else if (native && nativePort !== null && (nativePort === port || (plain && nativePort === plainPort))) {
    problems.arenaNativePort = 'The game’s own protocol needs a port of its own.'
  }
  if (waitMinutes === null || !(waitMinutes >= 1 && waitMinutes <= 1_440)) {
    problems.arenaWait = 'From 1 to 1,440 minutes.'
  }
  if (Object.keys(problems).length > 0) return { ok: false, problems }
  const place = { host, webSocket: port ?? 0, tcp: plain ? (plainPort ?? 0) : null }
  const own = native ? { native: nativePort ?? 0 } : {}
  return { ok: true, place: { ...place, ...own, waitMs: Math.round((waitMinutes ?? 0) * 60_000) } }
}

const noPort = 'A port is a whole number from 1 to 65,535; if empty, any free port is used.'

function isPort(port: number | null): boolean {
  return port === null || (Number.isInteger(port) && port >= 1 && port <= 65_535)
}

/** The form without the protocols that a game does not have. */
export function arenaFormFor(form: ArenaForm, network: GameNetwork | null | undefined): ArenaForm {
  return {
    ...form,
    plain: form.plain && network?.plain === true,
    native: form.native && network?.native !== undefined,
  }
}
