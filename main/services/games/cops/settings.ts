import { complaintSentence, parsePlainly } from '../../../contract/complaints.ts'
import type { Json } from '../../../contract/json.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { config, newContestSettings, type Config } from '../../../referees/cops/config.ts'

export type { Config }

/** Checks settings and fills in those that are left out as for a new contest. Throws ExpectedError 'usage'. */
export function completeSettings(settings: Readonly<Record<string, Json>>): Config {
  const parsed = parsePlainly(config, { ...newContestSettings, ...settings })
  if (!parsed.ok)
    throw new ExpectedError(
      'usage',
      'settings-invalid',
      `The game cannot be played: ${complaintSentence(parsed.complaint)}`,
    )
  return parsed.value
}
