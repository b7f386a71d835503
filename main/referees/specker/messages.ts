import * as z from 'zod'
import type { Json } from '../../contract/json.ts'
import type { Choices } from './choices.ts'

/** Energy is counted in integers of 10^-9 units: 1 energy = 1_000_000_000. All prices and accounts use this unit. */
export const ENERGY = 1_000_000_000

/** Any JSON: bundles are parsed from JSON text, and the challenge checks these values completely. */
const json = z.custom<Json>((value) => value !== undefined, 'is missing')

/** 0 to 1 energy (section 4.1: 0 <= p <= 1). */
const price = z.int().min(0).max(ENERGY)

/** A challenge's number in its match, from 0; a reoffer gets a new number. */
const challengeId = z.int().min(0)

/**
 * The claim of a challenge about its future raw material. classic: nothing; belief: no solution reaches f (section 5.1);
 * secret: no solution reaches price x s, where s is the quality of a solution that the seller has.
 */
export const kind = z.enum(['classic', 'belief', 'secret'])
export type Kind = z.infer<typeof kind>
/** The kinds that make a claim. */
export type Claim = Exclude<Kind, 'classic'>

/** The secret that accompanies the raw material of a secret challenge; secrets.ts defines the commitment. */
const secret = z.strictObject({
  /** s, as "p/q". */
  quality: z.string().max(2_001),
  commitment: z.string().max(64),
})
export type Secret = z.infer<typeof secret>

/** One step of a bundle (section 4.3). Actions are checked and applied in order. */
const action = z.discriminatedUnion('type', [
  /**
   * Rule 3: a predicate at a price. `kind`: for markets with several kinds; absent: the first (base ball: classic).
   * `f`, in 10^-9: for beliefs if the config leaves it free; absent: the price.
   */
  z.strictObject({
    type: z.literal('offer'),
    predicate: json,
    price,
    kind: kind.exactOptional(),
    f: price.exactOptional(),
  }),
  /** Rule 2: buy a challenge that another player offers. */
  z.strictObject({ type: z.literal('accept'), challenge: challengeId }),
  /** Rules 2 and 5: undercut a challenge that another player offers. */
  z.strictObject({ type: z.literal('reoffer'), challenge: challengeId, price }),
  /** Rule 4: raw material for a challenge that I sold; `secret` is for secret challenges. */
  z.strictObject({
    type: z.literal('deliver'),
    challenge: challengeId,
    instance: json,
    secret: secret.exactOptional(),
  }),
  /** Rule 4: a solution of raw material that was delivered to me. */
  z.strictObject({ type: z.literal('solve'), challenge: challengeId, solution: json }),
  /** Rule 4: the secret solution and the nonce of its commitment, after the buyer has answered. */
  z.strictObject({ type: z.literal('reveal'), challenge: challengeId, solution: json, nonce: z.string().max(64) }),
])
export type Action = z.infer<typeof action>

/**
 * 1: the synchronous classic game. Its messages never change, so that older agents keep playing. 2: all other games;
 * the parts of 1 keep their meaning. 3: for players that request it when they are ready; each turn contains everything
 * that a player may know, so that it need not remember anything (player-messages.ts).
 */
const protocol = z.union([z.literal(1), z.literal(2), z.literal(3)])
export type Protocol = z.infer<typeof protocol>

/** A player's answer to `turn`, and, without actions, to `start`. */
export const bundle = z.strictObject({ protocol: protocol.exactOptional(), actions: z.array(action).max(10_000) })
export type Bundle = z.infer<typeof bundle>

/**
 * The steps of a mega-move (section 4.2) in order: White offers, Black decides, White delivers, Black solves, White
 * reveals.
 */
export type Step = 'offer' | 'decide' | 'deliver' | 'solve' | 'reveal'

/**
 * Announces challenge and config; asked once before the first turn, within the time for starting. The answer is `{
 * "ready": true }` or a bundle without actions; `"protocol": 3` in it selects that protocol.
 */
export interface StartMessage {
  readonly [key: string]: Json
  readonly type: 'start'
  readonly protocol: Protocol
  readonly me: number
  /** The number of players; seats are 0 to players - 1. */
  readonly players: number
  readonly challenge: {
    readonly name: string
    /** The full .challenge file. */
    readonly source: string
    /** The challenge's own settings, such as maxVars. */
    readonly config: Json
  }
  /** The game's settings, section 4.1; amounts in 10^-9 energy. */
  readonly config: {
    readonly init: number
    readonly maxTurns: number
    readonly mindec: number
    readonly acceptOrReoffer: 'all' | 'one'
    readonly offersMin: number
    readonly offersMax: number
  } & Partial<Choices> & { readonly order?: 'fixed' | 'rotating' }
}

