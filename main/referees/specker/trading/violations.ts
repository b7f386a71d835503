import type { FaultKind } from '../../../contract/faults.ts'
import type { Json } from '../../../contract/json.ts'
import { ENERGY } from '../messages.ts'

/**
 * The reasons for removing a player (rule 9). The numbers are the rules of section 4.3.
 * - accept-or-reoffer (2), new-offer, offers-max (3)
 * - delivery, solution, reveal: raw material, a solution or a secret was due and did not come; illegal-material,
 *   infeasible-solution, illegal-secret: what was delivered is not valid; illegal-predicate: what was offered is not
 *   valid; broken-secret: what was revealed is not what was promised (4)
 * - price-lowering (5), bought-once (6), positive-account (7), time-limit (8)
 * - completion: an offer, purchase or reoffer after maxTurns (10)
 * - wrong-kind, league: an offer that this market does not sell, or that its league does not admit
 * - mega-move: an action that belongs to another step (section 4.2)
 * - not-on-offer, own-challenge, not-yours, not-due: an action on the wrong challenge
 * - unreadable, crash, memory, isolation: the agent itself failed
 */
export type Rule =
  | 'accept-or-reoffer'
  | 'new-offer'
  | 'offers-max'
  | 'delivery'
  | 'solution'
  | 'illegal-predicate'
  | 'illegal-material'
  | 'infeasible-solution'
  | 'reveal'
  | 'illegal-secret'
  | 'broken-secret'
  | 'price-lowering'
  | 'bought-once'
  | 'positive-account'
  | 'time-limit'
  | 'completion'
  | 'wrong-kind'
  | 'league'
  | 'mega-move'
  | 'not-on-offer'
  | 'own-challenge'
  | 'not-yours'
  | 'not-due'
  | 'unreadable'
  | 'crash'
  | 'memory'
  | 'isolation'

/** A violation of a rule. `text`: one sentence for students; `values`: its numbers, amounts in 10^-9 energy. */
export type Violation = {
  readonly rule: Rule
  /** The index of the action in its bundle, from 0; null: no single action is at fault. */
  readonly action: number | null
  readonly values: Readonly<Record<string, Json>>
  readonly text: string
}

/** A violation whose place in the bundle is not known yet. */
export type Breach = Omit<Violation, 'action'>

export function breach(rule: Rule, values: Readonly<Record<string, Json>>, text: string): Breach {
  return { rule, values, text }
}

/** A challenge's reasons may quote a player's data at any length. */
const LONGEST = 2_000

/** Makes a sentence fit for events and outcomes: limits its length and replaces lone surrogates. */
export function sentence(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)} ...` : text
  return cut.toWellFormed()
}

/** Formats 10^-9 energy for people: 250000000 is "0.25". */
export function energy(amount: number): string {
  const size = Math.abs(amount)
  const fraction = String(size % ENERGY)
    .padStart(9, '0')
    .replace(/0+$/, '')
  const whole = String(Math.floor(size / ENERGY))
  return `${amount < 0 ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Without `host`, because our own faults never cost a player anything. */
export type PlayerFault = { readonly kind: Exclude<FaultKind, 'host'>; readonly text: string }

const ruleOfFault: Readonly<Record<PlayerFault['kind'], Rule>> = {
  timeout: 'time-limit',
  stall: 'time-limit',
  invalid: 'unreadable',
  protocol: 'unreadable',
  crash: 'crash',
  memory: 'memory',
  isolation: 'isolation',
}

export function violationOfFault(fault: PlayerFault): Violation {
  return { rule: ruleOfFault[fault.kind], action: null, values: { fault: fault.kind }, text: sentence(fault.text) }
}

/** A fault of a player that did not get ready for a match of this challenge. */
export function absence(fault: PlayerFault, challenge: string): Violation {
  const { values, ...violation } = violationOfFault(fault)
  const text = sentence(`Not ready for a match of ${challenge}: ${fault.text}`)
  return { ...violation, values: { ...values, ready: false }, text }
}

/** True if the player did not get ready for the match. */
export function isAbsence({ values }: Violation): boolean {
  return values['ready'] === false
}
