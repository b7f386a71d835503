import * as z from 'zod'

// Parts of the outputs of several games.

/** A file to which a map was written. */
export const written = z.strictObject({ file: z.string() })

export const numbers = z.array(z.number())
export const pair = z.tuple([z.number(), z.number()])
