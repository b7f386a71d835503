import type { Json } from '../json.ts'
import type { Position, Problem } from '../problem.ts'
import type { Shape } from './shape.ts'

/**
 * What a checked dictionary gives for values. `type` is always the text of a type use: `Instance`, `List(int)`. No
 * method but `print` throws, whatever it is given.
 */
export interface Values {
  /** What the values of a type look like; cyclic. A problem where the type is unknown or cannot have values. */
  shape(type: string): { readonly ok: true; readonly shape: Shape } | { readonly ok: false; readonly problem: Problem }
  /**
   * The value that a text stands for. Positions count from `at`, by default the beginning of the text. Nesting beyond
   * MAX_DEPTH is a problem, not an overflow.
   */
  parse(
    text: string,
    type: string,
    at?: Position,
  ): { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly problem: Problem }
  /**
   * The text of a value, laid out by the dictionary's printing commands; `parse` gives the value back. Throws a TypeError
   * with the reason where `validate` finds one.
   */
  print(value: Json, type: string): string
  /**
   * null: `value` is a value of the type, in the one JSON form that `shape.ts` describes. Otherwise the first thing wrong;
   * `path` is like `constraints[3].weight`, empty for the value itself.
   */
  validate(value: Json, type: string): { readonly path: string; readonly message: string } | null
}
