import { describe, expect, test } from 'vitest'
import type { Challenge } from '../../../grammars/challenges/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { accepted, challengeOf, sourceOf } from './shipped.ts'

function explain(challenge: Challenge, instance: string, solution: string): ReturnType<Challenge['explain']> {
  const value = (text: string, type: string): Json => accepted(parsed(challenge, text, type)).value
  const config = accepted(challenge.config({})).value
  return challenge.explain(config, value(instance, 'Instance'), value(solution, 'Solution'))
}

function parsed(challenge: Challenge, text: string, type: string) {
  const read = challenge.values.parse(text, type)
  return read.ok ? read : { ok: false as const, error: read.problem.message }
}

const knapsack = `challenge knapsack "Knapsack"
dictionary {{
  Predicate = "weights" <weights> List(int).
  Instance = "sack" <capacity> int <items> List(Item).
  Item = <weight> int "for" <worth> int.
  Solution = <packed> List(int).
}}
legal predicate { require length(predicate.weights) > 0 else "Empty." }
legal instance { require length(instance.items) > 0 else "Empty." }
feasible solution { require distinct(solution.packed) else "Twice." }
measure = sum(instance.items[i].worth for i in solution.packed)
goal = max
bound = sum(item.worth for item in instance.items)
example "the first of two" {
  predicate {{ weights 4 3 }}
  instance {{ sack 6  4 for 5  3 for 3 }}
  solution {{ 1 }}
  quality = 5/8
}
`

const colouring = `challenge colouring "Edges that are coloured well"
dictionary {{
  Predicate = "any" <any> int.
  Instance = "names" <names> List(int) "edges" <edges> List(Edge).
  Edge = <a> int "-" <b> int "worth" <worth> int.
  Solution = <colours> List(int).
}}
legal predicate { require predicate.any >= 0 else "No." }
legal instance { require length(instance.edges) > 0 else "Empty." }
feasible solution { require length(solution.colours) > 0 else "Empty." }
define gap(e: Edge, c: list of int) = abs(c[e.a] - c[e.b])
measure = sum(min(gap(e, solution.colours), e.worth) for e in instance.edges)
goal = max
bound = sum(e.worth for e in instance.edges)
example "one edge of two" {
  predicate {{ any 0 }}
  instance {{ names 1 2 3 edges 1 - 2 worth 2  2 - 3 worth 2 }}
  solution {{ 1 3 3 }}
  quality = 1/2
}
`

describe('which parts of an instance a solution meets', () => {
  test('constraints of max-csp, in the order of the list', () => {
    const csp = challengeOf(sourceOf('max-csp'))
    expect(explain(csp, 'variables 3  2 : 2 (1 2 3)  3 : 16 (1 2 3)  1 : 2 (2 3 1)', '0 0 1')).toEqual({
      label: 'constraints',
      type: 'Constraint',
      verdicts: ['met', 'unmet', 'unmet'],
    })
  })

  test('clauses of max-sat', () => {
    const sat = challengeOf(sourceOf('max-sat'))
    expect(explain(sat, 'variables 3  1 : (1)  1 : (2)  1 : (-1 -2)', '1 0 0')).toMatchObject({
      label: 'clauses',
      verdicts: ['met', 'unmet', 'met'],
    })
  })

  test('a constraint that counts half is met in part', () => {
    const found = explain(
      challengeOf(colouring),
      'names 1 2 3 edges 1 - 2 worth 2  2 - 3 worth 2  1 - 3 worth 1',
      '1 2 2',
    )
    expect(found).toMatchObject({ label: 'edges', type: 'Edge', verdicts: ['partly', 'unmet', 'met'] })
  })

  test('a quality that is not made of parts has none', () => {
    expect(explain(challengeOf(knapsack), 'sack 6  4 for 5  3 for 3  2 for 2', '2 3')).toBeNull()
  })
})
