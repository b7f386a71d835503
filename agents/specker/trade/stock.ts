import type { StartMessage } from '../../../main/referees/specker/messages.ts'
import { randomInt, type Challenge } from '../knowledge/challenge.ts'
import { roots } from '../mathematics/implication.ts'

/** The predicates that may be offered in a match: all, or those of its league. */
export interface Stock {
  admits(items: readonly number[]): boolean
  /** A random predicate of at most `most` items, or of the league's number. undefined: none was found. */
  draw(most: number): number[] | undefined
  /** All predicates, those with few items first; a selection in leagues that require several items. */
  all(): Generator<readonly number[]>
}

const TRIES = 60
const DRAWS = 200
const FEW = 40

export function stockOf(challenge: Challenge, start: StartMessage): Stock {
  const { items, spares } = challenge
  const admits = admission(challenge, start)
  const least = leastItems(start)
  const draw = (most: number): number[] | undefined => {
    for (let tried = 0; tried < TRIES; tried++) {
      const size = least > 1 ? least : 1 + randomInt(Math.min(most, items.length), Math.random)
      const chosen = size === 1 ? [anyOf(items)] : independent(challenge, size, tried % 2 === 1)
      if (chosen.length > 0 && admits(chosen)) return chosen
    }
    return undefined
  }
  return {
    admits,
    draw,
    *all() {
      const sellable = [...items, ...spares]
      // Most combinations of several relations imply each other: trying all would take too long.
      const many = least > 1 && sellable.length > FEW
      for (let drawn = 0; many && drawn < DRAWS; drawn++) {
        const items = draw(least)
        if (items === undefined) return
        yield items
      }
      if (many) return
      for (let size = least; size <= sellable.length; size++) {
        for (const chosen of combinations(sellable, size)) {
          // Every predicate needs one item that can be delivered; combinations keep the order, so it comes first.
          if (items.includes(chosen[0]!) && admits(chosen)) yield chosen
        }
      }
    },
  }
}

/**
 * The leagues of section 5.3 by their names in max-csp and max-sat; reading the challenge's file would make an agent
 * ten times as large. Leagues of other names are assumed to admit all predicates.
 */
function admission({ implies }: Challenge, start: StartMessage): (items: readonly number[]) => boolean {
  const k = leastItems(start)
  switch (start.config.league) {
    case 't-ball':
      return (items) => items.length === 1
    case 'slow-pitch':
      return (items) => items.some((one) => items.every((other) => implies(one, other)))
    case 'level-k-independent':
      return (items) => items.length === k && roots(items, implies).length === k
    case 'level-k-reduced':
      return (items) => roots(items, implies).length === k
    default:
      return () => true
  }
}

/**
 * The minimum number of items of a predicate; in the numbered leagues of section 5.3 it is their number, by default 2.
 */
function leastItems({ config: { league, leagueParameter } }: StartMessage): number {
  return league?.startsWith('level-k') === true ? (leagueParameter ?? 2) : 1
}

/** Random items none of which implies another, up to `size`. `alike`: all of one size, which makes this easier. */
function independent(challenge: Challenge, size: number, alike: boolean): number[] {
  const sizeOf = (item: number): number => {
    const { arity, rows, failing } = challenge.kind(item)
    return failing ? arity : rows.reduce((sum, count) => sum + count, 0)
  }
  const wanted = sizeOf(anyOf(challenge.items))
  const left = challenge.items.filter((item) => !alike || sizeOf(item) === wanted)
  const chosen: number[] = []
  while (chosen.length < size && left.length > 0) {
    const [item] = left.splice(randomInt(left.length, Math.random), 1)
    const apart = (other: number): boolean => !challenge.implies(item!, other) && !challenge.implies(other, item!)
    if (chosen.every(apart)) chosen.push(item!)
  }
  return chosen.sort((a, b) => a - b)
}

function anyOf(items: readonly number[]): number {
  return items[randomInt(items.length, Math.random)]!
}

function* combinations(items: readonly number[], size: number, from = 0): Generator<number[]> {
  if (size === 0) {
    yield []
    return
  }
  for (let at = from; at <= items.length - size; at++) {
    for (const rest of combinations(items, size - 1, at + 1)) yield [items[at]!, ...rest]
  }
}
