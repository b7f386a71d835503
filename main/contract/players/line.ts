import * as z from 'zod'

/** Text that a history can hold (RFC 8785 forbids lone surrogates), at most 200 code points. */
export const line = z
  .string()
  .min(1)
  .refine((text) => text.isWellFormed(), 'a lone surrogate (half of a character) is not allowed')
  .refine((text) => Array.from(text).length <= 200, 'more than 200 characters')
