import type { JsonSchema } from './json-schema.ts'
import type { Json } from '../json.ts'
import type { Position, Problem } from '../problem.ts'
import type { Shape } from './shape.ts'

/**
 * The values of a checked dictionary. `type` is always the text of a type use: `Instance`, `List(int)`. Only `print`
 * throws, whatever the arguments.
 */
export interface Values {
  /** The dictionary's literals, which cannot be values of class `ident`. */
  readonly literals: ReadonlySet<string>
  /** The shape of a type's values, possibly cyclic. A problem if the type is unknown or cannot have values. */
  shape(type: string): { readonly ok: true; readonly shape: Shape } | { readonly ok: false; readonly problem: Problem }
  /**
   * The value of a text. Positions are relative to `at`, by default the beginning of the text. Nesting beyond MAX_DEPTH
   * is a problem, not an overflow.
   */
  parse(
    text: string,
    type: string,
    at?: Position,
  ): { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly problem: Problem }
  /**
   * The text of a value with the layout of the dictionary's printing commands; `parse` returns the value. Throws a
   * TypeError with the reason if `validate` finds one.
   */
  print(value: Json, type: string): string
  /**
   * null: `value` is a value of the type, in the JSON form that `shape.ts` describes. Otherwise the first problem;
   * `path` is like `constraints[3].weight`, empty for the value itself.
   */
  validate(value: Json, type: string): { readonly path: string; readonly message: string } | null
  /**
   * A random value of the type, generated from its structure alone; it is valid and can be printed. `random` returns
   * uniform unsigned 32-bit numbers and is the only source of randomness. Every choice among alternatives, presence and
   * absence, true and false is uniform, until a recursive value has reached `size`; it then ends as soon as possible. A
   * list has up to the square root of `size` elements. A problem if the type has no values, or only huge ones.
   */
  sample(type: string, random: () => number, options?: SampleOptions): Sampled
  /** TypeScript declarations of a type and all that it can contain: the classes of the dictionary as exported types. */
  typescript(
    type: string,
  ): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: Problem }
  /** A JSON Schema, draft 2020-12, to which every value of the type conforms. */
  jsonSchema(
    type: string,
  ): { readonly ok: true; readonly schema: JsonSchema } | { readonly ok: false; readonly problem: Problem }
}

interface SampleOptions {
  /**
   * The approximate maximum of objects and lists, 1 to 1,000,000; default: 100. A value has more only if the type needs
   * it.
   */
  readonly size?: number
}

type Sampled = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly problem: Problem }
