import * as z from 'zod'
import { SECTION_MAX, TOKEN_MAX, WORLD_MAX, type BotMessage } from '../../../grammars/cops/index.ts'

const name = z
  .string()
  .max(TOKEN_MAX)
  .regex(/^[-a-zA-Z0-9_#()]+$/, 'expected letters, digits and -_#()')
const ptype = z.enum(['cop-foot', 'cop-car', 'robber'])
const world = z.int().min(0).max(WORLD_MAX)
const names = z.array(name).max(SECTION_MAX).readonly()
const botMove = z.strictObject({ bot: name, loc: name, ptype })

/** A brain's message as a value, with the limits of the grammar; scripts and people answer with such values. */
export const answer = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('register'), bot: name, ptype }),
  z.strictObject({
    type: z.literal('inform'),
    informs: z
      .array(z.strictObject({ bot: name, loc: name, ptype, world, certainty: z.int().min(-100).max(100) }))
      .max(SECTION_MAX)
      .readonly(),
  }),
  z.strictObject({
    type: z.literal('plan'),
    plan: z
      .array(z.strictObject({ bot: name, loc: name, ptype, world }))
      .max(SECTION_MAX)
      .readonly(),
  }),
  z.strictObject({ type: z.literal('vote'), ballot: names }),
  z.strictObject({ type: z.literal('move'), loc: name, ptype }),
  z.strictObject({
    type: z.literal('orders'),
    market: z.enum(['turncoat', 'straight-arrow']).nullable(),
    moves: z.array(botMove).max(SECTION_MAX).readonly(),
    accuse: names,
  }),
  z.strictObject({ type: z.literal('bribe'), asks: z.boolean() }),
  z.strictObject({
    type: z.literal('robber-orders'),
    move: botMove,
    push: z.strictObject({ bot: name, loc: name }).nullable(),
    choose: names.nullable(),
  }),
]) satisfies z.ZodType<BotMessage>

export type Answer = z.infer<typeof answer>
