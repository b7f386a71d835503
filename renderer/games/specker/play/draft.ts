import type { Challenge } from '../../../../grammars/challenges/index.ts'
import { toText } from '../../../../grammars/formulas/numbers/fraction.ts'
import type { Json } from '../../../../main/contract/json.ts'
import type { Action, Secret } from '../../../../main/referees/specker/messages.ts'
import { previewBundle, type PlayerView, type BundlePreview } from '../../../../main/referees/specker/player-view.ts'
import { commitmentOf } from '../../../../main/referees/specker/secrets.ts'
import { ofClass } from '../../../class-storage.ts'
import { readText } from './texts.ts'
import type { ContestId } from '../../../../main/contract/ids.ts'
import { UNIT } from '../energy.ts'

export type Offer = Extract<Action, { readonly type: 'offer' }>

/** A turn as entered by a person. Texts and numbers are the contents of the fields. */
export interface Draft {
  /** Challenges to buy, in the order of selection. */
  readonly bought: readonly number[]
  /** New prices in energy by challenge; null: the field is empty. */
  readonly lowered: Readonly<Record<number, number | null>>
  readonly offers: readonly Offer[]
  /** By sold challenge. */
  readonly materials: Readonly<Record<number, Material>>
  /** By purchased challenge. */
  readonly solutions: Readonly<Record<number, string>>
}

export interface Material {
  readonly instance: string
  /** The secret solution of a secret challenge; '' otherwise. */
  readonly secret: string
  /** The nonce of the commitment: 256 bits in 64 hex digits. */
  readonly nonce: string
}

export const emptyDraft: Draft = { bought: [], lowered: {}, offers: [], materials: {}, solutions: {} }

/** A bundle made from a draft. */
export interface Bundle {
  readonly actions: readonly Action[]
  /** Problems of the draft that prevent actions, each in a sentence. */
  readonly problems: readonly string[]
  /** The openings of the delivered secrets, by challenge. */
  readonly openings: ReadonlyMap<number, Opening>
}

/**
 * The bundle for a draft. Actions that bring money come before those that cost money: secrets and solutions, deliveries,
 * purchases, lowered prices, new offers. Secrets that are due are revealed automatically.
 */
export function bundleOf(challenge: Challenge, known: PlayerView, draft: Draft, vault: Vault): Bundle {
  const { turn } = known
  const problems: string[] = []
  const openings = new Map<number, Opening>()
  const actions: Action[] = []
  for (const { challenge: number } of turn.toReveal ?? []) {
    const opening = vault.opening(number)
    if (opening === undefined) problems.push(`This window no longer has the secret of challenge ${number}.`)
    else actions.push({ type: 'reveal', challenge: number, ...opening })
  }
  for (const { challenge: number } of turn.toSolve) {
    const solution = readText(challenge, draft.solutions[number] ?? '', 'Solution')
    if (solution?.ok === true) actions.push({ type: 'solve', challenge: number, solution: solution.value })
    else if (solution !== null) problems.push(`The solution of challenge ${number} cannot be read. ${solution.error}`)
  }
  for (const sale of turn.toDeliver) {
    const material = draft.materials[sale.challenge]
    const delivery = material && deliveryOf(challenge, known, sale, material)
    if (typeof delivery === 'string') problems.push(`For challenge ${sale.challenge}: ${delivery}`)
    else if (delivery !== undefined && delivery !== null) {
      actions.push(delivery.action)
      if (delivery.opening !== null) openings.set(sale.challenge, delivery.opening)
    }
  }
  if (turn.trading) {
    const store = new Set(turn.store.map((entry) => entry.challenge))
    for (const one of draft.bought) if (store.has(one)) actions.push({ type: 'accept', challenge: one })
    for (const { challenge: number } of turn.store) {
      const typed = draft.lowered[number] ?? null
      if (typed === null) continue
      const price = amountOf(typed)
      if (price.ok) actions.push({ type: 'reoffer', challenge: number, price: price.units })
      else problems.push(`The new price of challenge ${number} is not valid. ${price.error}`)
    }
    actions.push(...draft.offers)
  }
  return { actions, problems, openings }
}

