import type { Automaton, State } from './automaton.ts'
import type { Chooser } from '../making/chooser.ts'
import { differentBelow, differentBelowBig } from '../different.ts'

/** For infinite languages, drawn texts are at most this many characters longer than the shortest. */
const SLACK = 12
/** Maximum size of the table of counts: lengths times states. */
const MOST_COUNTED = 100_000

/**
 * The texts that an automaton accepts, for tests, counting and drawing. Each operation is linear in the text's length.
 */
export class Language {
  readonly automaton: Automaton
  readonly #states: readonly State[]
  /** The number of texts; null: infinite. */
  readonly size: bigint | null
  /** The number of texts that each state accepts, if finite. */
  readonly #sizes: readonly bigint[]
  /** The minimum number of characters from each state to the end of a text; below, the states sorted by it. */
  readonly #distances: readonly number[]
  readonly #nearest: readonly number[]
  /** `#exact[s][state]`: the number of texts with `s` characters more than the minimum. */
  readonly #exact: bigint[][] = []

  constructor(automaton: Automaton) {
    this.automaton = automaton
    this.#states = automaton.states
    this.#distances = distancesOf(automaton)
    this.#nearest = this.#distances.map((_, i) => i).sort((a, b) => this.#distanceOf(a) - this.#distanceOf(b))
    const sizes = sizesOf(automaton)
    this.#sizes = sizes ?? []
    this.size = automaton.states.length === 0 ? 0n : sizes ? (sizes[0] ?? 0n) : null
  }

  has(text: string): boolean {
    let state = this.#states[0]
    for (const character of text) {
      const point = character.codePointAt(0) as number
      const move = state?.moves.find(({ low, high }) => low <= point && point <= high)
      if (!move) return false
      state = this.#states[move.to]
    }
    return state?.accepts ?? false
  }

  /** Draws a text, uniformly if finite; otherwise uniform length, then uniform text. The language must not be empty. */
  draw(chooser: Chooser): string {
    if (this.size !== null) return this.at(chooser.belowBig(this.size))
    chooser.unbounded()
    return this.#drawOf(SLACK, chooser)
  }

  /** The text with this index, from 0 to size - 1, in an unspecified order. */
  at(index: bigint): string {
    let text = ''
    let left = index
    for (let state = this.#states[0]; state;) {
      if (state.accepts && left-- === 0n) return text
      let next: State | undefined
      for (const { low, high, to } of state.moves) {
        const each = this.#sizes[to] ?? 0n
        const all = each * BigInt(high - low + 1)
        if (left < all) {
          text += String.fromCodePoint(low + Number(left / each))
          left %= each
          next = this.#states[to]
          break
        }
        left -= all
      }
      state = next
    }
    return text
  }

  /**
   * Draws `count` different texts, all arrangements equally likely if the language is finite. null: there are too few,
   * or they would be too long.
   */
  drawDistinct(count: number, chooser: Chooser): readonly string[] | null {
    if (this.size !== null) {
      if (this.size < BigInt(count)) return null
      if (this.size > 0x20_0000_0000_0000n) return differentBelowBig(this.size, count, chooser).map((i) => this.at(i))
      return differentBelow(Number(this.size), count, chooser).map((i) => this.at(BigInt(i)))
    }
    const found = new Set<string>()
    // With sufficient lengths, at least every second drawn text is new.
    for (let slack = SLACK; slack * this.#states.length <= MOST_COUNTED; slack *= 2) {
      for (let i = 0; i < 2 * count && found.size < count; i++) found.add(this.#drawOf(slack, chooser))
      if (found.size === count) return [...found]
    }
    return null
  }

  #drawOf(slack: number, chooser: Chooser): string {
    for (let s = this.#exact.length; s <= slack; s++) this.#fill(s)
    const lengths = this.#exact.slice(0, slack + 1).flatMap((row, s) => ((row[0] ?? 0n) > 0n ? [s] : []))
    let s = lengths[chooser.below(lengths.length)] ?? 0
    let text = ''
    for (let at = 0; this.#distanceOf(at) > 0 || s > 0;) {
      let left = chooser.belowBig(this.#countOf(s, at))
      const state = this.#states[at] as State
      for (const { low, high, to } of state.moves) {
        const rest = s - (1 + this.#distanceOf(to) - this.#distanceOf(at))
        const each = rest < 0 ? 0n : this.#countOf(rest, to)
        const all = each * BigInt(high - low + 1)
        if (left < all) {
          text += String.fromCodePoint(low + Number(left / each))
          at = to
          s = rest
          break
        }
        left -= all
      }
    }
    return text
  }

  #fill(s: number): void {
    const row: bigint[] = this.#states.map(() => 0n)
    this.#exact[s] = row
    for (const i of this.#nearest) {
      const { accepts, moves } = this.#states[i] as State
      let count = accepts && s === 0 ? 1n : 0n
      for (const { low, high, to } of moves) {
        const rest = s - (1 + this.#distanceOf(to) - this.#distanceOf(i))
        // Every move takes a character, so this row needs no counts of states with the same distance.
        if (rest >= 0) count += BigInt(high - low + 1) * this.#countOf(rest, to)
      }
      row[i] = count
    }
  }

  #countOf(s: number, state: number): bigint {
    return this.#exact[s]?.[state] ?? 0n
  }

  #distanceOf(state: number): number {
    return this.#distances[state] ?? 0
  }
}

function distancesOf({ states }: Automaton): readonly number[] {
  const sources: number[][] = states.map(() => [])
  for (const [i, { moves }] of states.entries()) for (const { to } of moves) sources[to]?.push(i)
  const distances: number[] = states.map(({ accepts }) => (accepts ? 0 : -1))
  let level = states.flatMap(({ accepts }, i) => (accepts ? [i] : []))
  for (let distance = 1; level.length > 0; distance++) {
    level = level
      .flatMap((state) => sources[state] ?? [])
      .filter((state) => {
        if (distances[state] !== -1) return false
        distances[state] = distance
        return true
      })
  }
  return distances
}

/** The number of texts that each state accepts; null: there is a cycle, so the language is infinite. */
function sizesOf({ states }: Automaton): readonly bigint[] | null {
  const sources: number[][] = states.map(() => [])
  for (const [i, { moves }] of states.entries()) for (const { to } of moves) sources[to]?.push(i)
  const open = states.map(({ moves }) => moves.length)
  const ready = open.flatMap((count, i) => (count === 0 ? [i] : []))
  const sizes: bigint[] = states.map(() => 0n)
  for (const state of ready) {
    const { accepts, moves } = states[state] as State
    sizes[state] = moves.reduce(
      (sum, { low, high, to }) => sum + BigInt(high - low + 1) * (sizes[to] ?? 0n),
      accepts ? 1n : 0n,
    )
    for (const source of sources[state] ?? []) if (--open[source]! === 0) ready.push(source)
  }
  return ready.length === states.length ? sizes : null
}
