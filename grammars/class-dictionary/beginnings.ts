import type { ClassNode, ListNode, Node, OptionNode } from './expand.ts'
import { tokensOf } from './syntax.ts'
import type { Step } from './syntax.ts'
import { END } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Maximum nesting of types within which beginnings are computed, because that recurs. */
const DEEPEST = 500
/** Maximum number of tokens in all sets, and of places that are visited. */
const MOST_TOKENS = 1_000_000
const MOST_VISITS = 3_000_000

/** The tokens with which the text of a type can begin; `empty`: it can also be empty. */
interface Beginning {
  readonly tokens: ReadonlySet<number>
  readonly empty: boolean
}

/** For a class: the steps at which each token can begin, in order, and for each step the next one whose text is never empty. */
interface Occurrences {
  readonly steps: ReadonlyMap<number, readonly number[]>
  readonly barriers: readonly number[]
}

/** The parts of a dictionary that beginnings depend on. */
interface Around {
  readonly vocabulary: Vocabulary
  readonly steps: (node: ClassNode | ListNode | OptionNode) => readonly Step[]
  /** The places behind each use of a node, by its id. */
  readonly followers: readonly (readonly { readonly node: Node; readonly index: number }[])[]
  readonly isRoot: (node: Node) => boolean
}

/**
 * The tokens that can begin and follow the text of a type. A question costs about as much as the tokens of one field, so that a class with
 * thousands of optional fields is judged in linear time. There must be no left recursion.
 */
export class Beginnings {
  readonly #around: Around
  readonly #known = new Map<Node, Beginning>()
  readonly #occurrences = new Map<ClassNode, Occurrences | null>()
  #tokens = 0
  #visits = 0

  constructor(around: Around) {
    this.#around = around
  }

  /** The beginning of the steps of a node from `index` on; null: it is too large to be computed. */
  from(node: ClassNode | ListNode | OptionNode, index: number, depth = 0): Beginning | null {
    const steps = this.#around.steps(node)
    const tokens = new Set<number>()
    let empty = false
    const seen = new Set<number>()
    const open = [index]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue
      seen.add(at)
      const step = steps[at]
      if (step === undefined) empty = true
      else if (step.kind === 'tokens') for (const token of step.tokens) tokens.add(token)
      else if (step.kind === 'jump') open.push(step.to)
      else if (step.kind === 'decide') open.push(at + 1, step.exit)
      else {
        const inner = this.#of(step.node, depth + 1)
        if (inner === null) return null
        for (const token of inner.tokens) tokens.add(token)
        if (inner.empty) open.push(at + 1)
      }
    }
    return { tokens, empty }
  }

  #of(node: Node, depth: number): Beginning | null {
    const known = this.#known.get(node)
    if (known !== undefined) return known
    if (depth > DEEPEST || this.#tokens > MOST_TOKENS) return null
    const made = this.#make(node, depth)
    if (made === null) return null
    this.#known.set(node, made)
    this.#tokens += made.tokens.size
    return made
  }

  #make(node: Node, depth: number): Beginning | null {
    if (node.kind === 'lexical' || node.kind === 'foreign') {
      return { tokens: new Set(tokensOf(node, this.#around.vocabulary)), empty: false }
    }
    if (node.kind !== 'choice') return this.from(node, 0, depth)
    const tokens = new Set<number>()
    let empty = false
    for (const alternative of node.alternatives) {
      const inner = this.#of(alternative.node, depth + 1)
      if (inner === null) return null
      for (const token of inner.tokens) tokens.add(token)
      empty ||= inner.empty
    }
    return { tokens, empty }
  }

  /** Can this token come directly after the text of a node? null: that takes too long to compute. */
  follows(node: Node, token: number): boolean | null {
    const { followers, isRoot } = this.#around
    const seen = new Set<Node>([node])
    for (const ended of seen) {
      if (token === END && isRoot(ended)) return true
      for (const { node: outer, index } of followers[ended.id]!) {
        if (++this.#visits > MOST_VISITS) return null
        if (outer.kind === 'choice') {
          seen.add(outer)
        } else if (outer.kind === 'class') {
          const found = this.#within(outer, index, token)
          if (found === null || found === 'begins') return found === null ? null : true
          if (found === 'ends') seen.add(outer)
        } else if (outer.kind === 'list' || outer.kind === 'option') {
          const rest = this.from(outer, index)
          if (rest === null || rest.tokens.has(token)) return rest === null ? null : true
          if (rest.empty) seen.add(outer)
        }
      }
    }
    return false
  }

  /** Can the rest of a class begin with a token, or end without any? */
  #within(node: ClassNode, index: number, token: number): 'begins' | 'ends' | 'neither' | null {
    const found = this.#occurrencesIn(node)
    if (found === null) return null
    const { steps, barriers } = found
    const barrier = barriers[index]!
    const next = firstFrom(steps.get(token) ?? [], index)
    if (next !== undefined && next <= barrier) return 'begins'
    return barrier === barriers.length - 1 ? 'ends' : 'neither'
  }

  #occurrencesIn(node: ClassNode): Occurrences | null {
    let found = this.#occurrences.get(node)
    if (found === undefined) this.#occurrences.set(node, (found = this.#collect(node)))
    return found
  }

  #collect(node: ClassNode): Occurrences | null {
    const all = this.#around.steps(node)
    const steps = new Map<number, number[]>()
    // Behind the last step is the end, which nothing passes.
    const barriers = [...all.map((_, i) => i), all.length]
    for (let i = all.length - 1; i >= 0; i--) {
      const step = all[i]!
      const begin: Beginning | null =
        step.kind === 'type'
          ? this.#of(step.node, 0)
          : { tokens: new Set(step.kind === 'tokens' ? step.tokens : []), empty: step.kind !== 'tokens' }
      if (begin === null) return null
      this.#tokens += begin.tokens.size
      if (this.#tokens > MOST_TOKENS) return null
      for (const token of begin.tokens) {
        const known = steps.get(token)
        if (known === undefined) steps.set(token, [i])
        else known.push(i)
      }
      if (begin.empty) barriers[i] = barriers[i + 1]!
    }
    for (const places of steps.values()) places.reverse()
    return { steps, barriers }
  }
}

/** The first of some ascending numbers that is at least `least`. */
function firstFrom(numbers: readonly number[], least: number): number | undefined {
  let low = 0
  for (let high = numbers.length; low < high;) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < least) low = middle + 1
    else high = middle
  }
  return numbers[low]
}
