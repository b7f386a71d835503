import { z } from 'zod'
import type { Json } from '../../contract/json.ts'
import type { Choices } from './choices.ts'

/** Energy is counted in integers of this part of a unit: 1 energy = 1_000_000_000. Prices and accounts use it everywhere. */
export const ENERGY = 1_000_000_000

/** Anything: bundles come out of JSON text, so only the challenge has something to check here, and it checks all of it. */
const json = z.custom<Json>((value) => value !== undefined, 'is missing')

/** 0 to 1 energy (section 4.1: 0 <= p <= 1). */
const price = z.int().min(0).max(ENERGY)

/** A challenge's number in its match, from 0; a reoffer gets a new one. */
const challengeId = z.int().min(0)

/**
 * What a challenge claims of the raw material that will be delivered. classic: nothing; belief: no solution reaches f
 * (section 5.1); secret: no solution reaches price x s, s being the quality of a solution that the seller has.
 */
export const kind = z.enum(['classic', 'belief', 'secret'])
export type Kind = z.infer<typeof kind>
/** The kinds that claim something. */
export type Claim = Exclude<Kind, 'classic'>

/** What comes with the raw material of a secret challenge; secrets.ts says of what the commitment is the SHA-256. */
const secret = z.strictObject({
  /** s, as "p/q". */
  quality: z.string().max(2_001),
  commitment: z.string().max(64),
})
export type Secret = z.infer<typeof secret>

/** One step of a bundle (section 4.3). Actions are checked and applied in the order given. */
const action = z.discriminatedUnion('type', [
  /**
   * Rule 3: a predicate at a price. `kind`: where several are sold; absent: the first that is (base ball: classic). `f`, in
   * 10^-9: of a belief where the config leaves it free; absent: the price.
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
  /** Rule 4: raw material for a challenge that was bought from me; `secret` with that of a secret challenge. */
  z.strictObject({
    type: z.literal('deliver'),
    challenge: challengeId,
    instance: json,
    secret: secret.exactOptional(),
  }),
  /** Rule 4: a solution of raw material that I got. */
  z.strictObject({ type: z.literal('solve'), challenge: challengeId, solution: json }),
  /** Rule 4: the secret solution and the nonce behind its commitment, once the buyer has answered. */
  z.strictObject({ type: z.literal('reveal'), challenge: challengeId, solution: json, nonce: z.string().max(64) }),
])
export type Action = z.infer<typeof action>

/**
 * 1: the synchronous classic game, and what is played of it is told in these words for ever, so that agents of that time
 * keep playing. 2: everything else; whatever 1 has means the same there. 3: either, for a player who names it when he is
 * ready; each turn says all that a player may know, so that he need not remember anything (teller.ts).
 */
const protocol = z.union([z.literal(1), z.literal(2), z.literal(3)])
export type Protocol = z.infer<typeof protocol>

/** What a player answers to a `turn` message, and to `start` with nothing in it. */
export const bundle = z.strictObject({ protocol: protocol.exactOptional(), actions: z.array(action).max(10_000) })
export type Bundle = z.infer<typeof bundle>

/** What a mega-move consists of (section 4.2), in order: White offers, Black decides, White delivers, Black solves. */
export type Step = 'offer' | 'decide' | 'deliver' | 'solve' | 'reveal'

/**
 * Announces challenge and config: asked once, before the first turn, within the time for starting. The answer, when ready, is
 * `{ "ready": true }` or a bundle without actions; with `"protocol": 3` that one is spoken from then on.
 */
export interface StartMessage {
  readonly [key: string]: Json
  readonly type: 'start'
  readonly protocol: Protocol
  readonly me: number
  /** Number of players at the table; seats are 0 to players - 1. */
  readonly players: number
  readonly challenge: {
    readonly name: string
    /** The whole .challenge file. */
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
  /** With mega-moves: the only thing that can be done now. */
  readonly step?: Step
  /** As in `start`. These three from protocol 3 on. */
  readonly me?: number
  readonly challenge?: Omit<StartMessage['challenge'], 'source'>
  readonly config?: StartMessage['config']
  readonly account: number
  readonly players: readonly { readonly seat: number; readonly account: number; readonly removed: boolean }[]
  /** All challenges on offer, oldest first, one's own among them. */
  readonly store: readonly StoreEntry[]
  /** Bought from me: raw material is due in this turn. */
  readonly toDeliver: readonly (StoreEntry & { readonly buyer: number })[]
  /** Delivered to me: a solution is due in this turn. `secret`: what the seller has committed to. */
  readonly toSolve: readonly (StoreEntry & { readonly instance: Json; readonly secret?: Secret })[]
  /** Answered by the buyer: the secret is due in this turn. From protocol 2 on. */
  readonly toReveal?: readonly (StoreEntry & { readonly buyer: number; readonly secret: Secret })[]
  /** Everything public since the beginning of my last turn (so with what I did in it), oldest first. */
  readonly events: readonly PublicEvent[]
}

/** Told, with no answer wanted, to a player who is removed: why, and that nothing more will be asked of him. */
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
  /** Of a belief, in 10^-9: what it says cannot be reached. */
  readonly f?: number
}

/**
 * What everybody may know of an action or of its consequence. `quality` is a fraction "p/q"; `payoff` is what the seller
 * really paid.
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
      /** From protocol 3 on; absent where its seller was removed in the same turn. */
      readonly predicate?: Json
    }
  /** `challenge` takes the place of `undercut`, which is no longer for sale. */
  | { readonly type: 'reoffered'; readonly challenge: number; readonly undercut: number; readonly price: number }
  /** `instance`: from protocol 3 on. */
  | { readonly type: 'delivered'; readonly challenge: number; readonly secret?: Secret; readonly instance?: Json }
  | {
      readonly type: 'solved'
      readonly challenge: number
      readonly quality: string
      readonly payoff: number
      /** Whether the seller's claim was negated; absent where he made none. */
      readonly discounted?: boolean
      /** From protocol 3 on. */
      readonly solution?: Json
    }
  /** Asynchronous: an action of `seat` came too late, since others had acted; it had no effect. `action`: its place. */
  | { readonly type: 'refused'; readonly action: number; readonly rule: string; readonly text: string }
  /** The seller's secret is what he committed to, and as good as he said: "p/q". Both of it are told from protocol 3 on. */
  | {
      readonly type: 'revealed'
      readonly challenge: number
      readonly quality: string
      readonly solution?: Json
      readonly nonce?: string
    }
  /** `seat` was removed. Its sales that were not finished follow as `voided`. */
  | { readonly type: 'removed'; readonly rule: string; readonly text: string }
  /**
   * A sale that ended without a solution: one of its two was removed, or the challenge file could not tell the quality.
   * `seat` is the seller, who pays `refund` back to the buyer; `shortfall` is what he should have paid and could not.
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
