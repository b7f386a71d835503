// Types of the messages of Specker Challenge Game, made by "tartaglia kit" from the game's own schemas. "tartaglia update" replaces this file.

/** The challenge that is played. */
export interface Challenge {
  /** Its name, such as `max-csp`. */
  readonly name: string
  /** The challenge's own settings, such as maxVars. */
  readonly config: unknown
  /** The full .challenge file. */
  readonly source: string
}

/** A player that buys nothing must reoffer all challenges of others, or one (rule 2). */
export type AcceptOrReoffer = 'all' | 'one'

/** Which seat begins a round. */
export type Order = 'fixed' | 'rotating'

/** When players act. */
export type Mode = 'synchronous' | 'asynchronous' | 'mega-moves'

/** The challenges that are sold; base-ball: classic and secret ones. */
export type Variant = 'classic' | 'belief' | 'secret' | 'base-ball'

/** The quality that a belief claims to be unreachable: always the price, or stated. */
export type ClaimedBy = 'price' | 'free'

/** The compensation for a false secret. */
export type FalseSecrets = 'as-promised' | 'as-true'

/** How values are treated that the challenge cannot judge. */
export type Judgement = 'lenient' | 'strict' | 'full' | 'thorough' | 'complete'

/** The game's settings (section 4.1); those from `order` on are there from protocol 2 on. */
export interface Config {
  /** Every account at the start, in 10^-9 energy. */
  readonly init: number
  /** The number of rounds with trading (rule 10). */
  readonly maxTurns: number
  /** A reoffer lowers the price at least by this, in 10^-9 energy (rule 5). */
  readonly mindec: number
  /** A player that buys nothing must reoffer all challenges of others, or one (rule 2). */
  readonly acceptOrReoffer: AcceptOrReoffer
  /** The least number of new offers in a turn (rule 3). */
  readonly offersMin: number
  /** The greatest number of new offers in a turn; asynchronous: at a time. */
  readonly offersMax: number
  /** Which seat begins a round. */
  readonly order?: Order
  /** When players act. */
  readonly mode?: Mode
  /** Asynchronous: how long trading goes on, in ms. */
  readonly duration?: number
  /** Rule 8: the time for an answer, in ms. */
  readonly timeslot?: number | null
  /** The challenges that are sold; base-ball: classic and secret ones. */
  readonly variant?: Variant
  /** The payoff beyond the price of a discounted claim: this factor times the quality beyond the claim. */
  readonly profitFactor?: number
  /** The quality that a belief claims to be unreachable: always the price, or stated. */
  readonly f?: ClaimedBy
  /** The compensation for a false secret. */
  readonly falseSecrets?: FalseSecrets
  /** How values are treated that the challenge cannot judge. */
  readonly judgement?: Judgement
  /** The league that predicates must belong to; null: all. */
  readonly league?: string | null
  /** The number of the league, such as k; null: its default. */
  readonly leagueParameter?: number | null
}

/** Announces challenge and config; asked once before the first turn, within the time for starting. Asks for `ready`. */
export interface Start {
  readonly type: 'start'
  /** 1: the synchronous classic game; 2: all others; 3: on request, turns contain all that a player may know. */
  readonly protocol: number
  /** Your seat. */
  readonly me: number
  /** The number of players; seats are 0 to players - 1. */
  readonly players: number
  /** The challenge that is played. */
  readonly challenge: Challenge
  /** The game's settings (section 4.1); those from `order` on are there from protocol 2 on. */
  readonly config: Config
}

/** With mega-moves (section 4.2): the only kind of action that is possible now. */
export type Step = 'offer' | 'decide' | 'deliver' | 'solve' | 'reveal'

/** The challenge without its file. */
export interface ChallengeInBrief {
  /** Its name, such as `max-csp`. */
  readonly name: string
  /** The challenge's own settings, such as maxVars. */
  readonly config: unknown
}

/** A player and its account. */
export interface Account {
  /** The seat of a player, from 0. */
  readonly seat: number
  /** In 10^-9 energy. */
  readonly account: number
  /** True if it plays no more. */
  readonly removed: boolean
}

/** The claim of a challenge. classic: nothing; belief: no solution reaches f (section 5.1); secret: no solution
 * reaches price x s, where s is the quality of a solution that the seller has. */
