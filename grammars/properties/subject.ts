import type { Program, Scope } from '../formulas/index.ts'
import type { Shape, Values } from '../values/index.ts'

/**
 * What the rules of one `property` section describe. Their formulas may use `scope`; `name`, which is the value as far as it
 * is made, with the fields before the one that the rule is for; and `this`, the object that the field is in, in the same way.
 */
export interface Subject {
  /** Such as "instance". */
  readonly name: string
  readonly shape: Shape
  /** What comes before the value, such as config and predicate. */
  readonly scope: Scope
  /** Where definitions are, and where what is wrong is reported. */
  readonly program: Program
  /** Of the dictionary that the shape is from. */
  readonly values: Pick<Values, 'literals' | 'validate'>
}
