import { z } from 'zod'
import { entrantId } from './ids.ts'
import type { IsolationTier } from './limits.ts'

/**
 * The security policy of a contest (section 4.4): which attacks are welcome. What is off is forbidden by agreement, and the
 * public histories show who broke it.
 */
export const securityPolicy = z.strictObject({
  /** Attacks on the administrator. On: a practice contest, whose results never count. */
  administratorAttack: z.boolean(),
  /** Agents may exploit what another one decides badly. Off: none may treat others differently. */
  intelligenceAttack: z.boolean(),
  /** Agents may exploit how another one is built. */
  mechanismAttack: z.boolean(),
})
export type SecurityPolicy = z.infer<typeof securityPolicy>

/** The default policy of a contest, the usual one for competitions. */
export const usualPolicy: SecurityPolicy = {
  administratorAttack: false,
  intelligenceAttack: true,
  mechanismAttack: false,
}

export function policyOf({ policy = usualPolicy }: { readonly policy?: SecurityPolicy | undefined }): SecurityPolicy {
  return policy
}

/** Policies that an agent is meant for: a bit each, in the order of the specification's triples; `*` is either. */
export const policyPattern = z.string().regex(/^[01*]{3}$/, 'expected three of 0, 1 and *, such as "010" or "1**"')

/** `010`. */
export function policyBits({ administratorAttack, intelligenceAttack, mechanismAttack }: SecurityPolicy): string {
  return [administratorAttack, intelligenceAttack, mechanismAttack].map((bit) => (bit ? '1' : '0')).join('')
}

/** Whether an agent that names these policies may play under this one. */
export function isMeantFor(patterns: readonly string[], policy: SecurityPolicy): boolean {
  const bits = policyBits(policy)
  return patterns.some((pattern) => fits(pattern, bits))
}

const fits = (pattern: string, bits: string): boolean =>
  Array.from(pattern).every((bit, at) => bit === '*' || bit === bits[at])

/** All policies that there are, by their bits. */
const allBits = Array.from({ length: 8 }, (_, number) => number.toString(2).padStart(3, '0'))

/** The bits of every policy that an agent is meant for; one that names none is meant for any. */
export function bitsMeant(patterns: readonly string[] = ['***']): readonly string[] {
  return allBits.filter((bits) => patterns.some((pattern) => fits(pattern, bits)))
}

/** What an attack on the administrator earns that worked: energy outside every match's ledger (section 4.4). */
export const bounty = z.strictObject({
  agent: entrantId,
  /** In energy. */
  energy: z.int().min(1).max(1_000_000_000),
  /** What the administrator did wrong, as shown to the class. */
  why: z.string().min(1).max(2_000),
})
export type Bounty = z.infer<typeof bounty>

/** The default bounty. */
export const USUAL_BOUNTY = 1_000_000

/** Whether results count; those of a practice contest, in which the administrator may be attacked, never do. */
export function resultsCount({ administratorAttack }: SecurityPolicy): boolean {
  return !administratorAttack
}

/** `Policy (0, 1, 0)`, for where there is little room. */
export function policyName(policy: SecurityPolicy): string {
  return `Policy (${Array.from(policyBits(policy)).join(', ')})`
}

/** What may be attacked, in the order of the bits. */
const attacked = ['the administrator', "other agents' decisions", 'the implementation of other agents']

/** Those of `attacked` that have this bit. */
function having(wanted: '0' | '1', pattern: string): readonly string[] {
  return attacked.filter((_, at) => pattern[at] === wanted)
}

function listed(things: readonly string[], and: 'and' | 'or'): string {
  return things.length < 2 ? things.join() : `${things.slice(0, -1).join(', ')} ${and} ${things.at(-1)!}`
}

/** What is allowed, and what follows from it, in one sentence. */
export function policyText(policy: SecurityPolicy): string {
  const allowed = having('1', policyBits(policy))
  const practice = resultsCount(policy) ? '' : '; practice, its results never count'
  return `agents may attack ${allowed.length === 0 ? 'nobody' : listed(allowed, 'and')}${practice}.`
}

/** The contests that an agent is meant for which names this one pattern. */
export function patternText(pattern: string): string {
  const conditions = [
    ...(pattern.includes('1') ? [`may attack ${listed(having('1', pattern), 'and')}`] : []),
    ...(pattern.includes('0') ? [`must not attack ${listed(having('0', pattern), 'or')}`] : []),
  ]
  return conditions.length === 0 ? 'every contest' : `contests in which agents ${conditions.join(' and ')}`
}

/** Why a tier is not allowed under this policy, in a sentence; null: it is allowed. */
export function isolationRefusal(isolation: IsolationTier, policy: SecurityPolicy): string | null {
  if (isolation !== 'shared' || policy.mechanismAttack) return null
  const name = policyName(policy)
  return `Agents may share a folder (isolation "shared") only if they may attack the implementation of others; ${name} forbids that.`
}