export type Kind = 'classic' | 'belief' | 'secret'

/** A challenge on offer. */
export interface StoreEntry {
  /** The number of the challenge in its match, from 0; a reoffer gets a new one. */
  readonly challenge: number
  /** The seller. */
  readonly seller: number
  /** A predicate of the challenge, in the form that its file defines. */
  readonly predicate: unknown
  /** In 10^-9 energy, from 0 to 1 energy (section 4.1). */
  readonly price: number
  /** From protocol 2 on. */
  readonly kind?: Kind
  /** For a belief, in 10^-9: the quality that it claims to be unreachable. */
  readonly f?: number
}

/** Sold by you: raw material is due. */
export interface Sold {
  /** The number of the challenge in its match, from 0; a reoffer gets a new one. */
  readonly challenge: number
  /** The seller. */
  readonly seller: number
  /** A predicate of the challenge, in the form that its file defines. */
  readonly predicate: unknown
  /** In 10^-9 energy, from 0 to 1 energy (section 4.1). */
  readonly price: number
  /** From protocol 2 on. */
  readonly kind?: Kind
  /** For a belief, in 10^-9: the quality that it claims to be unreachable. */
  readonly f?: number
  /** The buyer. */
  readonly buyer: number
}

/** Accompanies the raw material of a secret challenge. */
export interface Secret {
  /** The quality s of the solution that the seller has, as "p/q". */
  readonly quality: string
  /** The SHA-256 of `[solution, nonce]` as JSON, in 64 hex digits. */
  readonly commitment: string
}

/** Delivered to you: a solution is due. */
export interface ToSolve {
  /** The number of the challenge in its match, from 0; a reoffer gets a new one. */
  readonly challenge: number
  /** The seller. */
  readonly seller: number
  /** A predicate of the challenge, in the form that its file defines. */
  readonly predicate: unknown
  /** In 10^-9 energy, from 0 to 1 energy (section 4.1). */
  readonly price: number
  /** From protocol 2 on. */
  readonly kind?: Kind
  /** For a belief, in 10^-9: the quality that it claims to be unreachable. */
  readonly f?: number
  /** Raw material of the challenge, in the form that its file defines. */
  readonly instance: unknown
  /** The seller's commitment. */
  readonly secret?: Secret
}

/** Answered by the buyer: the secret is due. */
export interface ToReveal {
  /** The number of the challenge in its match, from 0; a reoffer gets a new one. */
  readonly challenge: number
  /** The seller. */
  readonly seller: number
  /** A predicate of the challenge, in the form that its file defines. */
  readonly predicate: unknown
  /** In 10^-9 energy, from 0 to 1 energy (section 4.1). */
  readonly price: number
  /** From protocol 2 on. */
  readonly kind?: Kind
  /** For a belief, in 10^-9: the quality that it claims to be unreachable. */
  readonly f?: number
  /** The buyer. */
  readonly buyer: number
  /** Accompanies the raw material of a secret challenge. */
  readonly secret: Secret
}

/** A challenge was bought. */
export interface Accepted {
  readonly type: 'accepted'
  /** The round, from 1. */
  readonly round: number
  /** The seat of a player, from 0. */
  readonly seat: number
  /** The number of the challenge in its match, from 0; a reoffer gets a new one. */
  readonly challenge: number
  /** In 10^-9 energy, from 0 to 1 energy (section 4.1). */
  readonly price: number
}

/** A challenge was offered. `kind` and `f` as in the store. */
export interface Offered {
  readonly type: 'offered'
  /** The round, from 1. */
  readonly round: number
  /** The seat of a player, from 0. */
  readonly seat: number
  /** The number of the challenge in its match, from 0; a reoffer gets a new one. */
  readonly challenge: number
  /** In 10^-9 energy, from 0 to 1 energy (section 4.1). */
  readonly price: number
  /** The claim of a challenge. classic: nothing; belief: no solution reaches f (section 5.1); secret: no solution
   * reaches price x s, where s is the quality of a solution that the seller has. */
  readonly kind?: Kind
  /** In 10^-9 energy, from 0 to 1 energy (section 4.1). */
  readonly f?: number
  /** In protocol 3; absent if its seller was removed in the same turn. */
  readonly predicate?: unknown
}

