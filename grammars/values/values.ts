import type { Json } from '../json.ts'
import type { Position, Problem } from '../problem.ts'
import type { Shape } from './shape.ts'

/**
 * What a checked dictionary gives for values. `type` is always the text of a type use: `Instance`, `List(int)`. No
 * method but `print` throws, whatever it is given.
 */
export interface Values {
  /** The dictionary's literals: no value of class `ident` is one of them. */
  readonly literals: ReadonlySet<string>
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
  /**
   * A random value of the type, made by its structure alone; it is valid and can be printed. `random` gives unsigned 32-bit
   * numbers, uniform, and is the only source of chance. Every choice among alternatives, presence and absence, true
   * and false is uniform, until a value that holds itself has reached `size`; it then ends as soon as it can. A list has
   * up to the square root of `size` elements. A problem where the type has no values, or none but huge ones.
   */
  sample(type: string, random: () => number, options?: SampleOptions): Sampled
  /** TypeScript declarations for a type and all that it can hold: the classes of the dictionary as exported types. */
  typescript(
    type: string,
  ): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: Problem }
  /** A JSON Schema, draft 2020-12, that every value of the type meets. */
  jsonSchema(
    type: string,
  ): { readonly ok: true; readonly schema: Json } | { readonly ok: false; readonly problem: Problem }
}

interface SampleOptions {
  /** About how many objects and lists the value may have, 1 to 1,000,000; 100 by default. More only where it must. */
  readonly size?: number
}

type Sampled = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly problem: Problem }
