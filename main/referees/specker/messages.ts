import * as z from 'zod'
import {
  count,
  either,
  list,
  named,
  record,
  words,
  type ProgramMessages,
} from '../../contract/game/program-messages.ts'
import type { Json } from '../../contract/json.ts'
import type { ReadonlyParts } from '../../contract/readonly-parts.ts'

/** Energy is counted in integers of 10^-9 units: 1 energy = 1_000_000_000. All prices and accounts use this unit. */
export const ENERGY = 1_000_000_000

/** Any JSON: bundles are parsed from JSON text, and the challenge checks these values completely. */
const json = z.custom<Json>((value) => value !== undefined, 'is missing')
const predicate = json.describe('A predicate of the challenge, in the form that its file defines.')
const instance = json.describe('Raw material of the challenge, in the form that its file defines.')
const solution = json.describe('A solution of the challenge, in the form that its file defines.')

/** 0 to 1 energy (section 4.1: 0 <= p <= 1). */
const price = z.int().min(0).max(ENERGY).describe('In 10^-9 energy, from 0 to 1 energy (section 4.1).')

/** A challenge's number in its match, from 0; a reoffer gets a new number. */
const challengeId = z
  .int()
  .min(0)
  .describe('The number of the challenge in its match, from 0; a reoffer gets a new one.')

/**
 * The claim of a challenge about its future raw material. classic: nothing; belief: no solution reaches f (section 5.1);
 * secret: no solution reaches price x s, where s is the quality of a solution that the seller has.
 */
export const kind = words(
  'Kind',
  'The claim of a challenge. classic: nothing; belief: no solution reaches f (section 5.1); secret: no solution reaches price x s, where s is the quality of a solution that the seller has.',
  ['classic', 'belief', 'secret'],
)
export type Kind = z.infer<typeof kind>
/** The kinds that make a claim. */
export type Claim = Exclude<Kind, 'classic'>

/** The secret that accompanies the raw material of a secret challenge; secrets.ts defines the commitment. */
const secret = record('Secret', 'Accompanies the raw material of a secret challenge.', {
  quality: z.string().max(2_001).describe('The quality s of the solution that the seller has, as "p/q".'),
  commitment: z.string().max(64).describe('The SHA-256 of `[solution, nonce]` as JSON, in 64 hex digits.'),
})
export type Secret = z.infer<typeof secret>

/** One step of a bundle (section 4.3). Actions are checked and applied in order. */
const action = z
  .discriminatedUnion('type', [
    record('Offer', 'Rule 3: a predicate at a price.', {
      type: z.literal('offer'),
      predicate,
      price,
      kind: kind.exactOptional().describe('For markets with several kinds; absent: the first (base ball: classic).'),
      f: price.exactOptional().describe('In 10^-9: for beliefs if the config leaves it free; absent: the price.'),
    }),
    record('Accept', 'Rule 2: buys a challenge that another player offers.', {
      type: z.literal('accept'),
      challenge: challengeId,
    }),
    record('Reoffer', 'Rules 2 and 5: undercuts a challenge that another player offers.', {
      type: z.literal('reoffer'),
      challenge: challengeId,
      price,
    }),
    record('Deliver', 'Rule 4: raw material for a challenge that you sold.', {
      type: z.literal('deliver'),
      challenge: challengeId,
      instance,
      secret: secret.exactOptional().describe('For secret challenges.'),
    }),
    record('Solve', 'Rule 4: a solution of raw material that was delivered to you.', {
      type: z.literal('solve'),
      challenge: challengeId,
      solution,
    }),
    record('Reveal', 'Rule 4: the secret solution, after the buyer has answered.', {
      type: z.literal('reveal'),
      challenge: challengeId,
      solution,
      nonce: z.string().max(64).describe('The nonce of the commitment: 256 bits in hex digits.'),
    }),
  ])
  .meta(named('Action', 'One step of a bundle (section 4.3). Actions are applied in order.'))
export type Action = z.infer<typeof action>

/**
 * 1: the synchronous classic game. Its messages never change, so that older agents keep playing. 2: all other games;
 * the parts of 1 keep their meaning. 3: for players that request it when they are ready; each turn contains everything
 * that a player may know, so that it need not remember anything (player-messages.ts).
 */
const protocol = z
  .union([z.literal(1), z.literal(2), z.literal(3)])
  .describe('1: the synchronous classic game; 2: all others; 3: on request, turns contain all that a player may know.')
export type Protocol = z.infer<typeof protocol>

/** A player's answer to `turn`, and, without actions, to `start`. */
export const bundle = record('Bundle', 'The answer to a turn; without actions also to `start`.', {
  protocol: protocol.exactOptional(),
  actions: z.array(action).max(10_000).describe('In order; the first that breaks a rule removes you.'),
})
export type Bundle = z.infer<typeof bundle>

