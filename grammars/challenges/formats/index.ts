import { courseCsp } from './course-csp.ts'
import { dimacs } from './dimacs.ts'
import { colouringGraphs, coverGraphs } from './graph.ts'
import { setCovers } from './or-library.ts'
import { tours } from './tsplib.ts'
import type { Exchange } from './format.ts'

export type { BestKnown, Exchange, Imported, ImportedMaterial } from './format.ts'

/** By the name of the challenge. */
const exchanges: ReadonlyMap<string, Exchange> = new Map([
  ['max-sat', dimacs],
  ['max-csp', courseCsp],
  ['graph-colouring', colouringGraphs],
  ['vertex-cover', coverGraphs],
  ['set-cover', setCovers],
  ['travelling-salesman', tours],
])

/** How the raw material of a challenge is exchanged with other programs; null: no format is known for the challenge. */
export function exchangeOf(challenge: string): Exchange | null {
  return exchanges.get(challenge) ?? null
}

/** The names of the challenges with such a format. */
export const exchanged: readonly string[] = [...exchanges.keys()]
