import type { Json } from '../../json.ts'
import type { Problem } from '../../problem.ts'
import type { Pattern } from './fit.ts'

/** Raw material that was read from a format of other programs. */
export interface ImportedMaterial {
  /** An instance of the challenge to which the format belongs. */
  readonly instance: Json
  /** The smallest predicate that allows the instance; null: the challenge has other predicates than the format expects. */
  readonly predicate: Json | null
  /** The smallest settings under which it is legal. */
  readonly config: { readonly [setting: string]: number }
  /** Sentences about parts of the text that the challenge cannot represent exactly. */
  readonly notes: readonly string[]
  /** The best known solution of a well-known instance; null: none is known. */
  readonly best: BestKnown | null
}

export interface BestKnown {
  /** The name of the instance in its collection. */
  readonly name: string
  readonly measure: number
  /** The settings of the challenge that must be at least this, or else the measure is not the best known. */
  readonly settings: { readonly [setting: string]: number }
}

export type Imported =
  { readonly ok: true; readonly material: ImportedMaterial } | { readonly ok: false; readonly problem: Problem }

export type Exported =
  { readonly ok: true; readonly format: string; readonly text: string } | { readonly ok: false; readonly error: string }

/** How the raw material of one challenge is exchanged with other programs. */
export interface Exchange {
  /** The names of the formats that can be written. */
  readonly formats: readonly string[]
  /** The fields of the instances. */
  readonly instance: Pattern
  /** Reads any of the formats; the text shows which one it is. `file`: its name, which is that of a well-known instance in some collections. */
  read(text: string, file?: string): Imported
  /** Writes a valid instance. `format`: one of `formats`; default: the simplest that can represent the instance. */
  write(instance: Json, format?: string): Exported
  /** The best known solution of a valid instance that is recognized by its value; null: it is not. */
  recognized(instance: Json): BestKnown | null
}
