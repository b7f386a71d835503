import type { ChoiceNode, ClassNode, ListNode, Node, OptionNode } from './expand.ts'
import { Beginnings } from './beginnings.ts'
import { decisionAt, stepsOf, tokensOf } from './syntax.ts'
import type { Step } from './syntax.ts'
import { END, FOREIGN } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Maximum number of places visited while computing all decisions of a dictionary. */
const MAX_STEPS = 3_000_000

/**
 * A decision as a table by token. A value of 0 or more: take that alternative. Below 0: look up the next token in
 * `tables[-1 - value]`. Tokens that are not in the table cannot occur.
 */
export type DecisionTable = Pick<ReadonlyMap<number, number>, 'get' | 'keys'>

/**
 * How to continue in a choice, list or option. A list or an option has alternatives 0: one (more), and 1: none (more).
 */
export interface Decision {
  readonly first: DecisionTable
  readonly tables: readonly DecisionTable[]
  readonly conflicts: readonly Conflict[]
}

/** Two alternatives that these tokens do not distinguish, each pair once. The first one is taken. */
export interface Conflict {
  readonly between: readonly [number, number]
  readonly tokens: readonly number[]
  /** One continues with its own text where the other has ended and something else follows. */
  readonly follow: boolean
}

interface Stack {
  readonly id: number
  readonly node: Node | null
  readonly index: number
  readonly below: Stack | null
}

/** A place in the text of a node; `stack` null: the outermost known node. `node` null: the text has ended. */
interface Place {
  readonly node: Node | null
  readonly index: number
  readonly stack: Stack | null
  /** The number of tokens before the decision's own text was left; INSIDE: not left yet. */
  readonly left: number
}

interface Expected {
  readonly tokens: readonly number[]
  readonly next: Place
}

const INSIDE = 31

/**
 * Computes decisions with up to k tokens of lookahead (strong LL(k): the end of a node may be followed by anything that
 * follows it anywhere). Looks further only after tokens that do not decide. There must be no left recursion.
 */
