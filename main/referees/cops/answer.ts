import * as z from 'zod'
import { named, record, words } from '../../contract/game/program-messages.ts'
import { SECTION_MAX, TOKEN_MAX, WORLD_MAX, type BotMessage } from '../../../grammars/cops/index.ts'

const name = z
  .string()
  .max(TOKEN_MAX)
  .regex(/^[-a-zA-Z0-9_#()]+$/, 'expected letters, digits and -_#()')
const bot = name.describe('The name of a robot.')
const loc = name.describe('The name of an intersection.')
export const ptype = words('Ptype', 'The type of a robot (section 3.2.1).', ['cop-foot', 'cop-car', 'robber'])
const world = z.int().min(0).max(WORLD_MAX).describe('The number of a world.')
const names = (description: string) => z.array(name).max(SECTION_MAX).readonly().describe(description)
const botMove = record('BotMove', 'The move of one robot.', { bot, loc, ptype })

/** A claim about where somebody was, is or will be. */
export const inform = record('Inform', 'A claim about where somebody was, is or will be.', {
  bot,
  loc,
  ptype,
  world,
  certainty: z.int().min(-100).max(100).describe('From -100, surely not there, to 100.'),
})

/** A suggestion where a robot should be in a world. */
export const planned = record('Planned', 'A suggestion where a robot should be in a world.', { bot, loc, ptype, world })

/** A brain's message as a value, with the limits of the grammar; scripts and people answer with such values. */
export const answer = z
  .discriminatedUnion('type', [
    record('Register', 'The registration (`reg:`); a cop says if it begins on foot or in a car.', {
      type: z.literal('register'),
      bot,
      ptype,
    }),
    record('Informs', 'The answer to a world (`inf\\`).', {
      type: z.literal('inform'),
      informs: z.array(inform).max(SECTION_MAX).readonly().describe('Claims for all brains of the round.'),
    }),
    record('Plan', 'The answer to the informs (`plan\\`).', {
      type: z.literal('plan'),
      plan: z.array(planned).max(SECTION_MAX).readonly().describe('The moves that are suggested.'),
    }),
    record('Vote', 'The answer to the plans (`vote\\`).', {
      type: z.literal('vote'),
      ballot: names('The names of all brains of the round, the one with the best plan first.'),
    }),
    record('Move', 'The move of the robber, or of a cop in the first rule set (`mov:`).', {
      type: z.literal('move'),
      loc,
      ptype,
    }),
    record('Orders', 'The orders of a cop in the second rule set (`cmov\\`, or `mov\\` of a dirty one).', {
      type: z.literal('orders'),
      market: words('Market', 'On the black market or not.', ['turncoat', 'straight-arrow'])
        .nullable()
        .describe('null: a dirty cop, which has neither market nor accusations.'),
      moves: z.array(botMove).max(SECTION_MAX).readonly().describe('A move for each robot that this brain controls.'),
      accuse: names('Brains that are accused of being dirty.'),
    }),
    record('Bribe', 'The answer of the robber to the tally in the second rule set.', {
      type: z.literal('bribe'),
      asks: z.boolean().describe('True: `bribe:`, to be told which cops can be bribed; false: `nobribe:`.'),
    }),
    record('RobberOrders', 'The orders of the robber in the second rule set (`rmov\\`).', {
      type: z.literal('robber-orders'),
      move: botMove,
      push: record('Push', 'Moves a cop to another intersection.', { bot, loc })
        .nullable()
        .describe('A cop to push; null: none.'),
      choose: names('Brains to bribe, in order.').nullable().describe('null: `nobribe:`, or a push.'),
    }),
  ])
  .meta(named('Said', 'A message of a brain.')) satisfies z.ZodType<BotMessage>

export type Answer = z.infer<typeof answer>
