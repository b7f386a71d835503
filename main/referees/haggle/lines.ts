import * as z from 'zod'
import { count, either, list, record, type ProgramMessages } from '../../contract/game/program-messages.ts'
import type { ReadonlyParts } from '../../contract/readonly-parts.ts'

const start = record('Start', 'The message before the first turn. Asks for `ready`.', {
  type: z.literal('start'),
  opt: record('Opt', 'The arguments of the constructor of 2018.', {
    me: count('0: the first turn is yours; 1: the partner has it.'),
    counts: list(count('Objects of a type.'), 'The number of objects of each type.'),
    values: list(count('Dollars.'), 'The value to you of one object of each type, in dollars.'),
    max_rounds: count('The number of turns of each side at most.'),
  }),
})

const turn = record('Turn', 'It is your turn. Asks for `offer`.', {
  type: z.literal('offer'),
  offer: list(
    count('Objects of a type.'),
    'The objects that the partner leaves you, by type; absent: no offer was made yet.',
  ).exactOptional(),
})

/** A line that is written to a program. */
export type ToldLine = ReadonlyParts<z.infer<typeof start> | z.infer<typeof turn>>

const ready = record('Ready', 'The answer to `start`.', { type: z.literal('ready') })

const demand = record('Demand', 'The answer to a turn.', {
  type: z.literal('offer'),
  offer: list(
    count('Objects of a type.'),
    'The objects that you demand, by type; absent: you accept the offer.',
  ).exactOptional(),
})

const abort = record('Abort', 'Walks away from the session, at any time.', {
  type: z.literal('abort'),
  reason: z.string().exactOptional().describe('Why, for the history; 400 characters of it are kept.'),
})

const info = record('Info', 'A line for your own team, at any time.', {
  type: z.literal('info'),
  arg: z.string().exactOptional().describe('The text; any other JSON value is shown as it is.'),
})

/** The dialogue of programs: the messages of the arena of 2018. */
export const programMessages: ProgramMessages = {
  form: 'lines',
  told: either('Told', 'A message to a program.', [start, turn]),
  said: either('Said', 'A message of a program.', [ready, demand, abort, info]),
}
