import type { Json } from '../../../main/contract/json.ts'

/** Characters of a text that is no challenge file, such as a hash. */
const LONGEST = 200

/** Of a challenge's name, itself; of its whole file, what its first line calls it. */
export function challengeName(source: Json | undefined): string {
  const written = typeof source === 'string' ? source : ''
  return /^\s*challenge\s+([a-z][a-z0-9-]*)/m.exec(written)?.[1] ?? written.slice(0, LONGEST)
}
