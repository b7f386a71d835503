import * as z from 'zod'
import type { SeatId } from '../../contract/ids.ts'

/** The number that a punter gives itself in a move. The turn decides who moves, so it has no effect and may be absent. */
const punter = z.int().exactOptional()
const site = z.int()
const ends = z.object({ punter, source: site, target: site })

/** A move as a punter may write it. Other fields are not looked at. */
export const move = z.union([
  z.object({ claim: ends }),
  z.object({ pass: z.object({ punter }) }),
  z.object({ splurge: z.object({ punter, route: z.array(site).max(1_000_000) }) }),
  z.object({ option: ends }),
])
export type Move = z.infer<typeof move>

/** The same move in the name of the seat whose turn it is, as everybody is told it. */
export function moveOf(seat: SeatId, given: Move): Move {
  if ('claim' in given) {
    const { source, target } = given.claim
    return { claim: { punter: seat, source, target } }
  }
  if ('option' in given) {
    const { source, target } = given.option
    return { option: { punter: seat, source, target } }
  }
  if ('splurge' in given) return { splurge: { punter: seat, route: given.splurge.route } }
  return passOf(seat)
}

export const passOf = (seat: SeatId): Move => ({ pass: { punter: seat } })

/** The number that a punter gives itself in a move; undefined: none. */
export function namedIn(given: Move): number | undefined {
  if ('claim' in given) return given.claim.punter
  if ('option' in given) return given.option.punter
  return 'splurge' in given ? given.splurge.punter : given.pass.punter
}

/** A map as punters are told it: in the order of its file, without doubles; x and y where the match has coordinates. */
export type MapMessage = {
  readonly sites: readonly { readonly id: number; readonly x?: number; readonly y?: number }[]
  readonly rivers: readonly { readonly source: number; readonly target: number }[]
  /** Ids of sites. */
  readonly mines: readonly number[]
}

/** The extensions that are on; the others are absent. */
export type Settings = { readonly futures?: true; readonly splurges?: true; readonly options?: true }

/** Your number, the other punters and the map. Asks for `{ ready: punter }`, with futures where there are any. */
export type SetupMessage = {
  readonly type: 'setup'
  readonly punter: number
  readonly punters: number
  readonly map: MapMessage
  /** Absent: no extension is on. */
  readonly settings?: Settings
}

/** It is your turn. Asks for a move. */
export type MoveMessage = {
  readonly type: 'move'
  /** The last move of each punter, by its number; a pass before the first. */
  readonly moves: readonly Move[]
  /** Problems of your last message, a sentence each. Absent: none. */
  readonly notes?: readonly string[]
}

/** The match is over. Asks for `{ stopped: true }`. */
export type StopMessage = {
  readonly type: 'stop'
  /** The last moves; those that you know of are passes. */
  readonly moves: readonly Move[]
  readonly scores: readonly { readonly punter: number; readonly score: number }[]
  readonly notes?: readonly string[]
}

export type Message = SetupMessage | MoveMessage | StopMessage

/** Answers of a punter. The rules look at futures one by one. */
const answers = z.union([
  ...move.options,
  z.object({ ready: z.int(), futures: z.array(z.json()).max(100_000).exactOptional() }),
  z.object({ stopped: z.literal(true) }),
])
export type Answer = z.infer<typeof answers>

const kinds = ['claim', 'pass', 'splurge', 'option', 'ready', 'stopped'] as const

/** A message or an answer; an object with none of their fields is refused by a list of these fields. */
export const answer: z.ZodType<Answer> = z
  .unknown()
  .superRefine((value, context) => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (!isObject || kinds.some((kind) => kind in value)) return
    const listed = `${kinds.slice(0, -1).join(', ')} and ${kinds.at(-1)!}`
    const found = Object.keys(value)
      .slice(0, 3)
      .map((name) => JSON.stringify(name.slice(0, 40)))
    const instead = found.length === 0 ? '' : `, but ${found.join(', ')}`
    context.addIssue({ code: 'custom', message: `it has none of the fields ${listed}${instead}` })
  })
  .pipe(answers)

/** A message in the official protocol: its object, without the notes. */
export function officialOf(message: Message): object {
  if (message.type === 'setup') {
    const { punter, punters, map, settings } = message
    return { punter, punters, map, ...(settings === undefined ? {} : { settings }) }
  }
  const { moves } = message
  return message.type === 'move' ? { move: { moves } } : { stop: { moves, scores: message.scores } }
}
