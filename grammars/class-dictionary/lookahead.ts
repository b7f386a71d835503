import type { ChoiceNode, ClassNode, ListNode, Node, OptionNode } from './expand.ts'
import { symbolsOf, tokensOf } from './syntax.ts'
import type { GrammarSymbol } from './syntax.ts'
import { END } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Places visited while all decisions of one dictionary are worked out. */
const MAX_STEPS = 3_000_000

/**
 * A decision as a table: what to do on a token. 0 or more: take that alternative. Below 0: look at the next token with
 * `tables[-1 - value]`. A token that is not there cannot come.
 */
export type DecisionTable = ReadonlyMap<number, number>

/** How one choice, list or option goes on. A list's and an option's alternatives are 0, one (more), and 1, none (more). */
export interface Decision {
  readonly first: DecisionTable
  readonly tables: readonly DecisionTable[]
  /** The first of several alternatives that these tokens do not tell apart, and another one; each pair once. */
  readonly conflicts: readonly { readonly between: readonly [number, number]; readonly tokens: readonly number[] }[]
}

interface Stack {
  readonly id: number
  readonly node: Node | null
  readonly index: number
  readonly below: Stack | null
}

/** A place in the text of a node; behind the outermost node known, `stack` is null. `node` null: the text has ended. */
interface Place {
  readonly node: Node | null
  readonly index: number
  readonly stack: Stack | null
}

interface Expected {
  readonly tokens: readonly number[]
  readonly next: Place
}

const ended: Place = { node: null, index: 0, stack: null }

/**
 * Works out decisions with up to k tokens of lookahead (strong LL(k): behind the end of a node may come whatever
 * follows it anywhere). Only tokens that do not decide are looked beyond. There must be no left recursion.
 */
export class Predictor {
  /** Set where the work was cut short; decisions are then incomplete. */
  exhausted = false
  readonly #k: number
  readonly #vocabulary: Vocabulary
  readonly #isRoot: (node: Node) => boolean
  readonly #symbols: (readonly GrammarSymbol[] | undefined)[] = []
  readonly #followers: readonly (readonly { readonly node: Node; readonly index: number }[])[]
  readonly #firstPlace: readonly number[]
  readonly #stacks = new Map<string, Stack>()
  readonly #decisions: (Decision | undefined)[] = []
  #steps = 0

  constructor(nodes: readonly Node[], vocabulary: Vocabulary, k: number, isRoot: (node: Node) => boolean) {
    this.#k = k
    this.#vocabulary = vocabulary
    this.#isRoot = isRoot
    const followers = nodes.map((): { node: Node; index: number }[] => [])
    const firstPlace: number[] = []
    let places = 0
    for (const node of nodes) {
      firstPlace.push(places)
      places += 2
      if (node.kind === 'class') {
        const symbols = this.symbols(node)
        places += symbols.length
        symbols.forEach((symbol, i) => {
          if (symbol.kind === 'type') followers[symbol.node.id]!.push({ node, index: i + 1 })
        })
      } else if (node.kind === 'choice') {
        for (const alternative of node.alternatives) followers[alternative.node.id]!.push({ node, index: 1 })
      } else if (node.kind === 'list') {
        followers[node.of.id]!.push({ node, index: 0 })
      } else if (node.kind === 'option') {
        followers[node.of.id]!.push({ node, index: 1 })
      }
    }
    this.#followers = followers
    this.#firstPlace = firstPlace
  }

