import type { Json } from '../../json.ts'
import type { Problem } from '../../problem.ts'

/** Raw material that was read from a format of other programs. */
export interface ImportedMaterial {
  /** Of the challenge that the format belongs to. */
  readonly instance: Json
  /** The least that allows the instance. */
  readonly predicate: Json
  /** The least settings under which it is legal. */
  readonly config: { readonly [setting: string]: number }
  /** What the format can say and the challenge cannot, in sentences. */
  readonly notes: readonly string[]
}

export type Imported =
  { readonly ok: true; readonly material: ImportedMaterial } | { readonly ok: false; readonly problem: Problem }

export type Exported =
  { readonly ok: true; readonly format: string; readonly text: string } | { readonly ok: false; readonly error: string }

/** How the raw material of one challenge is exchanged with other programs. */
export interface Exchange {
  /** Names of the formats that can be written. */
  readonly formats: readonly string[]
  /** Which of the formats it is shows in the text. */
  read(text: string): Imported
  /** `instance`: a valid one. `format`: one of `formats`; by default the simplest that can say it. */
  write(instance: Json, format?: string): Exported
}
