import type { Json } from '../../main/contract/json.ts'
import type { TextField } from '../../main/contract/procedures/class-texts.ts'

/** The contents of a game's settings fields, by name; null: an empty number field. */
export type Settings = Readonly<Record<string, Json>>

/** Sentences by the field that they are about; `''` is for what belongs to none. */
export type Problems = Readonly<Record<string, string>>

interface Named {
  /** As in the config. */
  readonly name: string
  readonly label: string
  readonly hint: string
  /** False if the field does not apply; it is then hidden and left to the game. */
  readonly when: (settings: Settings) => boolean
}
export interface NumberField extends Named {
  readonly kind: 'number'
  /** This and all amounts are as people write them, in units of `unit` of the config's own. */
  readonly standard: number | null
  readonly least: number
  readonly most: number
  readonly whole: boolean
  readonly unit: number
  /** The meaning of an empty field; null: a number is required. */
  readonly empty: string | null
}
export interface ChoiceField extends Named {
  readonly kind: 'choice'
  readonly standard: string
  readonly options: readonly { readonly value: string; readonly label: string; readonly hint: string }[]
}
export interface SwitchField extends Named {
  readonly kind: 'switch'
  readonly standard: boolean
}
/** Some of a game's named texts, such as maps. */
export interface TextsField extends Named {
  readonly kind: 'texts'
  readonly standard: readonly string[]
  /** The game, and the field of its config that holds one such text. */
  readonly of: TextField
}
/** Whole numbers in order, which people write into one line. */
export interface NumbersField extends Named {
  readonly kind: 'numbers'
  readonly standard: readonly number[]
  /** The greatest count of numbers. */
  readonly length: number
  readonly least: number
  readonly most: number
  /** The meaning of an empty list. */
  readonly empty: string
  /** Why a number between `least` and `most` cannot stand in the list; null: it can. */
  readonly problem: (number: number) => string | null
}
/** A field of a game's settings: a name of its config, and how people set and read it. */
export type Field = NumberField | ChoiceField | SwitchField | TextsField | NumbersField

/** How a contest format of a game's own is set and described. */
export interface GameFormat {
  /** Its `id` in the game's `contests.formats`. */
  readonly name: string
  readonly label: string
  /** Fields from the format's schema of settings. */
  readonly fields: readonly Field[]
  /** Labels of the game's settings that have no meaning in contests of this format. Absent: none. */
  readonly replaces?: readonly string[]
  /** The number of house agents, which are the last entrants of the list. Absent: none. */
  readonly house?: number
}

/** A format's fields on the New contest screen, as a preset fills them; what is left out is as usual. */
export interface PresetFormat {
  /** One that all games have, or one of the game's own. */
  readonly format?: 'round-robin' | 'ordered-pairs' | `game:${string}`
  readonly seats?: number
  readonly repeats?: number
  readonly seeds?: number
  readonly finalists?: number
  readonly finalSeeds?: number
}

/** A contest that is set up with one choice. */
export interface Preset {
  readonly label: string
  /** A description in one sentence. */
  readonly hint: string
  /** The contest's. */
  readonly title: string
  readonly format: PresetFormat
  /** Those of the game's settings that are not as usual. */
  readonly settings: Settings
}