/** A challenge was undercut. */
export interface Reoffered {
  readonly type: 'reoffered'
  /** The round, from 1. */
  readonly round: number
  /** The seat of a player, from 0. */
  readonly seat: number
  /** The number of the challenge in its match, from 0; a reoffer gets a new one. */
  readonly challenge: number
  /** The challenge that is no longer for sale. */
  readonly undercut: number
  /** In 10^-9 energy, from 0 to 1 energy (section 4.1). */
  readonly price: number
}

/** Raw material was delivered. */
export interface Delivered {
  readonly type: 'delivered'
  /** The round, from 1. */
  readonly round: number
  /** The seat of a player, from 0. */
  readonly seat: number
  /** The number of the challenge in its match, from 0; a reoffer gets a new one. */
  readonly challenge: number
  /** Accompanies the raw material of a secret challenge. */
  readonly secret?: Secret
  /** In protocol 3. */
  readonly instance?: unknown
}

/** A solution was given. */
export interface Solved {
  readonly type: 'solved'
  /** The round, from 1. */
  readonly round: number
  /** The seat of a player, from 0. */
  readonly seat: number
  /** The number of the challenge in its match, from 0; a reoffer gets a new one. */
  readonly challenge: number
  /** The quality of the solution, a fraction "p/q". */
  readonly quality: string
  /** Paid by the seller, in 10^-9 energy. */
  readonly payoff: number
  /** True if the solution negated the seller's claim; absent without a claim. */
  readonly discounted?: boolean
  /** In protocol 3. */
  readonly solution?: unknown
}

/** Asynchronous: an action came too late because others had acted; it had no effect. */
export interface Refused {
  readonly type: 'refused'
  /** The round, from 1. */
  readonly round: number
  /** The seat of a player, from 0. */
  readonly seat: number
  /** The index of the action in its bundle. */
  readonly action: number
  /** The rule that was broken. */
  readonly rule: string
  /** The reason, in a sentence. */
  readonly text: string
}

/** The secret matches the commitment and is as good as claimed. */
export interface Revealed {
  readonly type: 'revealed'
  /** The round, from 1. */
  readonly round: number
  /** The seat of a player, from 0. */
  readonly seat: number
  /** The number of the challenge in its match, from 0; a reoffer gets a new one. */
  readonly challenge: number
  /** The quality of the solution, a fraction "p/q". */
  readonly quality: string
  /** In protocol 3. */
  readonly solution?: unknown
  /** In protocol 3. */
  readonly nonce?: string
}

/** A player was removed. Its unfinished sales follow as `voided`. */
export interface PlayerRemoved {
  readonly type: 'removed'
  /** The round, from 1. */
  readonly round: number
  /** The seat of a player, from 0. */
  readonly seat: number
  /** The rule that was broken. */
  readonly rule: string
  /** The reason, in a sentence. */
  readonly text: string
}

/** A sale ended without a solution: seller or buyer was removed, or the challenge file could not rate it. `seat` is
 * the seller. */
export interface Voided {
  readonly type: 'voided'
  /** The round, from 1. */
  readonly round: number
  /** The seat of a player, from 0. */
  readonly seat: number
  /** The number of the challenge in its match, from 0; a reoffer gets a new one. */
  readonly challenge: number
  /** The buyer. */
  readonly buyer: number
  /** Paid back to the buyer, in 10^-9 energy. */
  readonly refund: number
  /** The part that the seller could not pay, in 10^-9 energy. */
  readonly shortfall: number
  /** The reason, in a sentence. */
  readonly text: string
}

/** A public event: an action or its consequence. `seat`: who acted. */
export type PublicEvent = Accepted | Offered | Reoffered | Delivered | Solved | Refused | Revealed | PlayerRemoved | Voided

