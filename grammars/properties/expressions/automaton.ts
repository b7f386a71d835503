import type { CharRange, Pattern } from './expression.ts'

/**
 * A deterministic automaton whose states can all reach an accepting one; state 0 is initial. No states: no text
 * matches.
 */
export interface Automaton {
  readonly states: readonly State[]
}

export interface State {
  readonly accepts: boolean
  /** Sorted and disjoint. */
  readonly moves: readonly Move[]
}

export interface Move {
  readonly low: number
  readonly high: number
  readonly to: number
}

/** Maximum number of states; expressions that need more are refused, to bound time and memory. */
const MOST_STATES = 2000
const MOST_PARTS = 20_000
/** Maximum number of further states for the prefixes of excluded words. */
const MOST_PREFIXES = 6_000

/** Restricts texts to names that are not among these words. */
export interface Names {
  readonly excluded: ReadonlySet<string>
}

const NAME_START: readonly CharRange[] = [
  [0x24, 0x24],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]
const NAME_PART: readonly CharRange[] = [...NAME_START, [0x30, 0x39]]

/** The remaining steps for all expressions of one text together; a single one takes at most EACH. */
export interface Allowance {
  left: number
}

export const ALLOWANCE = 20_000_000
const EACH = 2_000_000

/**
 * The automaton of the texts that match, restricted to `names` if given. null: it is too large, or the allowance is
 * used up.
 */
export function automatonOf(
  pattern: Pattern,
  names: Names | null,
  allowance: Allowance = { left: EACH },
): Automaton | null {
  const loose = new Loose()
  const end = loose.state()
  const begin = loose.state()
  if (!loose.add(pattern, begin, end)) return null
  const work: Allowance = { left: Math.min(EACH, allowance.left) }
  const granted = work.left
  const automaton = determined(loose, begin, end, names, work)
  allowance.left -= granted - work.left
  return automaton
}

/** A nondeterministic automaton with empty moves, built from the parts of a pattern. */
class Loose {
  readonly free: number[][] = []
  readonly moves: { readonly ranges: readonly CharRange[]; readonly to: number }[][] = []

  state(): number {
    this.moves.push([])
    return this.free.push([]) - 1
  }

  /** Adds the moves of a pattern between two states; false: too many states. */
  add(pattern: Pattern, from: number, to: number): boolean {
    if (this.free.length > MOST_PARTS) return false
    switch (pattern.kind) {
      case 'set':
        this.moves[from]?.push({ ranges: pattern.ranges, to })
        return true
      case 'either':
        return pattern.parts.every((part) => this.add(part, from, to))
      case 'sequence': {
        let at = from
        for (const part of pattern.parts) {
          const next = this.state()
          if (!this.add(part, at, next)) return false
          at = next
        }
        this.free[at]?.push(to)
        return true
      }
      case 'repeat': {
        let at = from
        for (let i = 0; i < pattern.least; i++) {
          const next = this.state()
          if (!this.add(pattern.of, at, next)) return false
          at = next
        }
        if (pattern.most === null) {
          // A separate state, so that nothing else can enter the loop.
          const loop = this.state()
          const back = this.state()
          this.free[at]?.push(loop)
          this.free[loop]?.push(to)
          this.free[back]?.push(loop)
          return this.add(pattern.of, loop, back)
        }
        for (let i = pattern.least; i < pattern.most; i++) {
          this.free[at]?.push(to)
          const next = this.state()
          if (!this.add(pattern.of, at, next)) return false
          at = next
        }
        this.free[at]?.push(to)
        return true
      }
    }
  }

  /** The closure of states under empty moves, sorted. */
  closed(states: Iterable<number>): readonly number[] {
    const all = new Set(states)
    for (const state of all) for (const next of this.free[state] ?? []) all.add(next)
    return [...all].sort((a, b) => a - b)
  }
}

/**
 * The state after reading a text: states of the nondeterministic automaton, and the prefix of an excluded word or null.
 */
interface Reading {
  readonly states: readonly number[]
  readonly begun: boolean
  readonly word: string | null
}