  symbols(node: ClassNode): readonly GrammarSymbol[] {
    let symbols = this.#symbols[node.id]
    if (symbols === undefined) {
      symbols = symbolsOf(node, this.#vocabulary)
      this.#symbols[node.id] = symbols
    }
    return symbols
  }

  decision(node: ChoiceNode | ListNode | OptionNode): Decision {
    const known = this.#decisions[node.id]
    if (known !== undefined) return known
    const starts: Place[][] =
      node.kind === 'choice'
        ? node.alternatives.map((alternative) => [
            { node: alternative.node, index: 0, stack: this.#push(node, 1, null) },
          ])
        : [
            [{ node: node.of, index: 0, stack: this.#push(node, node.kind === 'list' ? 0 : 1, null) }],
            this.#followers[node.id]!.map((follower) => ({ ...follower, stack: null })),
          ]
    if (node.kind !== 'choice' && this.#isRoot(node)) starts[1]!.push(ended)
    const tables: DecisionTable[] = []
    const conflicts: { between: readonly [number, number]; tokens: readonly number[] }[] = []
    const pairs = new Set<string>()

    const table = (alternatives: ReadonlyMap<number, readonly Place[]>, path: readonly number[]): DecisionTable => {
      const byToken = new Map<number, Map<number, Place[]>>()
      for (const [alternative, places] of alternatives) {
        for (const { tokens, next } of this.#expected(places)) {
          for (const token of tokens) {
            const row = byToken.get(token) ?? new Map<number, Place[]>()
            byToken.set(token, row)
            const cell = row.get(alternative)
            if (cell === undefined) row.set(alternative, [next])
            else cell.push(next)
          }
        }
      }
      const actions = new Map<number, number>()
      for (const [token, row] of byToken) {
        const [one, other] = row.keys()
        if (other === undefined) {
          actions.set(token, one!)
        } else if (path.length + 1 < this.#k && !this.exhausted) {
          tables.push(new Map())
          const index = tables.length - 1
          tables[index] = table(row, [...path, token])
          actions.set(token, -1 - index)
        } else {
          actions.set(token, one!)
          for (const right of row.keys()) {
            const key = `${one!} ${right}`
            if (right === one || pairs.has(key)) continue
            pairs.add(key)
            conflicts.push({ between: [one!, right], tokens: [...path, token] })
          }
        }
      }
      return actions
    }
    const decision = { first: table(new Map(starts.entries()), []), tables, conflicts }
    this.#decisions[node.id] = decision
    return decision
  }

  /**
   * The tokens that can come next in one text: `path` says where it is, outermost place first. For messages; wants all
   * decisions to have been made.
   */
  expectedAt(path: readonly { readonly node: Node; readonly index: number }[]): readonly number[] {
    let stack = this.#push(null, 0, null)
    for (const { node, index } of path.slice(0, -1)) stack = this.#push(node, index, stack)
    this.#steps = 0
    const tokens = this.#expected([{ ...path.at(-1)!, stack }]).flatMap((one) => one.tokens)
    this.#stacks.clear()
    return [...new Set(tokens)]
  }

  #push(node: Node | null, index: number, below: Stack | null): Stack {
    const key = `${node?.id ?? ''} ${index} ${below?.id ?? ''}`
    let stack = this.#stacks.get(key)
    if (stack === undefined) {
      stack = { id: this.#stacks.size + 1, node, index, below }
      this.#stacks.set(key, stack)
    }
    return stack
  }

  /** The tokens that can come next at any of these places. */
  #expected(places: readonly Place[]): readonly Expected[] {
    const expected: Expected[] = []
    const seen = new Set<number>()
    const open = [...places]
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (++this.#steps > MAX_STEPS) {
        this.exhausted = true
        return expected
      }
      const { node, index, stack } = place
      const key = (node === null ? 0 : 1 + this.#firstPlace[node.id]! + index) * 2 ** 26 + (stack?.id ?? 0)
      if (seen.has(key)) continue
      seen.add(key)
      if (node === null) {
        expected.push({ tokens: [END], next: ended })
      } else if (node.kind === 'class') {
        const symbol = this.symbols(node)[index]
        if (symbol === undefined) this.#leave(node, stack, open)
        else if (symbol.kind === 'tokens')
          expected.push({ tokens: symbol.tokens, next: { node, index: index + 1, stack } })
        else open.push({ node: symbol.node, index: 0, stack: this.#push(node, index + 1, stack) })
      } else if (node.kind === 'list' || node.kind === 'option') {
        if (index === 0) {
          open.push({ node: node.of, index: 0, stack: this.#push(node, node.kind === 'list' ? 0 : 1, stack) })
        }
        this.#leave(node, stack, open)
      } else if (index === 1) {
        this.#leave(node, stack, open)
      } else if (node.kind === 'choice') {
        const inner = this.#push(node, 1, stack)
        for (const alternative of node.alternatives) open.push({ node: alternative.node, index: 0, stack: inner })
      } else {
        expected.push({ tokens: tokensOf(node, this.#vocabulary), next: { node, index: 1, stack } })
      }
    }
    return expected
  }

  #leave(node: Node, stack: Stack | null, open: Place[]): void {
    if (stack !== null) {
      open.push({ node: stack.node, index: stack.index, stack: stack.below })
      return
    }
    for (const follower of this.#followers[node.id]!) open.push({ ...follower, stack: null })
    if (this.#isRoot(node)) open.push(ended)
  }
}
