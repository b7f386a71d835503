import * as z from 'zod'
import type { Json } from '../../contract/json.ts'
import type { Course } from './course.ts'
import type { Network } from './network.ts'

/** A bet that a mine and a site will be joined by the rivers of who made it. */
export type Future = {
  /** Numbers of sites. */
  readonly mine: number
  readonly target: number
  /** Its gain or loss: the cube of the distance; 0 if no way leads to the site. */
  readonly worth: number
  readonly kept: boolean
}

/** The notes on one punter's futures that are kept; the others are counted. */
const NOTES_MAX = 20

const written = z.object({ source: z.int(), target: z.int() })

/**
 * The futures that count of those that a punter gave: from a mine to a site that is not a mine, the last of each mine; the others are
 * passed over, with a sentence each. One whose target cannot be reached counts and brings nothing: the official server accepted
 * it and failed when it came to the scores.
 */
export function futuresOf(
  given: readonly Json[],
  { site, mine, distances, ids }: Course,
): { readonly futures: readonly Future[]; readonly notes: readonly string[] } {
  const byMine = new Map<number, Future>()
  const notes: string[] = []
  for (const each of given) {
    const read = written.safeParse(each)
    if (!read.success) {
      notes.push('A future is not {"source": MINE, "target": SITE} and is passed over.')
      continue
    }
    const { source, target } = read.data
    const [from, to] = [site(source), site(target)]
    const place = from === undefined ? undefined : mine(from)
    const name = `The future from ${source} to ${target}`
    if (from === undefined || place === undefined) notes.push(`${name} is passed over: ${source} is no mine.`)
    else if (to === undefined) notes.push(`${name} is passed over: there is no site ${target}.`)
    else if (mine(to) !== undefined) notes.push(`${name} is passed over: ${target} is a mine.`)
    else {
      const before = byMine.get(from)
      if (before !== undefined)
        notes.push(
          `The future from ${source} to ${ids[before.target]!} is passed over: a later one of the mine counts.`,
        )
      const distance = distances[place]![to]!
      if (distance === -1) notes.push(`${name} brings nothing: there is no way.`)
      byMine.set(from, { mine: from, target: to, worth: distance === -1 ? 0 : distance ** 3, kept: false })
    }
  }
  const more = notes.length - NOTES_MAX
  return {
    futures: [...byMine.values()],
    notes: more > 0 ? [...notes.slice(0, NOTES_MAX), `${more} more are passed over or bring nothing.`] : notes,
  }
}

/** The futures as they are now that rivers were added. */
export function updatedFutures(futures: readonly Future[], network: Network): readonly Future[] {
  const isMet = ({ mine, target, kept }: Future): boolean => !kept && network.isJoined(mine, target)
  return futures.some(isMet) ? futures.map((each) => (isMet(each) ? { ...each, kept: true } : each)) : futures
}
