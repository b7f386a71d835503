import { complaintSentence, parsePlainly } from '../../../contract/complaints.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { makeTown, townOptions, townText, type TownOptions } from '../../../referees/cops/kinds.ts'

export type { TownOptions }

/** The text of a new town as a world skeleton; options that are left out have their defaults. Throws ExpectedError 'usage'. */
export function madeTown(options: Partial<TownOptions>): string {
  const parsed = parsePlainly(townOptions, options)
  if (!parsed.ok)
    throw new ExpectedError(
      'usage',
      'settings-invalid',
      `The town cannot be made: ${complaintSentence(parsed.complaint)}`,
    )
  return townText(makeTown(parsed.value))
}
