import type { Json } from '../json.ts'
import type { Random } from '../properties/index.ts'
import type { Challenge } from './challenge.ts'
import type { League } from './league.ts'

/** The number of random predicates drawn before giving up. */
const DRAWS = 200
/** For a league with a parameter: the number of starting predicates, and of changes to each. */
const STARTS = 6
const CHANGES = 400

/** A league of a challenge with its parameter; null: its standard value. */
export interface Admission {
  readonly league: League
  readonly parameter: number | null
}

interface Checked {
  readonly value: Json
  readonly key: string
}

/**
 * A random legal predicate that the league admits (null: no league) and that `wanted` accepts, given its canonical form
 * and key. First by random sampling; if the league has a parameter, such as k, also by extending predicates admitted
 * with a smaller one, element by element, which finds predicates that sampling hardly ever generates. undefined: none
 * was found in a bounded number of attempts, which does not prove that there is none, or before `isOver` returned true.
 * Equal streams give equal predicates.
 */
export function drawPredicate(
  challenge: Challenge,
  config: Json,
  admission: Admission | null,
  random: Random,
  wanted: (value: Json, key: string) => boolean = () => true,
  isOver: () => boolean = () => false,
): Json | undefined {
  const standard = admission?.parameter ?? admission?.league.parameter?.standard
  const admits = ({ value }: Checked, number = standard): boolean =>
    admission === null || admission.league.admits(config, value, number) === null
  const fits = (found: Checked): boolean => admits(found) && wanted(found.value, found.key)
  const check = (value: Json): Checked | undefined => {
    const checked = challenge.predicate(config, value)
    return checked.ok ? checked : undefined
  }
  const draw = (): Checked | undefined => {
    if (isOver()) return undefined
    const made = challenge.sampler.predicate(config, random)
    return made.ok ? check(made.value) : undefined
  }
  for (let drawn = 0; drawn < DRAWS; drawn++) {
    const found = draw()
    if (found === undefined) return undefined
    if (fits(found)) return found.value
  }
  const numbers = admission?.league.parameter
  if (numbers === undefined || standard === undefined) return undefined
  const begin = (): { found: Checked; number: number } | undefined => {
    for (let drawn = 0; drawn < DRAWS; drawn++) {
      const found = draw()
      const number = found && numberOf(found, numbers.low, standard, admits)
      if (found !== undefined && number !== undefined) return { found, number }
    }
    return undefined
  }
  for (let start = 0; start < STARTS; start++) {
    const begun = begin()
    if (begun === undefined) return undefined
    let { found, number } = begun
    for (let change = 0; change < CHANGES; change++) {
      if (number === standard && fits(found)) return found.value
      const other = draw()
      if (other === undefined) return undefined
      const more = check(recombined(found.value, other.value, false, random))
      if (more !== undefined && number < standard && admits(more, number + 1)) {
        found = more
        number += 1
      } else {
        const changed = check(recombined(found.value, other.value, true, random))
        if (changed !== undefined && admits(changed, number)) found = changed
      }
    }
  }
  return undefined
}

/** Random predicates are small: their parameter is at most this much above the smallest one. */
const FIRST = 8

/** The smallest parameter with which the league admits the predicate; undefined: none up to `most`. */
function numberOf(
  found: Checked,
  least: number,
  most: number,
  admits: (found: Checked, number: number) => boolean,
): number | undefined {
  for (let number = least; number <= Math.min(most, least + FIRST); number++) if (admits(found, number)) return number
  return undefined
}

/** Adds to each list an element of the other value's list; if `swapped`, also removes one of its own. */
function recombined(value: Json, other: Json, swapped: boolean, random: Random): Json {
  if (Array.isArray(value) && Array.isArray(other)) {
    const own = value as readonly Json[]
    const others = other as readonly Json[]
    if (others.length === 0) return own
    const gone = random() % Math.max(1, own.length)
    const left = swapped ? own.filter((_, at) => at !== gone) : own
    const taken = others[random() % others.length]!
    return [...left, taken]
  }
  if (!isObject(value) || !isObject(other)) return value
  return Object.fromEntries(
    Object.entries(value).map(([label, field]) => [label, recombined(field, other[label] ?? field, swapped, random)]),
  )
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
