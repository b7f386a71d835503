import type { Json } from '../json.ts'
import type { Random } from '../properties/index.ts'
import type { Challenge } from './challenge.ts'
import type { League } from './league.ts'

/** Random predicates that are drawn before none is taken to be there. */
const DRAWS = 200
/** Of a league with a number: predicates that are begun, and changes that each goes through. */
const STARTS = 6
const CHANGES = 400

/** A league of a challenge with its number; null: its standard. */
export interface Admission {
  readonly league: League
  readonly parameter: number | null
}

interface Checked {
  readonly value: Json
  readonly key: string
}

/**
 * A random legal predicate that the league admits (null: there is none) and that `wanted` agrees to, given its canonical form
 * and key. First by chance alone; where the league has a number, such as k, also by growing what it admits with a smaller
 * one, an element at a time, which finds what chance hardly ever makes. undefined: none was found in a bounded number of
 * tries, which does not prove that there is none. Equal streams give equal predicates.
 */
export function drawPredicate(
  challenge: Challenge,
  config: Json,
  admission: Admission | null,
  random: Random,
  wanted: (value: Json, key: string) => boolean = () => true,
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
      const more = check(mixed(found.value, other.value, false, random))
      if (more !== undefined && number < standard && admits(more, number + 1)) {
        found = more
        number += 1
      } else {
        const changed = check(mixed(found.value, other.value, true, random))
        if (changed !== undefined && admits(changed, number)) found = changed
      }
    }
  }
  return undefined
}

/** Random predicates are small: a number that is larger than this above the least one is not theirs. */
const FIRST = 8

/** The least number with which the league admits this; undefined: there is none up to `most`. */
function numberOf(
  found: Checked,
  least: number,
  most: number,
  admits: (found: Checked, number: number) => boolean,
): number | undefined {
  for (let number = least; number <= Math.min(most, least + FIRST); number++) if (admits(found, number)) return number
  return undefined
}

/** Every list with one element of the other's list more, and with one of its own less where it is `swapped`. */
function mixed(value: Json, other: Json, swapped: boolean, random: Random): Json {
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
    Object.entries(value).map(([label, field]) => [label, mixed(field, other[label] ?? field, swapped, random)]),
  )
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
