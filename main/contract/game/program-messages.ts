import * as z from 'zod'

/**
 * The messages between a match and a program that plays, each with a title, a text for every field, its unit and the section of
 * the game's text. JSON Schemas and the types of kits are made of them, so a game or a field is described here and nowhere else.
 * Members of a union differ by the constant of a field that all have, or by a field that only one of them must have.
 */
export interface ProgramMessages {
  /**
   * `lines`: a message is one JSON object per line; those that ask have `question` and `limitMs` besides, and answers may
   * have `question`. `text`: the game has a notation of its own for these values.
   */
  readonly form: 'lines' | 'text'
  /** Every line has `body`, the number of the recipient or the author within its seat. */
  readonly bodies?: true
  /** Messages to the program. */
  readonly told: z.ZodType
  /** Messages of the program. */
  readonly said: z.ZodType
}

/** A type's name, such as `StoreEntry`, and text. A field that has the type may describe it in other words; `$comment` keeps these. */
export const named = (name: string, description: string) => ({ title: name, description, $comment: description })

/** An object without other fields. */
export const record = <S extends z.ZodRawShape>(name: string, description: string, shape: S) =>
  z.strictObject(shape).meta(named(name, description))

/** One of several words. */
export const words = <const W extends readonly [string, ...string[]]>(name: string, description: string, all: W) =>
  z.enum(all).meta(named(name, description))

/** One of several objects. */
export const either = <const T extends readonly [z.ZodType, ...z.ZodType[]]>(
  name: string,
  description: string,
  members: T,
) => z.union(members).meta(named(name, description))

/** A list of values. */
export const list = <T extends z.ZodType>(of: T, description: string) => z.array(of).describe(description)

/** A whole number from 0. */
export const count = (description: string) => z.int().min(0).describe(description)