/** It is your turn. Asks for a bundle. */
export interface Turn {
  readonly type: 'turn'
  /** 1: the synchronous classic game; 2: all others; 3: on request, turns contain all that a player may know. */
  readonly protocol: number
  /** From 1. In rounds above maxTurns nothing can be offered, bought or reoffered (rule 10). */
  readonly round: number
  /** True while trading goes on. */
  readonly trading: boolean
  /** With mega-moves (section 4.2): the only kind of action that is possible now. */
  readonly step?: Step
  /** As in `start`. In protocol 3. */
  readonly me?: number
  /** In protocol 3. */
  readonly challenge?: ChallengeInBrief
  /** In protocol 3. */
  readonly config?: Config
  /** Your account, in 10^-9 energy. It must stay above 0 (rule 7). */
  readonly account: number
  /** All players. */
  readonly players: readonly Account[]
  /** All challenges on offer, oldest first, your own included. */
  readonly store: readonly StoreEntry[]
  /** Raw material is due in this turn. */
  readonly toDeliver: readonly Sold[]
  /** Solutions are due in this turn. */
  readonly toSolve: readonly ToSolve[]
  /** Secrets are due in this turn; from protocol 2 on. */
  readonly toReveal?: readonly ToReveal[]
  /** Public events since the beginning of your last turn, your own included, oldest first. */
  readonly events: readonly PublicEvent[]
}

/** You are removed, and will not be asked again. */
export interface Removed {
  readonly type: 'removed'
  /** 1: the synchronous classic game; 2: all others; 3: on request, turns contain all that a player may know. */
  readonly protocol: number
  /** The round, from 1. */
  readonly round: number
  /** The rule that was broken. */
  readonly rule: string
  /** The reason, in a sentence. */
  readonly text: string
}

/** A message to a player. */
export type Told = Start | Turn | Removed

/** The answer to `start`. */
export interface Ready {
  readonly ready: true
  /** 1: the synchronous classic game; 2: all others; 3: on request, turns contain all that a player may know. */
  readonly protocol?: number
}

/** Rule 3: a predicate at a price. */
export interface Offer {
  readonly type: 'offer'
  /** A predicate of the challenge, in the form that its file defines. */
  readonly predicate: unknown
  /** In 10^-9 energy, from 0 to 1 energy (section 4.1). */
  readonly price: number
  /** For markets with several kinds; absent: the first (base ball: classic). */
  readonly kind?: Kind
  /** In 10^-9: for beliefs if the config leaves it free; absent: the price. */
  readonly f?: number
}

/** Rule 2: buys a challenge that another player offers. */
export interface Accept {
  readonly type: 'accept'
  /** The number of the challenge in its match, from 0; a reoffer gets a new one. */
  readonly challenge: number
}

/** Rules 2 and 5: undercuts a challenge that another player offers. */
export interface Reoffer {
  readonly type: 'reoffer'
  /** The number of the challenge in its match, from 0; a reoffer gets a new one. */
  readonly challenge: number
  /** In 10^-9 energy, from 0 to 1 energy (section 4.1). */
  readonly price: number
}

/** Rule 4: raw material for a challenge that you sold. */
export interface Deliver {
  readonly type: 'deliver'
  /** The number of the challenge in its match, from 0; a reoffer gets a new one. */
  readonly challenge: number
  /** Raw material of the challenge, in the form that its file defines. */
  readonly instance: unknown
  /** For secret challenges. */
  readonly secret?: Secret
}

/** Rule 4: a solution of raw material that was delivered to you. */
export interface Solve {
  readonly type: 'solve'
  /** The number of the challenge in its match, from 0; a reoffer gets a new one. */
  readonly challenge: number
  /** A solution of the challenge, in the form that its file defines. */
  readonly solution: unknown
}

/** Rule 4: the secret solution, after the buyer has answered. */
export interface Reveal {
  readonly type: 'reveal'
  /** The number of the challenge in its match, from 0; a reoffer gets a new one. */
  readonly challenge: number
  /** A solution of the challenge, in the form that its file defines. */
  readonly solution: unknown
  /** The nonce of the commitment: 256 bits in hex digits. */
  readonly nonce: string
}

/** One step of a bundle (section 4.3). Actions are applied in order. */
export type Action = Offer | Accept | Reoffer | Deliver | Solve | Reveal

/** The answer to a turn; without actions also to `start`. */
export interface Bundle {
  /** 1: the synchronous classic game; 2: all others; 3: on request, turns contain all that a player may know. */
  readonly protocol?: number
  /** In order; the first that breaks a rule removes you. */
  readonly actions: readonly Action[]
}

/** An answer of a player. */
export type Said = Ready | Bundle