export interface TurnMessage {
  readonly [key: string]: Json
  readonly type: 'turn'
  readonly protocol: Protocol
  /** From 1. In rounds above maxTurns nothing can be offered, bought or reoffered (rule 10). */
  readonly round: number
  readonly trading: boolean
  /** With mega-moves: the only kind of action that is possible now. */
  readonly step?: Step
  /** As in `start`. These three are in protocol 3. */
  readonly me?: number
  readonly challenge?: Omit<StartMessage['challenge'], 'source'>
  readonly config?: StartMessage['config']
  readonly account: number
  readonly players: readonly { readonly seat: number; readonly account: number; readonly removed: boolean }[]
  /** All challenges on offer, oldest first, including the player's own. */
  readonly store: readonly StoreEntry[]
  /** Sold by me: raw material is due in this turn. */
  readonly toDeliver: readonly (StoreEntry & { readonly buyer: number })[]
  /** Delivered to me: a solution is due in this turn. `secret`: the seller's commitment. */
  readonly toSolve: readonly (StoreEntry & { readonly instance: Json; readonly secret?: Secret })[]
  /** Answered by the buyer: the secret is due in this turn. From protocol 2 on. */
  readonly toReveal?: readonly (StoreEntry & { readonly buyer: number; readonly secret: Secret })[]
  /** All public events since the beginning of my last turn, including my own actions in it, oldest first. */
  readonly events: readonly PublicEvent[]
}

/** Sent without a question to a player that is removed: the reason. It will not be asked again. */
export interface RemovedMessage {
  readonly [key: string]: Json
  readonly type: 'removed'
  readonly protocol: Protocol
  readonly round: number
  readonly rule: string
  readonly text: string
}

export type Message = StartMessage | TurnMessage | RemovedMessage

export interface StoreEntry {
  readonly [key: string]: Json
  readonly challenge: number
  readonly seller: number
  readonly predicate: Json
  readonly price: number
  /** From protocol 2 on. */
  readonly kind?: Kind
  /** For a belief, in 10^-9: the quality that it claims to be unreachable. */
  readonly f?: number
}

/**
 * A public event: an action or its consequence. `quality` is a fraction "p/q"; `payoff` is what the seller really paid.
 */
export type PublicEvent = { readonly [key: string]: Json; readonly round: number; readonly seat: number } & (
  | { readonly type: 'accepted'; readonly challenge: number; readonly price: number }
  /** `kind` and `f` as in the store. */
  | {
      readonly type: 'offered'
      readonly challenge: number
      readonly price: number
      readonly kind?: Kind
      readonly f?: number
      /** In protocol 3; absent if its seller was removed in the same turn. */
      readonly predicate?: Json
    }
  /** `challenge` replaces `undercut`, which is no longer for sale. */
  | { readonly type: 'reoffered'; readonly challenge: number; readonly undercut: number; readonly price: number }
  /** `instance`: in protocol 3. */
  | { readonly type: 'delivered'; readonly challenge: number; readonly secret?: Secret; readonly instance?: Json }
  | {
      readonly type: 'solved'
      readonly challenge: number
      readonly quality: string
      readonly payoff: number
      /** True if the solution negated the seller's claim; absent without a claim. */
      readonly discounted?: boolean
      /** In protocol 3. */
      readonly solution?: Json
    }
  /**
   * Asynchronous: an action of `seat` came too late because others had acted; it had no effect. `action`: its index.
   */
  | { readonly type: 'refused'; readonly action: number; readonly rule: string; readonly text: string }
  /**
   * The revealed secret matches the commitment and is as good as claimed: "p/q". Solution and nonce are in protocol 3.
   */
  | {
      readonly type: 'revealed'
      readonly challenge: number
      readonly quality: string
      readonly solution?: Json
      readonly nonce?: string
    }
  /** `seat` was removed. Its unfinished sales follow as `voided`. */
  | { readonly type: 'removed'; readonly rule: string; readonly text: string }
  /**
   * A sale that ended without a solution: seller or buyer was removed, or the challenge file could not rate the
   * solution. `seat` is the seller, who pays `refund` back to the buyer; `shortfall` is the part that it could not pay.
   */
  | {
      readonly type: 'voided'
      readonly challenge: number
      readonly buyer: number
      readonly refund: number
      readonly shortfall: number
      readonly text: string
    }
)
