import * as z from 'zod'
import { contestId, matchNumber, type ContestId, type MatchNumber } from '../ids.ts'

/** The scheme that the desktop app is registered for. */
export const LINK_SCHEME = 'tartaglia'

/** A place in a match of a class, as a link names it. */
export interface MatchPlaceLink {
  readonly contest: ContestId
  readonly match: MatchNumber
  /** The number of events before the place; absent: the beginning. */
  readonly move?: number
  /** The line of the last of these events, from 1. */
  readonly line?: number
  /** The viewer: a seat's number, or `panel`; absent: everyone. */
  readonly as?: string
  /** A second viewer, whose view is shown beside: as in `as`, or `public`; absent: none. */
  readonly and?: string
  /** The class, as `classOf` names it; absent: any class that has the contest, as in links of earlier versions. */
  readonly class?: string
}

/** Digits of the fingerprint of a class's key by which links name the class. */
const CLASS_DIGITS = 16

/** A class as links name it. `fingerprint`: of its key; '': the caller does not know it. */
export function classOf(fingerprint: string): Pick<MatchPlaceLink, 'class'> {
  return fingerprint === '' ? {} : { class: fingerprint.slice(0, CLASS_DIGITS) }
}

const whole = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)
const place = z.strictObject({
  move: whole.exactOptional(),
  line: whole.exactOptional(),
  as: z
    .string()
    .regex(/^(\d{1,3}|panel)$/)
    .exactOptional(),
  and: z
    .string()
    .regex(/^(\d{1,3}|panel|public)$/)
    .exactOptional(),
  class: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .exactOptional(),
})

/** Characters of a link that is read; links of ours are far shorter. */
const LINK_MAX = 300

/** `tartaglia://match/week-1/4?move=37&class=0123456789abcdef`: opens the place in the desktop app of a user who has the class. */
export function matchLink({ contest, match, ...at }: MatchPlaceLink): string {
  return `${LINK_SCHEME}://match/${contest}/${match}${queryOf(at)}`
}

/**
 * Reads a link, which may be hostile: any page can offer one. null: it is not of exactly the form that `matchLink` writes,
 * so that nothing but a place in a match can be opened by it.
 */
export function readMatchLink(text: string): MatchPlaceLink | null {
  if (text.length > LINK_MAX) return null
  const found = /^tartaglia:\/\/match\/([a-z0-9-]{1,80})\/(\d{1,9})\/?(?:\?([a-z0-9=&]*))?$/.exec(text)
  if (found === null) return null
  const query = pairsOf(found[3])
  if (new Set(query.map(([name]) => name)).size < query.length) return null
  const [contest, match, at] = [
    contestId.safeParse(found[1]),
    matchNumber.safeParse(Number(found[2])),
    place.safeParse(Object.fromEntries(query)),
  ]
  if (!contest.success || !match.success || !at.success) return null
  return { contest: contest.data, match: match.data, ...at.data }
}

/** The screen of a place, such as `#/contests/week-1/matches/4?move=37`. */
export function screenOf({ contest, match, ...at }: MatchPlaceLink): string {
  return `#/contests/${contest}/matches/${match}${queryOf(at)}`
}

/** The place in a match that the address of its screen shows, whether it is from a contest or a file. */
export function placeIn(screen: string): Omit<MatchPlaceLink, 'contest' | 'match'> {
  const kept = pairsOf(screen.split('?')[1]).filter(([name]) => Object.hasOwn(place.shape, name))
  const at = place.safeParse(Object.fromEntries(kept))
  return at.success ? at.data : {}
}

/** The members of a place are short words and numbers, which a query holds as they are. */
function queryOf(at: Omit<MatchPlaceLink, 'contest' | 'match'>): string {
  const query = Object.entries(at).map(([name, value]) => `${name}=${String(value)}`)
  return query.length === 0 ? '' : `?${query.join('&')}`
}

/** The names and values of a query, not decoded: those of a place need none. */
function pairsOf(query = ''): readonly (readonly [string, string])[] {
  const pairs = query.split('&').filter((pair) => pair !== '')
  return pairs.map((pair) => {
    const at = pair.indexOf('=')
    return at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
  })
}

/** The file name of an exported match, such as `match-0042.jsonl`. */
export function exportName({ match }: { readonly match: MatchNumber }): string {
  return `match-${String(match).padStart(4, '0')}.jsonl`
}
