import type { Player, PlayerEvent } from '../contract/players/player.ts'

/** Events of the first body have no field that names it. */
const ofFirst = {} as const

/** The field of an event that says whose it is. */
export const ofBody = (body = 0): { readonly body?: number } => (body === 0 ? ofFirst : { body })

/**
 * One player of a seat where each body has a connection or processes of its own: what they report is told with the body, and one
 * that is gone leaves the others. A seat of one body is its player.
 */
export function playerOfBodies(
  bodies: number,
  seat: (body: number, emit: (event: PlayerEvent) => void) => Player,
  emit: (event: PlayerEvent) => void,
): Player {
  if (bodies === 1) return seat(0, emit)
  const players = Array.from({ length: bodies }, (_, body) =>
    seat(body, (event) => emit(event.type === 'interrupted' ? event : { ...event, body })),
  )
  /** The last question of each body. */
  const asked = players.map((): number | null => null)
  return {
    async ready() {
      await Promise.all(players.map((player) => player.ready()))
    },
    ask(question, message, limitMs, bank, body = 0) {
      asked[body] = question
      players[body]!.ask(question, message, limitMs, bank)
    },
    tell: (message, body = 0) => players[body]!.tell(message),
    withdraw: (question) => players[asked.indexOf(question)]?.withdraw(question),
    close() {
      for (const player of players) player.close()
    },
  }
}
