import { complaintSentence, parsePlainly } from '../../../contract/complaints.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { config, type Config } from '../../../referees/punter/config.ts'
import { PUNTERS_MAX } from '../../../referees/punter/seats.ts'

export { PUNTERS_MAX, type Config }

/** Checks and completes a game's settings. Throws ExpectedError 'usage'. */
export function punterConfig(settings: Partial<Config>): Config {
  const parsed = parsePlainly(config, settings)
  if (!parsed.ok)
    throw new ExpectedError(
      'usage',
      'settings-invalid',
      `The game cannot be played: ${complaintSentence(parsed.complaint)}`,
    )
  return parsed.value
}