/** A delivery; null if nothing has been entered; a string if it is not valid, saying why. */
export function deliveryOf(
  challenge: Challenge,
  { config }: PlayerView,
  sale: PlayerView['turn']['toDeliver'][number],
  { instance: text, secret, nonce }: Material,
): { readonly action: Action; readonly opening: Opening | null; readonly secret: Secret | null } | string | null {
  const instance = readText(challenge, text, 'Instance')
  if (instance === null) return null
  if (!instance.ok) return `The raw material cannot be read. ${instance.error}`
  const base = { type: 'deliver', challenge: sale.challenge, instance: instance.value } as const
  if (sale.kind !== 'secret') return { action: base, opening: null, secret: null }
  // Raw material that is not legal for the predicate has no solutions.
  const illegal = challenge.legal(config.challengeConfig, sale.predicate, instance.value)
  if (illegal !== null) return illegal
  const solution = readText(challenge, secret, 'Solution')
  if (solution === null) return 'A secret challenge needs a secret solution.'
  if (!solution.ok) return `The secret solution cannot be read. ${solution.error}`
  const quality = exactQuality(challenge, config.challengeConfig, instance.value, solution.value)
  if (!quality.ok) return `The secret solution cannot be used: ${quality.error}`
  const sealed = { quality: quality.text, commitment: commitmentOf(solution.value, nonce) }
  return { action: { ...base, secret: sealed }, opening: { solution: solution.value, nonce }, secret: sealed }
}

/** The quality of a solution of legal raw material, as "p/q". */
function exactQuality(
  challenge: Challenge,
  config: Json,
  instance: Json,
  solution: Json,
): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly error: string } {
  const wrong = challenge.feasible(config, instance, solution)
  if (wrong !== null) return { ok: false, error: wrong }
  const quality = challenge.quality(config, instance, solution)
  return typeof quality === 'string' ? { ok: false, error: quality } : { ok: true, text: toText(quality) }
}

/**
 * The result of an action after others, regardless of the turn's other requirements. `wrong`: the rule that it breaks, in words; null
 * also where one of the others breaks a rule.
 */
export function tried(
  known: PlayerView,
  action: Action,
  before: readonly Action[] = [],
): { readonly wrong: string | null; readonly outcome: BundlePreview } {
  const outcome = previewBundle(known, [...before, action])
  const { violation } = outcome
  return { wrong: violation?.action === before.length ? violation.text : null, outcome }
}

/** Lowers all offers of others that can be lowered, by the minimum decrement. */
export function lowerAll({ config, me, turn }: PlayerView): Draft['lowered'] {
  const others = turn.store.filter(({ seller, price }) => seller !== me && price > 0)
  return Object.fromEntries(
    others.map(({ challenge, price }) => [challenge, typedAmount(Math.max(0, price - config.mindec))]),
  )
}

/** The opening of the commitment to a secret solution. */
export interface Opening {
  readonly solution: Json
  /** 256 bits in 64 lower-case hex digits. */
  readonly nonce: string
}

/** The openings of a person's commitments in a match. They survive a reload of the page only. */
export interface Vault {
  keep(openings: ReadonlyMap<number, Opening>): void
  opening(challenge: number): Opening | undefined
}

const prefix = 'tartaglia.secret.'

/** `storage`: null if the browser has none; then the openings are lost with the page. */
export function createVault(contest: ContestId, storage: Pick<Storage, 'getItem' | 'setItem'> | null): Vault {
  const memory = new Map<number, Opening>()
  const key = (challenge: number): string => ofClass(`${prefix}${contest}.${challenge}`)
  return {
    keep(openings) {
      for (const [challenge, opening] of openings) {
        memory.set(challenge, opening)
        try {
          storage?.setItem(key(challenge), JSON.stringify(opening))
        } catch {
          // If the storage is full, the openings are kept in memory only.
        }
      }
    },
    opening(challenge) {
      const known = memory.get(challenge)
      if (known !== undefined) return known
      const kept = storage?.getItem(key(challenge)) ?? null
      // Only this module uses this prefix.
      return kept === null ? undefined : (JSON.parse(kept) as Opening)
    },
  }
}

/** An amount of energy parsed from a field, in 10^-9 as in actions, or why it is not valid. */
export type Amount = { readonly ok: true; readonly units: number } | { readonly ok: false; readonly error: string }

/** Parses a price or the claimed quality of a belief: 0 to 1 with at most nine decimals. */
export function amountOf(typed: number | null): Amount {
  const error = 'From 0 to 1 energy, with nine decimals at most.'
  if (typed === null || !Number.isFinite(typed) || typed < 0 || typed > 1) return { ok: false, error }
  const units = Math.round(typed * UNIT)
  // The rounded number of units must equal the input exactly.
  return units / UNIT === typed ? { ok: true, units } : { ok: false, error }
}

/** Formatted for a field. */
function typedAmount(units: number): number {
  return units / UNIT
}
