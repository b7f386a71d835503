import type { Json } from '../../../main/contract/json.ts'
import { clauseImplies } from '../mathematics/implication.ts'
import { clauseKind } from '../mathematics/kinds.ts'
import { clausePart, formulaOf, type Part } from '../solvers/formula.ts'
import { choose, isRecord, limit, listOf, sample, subsets, whole, type Challenge, type Limits } from './challenge.ts'

/** Clause types up to this length are enough to offer: longer ones are always easier to satisfy. */
const LONGEST_OFFERED = 6
/** An item is length * STRIDE + positives. */
const STRIDE = 65_536

/** MAX-SAT with clause types (section 5.1). */
export function maxSat(config: Json): Challenge {
  const limits: Limits = {
    variables: limit(config, 'maxVars', 5),
    constraints: limit(config, 'maxClauses', 10),
    weight: limit(config, 'maxWeight', 1),
    longest: limit(config, 'maxClauseLength', 2),
  }
  const offered: number[] = []
  for (let length = 1; length <= Math.min(LONGEST_OFFERED, limits.longest); length++) {
    for (let positives = 0; positives <= length; positives++) offered.push(itemOf(length, positives))
  }
  return {
    name: 'max-sat',
    limits,
    items: offered.filter((item) => typeOf(item).length <= limits.variables),
    spares: offered.filter((item) => typeOf(item).length > limits.variables),
    kind(item) {
      const { length, positives } = typeOf(item)
      return clauseKind(length, positives)
    },
    implies: (a, b) => clauseImplies(typeOf(a), typeOf(b)),
    read(predicate) {
      const types = listOf(predicate, 'types')?.map(readType)
      if (types === undefined || types.includes(undefined)) return undefined
      return [...new Set(types as number[])].sort((a, b) => a - b)
    },
    predicate: (list) => ({ types: list.map((item) => ({ ...typeOf(item) })) }),
    placements(item, n) {
      const { length, positives } = typeOf(item)
      return choose(n, length) * choose(length, positives)
    },
    symmetric: (n, parts) => ({
      variables: n,
      clauses: parts.flatMap(({ item, weight }) => [...clausesOf(item, n)].map((literals) => ({ weight, literals }))),
    }),
    random: (n, list, random) => ({
      variables: n,
      clauses: list.map((item) => {
        const { length, positives } = typeOf(item)
        const literals = sample(n, length, random).map((v, at) => (at < positives ? v + 1 : -v - 1))
        return { weight: 1, literals }
      }),
    }),
    formula(instance) {
      const variables = isRecord(instance) ? whole(instance['variables'], 1) : undefined
      const parts = listOf(instance, 'clauses')?.map((clause) => readClause(clause, variables ?? 0))
      if (variables === undefined || parts === undefined || parts.includes(undefined)) return undefined
      return formulaOf(variables, parts as Part[])
    },
    solution: (values) => ({ values: Array.from(values) }),
  }
}

function itemOf(length: number, positives: number): number {
  return length * STRIDE + positives
}

function typeOf(item: number): { length: number; positives: number } {
  return { length: Math.floor(item / STRIDE), positives: item % STRIDE }
}

function readType(type: Json): number | undefined {
  const length = isRecord(type) ? whole(type['length'], 1) : undefined
  const positives = isRecord(type) ? whole(type['positives'], 0) : undefined
  if (length === undefined || positives === undefined || positives > length || length >= STRIDE) return undefined
  return itemOf(length, positives)
}

function readClause(clause: Json, variables: number): Part | undefined {
  const weight = isRecord(clause) ? whole(clause['weight'], 1) : undefined
  const literals = listOf(clause, 'literals')
  const legal = literals?.every((literal) => {
    const variable = typeof literal === 'number' ? whole(Math.abs(literal), 1) : undefined
    return variable !== undefined && variable <= variables
  })
  if (weight === undefined || legal !== true) return undefined
  return clausePart(literals as readonly number[], weight)
}

/** All clauses of a type: every choice of variables, and every choice of the positive ones among them. */
function* clausesOf(item: number, n: number): Generator<number[]> {
  const { length, positives } = typeOf(item)
  for (const chosen of subsets(n, length)) {
    for (const up of subsets(length, positives)) {
      yield chosen.map((v, at) => (up.includes(at) ? v + 1 : -v - 1))
    }
  }
}
