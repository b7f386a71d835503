import type { Challenge } from '../../../grammars/challenges/index.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { Wares } from '../trade/desk.ts'

/**
 * Numbers the predicates of any challenge in the order in which they appear, so that the desk recognises equal ones.
 */
export function numberedPredicates(challenge: Challenge, config: Json): Wares {
  const met: Json[] = []
  const numbers = new Map<string, number>()
  return {
    read(predicate) {
      const checked = challenge.predicate(config, predicate)
      if (!checked.ok) return undefined
      const known = numbers.get(checked.key)
      if (known !== undefined) return [known]
      numbers.set(checked.key, met.length)
      return [met.push(checked.value) - 1]
    },
    predicate: ([number]) => met[number ?? -1] ?? null,
  }
}
