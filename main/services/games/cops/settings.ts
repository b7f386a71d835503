import type * as z from 'zod'
import { complaintSentence, parsePlainly } from '../../../contract/complaints.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { config, type Config } from '../../../referees/cops/config.ts'

export type { Config }

/** Checks settings and fills in what is left out. Throws ExpectedError 'usage'. */
export function completeSettings(settings: z.input<typeof config>): Config {
  const parsed = parsePlainly(config, settings)
  if (!parsed.ok)
    throw new ExpectedError(
      'usage',
      'settings-invalid',
      `The game cannot be played: ${complaintSentence(parsed.complaint)}`,
    )
  return parsed.value
}
