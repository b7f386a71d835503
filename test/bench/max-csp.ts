import { readFileSync } from 'node:fs'
import { randomStream } from '../../main/contract/random.ts'

/** The text of the challenge file. */
export const maxCsp = readFileSync(new URL('../../grammars/challenges/max-csp.challenge', import.meta.url), 'utf8')

/** Raw material of max-csp. */
export type Instance = {
  readonly variables: number
  readonly constraints: { readonly weight: number; readonly relation: number; readonly variables: number[] }[]
}

/** Raw material of one relation; the same numbers give the same constraints. */
export function instanceOf(relation: number, variables: number, constraints: number): Instance {
  return mixedInstance([relation], variables, constraints)
}

/** Raw material of several relations in turn; the same numbers give the same constraints. */
export function mixedInstance(relations: readonly number[], variables: number, constraints: number): Instance {
  const next = randomStream(relations[0]!.toString(16).padStart(64, '5'))
  const three = (): number[] => {
    const chosen = new Set<number>()
    while (chosen.size < 3) chosen.add(1 + (next() % variables))
    return [...chosen]
  }
  return {
    variables,
    constraints: Array.from({ length: constraints }, (_, at) => ({
      weight: 1 + (next() % 10),
      relation: relations[at % relations.length]!,
      variables: three(),
    })),
  }
}
