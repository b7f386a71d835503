import * as z from 'zod'
import { entrantId } from '../ids.ts'
import type { IsolationTier } from '../limits.ts'
import { attacksWith, fits, listed, nameOfBits } from './policy-patterns.ts'

/**
 * The security policy of a contest (section 4.4): the attacks that are allowed. The others are forbidden by agreement, and
 * the public histories show who violated it.
 */
export const securityPolicy = z.strictObject({
  /** Attacks on the administrator are allowed: a practice contest, whose results never count. */
  administratorAttack: z.boolean(),
  /** Agents may exploit poor decisions of other agents. False: no agent may treat others differently. */
  intelligenceAttack: z.boolean(),
  /** Agents may exploit the implementation of other agents. */
  mechanismAttack: z.boolean(),
})
export type SecurityPolicy = z.infer<typeof securityPolicy>

/** The default policy of a contest, the usual one for competitions. */
export const defaultPolicy: SecurityPolicy = {
  administratorAttack: false,
  intelligenceAttack: true,
  mechanismAttack: false,
}

export function policyOf({ policy = defaultPolicy }: { readonly policy?: SecurityPolicy | undefined }): SecurityPolicy {
  return policy
}

/** A pattern of policies that an agent is meant for: three bits in the order of the specification; `*` matches both. */
export const policyPattern = z.string().regex(/^[01*]{3}$/, 'expected three of 0, 1 and *, such as "010" or "1**"')

/** The policy as three bits in the order of the specification, such as `010`. */
export function policyBits({ administratorAttack, intelligenceAttack, mechanismAttack }: SecurityPolicy): string {
  return [administratorAttack, intelligenceAttack, mechanismAttack].map((bit) => (bit ? '1' : '0')).join('')
}

/** True if an agent that names these policies may play under this one. */
export function isMeantFor(patterns: readonly string[], policy: SecurityPolicy): boolean {
  const bits = policyBits(policy)
  return patterns.some((pattern) => fits(pattern, bits))
}

/** The reward for a successful attack on the administrator: energy outside every match's ledger (section 4.4). */
export const bounty = z.strictObject({
  agent: entrantId,
  /** In energy. */
  energy: z.int().min(1).max(1_000_000_000),
  /** The administrator's offence, as shown to the class. */
  why: z.string().min(1).max(2_000),
})
export type Bounty = z.infer<typeof bounty>

/** The default bounty. */
export const DEFAULT_BOUNTY = 1_000_000

/** True if results count; they do not in a practice contest, where the administrator may be attacked. */
export function resultsCount({ administratorAttack }: SecurityPolicy): boolean {
  return !administratorAttack
}

/** The name of a policy in words, such as `attacks on decisions`, for use behind "the policy". */
export function policyName(policy: SecurityPolicy): string {
  return nameOfBits(policyBits(policy))
}

/** The allowed attacks and their consequence in one sentence, which begins in lower case. */
export function policyText(policy: SecurityPolicy): string {
  const allowed = attacksWith('1', policyBits(policy))
  const practice = resultsCount(policy) ? '' : '; this is a practice contest: its results never count'
  return `agents may attack ${allowed.length === 0 ? 'nobody' : listed(allowed, 'and')}${practice}.`
}

/** Why a policy does not allow a tier, in a sentence; null: it does. */
export function isolationRefusal(isolation: IsolationTier, policy: SecurityPolicy): string | null {
  if (isolation !== 'shared' || policy.mechanismAttack) return null
  const name = policyName(policy)
  return `Agents may share a folder (isolation "shared") only if they may attack the implementation of others; the policy "${name}" forbids that.`
}
