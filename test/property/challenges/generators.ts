import fc from 'fast-check'

export type Constraint = { readonly weight: number; readonly relation: number; readonly variables: readonly number[] }

/** Legal raw material of max-csp for a set of relations. */
export function cspInstances(
  relations: readonly number[],
): fc.Arbitrary<{ readonly variables: number; readonly constraints: readonly Constraint[] }> {
  return fc.integer({ min: 3, max: 20 }).chain((variables) =>
    fc.record({
      variables: fc.constant(variables),
      constraints: fc.array(
        fc.record({
          weight: fc.integer({ min: 1, max: 10 }),
          relation: fc.constantFrom(...relations),
          variables: distinct(variables, 3, 3),
        }),
        { minLength: 1, maxLength: 40 },
      ),
    }),
  )
}

export type Clause = { readonly weight: number; readonly literals: readonly number[] }

/** Raw material of max-sat, legal for the predicate of all the clause types that occur in it. */
export const satInstances: fc.Arbitrary<{ readonly variables: number; readonly clauses: readonly Clause[] }> = fc
  .integer({ min: 3, max: 20 })
  .chain((variables) =>
    fc.record({
      variables: fc.constant(variables),
      clauses: fc.array(
        fc.record({
          weight: fc.integer({ min: 1, max: 10 }),
          literals: distinct(variables, 1, 3).chain((chosen) =>
            fc
              .array(fc.boolean(), { minLength: chosen.length, maxLength: chosen.length })
              .map((signs) => chosen.map((variable, i) => (signs[i] ? variable : -variable))),
          ),
        }),
        { minLength: 1, maxLength: 40 },
      ),
    }),
  )

export function assignments(variables: number): fc.Arbitrary<number[]> {
  return fc.array(fc.constantFrom(0, 1), { minLength: variables, maxLength: variables })
}

function distinct(variables: number, minLength: number, maxLength: number): fc.Arbitrary<number[]> {
  return fc.uniqueArray(fc.integer({ min: 1, max: variables }), { minLength, maxLength })
}
