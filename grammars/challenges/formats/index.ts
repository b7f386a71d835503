import { courseCsp } from './course-csp.ts'
import { dimacs } from './dimacs.ts'
import type { Exchange } from './format.ts'

export type { Exchange, Imported, ImportedMaterial } from './format.ts'

/** By the name of the challenge. */
const exchanges: ReadonlyMap<string, Exchange> = new Map([
  ['max-sat', dimacs],
  ['max-csp', courseCsp],
])

/** How the raw material of a challenge is exchanged with other programs; null where no format of others is known for it. */
export function exchangeOf(challenge: string): Exchange | null {
  return exchanges.get(challenge) ?? null
}

/** The names of the challenges for which there is one. */
export const exchanged: readonly string[] = [...exchanges.keys()]
