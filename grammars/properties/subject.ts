import type { Program, Scope } from '../formulas/index.ts'
import type { Shape, Values } from '../values/index.ts'

/**
 * The subject of the rules of one `property` section. Their formulas may use `scope`; `name`, which is the value so
 * far, with the fields before that of the rule; and `this`, the object that contains the field, also so far.
 */
export interface Subject {
  /** Such as "instance". */
  readonly name: string
  readonly shape: Shape
  /** The variables that are available before the value, such as config and predicate. */
  readonly scope: Scope
  /** Contains the definitions; problems are reported to it. */
  readonly program: Program
  /** The values of the shape's dictionary. */
  readonly values: Pick<Values, 'literals' | 'validate'>
}
