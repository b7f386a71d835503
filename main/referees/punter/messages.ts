import * as z from 'zod'
import { count, either, list, named, record, type ProgramMessages } from '../../contract/game/program-messages.ts'
import type { SeatId } from '../../contract/ids.ts'
import type { ReadonlyParts } from '../../contract/readonly-parts.ts'

/** The number that a punter gives itself in a move. The turn decides who moves, so it has no effect and may be absent. */
const punter = z
  .int()
  .exactOptional()
  .describe('The number of the punter that moves. It may be absent in your own moves: the turn decides who moves.')
const site = z.int().describe('The id of a site.')
/** Other fields than these are not looked at. */
const open = <S extends z.ZodRawShape>(name: string, description: string, shape: S) =>
  z.object(shape).meta(named(name, description))
const ends = open('River', 'A river and the punter that takes it.', { punter, source: site, target: site })

/** A move as a punter may write it. */
export const move = either('Move', 'The move of a punter.', [
  open('Claim', 'Claims a free river.', { claim: ends }),
  open('Pass', 'Claims nothing.', { pass: open('Passing', 'The punter that passes.', { punter }) }),
  open('Splurge', 'With splurges: claims several rivers at once, for passes before.', {
    splurge: open('Route', 'A way over rivers.', {
      punter,
      route: z.array(site).max(1_000_000).describe('The sites of the way, in order.'),
    }),
  }),
  open('Option', 'With options: takes a river that another punter has.', { option: ends }),
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

const map = record('Map', 'A map: in the order of its file, without doubles.', {
  sites: list(
    record('Site', 'A place where rivers begin and end.', {
      id: site,
      x: z.number().exactOptional().describe('Only in matches with coordinates.'),
      y: z.number().exactOptional().describe('Only in matches with coordinates.'),
    }),
    'All sites.',
  ),
  rivers: list(
    record('Ends', 'A river between two sites, in both directions.', { source: site, target: site }),
    'All rivers.',
  ),
  mines: list(site, 'The sites that are mines.'),
})

const settings = record('Settings', 'The extensions that are on; the others are absent.', {
  futures: z.literal(true).exactOptional().describe('Bets on sites that a mine will be joined with.'),
  splurges: z.literal(true).exactOptional().describe('Several rivers at once after passes.'),
  options: z.literal(true).exactOptional().describe('Rivers that others have, for a limited number of times.'),
})

const notes = list(z.string(), 'Problems of your last message, a sentence each; absent: none.').exactOptional()

const setup = record('Setup', 'Your number, the other punters and the map. Asks for `ready`.', {
  type: z.literal('setup'),
  punter: count('Your number, from 0.'),
  punters: count('The number of punters.'),
  map,
  settings: settings.exactOptional(),
})

const turn = record('Turn', 'It is your turn. Asks for a move.', {
  type: z.literal('move'),
  moves: list(move, 'The last move of each punter, by its number; a pass before the first.'),
  notes,
})

const stop = record('Stop', 'The match is over. Asks for `stopped`.', {
  type: z.literal('stop'),
  moves: list(move, 'The last moves; those that you know of are passes.'),
  scores: list(
    record('Score', 'The score of a punter.', {
      punter: count('Its number.'),
      score: z.int().describe('Its points; futures may make them negative.'),
    }),
    'All scores.',
  ),
  notes,
})

/** A map as punters are told it: in the order of its file, without doubles; x and y where the match has coordinates. */
export type MapMessage = ReadonlyParts<z.infer<typeof map>>

/** The extensions that are on; the others are absent. */
export type Settings = ReadonlyParts<z.infer<typeof settings>>

/** Your number, the other punters and the map. Asks for `{ ready: punter }`, with futures where there are any. */
export type SetupMessage = ReadonlyParts<z.infer<typeof setup>>

type WithMoves<T extends { moves: unknown }> = ReadonlyParts<Omit<T, 'moves'>> & { readonly moves: readonly Move[] }

/** It is your turn. Asks for a move. */
export type MoveMessage = WithMoves<z.infer<typeof turn>>

/** The match is over. Asks for `{ stopped: true }`. */
export type StopMessage = WithMoves<z.infer<typeof stop>>

export type Message = SetupMessage | MoveMessage | StopMessage

const future = open('Future', 'A bet that a site will be joined with a mine by your rivers.', {
  source: z.int().describe('The id of a mine.'),
  target: z.int().describe('The id of a site without a mine.'),
})
const stopped = open('Stopped', 'The answer to `stop`.', { stopped: z.literal(true) })

/** Answers of a punter. The rules look at futures one by one. */
const answers = z.union([
  ...move.options,
  z.object({ ready: z.int(), futures: z.array(z.json()).max(100_000).exactOptional() }),
  stopped,
])
export type Answer = z.infer<typeof answers>

/** The dialogue of programs that stay for a match; the framing of 2017 carries the same objects without `type`. */
export const programMessages: ProgramMessages = {
  form: 'lines',
  told: either('Told', 'A message to a punter.', [setup, turn, stop]),
  said: either('Said', 'An answer of a punter.', [
    ...move.options,
    open('Ready', 'The answer to `setup`.', {
      ready: count('Your number.'),
      futures: list(future, 'Your bets, with that extension; the last of each mine counts.').exactOptional(),
    }),
    stopped,
  ]),
}

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
