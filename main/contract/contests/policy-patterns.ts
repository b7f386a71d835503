// Policies as patterns of bits, in words. Without a schema: the first screen of the window needs them, and does not load zod.

/** True if a pattern covers the policy with these bits. */
export const fits = (pattern: string, bits: string): boolean =>
  Array.from(pattern).every((bit, at) => bit === '*' || bit === bits[at])

/** All policies as bits. */
const allBits = Array.from({ length: 8 }, (_, number) => number.toString(2).padStart(3, '0'))

/** The bits of every policy that an agent is meant for; without patterns it is meant for all. */
export function bitsMeant(patterns: readonly string[] = ['***']): readonly string[] {
  return allBits.filter((bits) => patterns.some((pattern) => fits(pattern, bits)))
}

/** The possible targets of attacks, in the order of the bits. */
const attacked = ['the administrator', "other agents' decisions", 'the implementation of other agents']

/** The targets of attacks whose bit in the pattern has this value. */
export function attacksWith(wanted: '0' | '1', pattern: string): readonly string[] {
  return attacked.filter((_, at) => pattern[at] === wanted)
}

/** The possible targets of attacks in the name of a policy, in the order of the bits. */
const inName = ['the administrator', 'decisions', 'implementations']

/** The name of a policy, given as bits, such as `attacks on decisions`. */
export function nameOfBits(bits: string): string {
  const allowed = inName.filter((_, at) => bits[at] === '1')
  return allowed.length === 0 ? 'no attacks' : `attacks on ${listed(allowed, 'and')}`
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(things: readonly string[], and: 'and' | 'or'): string {
  return things.length < 2 ? things.join() : `${things.slice(0, -1).join(', ')} ${and} ${things.at(-1)!}`
}

/** Describes the contests that a pattern covers. */
export function patternText(pattern: string): string {
  const conditions = [
    ...(pattern.includes('1') ? [`may attack ${listed(attacksWith('1', pattern), 'and')}`] : []),
    ...(pattern.includes('0') ? [`must not attack ${listed(attacksWith('0', pattern), 'or')}`] : []),
  ]
  return conditions.length === 0 ? 'every contest' : `contests in which agents ${conditions.join(' and ')}`
}
