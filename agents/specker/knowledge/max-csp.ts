import type { Json } from '../../../main/contract/json.ts'
import { relationImplies } from '../mathematics/implication.ts'
import { relationKind } from '../mathematics/kinds.ts'
import { formulaOf, relationPart, type Part } from '../solvers/formula.ts'
import { choose, isRecord, limit, listOf, sample, subsets, whole, type Challenge, type Limits } from './challenge.ts'

/** MAX-CSP with Boolean relations of rank 3 (section 5.2). An item is a relation number. */
export function maxCsp(config: Json): Challenge {
  const limits: Limits = {
    variables: limit(config, 'maxVars', 5),
    constraints: limit(config, 'maxConstraints', 10),
    weight: limit(config, 'maxWeight', 1),
    longest: 3,
  }
  return {
    name: 'max-csp',
    limits,
    items: Array.from({ length: 256 }, (_, relation) => relation),
    spares: [],
    kind: relationKind,
    implies: relationImplies,
    read(predicate) {
      const relations = listOf(predicate, 'relations')
      if (relations?.every((entry) => (whole(entry, 0) ?? 256) < 256) !== true) return undefined
      return [...new Set(relations as readonly number[])].sort((a, b) => a - b)
    },
    predicate: (items) => ({ relations: items }),
    placements(relation, n) {
      const shape = shapeOf(relation)
      return n < 3 ? 0 : choose(n, shape.essential.length) * shape.orders.length
    },
    symmetric: (n, parts) => ({
      variables: n,
      constraints: parts.flatMap(({ item, weight }) =>
        [...placementsOf(item, n)].map((variables) => ({ weight, relation: item, variables })),
      ),
    }),
    random: (n, items, random) => ({
      variables: n,
      constraints: items.map((relation) => ({
        weight: 1,
        relation,
        variables: sample(n, 3, random).map((v) => v + 1),
      })),
    }),
    formula(instance) {
      const variables = isRecord(instance) ? whole(instance['variables'], 1) : undefined
      const parts = listOf(instance, 'constraints')?.map((constraint) => readConstraint(constraint, variables ?? 0))
      if (variables === undefined || parts === undefined || parts.includes(undefined)) return undefined
      return formulaOf(variables, parts as Part[])
    },
    solution: (values) => ({ values: Array.from(values) }),
  }
}

function readConstraint(constraint: Json, variables: number): Part | undefined {
  if (!isRecord(constraint)) return undefined
  const weight = whole(constraint['weight'], 1)
  const relation = whole(constraint['relation'], 0)
  const members = listOf(constraint, 'variables')?.map((v) => (whole(v, 1) ?? Infinity) - 1)
  if (weight === undefined || relation === undefined || relation > 255) return undefined
  if (members?.length !== 3 || members.some((v) => v >= variables)) return undefined
  return relationPart(relation, members, weight)
}

/** The arguments on which a relation depends, and the orders of them that give different constraints. */
interface Shape {
  readonly essential: readonly number[]
  readonly orders: readonly (readonly number[])[]
}

const ORDERS: readonly (readonly (readonly number[])[])[] = [
  [[]],
  [[0]],
  [
    [0, 1],
    [1, 0],
  ],
  [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ],
]

const shapes = new Map<number, Shape>()

/** Placements that put the same truth table on the same variables count once: 22 has n over 3, not n (n-1) (n-2). */
function shapeOf(relation: number): Shape {
  const known = shapes.get(relation)
  if (known !== undefined) return known
  const essential = [0, 1, 2].filter((argument) => {
    const bit = 4 >> argument
    return [0, 1, 2, 3, 4, 5, 6, 7].some((row) => ((relation >> row) & 1) !== ((relation >> (row ^ bit)) & 1))
  })
  const tables = new Set<string>()
  const orders = ORDERS[essential.length]!.filter((order) => {
    let table = ''
    for (let values = 0; values < 1 << essential.length; values++) {
      const row = essential.reduce((sum, argument, at) => sum + (((values >> order[at]!) & 1) * 4) / 2 ** argument, 0)
      table += (relation >> row) & 1
    }
    return !tables.has(table) && tables.add(table)
  })
  const shape = { essential, orders }
  shapes.set(relation, shape)
  return shape
}

/** The arguments' variables, from 1, of every placement; irrelevant arguments get any free variables. */
function* placementsOf(relation: number, n: number): Generator<number[]> {
  const { essential, orders } = shapeOf(relation)
  for (const chosen of subsets(n, essential.length)) {
    for (const order of orders) {
      const variables = [0, 0, 0]
      essential.forEach((argument, at) => (variables[argument] = chosen[order[at]!]! + 1))
      let filler = 1
      for (let argument = 0; argument < 3; argument++) {
        if (variables[argument] !== 0) continue
        while (variables.includes(filler)) filler++
        variables[argument] = filler
      }
      yield variables
    }
  }
}