function determined(loose: Loose, begin: number, end: number, names: Names | null, work: Allowance): Automaton | null {
  const followersOf = prefixesOf(names?.excluded ?? [])
  // Each prefix of a word is a state in addition to those of the expression.
  const most = MOST_STATES + Math.min(followersOf.size, MOST_PREFIXES)
  const first: Reading = {
    states: loose.closed([begin]),
    begun: false,
    word: names && followersOf.size > 0 ? '' : null,
  }
  const readings: Reading[] = [first]
  const numbers = new Map([[keyOf(first), 0]])
  const states: State[] = []
  const followed = (targets: readonly number[]): readonly number[] => {
    const all = loose.closed(targets)
    work.left -= 3 * all.length
    return all
  }
  for (let i = 0; i < readings.length; i++) {
    const { states: inside, begun, word } = readings[i] as Reading
    const moves: Move[] = []
    const out = inside.flatMap((state) => loose.moves[state] ?? [])
    const followers = word === null ? [] : [...(followersOf.get(word) ?? [])].map((one): CharRange => [one, one])
    const allowed = names === null ? null : begun ? NAME_PART : NAME_START
    for (const [low, high] of pieces([...out.flatMap(({ ranges }) => ranges), ...followers, ...(allowed ?? [])])) {
      if (allowed && !holds(allowed, low)) continue
      const targets = out.filter(({ ranges }) => holds(ranges, low)).map(({ to }) => to)
      work.left -= out.length + 10
      if (work.left < 0) return null
      if (targets.length === 0) continue
      const longer = word === null ? null : word + String.fromCodePoint(low)
      const reading: Reading = {
        states: followed(targets),
        begun: names !== null,
        word: longer !== null && followersOf.has(longer) ? longer : null,
      }
      const key = keyOf(reading)
      let to = numbers.get(key)
      if (to === undefined) {
        to = readings.push(reading) - 1
        numbers.set(key, to)
      }
      moves.push({ low, high, to })
    }
    if (readings.length > most) return null
    const named = names === null || (begun && !(word !== null && names.excluded.has(word)))
    states.push({ accepts: named && inside.includes(end), moves: joined(moves) })
  }
  return trimmed(states)
}

/** The prefixes of words, and the characters that follow each. */
function prefixesOf(words: Iterable<string>): ReadonlyMap<string, ReadonlySet<number>> {
  const followers = new Map<string, Set<number>>()
  for (const word of words) {
    for (let i = 0; i <= word.length; i++) {
      const prefix = word.slice(0, i)
      const known = followers.get(prefix) ?? new Set<number>()
      followers.set(prefix, known)
      if (i < word.length) known.add(word.charCodeAt(i))
    }
  }
  return followers
}

/** The intersection of two automata. null: it is too large, or the allowance is used up. */
export function intersectionOf(one: Automaton, other: Automaton, allowance: Allowance): Automaton | null {
  if (one.states.length === 0 || other.states.length === 0) return { states: [] }
  const pairs: (readonly [number, number])[] = [[0, 0]]
  const numbers = new Map([['0 0', 0]])
  const states: State[] = []
  for (let i = 0; i < pairs.length; i++) {
    const [left, right] = pairs[i]!
    const [a, b] = [one.states[left]!, other.states[right]!]
    const moves: Move[] = []
    for (let m = 0, n = 0; m < a.moves.length && n < b.moves.length;) {
      const [x, y] = [a.moves[m]!, b.moves[n]!]
      if (--allowance.left < 0) return null
      const [low, high] = [Math.max(x.low, y.low), Math.min(x.high, y.high)]
      if (low <= high) {
        const key = `${x.to} ${y.to}`
        const to = numbers.get(key) ?? pairs.push([x.to, y.to]) - 1
        numbers.set(key, to)
        moves.push({ low, high, to })
      }
      if (x.high <= y.high) m++
      if (y.high <= x.high) n++
    }
    if (pairs.length > MOST_STATES) return null
    states.push({ accepts: a.accepts && b.accepts, moves: joined(moves) })
  }
  return trimmed(states)
}

function keyOf({ states, begun, word }: Reading): string {
  return `${states.join(' ')}|${begun ? 1 : 0}|${word === null ? '' : `:${word}`}`
}

/** Splits the ranges so that each one is inside or outside each given one. */
function pieces(ranges: readonly CharRange[]): readonly CharRange[] {
  const cuts = [...new Set(ranges.flatMap(([low, high]) => [low, high + 1]))].sort((a, b) => a - b)
  return cuts.slice(1).map((cut, i) => [cuts[i] as number, cut - 1])
}

function holds(ranges: readonly CharRange[], point: number): boolean {
  return ranges.some(([low, high]) => low <= point && point <= high)
}

function joined(moves: readonly Move[]): readonly Move[] {
  const all: Move[] = []
  for (const move of moves) {
    const last = all.at(-1)
    if (last && last.to === move.to && last.high + 1 === move.low) all[all.length - 1] = { ...last, high: move.high }
    else all.push(move)
  }
  return all
}

/** Removes the states from which no accepting state can be reached. */
function trimmed(states: readonly State[]): Automaton {
  const sources: number[][] = states.map(() => [])
  for (const [i, state] of states.entries()) for (const { to } of state.moves) sources[to]?.push(i)
  const useful = new Set(states.flatMap((state, i) => (state.accepts ? [i] : [])))
  for (const state of useful) for (const source of sources[state] ?? []) useful.add(source)
  if (!useful.has(0)) return { states: [] }
  const kept = [...useful].sort((a, b) => a - b)
  const renumbered = new Map(kept.map((state, i) => [state, i]))
  return {
    states: kept.map((i) => {
      const { accepts, moves } = states[i] as State
      return {
        accepts,
        moves: moves.flatMap(({ low, high, to }) => {
          const number = renumbered.get(to)
          return number === undefined ? [] : [{ low, high, to: number }]
        }),
      }
    }),
  }
}