/**
 * The steps of a mega-move (section 4.2) in order: White offers, Black decides, White delivers, Black solves, White
 * reveals.
 */
const step = words('Step', 'With mega-moves (section 4.2): the only kind of action that is possible now.', [
  'offer',
  'decide',
  'deliver',
  'solve',
  'reveal',
])
export type Step = z.infer<typeof step>

const seat = count('The seat of a player, from 0.')
const money = z.int().describe('In 10^-9 energy.')
const round = count('The round, from 1.')
const reason = z.string().describe('The reason, in a sentence.')
const rule = z.string().describe('The rule that was broken.')

const config = record(
  'Config',
  "The game's settings (section 4.1); those from `order` on are there from protocol 2 on.",
  {
    init: money.describe('Every account at the start, in 10^-9 energy.'),
    maxTurns: count('The number of rounds with trading (rule 10).'),
    mindec: money.describe('A reoffer lowers the price at least by this, in 10^-9 energy (rule 5).'),
    acceptOrReoffer: words(
      'AcceptOrReoffer',
      'A player that buys nothing must reoffer all challenges of others, or one (rule 2).',
      ['all', 'one'],
    ),
    offersMin: count('The least number of new offers in a turn (rule 3).'),
    offersMax: count('The greatest number of new offers in a turn; asynchronous: at a time.'),
    order: words('Order', 'Which seat begins a round.', ['fixed', 'rotating']).exactOptional(),
    mode: words('Mode', 'When players act.', ['synchronous', 'asynchronous', 'mega-moves']).exactOptional(),
    duration: z.int().exactOptional().describe('Asynchronous: how long trading goes on, in ms.'),
    timeslot: z.number().nullable().exactOptional().describe('Rule 8: the time for an answer, in ms.'),
    variant: words('Variant', 'The challenges that are sold; base-ball: classic and secret ones.', [
      'classic',
      'belief',
      'secret',
      'base-ball',
    ]).exactOptional(),
    profitFactor: z
      .number()
      .exactOptional()
      .describe('The payoff beyond the price of a discounted claim: this factor times the quality beyond the claim.'),
    f: words('ClaimedBy', 'The quality that a belief claims to be unreachable: always the price, or stated.', [
      'price',
      'free',
    ]).exactOptional(),
    falseSecrets: words('FalseSecrets', 'The compensation for a false secret.', [
      'as-promised',
      'as-true',
    ]).exactOptional(),
    judgement: words('Judgement', 'How values are treated that the challenge cannot judge.', [
      'lenient',
      'strict',
      'full',
      'thorough',
      'complete',
    ]).exactOptional(),
    league: z.string().nullable().exactOptional().describe('The league that predicates must belong to; null: all.'),
    leagueParameter: z
      .int()
      .nullable()
      .exactOptional()
      .describe('The number of the league, such as k; null: its default.'),
  },
)

const challengeFields = {
  name: z.string().describe('Its name, such as `max-csp`.'),
  config: json.describe("The challenge's own settings, such as maxVars."),
}

const start = record(
  'Start',
  'Announces challenge and config; asked once before the first turn, within the time for starting. Asks for `ready`.',
  {
    type: z.literal('start'),
    protocol,
    me: seat.describe('Your seat.'),
    players: count('The number of players; seats are 0 to players - 1.'),
    challenge: record('Challenge', 'The challenge that is played.', {
      ...challengeFields,
      source: z.string().describe('The full .challenge file.'),
    }),
    config,
  },
)

const entryFields = {
  challenge: challengeId,
  seller: seat.describe('The seller.'),
  predicate,
  price,
  kind: kind.exactOptional().describe('From protocol 2 on.'),
  f: price.exactOptional().describe('For a belief, in 10^-9: the quality that it claims to be unreachable.'),
}
const entry = record('StoreEntry', 'A challenge on offer.', entryFields)
const buyer = seat.describe('The buyer.')

const happened = <const T extends string, S extends z.ZodRawShape>(
  type: T,
  name: string,
  description: string,
  shape: S,
) => record(name, description, { type: z.literal(type), round, seat, ...shape })
const quality = z.string().describe('The quality of the solution, a fraction "p/q".')