export class Predictor {
  /** Set if the computation was stopped; decisions are then incomplete. */
  exhausted = false
  readonly #k: number
  readonly #vocabulary: Vocabulary
  readonly #isRoot: (node: Node) => boolean
  readonly #allSteps: (readonly Step[] | undefined)[] = []
  readonly #followers: readonly (readonly { readonly node: Node; readonly index: number }[])[]
  readonly #firstPlace: readonly number[]
  readonly #stacks = new Map<string, Stack>()
  readonly #decisions: (Decision | undefined)[] = []
  readonly #beginnings: Beginnings
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
      if (node.kind === 'choice') {
        for (const alternative of node.alternatives) followers[alternative.node.id]!.push({ node, index: 1 })
      } else if (node.kind === 'class' || node.kind === 'list' || node.kind === 'option') {
        const steps = this.steps(node)
        places += steps.length
        steps.forEach((step, i) => {
          if (step.kind === 'type') followers[step.node.id]!.push({ node, index: i + 1 })
        })
      }
    }
    this.#followers = followers
    this.#beginnings = new Beginnings({ vocabulary, steps: (node) => this.steps(node), followers, isRoot })
    this.#firstPlace = firstPlace
  }

  /** The steps of the text of a class, a list or an option, without printing commands. */
  steps(node: ClassNode | ListNode | OptionNode): readonly Step[] {
    let steps = this.#allSteps[node.id]
    if (steps === undefined) {
      steps = stepsOf(node, this.#vocabulary)
      this.#allSteps[node.id] = steps
    }
    return steps
  }

  decision(node: ChoiceNode | ListNode | OptionNode): Decision {
    const known = this.#decisions[node.id]
    if (known !== undefined) return known
    const certain = node.kind === 'choice' ? null : this.#certain(node)
    if (certain !== null) {
      this.#decisions[node.id] = certain
      return certain
    }
    const starts = this.#starts(node)
    const tables: DecisionTable[] = []
    const conflicts: Conflict[] = []
    const pairs = new Set<string>()

    const table = (alternatives: ReadonlyMap<number, readonly Place[]>, path: readonly number[]): DecisionTable => {
      const byToken = new Map<number, Map<number, Place[]>>()
      for (const [alternative, places] of alternatives) {
        for (const { tokens, next } of this.#expected(places, path.length)) {
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
        // An element that is the end of the text would be read endlessly.
        if (token === END && path.length === 0 && node.kind === 'list') {
          actions.set(token, 1)
        } else if (other === undefined) {
          actions.set(token, one!)
        } else if (path.length + 1 < this.#k && !this.exhausted) {
          tables.push(new Map())
          const index = tables.length - 1
          tables[index] = table(row, [...path, token])
          actions.set(token, -1 - index)
        } else {
          const taken = greedy(node, row)
          actions.set(token, taken)
          for (const right of row.keys()) {
            const follow = !meet(row.get(taken)!, row.get(right)!)
            const key = `${taken} ${right} ${follow}`
            if (right === taken || pairs.has(key)) continue
            pairs.add(key)
            conflicts.push({ between: [taken, right], tokens: [...path, token], follow })
          }
        }
      }
      return actions
    }
    const decision = { first: table(new Map(starts.entries()), []), tables, conflicts }
    this.#decisions[node.id] = decision
    return decision
  }

  /** The decision of a list or an option if one token always decides, which needs no places; null: it may need more. */
  #certain(node: ListNode | OptionNode): Decision | null {
    const steps = this.steps(node)
    const index = decisionAt(node, steps)
    const step = steps[index]
    if (step?.kind !== 'decide' || steps[step.exit] !== undefined) return null
    const begin = this.#beginnings.from(node, index + 1)
    if (begin === null || begin.empty || begin.tokens.has(END) || begin.tokens.has(FOREIGN)) return null
    for (const token of begin.tokens) if (this.#beginnings.follows(node, token) !== false) return null
    const first = new Map([...begin.tokens].map((token) => [token, 0]))
    const beginnings = this.#beginnings
    return {
      first: {
        keys: () => first.keys(),
        get(token) {
          const action = first.get(token)
          if (action !== undefined || beginnings.follows(node, token) === false) return action
          first.set(token, 1)
          return 1
        },
      },
      tables: [],
      conflicts: [],
    }
  }

  /** The first places of each alternative. */
  #starts(node: ChoiceNode | ListNode | OptionNode): readonly (readonly Place[])[] {
    if (node.kind === 'choice') {
      const stack = this.#push(node, 1, null)
      return node.alternatives.map((alternative) => [{ node: alternative.node, index: 0, stack, left: INSIDE }])
    }
    const steps = this.steps(node)
    const index = decisionAt(node, steps)
    const step = steps[index]
    if (step?.kind !== 'decide') return []
    return [index + 1, step.exit].map((at) => [{ node, index: at, stack: null, left: INSIDE }])
  }

  /** Uses a decision of another predictor of the same nodes. */
  adopt(node: ChoiceNode, decision: Decision): void {
    this.#decisions[node.id] = decision
  }

  /**
   * The tokens that can come next in a text at `path`, given outermost place first. For messages; needs all decisions
   * to have been computed.
   */
  expectedAt(path: readonly { readonly node: Node; readonly index: number }[]): readonly number[] {
    let stack = this.#push(null, 0, null)
    for (const { node, index } of path.slice(0, -1)) stack = this.#push(node, index, stack)
    this.#steps = 0
    const tokens = this.#expected([{ ...path.at(-1)!, stack, left: INSIDE }], 0).flatMap((one) => one.tokens)
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

  /** The tokens that can come next at any of these places, `depth` tokens after the decision. */
  #expected(places: readonly Place[], depth: number): readonly Expected[] {
    const expected: Expected[] = []
    const seen = new Set<number>()
    const open = [...places]
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (++this.#steps > MAX_STEPS) {
        this.exhausted = true
        return expected
      }
      const { node, index, stack, left } = place
      const where = node === null ? 0 : 1 + this.#firstPlace[node.id]! + index
      const key = (where * 32 + left) * 2 ** 26 + (stack?.id ?? 0)
      if (seen.has(key)) continue
      seen.add(key)
      if (node === null) {
        expected.push({ tokens: [END], next: place })
      } else if (node.kind === 'choice') {
        if (index === 1) {
          this.#leave(place, depth, open)
        } else {
          const inner = this.#push(node, 1, stack)
          for (const { node: one } of node.alternatives) open.push({ node: one, index: 0, stack: inner, left })
        }
      } else if (node.kind === 'class' || node.kind === 'list' || node.kind === 'option') {
        const step = this.steps(node)[index]
        if (step === undefined) this.#leave(place, depth, open)
        else if (step.kind === 'tokens') expected.push({ tokens: step.tokens, next: { ...place, index: index + 1 } })
        else if (step.kind === 'type')
          open.push({ node: step.node, index: 0, stack: this.#push(node, index + 1, stack), left })
        else if (step.kind === 'jump') open.push({ ...place, index: step.to })
        else open.push({ ...place, index: index + 1 }, { ...place, index: step.exit })
      } else if (index === 1) {
        this.#leave(place, depth, open)
      } else {
        expected.push({ tokens: tokensOf(node, this.#vocabulary), next: { ...place, index: 1 } })
      }
    }
    return expected
  }

  #leave({ node, stack, left }: Place, depth: number, open: Place[]): void {
    if (stack !== null) {
      open.push({ node: stack.node, index: stack.index, stack: stack.below, left })
      return
    }
    const outside = Math.min(left, depth)
    for (const follower of this.#followers[node!.id]!) open.push({ ...follower, stack: null, left: outside })
    if (this.#isRoot(node!)) open.push({ node: null, index: 0, stack: null, left: outside })
  }
}

/** The alternative to take: the one that stays longest within its own text, like in the old parsers. */
function greedy(node: ChoiceNode | ListNode | OptionNode, row: ReadonlyMap<number, readonly Place[]>): number {
  const longest = ([, places]: readonly [number, readonly Place[]]): number =>
    places.reduce((most, { left }) => Math.max(most, left), 0)
  const rows = [...row]
  // A list must not continue with empty elements.
  if (node.kind !== 'choice') return longest(rows.find(([one]) => one === 0)!) > 0 ? 0 : 1
  return rows.reduce((best, one) => (longest(one) > longest(best) ? one : best))[0]
}

/** Can both still be within their own text, or have left it after the same token? */
function meet(left: readonly Place[], right: readonly Place[]): boolean {
  return left.some((one) => right.some((other) => one.left === other.left))
}
