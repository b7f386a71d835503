import { complaintSentence, parsePlainly } from '../../../contract/complaints.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { makeMap, mapKinds, mapOptions, mapText, type MapOptions } from '../../../referees/punter/kinds.ts'
import { mineRules } from '../../../referees/punter/maps/mines.ts'

export { mapKinds, mineRules, type MapOptions }

/** The text of a new map file; options that are left out have their defaults. Throws ExpectedError 'usage'. */
export function madeMap(options: Partial<MapOptions>): string {
  const parsed = parsePlainly(mapOptions, options)
  if (!parsed.ok)
    throw new ExpectedError(
      'usage',
      'settings-invalid',
      `The map cannot be made: ${complaintSentence(parsed.complaint)}`,
    )
  return mapText(makeMap(parsed.value))
}
