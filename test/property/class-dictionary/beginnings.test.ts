import { expect, test } from 'vitest'
import { analyse } from '../../../grammars/class-dictionary/checking/checks.ts'
import type { ClassNode, ListNode, Node, OptionNode } from '../../../grammars/class-dictionary/expand.ts'
import { readDictionary } from '../../../grammars/class-dictionary/index.ts'
import { decisionAt, tokensOf } from '../../../grammars/class-dictionary/syntax.ts'
import { END, FIRST_LITERAL } from '../../../grammars/class-dictionary/vocabulary.ts'
import { randomOf } from './fuzz.ts'

type Analysed = Extract<ReturnType<typeof analyse>, { ok: true }>
type Sequence = ClassNode | ListNode | OptionNode

/** The sets FIRST and FOLLOW of the textbook, computed by repeating until nothing changes. */
function textbook({ expansion, predictor, scope, vocabulary }: Analysed) {
  const { nodes } = expansion
  const first = new Map<Node, Set<number>>(nodes.map((node) => [node, new Set()]))
  const follow = new Map<Node, Set<number>>(nodes.map((node) => [node, new Set()]))
  const empty = new Set<Node>()
  const isSequence = (node: Node): node is Sequence =>
    node.kind === 'class' || node.kind === 'list' || node.kind === 'option'

  function rest(node: Sequence, from: number): { tokens: Set<number>; ends: boolean } {
    const tokens = new Set<number>()
    let ends = false
    const steps = predictor.steps(node)
    const open = new Set([from])
    for (const at of open) {
      const step = steps[at]
      if (step === undefined) ends = true
      else if (step.kind === 'tokens') step.tokens.forEach((token) => tokens.add(token))
      else if (step.kind === 'jump') open.add(step.to)
      else if (step.kind === 'decide') open.add(at + 1).add(step.exit)
      else {
        first.get(step.node)!.forEach((token) => tokens.add(token))
        if (empty.has(step.node)) open.add(at + 1)
      }
    }
    return { tokens, ends }
  }

  const size = (): number =>
    empty.size + [...first.values(), ...follow.values()].reduce((sum, tokens) => sum + tokens.size, 0)
  const put = (into: Set<number>, tokens: Iterable<number>): void => {
    for (const token of tokens) into.add(token)
  }
  for (const { definition, file } of scope.classes.values()) {
    // Every class without type parameters can be a whole text.
    if (definition.parameters.length > 0) continue
    follow.get(expansion.node({ name: definition.name, at: definition.at, arguments: [] }, file))!.add(END)
  }
  for (let before = -1; before !== size();) {
    before = size()
    for (const node of nodes) {
      if (isSequence(node)) {
        const { tokens, ends } = rest(node, 0)
        put(first.get(node)!, tokens)
        if (ends) empty.add(node)
        predictor.steps(node).forEach((step, i) => {
          if (step.kind !== 'type') return
          const behind = rest(node, i + 1)
          put(follow.get(step.node)!, behind.tokens)
          if (behind.ends) put(follow.get(step.node)!, follow.get(node)!)
        })
      } else if (node.kind === 'choice') {
        for (const { node: one } of node.alternatives) {
          put(first.get(node)!, first.get(one)!)
          if (empty.has(one)) empty.add(node)
          put(follow.get(one)!, follow.get(node)!)
        }
      } else put(first.get(node)!, tokensOf(node, vocabulary))
    }
  }
  return { rest, follow }
}

/** Classes that contain later ones, alone, in options and in lists, between few literals. */
function randomDictionary(random: () => number): string {
  const below = (limit: number): number => random() % limit
  const count = 3 + below(5)
  return Array.from({ length: count }, (_, j) => {
    const later = (): string => (j + 1 < count ? `K${j + 1 + below(count - j - 1)}` : 'int')
    const part = (i: number): string => {
      const field = [`Option(${later()})`, `List(${later()})`, later(), 'ident'][below(4)]!
      return below(2) === 0 ? `"${'abcdefgh'[below(8)]!}"` : `<x${i}> ${field}`
    }
    return `K${j} = ${Array.from({ length: 1 + below(4) }, (_, i) => part(i)).join(' ')}.`
  }).join('\n')
}

test('where one token decides, lists and options are decided as the textbook says', () => {
  let decisions = 0
  for (let seed = 0; seed < 600; seed++) {
    const { dictionary } = readDictionary(randomDictionary(randomOf(seed)), { dialect: 'C' })
    const analysed = dictionary === null ? null : analyse(dictionary)
    if (analysed?.ok !== true) continue
    const { rest, follow } = textbook(analysed)
    const tokens = Array.from({ length: FIRST_LITERAL + analysed.vocabulary.literals.length }, (_, token) => token)
    for (const node of analysed.expansion.nodes) {
      if (node.kind !== 'list' && node.kind !== 'option') continue
      const steps = analysed.predictor.steps(node)
      const index = decisionAt(node, steps)
      const step = steps[index]
      if (step?.kind !== 'decide') continue
      const value = rest(node, index + 1)
      const none = rest(node, step.exit)
      const after = new Set([...none.tokens, ...(none.ends ? follow.get(node)! : [])])
      if (value.ends || value.tokens.has(END) || [...value.tokens].some((token) => after.has(token))) continue
      const { first } = analysed.predictor.decision(node)
      const found = tokens.map((token) => first.get(token))
      expect(found).toEqual(tokens.map((token) => (value.tokens.has(token) ? 0 : after.has(token) ? 1 : undefined)))
      decisions++
    }
  }
  expect(decisions).toBeGreaterThan(200)
})
