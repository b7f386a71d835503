import { usualPlace, type ArenaPlace } from '../../../main/contract/arena.ts'
import type { Problems } from '../../games/game.ts'

/** What stands in the fields of an arena. null: a field for a number that holds none. */
export interface ArenaForm {
  host: string
  /** null: any port that is free. */
  port: number | null
  /** Plain TCP as well. */
  plain: boolean
  plainPort: number | null
  waitMinutes: number | null
}

/** The fields of an arena that is at a place. */
export function arenaForm({ host, webSocket, tcp, waitMs }: ArenaPlace = usualPlace): ArenaForm {
  const port = (number: number | null): number | null => (number === 0 ? null : number)
  return { host, port: port(webSocket), plain: tcp !== null, plainPort: port(tcp), waitMinutes: waitMs / 60_000 }
}

/** The place that the fields describe, or what is wrong with them. */
export function readArena({
  host,
  port,
  plain,
  plainPort,
  waitMinutes,
}: ArenaForm): { readonly ok: true; readonly place: ArenaPlace } | { readonly ok: false; readonly problems: Problems } {
  const problems: Record<string, string> = {}
  if (!isPort(port)) problems.arenaPort = noPort
  if (plain && !isPort(plainPort)) problems.arenaPlainPort = noPort
  else if (plain && plainPort !== null && plainPort === port) {
    problems.arenaPlainPort = 'Plain TCP needs a port of its own.'
  }
  if (waitMinutes === null || !(waitMinutes >= 1 && waitMinutes <= 1_440)) {
    problems.arenaWait = 'From 1 to 1,440 minutes.'
  }
  if (Object.keys(problems).length > 0) return { ok: false, problems }
  const place = { host, webSocket: port ?? 0, tcp: plain ? (plainPort ?? 0) : null }
  return { ok: true, place: { ...place, waitMs: Math.round((waitMinutes ?? 0) * 60_000) } }
}

const noPort = 'A port is a whole number from 1 to 65,535; without one any is taken that is free.'

function isPort(port: number | null): boolean {
  return port === null || (Number.isInteger(port) && port >= 1 && port <= 65_535)
}
