import * as z from 'zod'
import { gameId } from '../ids.ts'

/** A field of a game's config whose text is given by name. */
export const textField = { game: gameId, field: z.string().min(1).max(64) }
export interface TextField {
  readonly game: string
  /** The field of the config. */
  readonly field: string
}

/** The name of a text and of its file, such as of a map. */
export const textName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'expected at most 64 small letters, digits and "-"')

/** Maximum characters of a text that a page adds to a class: the main process reads messages whole, and does nothing else meanwhile. */
export const TEXT_CHARACTERS_MAX = 4_000_000

/** The refusal of a longer text. */
export const TEXT_TOO_LONG =
  'expected at most 4,000,000 characters; use a larger text as a file that a contest file names, with `tartaglia contest run`'

export interface TextSummary {
  readonly name: string
  /** True if it belongs to the class; otherwise it ships with the game. */
  readonly own: boolean
  readonly bytes: number
}
