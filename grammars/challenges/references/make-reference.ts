import type { Position } from '../../problem.ts'
import { decimal } from '../config.ts'
import { SHARES, type Formulated, type Reference, type ReferenceKind } from './reference.ts'
import type { ReferenceTree } from '../tree.ts'

/** A checked reference. `solvers`: those in formulas, by title. */
export function makeReference(
  { at, name, kind, share, script }: ReferenceTree,
  solvers: ReadonlyMap<string, Formulated['solve']>,
  place: (offset: number) => Position,
): Reference {
  const checkedKind = kind.name as ReferenceKind
  const solve = solvers.get(name)
  return {
    title: name,
    kind: checkedKind,
    share: share === null ? SHARES[checkedKind] : decimal(share.value),
    at: place(at),
    how:
      solve === undefined
        ? { language: 'javascript', source: '\n'.repeat(place(script?.at ?? at).line - 1) + (script?.source ?? '') }
        : { language: 'formulas', solve },
  }
}
