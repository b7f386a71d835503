import * as z from 'zod'
import { count, either, list, record, words, type ProgramMessages } from '../../contract/game/program-messages.ts'
import type { ReadonlyParts } from '../../contract/readonly-parts.ts'
import { answer, inform, planned, ptype } from './answer.ts'

const bot = z.string().describe('The name of a robot.')
const brain = z.string().describe('The name of a brain.')
const loc = z.string().describe('The name of an intersection.')
const world = count('The number of a world.')

/** A message names with `asks` the type of the answer that is wanted; null: none. */
const register = record('AskRegister', 'The first message. Asks for a name and, of a cop, how it begins.', {
  type: z.literal('register'),
  role: words('Role', 'The side of a brain.', ['robber', 'cop']),
  asks: z.literal('register'),
})

const skeleton = record('Skeleton', 'The players and the map (`wsk\\`). Asks for nothing.', {
  type: z.literal('skeleton'),
  asks: z.null(),
  name: brain.describe('Your own name, which the server may have changed.'),
  robber: brain.describe('The name of the robber.'),
  cops: list(brain, 'The names of the cops, in ASCII order.'),
  nodes: list(
    record('Node', 'An intersection.', {
      loc,
      tag: words('NodeTag', 'The kind of an intersection.', ['hq', 'bank', 'robber-start', 'ordinary']),
      x: z.int().describe('Its place on a drawing.'),
      y: z.int().describe('Its place on a drawing.'),
    }),
    'All intersections.',
  ),
  edges: list(
    record('Edge', 'A street: on foot both directions, for cars from `from` to `to`.', {
      from: loc,
      to: loc,
      type: words('EdgeType', '`foot` is for all, `car` for cars alone.', ['foot', 'car']),
    }),
    'All streets.',
  ),
})

const twist = record('Twist', 'The sections `dc`, `sc` and `fac` of the second rule set.', {
  dirty: list(brain, 'Bribed cops in the order of the bribes; always empty for clean cops.'),
  control: list(
    record('Control', 'A robot and the brain that moves it.', { brain, bot }),
    'Robots that were taken over; all others are moved by the brain of the same name.',
  ),
  accusations: list(
    record('Accusation', 'An accusation of one brain by another.', { accuser: brain, accused: brain, world }),
    'All that were false, in order.',
  ),
})

const worldMessage = record('World', 'The world as you see it (`wor\\`).', {
  type: z.literal('world'),
  asks: words('WorldAsks', 'The robber is asked for its move in the first rule set, all others for informs.', [
    'inform',
    'move',
  ])
    .nullable()
    .describe('The type of the answer that is wanted; null: none.'),
  world,
  loot: z.int().describe('Dollars that the robber has.'),
  twist: twist.exactOptional().describe('Absent in the first rule set.'),
  banks: list(
    record('Bank', 'A bank.', { loc, value: z.int().describe('Dollars in it.') }),
    'All banks, in alphabetical order.',
  ),
  evidence: list(
    record('Evidence', 'The robber was at a place.', { loc, world: world.describe('When it was there.') }),
    'Traces that your robots have found.',
  ),
  smell: count('The number of moves to the robber; 0: nothing is smelled.'),
  players: list(
    record('Player', 'A robot that you see.', { bot, loc, ptype }),
    'In ASCII order of names; the robber only where it is seen.',
  ),
})

const informs = record('AllInforms', 'The informs of all brains of the round, your own included. Asks for a plan.', {
  type: z.literal('informs'),
  asks: z.literal('plan'),
  from: list(
    record('InformsFrom', 'The informs of one brain.', { bot: brain, informs: list(inform, 'Its claims.') }),
    'A block for each brain.',
  ),
})

const plans = record('AllPlans', 'The plans of all brains of the round. Asks for a vote.', {
  type: z.literal('plans'),
  asks: z.literal('vote'),
  from: list(
    record('PlanFrom', 'The plan of one brain.', { bot: brain, plan: list(planned, 'Its suggestions.') }),
    'A block for each brain.',
  ),
})

const tally = record('Tally', 'The plan that was elected (`winner:`, `nowinner:`).', {
  type: z.literal('tally'),
  winner: brain.nullable().describe('The brain with that plan; null: no plan was elected.'),
  asks: words('TallyAsks', 'A cop: move, in the second rule set orders; the robber: bribe; a dirty cop: nothing.', [
    'move',
    'orders',
    'bribe',
  ])
    .nullable()
    .describe('The type of the answer that is wanted; null: none.'),
})

const offers = record(
  'Offers',
  'The cops that can be bribed (`ofc\\`, `nottelling:`). Asks for the orders of the robber.',
  {
    type: z.literal('offers'),
    bots: list(brain, 'Cops on the black market.').nullable().describe('null: the robber has not asked.'),
    asks: z.literal('robber-orders'),
  },
)

const accused = record('Accused', 'You were accused rightly and play no more.', {
  type: z.literal('accused'),
  asks: z.null(),
})

const over = record('GameOver', 'The game has ended.', { type: z.literal('game-over'), asks: z.null() })

/** A message to a brain. `asks`: the type of the answer that is wanted; null: none. */
const told = either('Told', 'A message to a brain.', [
  register,
  skeleton,
  worldMessage,
  informs,
  plans,
  tally,
  offers,
  accused,
  over,
])
export type Message = ReadonlyParts<z.infer<typeof told>>

/** The players and the map. Asks for nothing. */
export type SkeletonMessage = ReadonlyParts<z.infer<typeof skeleton>>

/** Sections `dc`, `sc` and `fac` of the second phase. In matches of the earlier reading `control` has all bots, and `accusations` the true ones. */
export type TwistNews = ReadonlyParts<z.infer<typeof twist>>

/** The world as the recipient sees it. Asks a cop, and in the second rule set everybody, for `inform`; the robber for `move`. */
export type WorldMessage = ReadonlyParts<z.infer<typeof worldMessage>>

/** The announcements of all brains of the round, the recipient's own included. Asks for `plan`. */
export type InformsMessage = ReadonlyParts<z.infer<typeof informs>>

/** Asks for `vote`. */
export type PlansMessage = ReadonlyParts<z.infer<typeof plans>>

/**
 * The elected plan; null: there is none. Asks a cop in an odd world for `move`, in the second rule set for `orders`; the robber for
 * `bribe`; a dirty cop in an even world for nothing.
 */
export type TallyMessage = ReadonlyParts<z.infer<typeof tally>>

/** The cops that can be bribed; null: the robber has not asked. Asks for `robber-orders`. */
export type OffersMessage = ReadonlyParts<z.infer<typeof offers>>

/** Programs write and read these values in the lines of the contest of 2005 (wire/lines.ts, grammars/cops). */
export const programMessages: ProgramMessages = { form: 'text', told, said: answer }