const event = either('PublicEvent', 'A public event: an action or its consequence. `seat`: who acted.', [
  happened('accepted', 'Accepted', 'A challenge was bought.', { challenge: challengeId, price }),
  happened('offered', 'Offered', 'A challenge was offered. `kind` and `f` as in the store.', {
    challenge: challengeId,
    price,
    kind: kind.exactOptional(),
    f: price.exactOptional(),
    predicate: predicate.exactOptional().describe('In protocol 3; absent if its seller was removed in the same turn.'),
  }),
  happened('reoffered', 'Reoffered', 'A challenge was undercut.', {
    challenge: challengeId,
    undercut: challengeId.describe('The challenge that is no longer for sale.'),
    price,
  }),
  happened('delivered', 'Delivered', 'Raw material was delivered.', {
    challenge: challengeId,
    secret: secret.exactOptional(),
    instance: instance.exactOptional().describe('In protocol 3.'),
  }),
  happened('solved', 'Solved', 'A solution was given.', {
    challenge: challengeId,
    quality,
    payoff: money.describe('Paid by the seller, in 10^-9 energy.'),
    discounted: z
      .boolean()
      .exactOptional()
      .describe("True if the solution negated the seller's claim; absent without a claim."),
    solution: solution.exactOptional().describe('In protocol 3.'),
  }),
  happened('refused', 'Refused', 'Asynchronous: an action came too late because others had acted; it had no effect.', {
    action: count('The index of the action in its bundle.'),
    rule,
    text: reason,
  }),
  happened('revealed', 'Revealed', 'The secret matches the commitment and is as good as claimed.', {
    challenge: challengeId,
    quality,
    solution: solution.exactOptional().describe('In protocol 3.'),
    nonce: z.string().exactOptional().describe('In protocol 3.'),
  }),
  happened('removed', 'PlayerRemoved', 'A player was removed. Its unfinished sales follow as `voided`.', {
    rule,
    text: reason,
  }),
  happened(
    'voided',
    'Voided',
    'A sale ended without a solution: seller or buyer was removed, or the challenge file could not rate it. `seat` is the seller.',
    {
      challenge: challengeId,
      buyer,
      refund: money.describe('Paid back to the buyer, in 10^-9 energy.'),
      shortfall: money.describe('The part that the seller could not pay, in 10^-9 energy.'),
      text: reason,
    },
  ),
])

const turn = record('Turn', 'It is your turn. Asks for a bundle.', {
  type: z.literal('turn'),
  protocol,
  round: round.describe('From 1. In rounds above maxTurns nothing can be offered, bought or reoffered (rule 10).'),
  trading: z.boolean().describe('True while trading goes on.'),
  step: step.exactOptional(),
  me: seat.exactOptional().describe('As in `start`. In protocol 3.'),
  challenge: record('ChallengeInBrief', 'The challenge without its file.', challengeFields)
    .exactOptional()
    .describe('In protocol 3.'),
  config: config.exactOptional().describe('In protocol 3.'),
  account: money.describe('Your account, in 10^-9 energy. It must stay above 0 (rule 7).'),
  players: list(
    record('Account', 'A player and its account.', {
      seat,
      account: money,
      removed: z.boolean().describe('True if it plays no more.'),
    }),
    'All players.',
  ),
  store: list(entry, 'All challenges on offer, oldest first, your own included.'),
  toDeliver: list(
    record('Sold', 'Sold by you: raw material is due.', { ...entryFields, buyer }),
    'Raw material is due in this turn.',
  ),
  toSolve: list(
    record('ToSolve', 'Delivered to you: a solution is due.', {
      ...entryFields,
      instance,
      secret: secret.exactOptional().describe("The seller's commitment."),
    }),
    'Solutions are due in this turn.',
  ),
  toReveal: list(
    record('ToReveal', 'Answered by the buyer: the secret is due.', { ...entryFields, buyer, secret }),
    'Secrets are due in this turn; from protocol 2 on.',
  ).exactOptional(),
  events: list(event, 'Public events since the beginning of your last turn, your own included, oldest first.'),
})

const removed = record('Removed', 'You are removed, and will not be asked again.', {
  type: z.literal('removed'),
  protocol,
  round,
  rule,
  text: reason,
})

/**
 * Announces challenge and config; asked once before the first turn, within the time for starting. The answer is `{
 * "ready": true }` or a bundle without actions; `"protocol": 3` in it selects that protocol.
 */
export type StartMessage = ReadonlyParts<z.infer<typeof start>>
export type TurnMessage = ReadonlyParts<z.infer<typeof turn>>
/** Sent without a question to a player that is removed: the reason. It will not be asked again. */
export type RemovedMessage = ReadonlyParts<z.infer<typeof removed>>
export type Message = StartMessage | TurnMessage | RemovedMessage
export type StoreEntry = ReadonlyParts<z.infer<typeof entry>>
/** A public event: an action or its consequence. */
export type PublicEvent = ReadonlyParts<z.infer<typeof event>>

export const programMessages: ProgramMessages = {
  form: 'lines',
  told: either('Told', 'A message to a player.', [start, turn, removed]),
  said: either('Said', 'An answer of a player.', [
    record('Ready', 'The answer to `start`.', { ready: z.literal(true), protocol: protocol.exactOptional() }),
    bundle,
  ]),
}
