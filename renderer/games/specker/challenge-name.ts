import type { Json } from '../../../main/contract/json.ts'

/** Maximum length of a text that is not a challenge file, such as a hash. */
const LONGEST = 200

/** The name of a challenge: the text itself, or the name in the first line if the text is a whole file. */
export function challengeName(source: Json | undefined): string {
  const written = typeof source === 'string' ? source : ''
  return /^\s*challenge\s+([a-z][a-z0-9-]*)/m.exec(written)?.[1] ?? written.slice(0, LONGEST)
}
