import type { Problem } from '../problem.ts'
import type { ClassNode, Node } from './expand.ts'
import { cycles } from './graph.ts'
import { problemIn } from './scope.ts'
import { pieces } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Classes without a finite value, and text that no parser could follow: left recursion, empty elements, parts after EOF. */
export function checkFlow(nodes: readonly Node[], vocabulary: Vocabulary): readonly Problem[] {
  const nullable = hold(nodes, {
    leaf: (node) => node.kind === 'list' || node.kind === 'option',
    part: (item) => item.kind !== 'literal' || pieces(item.text).length === 0,
    all: true,
  })
  const problems = [
    ...withoutValue(nodes),
    ...leftRecursion(nodes, nullable),
    ...emptyElements(nodes, nullable),
    ...behindEnd(nodes),
    ...quotes(nodes, vocabulary),
  ]
  return distinct(problems)
}

type ClassItem = ClassNode['items'][number]

/**
 * The least set of nodes for which a property holds: `leaf` says it of lexical classes, lists and options; a choice has it
 * where one alternative has; a class where all its fields have it and `part` holds for its other parts (`all`), or where
 * one of either has it (not `all`).
 */
function hold(
  nodes: readonly Node[],
  rule: { leaf: (node: Node) => boolean; part: (item: ClassItem) => boolean; all: boolean; through?: boolean },
): readonly boolean[] {
  const holds = nodes.map(() => false)
  const missing = nodes.map(() => 1)
  const users = nodes.map((): number[] => [])
  const ready: number[] = []
  for (const node of nodes) {
    if (node.kind === 'class') {
      const fields = node.items.filter((item) => item.kind === 'field')
      const others = node.items.filter((item) => item.kind !== 'field').map(rule.part)
      if (rule.all) missing[node.id] = fields.length + (others.includes(false) ? 1 : 0)
      else if (others.includes(true)) missing[node.id] = 0
      for (const { type } of fields) users[type.id]!.push(node.id)
    } else if (node.kind === 'choice') {
      for (const { node: alternative } of node.alternatives) users[alternative.id]!.push(node.id)
    } else if (rule.leaf(node)) {
      missing[node.id] = 0
    } else if (rule.through === true && (node.kind === 'list' || node.kind === 'option')) {
      users[node.of.id]!.push(node.id)
    }
    if (missing[node.id] === 0) ready.push(node.id)
  }
  for (const id of ready) {
    if (holds[id]!) continue
    holds[id] = true
    for (const user of users[id]!) {
      missing[user]!--
      if (missing[user]! <= 0 && !holds[user]!) ready.push(user)
    }
  }
  return holds
}

function withoutValue(nodes: readonly Node[]): readonly Problem[] {
  const finite = hold(nodes, { leaf: () => true, part: () => true, all: true })
  return nodes.flatMap((node) => {
    if (node.kind !== 'class' && node.kind !== 'choice') return []
    if (finite[node.id]!) return []
    const { definition, file } = node.located
    // An interface that nothing implements is a mark for other programs, not a mistake.
    if (definition.isInterface && definition.alternatives.length === 0) return []
    return [
      problemIn(
        file,
        definition.at,
        `\`${node.name}\` can have no finite value: each would hold another one inside.`,
        'Make a field on the way an Option or a List, or add an alternative that ends it.',
      ),
    ]
  })
}

function leftRecursion(nodes: readonly Node[], nullable: readonly boolean[]): readonly Problem[] {
  const next = (id: number): number[] => {
    const node = nodes[id]!
    if (node.kind === 'choice') return node.alternatives.map((alternative) => alternative.node.id)
    if (node.kind === 'list' || node.kind === 'option') return [node.of.id]
    const first: number[] = []
    if (node.kind !== 'class') return first
    for (const item of node.items) {
      if (item.kind === 'field') first.push(item.type.id)
      if (item.kind === 'field' ? !nullable[item.type.id]! : item.kind === 'literal' && pieces(item.text).length > 0)
        break
    }
    return first
  }
  return cycles(nodes.length, next).flatMap((cycle) => {
    const way = cycle.map((id) => nodes[id]!)
    const node = way.find((one) => one.kind === 'class' || one.kind === 'choice')
    if (node === undefined) return []
    const { definition, file } = node.located
    const texts = way.map(({ text }) => text)
    const shown = [...texts.slice(0, 8), ...(texts.length > 8 ? ['..'] : []), texts[0]].join(', ')
    return [
      problemIn(
        file,
        definition.at,
        `The text of \`${node.name}\` begins with itself (left recursion): ${shown}.`,
        'Begin it with a literal, or use a List.',
      ),
    ]
  })
}

function emptyElements(nodes: readonly Node[], nullable: readonly boolean[]): readonly Problem[] {
  return nodes.flatMap((node) => {
    if ((node.kind !== 'list' && node.kind !== 'option') || !nullable[node.of.id]!) return []
    const what = node.kind === 'list' ? 'how many there are' : 'whether it is there'
    return [
      problemIn(
        node.use.file,
        node.use.at,
        `The text of \`${node.of.text}\` can be empty, so \`${node.text}\` cannot tell ${what}.`,
        `Give \`${node.of.text}\` a literal.`,
      ),
    ]
  })
}

function behindEnd(nodes: readonly Node[]): readonly Problem[] {
  const ends = hold(nodes, { leaf: () => false, part: (item) => item.kind === 'end', all: false, through: true })
  return nodes.flatMap((node) => {
    if (node.kind === 'list' && ends[node.of.id]!) {
      const { at, file } = node.use
      return [
        problemIn(
          file,
          at,
          `The text of \`${node.of.text}\` can end with EOF, so it cannot be an element.`,
          'Remove the EOF.',
        ),
      ]
    }
    if (node.kind !== 'class') return []
    const end = node.items.findIndex((item) => item.kind === 'end' || (item.kind === 'field' && ends[item.type.id]!))
    const behind = node.items.find(
      (item, i) => i > end && (item.kind === 'field' || (item.kind === 'literal' && pieces(item.text).length > 0)),
    )
    if (end === -1 || behind === undefined) return []
    return [
      problemIn(
        behind.file,
        behind.at,
        `In \`${node.name}\` this part can never be read: it stands behind EOF.`,
        'Move the EOF to the end.',
      ),
    ]
  })
}

function quotes(nodes: readonly Node[], vocabulary: Vocabulary): readonly Problem[] {
  if (vocabulary.strings || !nodes.some((node) => node.kind === 'lexical' && node.lexical === 'string')) return []
  for (const node of nodes) {
    if (node.kind !== 'class') continue
    const item = node.items.find((one) => one.kind === 'literal' && one.text.includes('"'))
    if (item === undefined) continue
    return [
      problemIn(
        item.file,
        item.at,
        'This literal holds a double quote, which begins the text of a `string`.',
        'Use another literal, or no `string`.',
      ),
    ]
  }
  return []
}

/** The expansions of one generic class say the same thing at the same place. */
function distinct(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>()
  return problems.filter(({ at, message, file }) => {
    const key = `${file ?? ''} ${at.offset} ${message}`
    return !seen.has(key) && seen.add(key)
  })
}
