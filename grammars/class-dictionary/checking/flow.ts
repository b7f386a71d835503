import type { ClassNode, ListNode, Node, OptionNode } from '../expand.ts'
import { cycles, components } from '../graph.ts'
import { finding, problemIn, type Finding, fieldsOf, scopeOf, typesOf, withArguments, type Scope } from './scope.ts'
import { pieces } from '../vocabulary.ts'
import type { Dictionary } from '../model.ts'

/**
 * Finds classes without a finite value, and text that cannot be parsed: left recursion, empty elements, parts after
 * EOF.
 */
export function checkFlow(nodes: readonly Node[]): readonly Finding[] {
  const nullable = leastSet(nodes, {
    leaf: (node) => node.kind === 'list' || node.kind === 'option',
    part: silent,
    all: true,
  })
  const problems = [
    ...withoutValue(nodes),
    ...leftRecursion(nodes, nullable),
    ...emptyElements(nodes, nullable),
    ...behindEnd(nodes),
    ...quotes(nodes),
  ]
  return distinct(problems)
}

type ClassItem = ClassNode['items'][number]

/** Is the text of this part empty? */
function silent(item: ClassItem): boolean {
  return item.kind !== 'literal' || pieces(item.text).length === 0
}

/**
 * The least set of nodes for which a property holds. `leaf` decides for lexical classes, lists, options and empty
 * choices; a choice has the property if one alternative has it; a class if all its fields have it and `part` holds for
 * its other parts (`all`), or if one of either has it (not `all`).
 */
function leastSet(
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
    } else if (node.kind === 'choice' && node.alternatives.length > 0) {
      for (const { node: alternative } of node.alternatives) users[alternative.id]!.push(node.id)
    } else if (node.kind === 'list' && node.layout !== null && rule.all) {
      // Like a class with one field, if the first element is always present.
      const { layout } = node
      const written = [...layout.before, ...layout.after].some((item) => !rule.part(item))
      missing[node.id] = (layout.first ? 1 : 0) + (written ? 1 : 0)
      if (layout.first) users[node.of.id]!.push(node.id)
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

function withoutValue(nodes: readonly Node[]): readonly Finding[] {
  const finite = leastSet(nodes, { leaf: () => true, part: () => true, all: true })
  return nodes.flatMap((node) => {
    if (finite[node.id]! || (node.kind === 'list' && node.layout === null)) return []
    if (node.kind !== 'class' && node.kind !== 'choice' && node.kind !== 'list') return []
    const { at, file } = node.kind === 'list' ? node.use : { at: node.located.definition.at, file: node.located.file }
    return [
      problemIn(
        file,
        at,
        `\`${node.kind === 'list' ? node.text : node.name}\` has no finite value: each would contain another one.`,
        'Make a field on the way an Option or a List, or add an alternative that ends it.',
        { code: 'endless' },
      ),
    ]
  })
}

function leftRecursion(nodes: readonly Node[], nullable: readonly boolean[]): readonly Finding[] {
  const next = (id: number): number[] => {
    const node = nodes[id]!
    if (node.kind === 'choice') return node.alternatives.map((alternative) => alternative.node.id)
    if (node.kind === 'option') return node.layout?.before.every(silent) === false ? [] : [node.of.id]
    if (node.kind === 'list') return beginning(node)
    const first: number[] = []
    if (node.kind !== 'class') return first
    for (const item of node.items) {
      if (item.kind === 'field') first.push(item.type.id)
      if (item.kind === 'field' ? !nullable[item.type.id]! : !silent(item)) break
    }
    return first
  }
  return cycles(nodes.length, next).flatMap((cycle) => {
    const way = cycle.map((id) => nodes[id]!)
    const node =
      way.find((one) => one.kind === 'class' || one.kind === 'choice') ?? way.find((one) => one.kind === 'list')
    if (node === undefined) return []
    const place = 'located' in node ? { at: node.located.definition.at, file: node.located.file } : node.use
    const texts = way.map(({ text }) => text)
    const shown = [...texts.slice(0, 8), ...(texts.length > 8 ? ['..'] : []), texts[0]].join(', ')
    return [
      problemIn(
        place.file,
        place.at,
        `The text of \`${'located' in node ? node.name : node.text}\` begins with itself (left recursion): ${shown}.`,
        'Begin it with a literal, or use a List.',
        { code: 'left-recursion' },
      ),
    ]
  })
}

/** The element of a list, if the list can begin with it. */
function beginning({ layout, of }: ListNode): number[] {
  if (layout === null) return [of.id]
  if (!layout.before.every(silent)) return []
  if (layout.first) return [of.id]
  return layout.open.every(silent) ? [of.id] : []
}

function emptyElements(nodes: readonly Node[], nullable: readonly boolean[]): readonly Finding[] {
  return nodes.flatMap((node) => {
    if ((node.kind !== 'list' && node.kind !== 'option') || !nullable[node.of.id]!) return []
    if (!around(node).every(silent)) return []
    const what = node.kind === 'list' ? 'how many there are' : 'whether it is there'
    return [
      finding(
        'doubt',
        node.use.file,
        node.use.at,
        `The text of \`${node.of.text}\` can be empty, so \`${node.text}\` cannot tell ${what}.`,
        `Give \`${node.of.text}\` a literal.`,
        { code: 'empty-element' },
      ),
    ]
  })
}

/** The parts around each value of a list or an option. */
function around({ layout }: ListNode | OptionNode): readonly ClassItem[] {
  if (layout === null) return []
  return 'open' in layout ? [...layout.open, ...layout.close] : [...layout.before, ...layout.after]
}

function behindEnd(nodes: readonly Node[]): readonly Finding[] {
  const ends = leastSet(nodes, { leaf: () => false, part: (item) => item.kind === 'end', all: false, through: true })
  return nodes.flatMap((node) => {
    if (node.kind === 'list' && ends[node.of.id]!) {
      const { at, file } = node.use
      return [
        finding(
          'doubt',
          file,
          at,
          `The text of \`${node.of.text}\` can end with EOF, so it cannot be an element.`,
          'Remove the EOF.',
          { code: 'end-inside' },
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
      finding(
        'doubt',
        behind.file,
        behind.at,
        `In \`${node.name}\` this part can never be read, because it comes after EOF.`,
        'Move the EOF to the end.',
        { code: 'end-inside' },
      ),
    ]
  })
}

/**
 * Finds literals that contain the opening characters of a string, a character or a verbatim text, if those are used.
 */
function quotes(nodes: readonly Node[]): readonly Finding[] {
  return (
    [
      ['string', '"', 'a double quote'],
      ['char', "'", 'a quote'],
      ['verbatim', '{{', '`{{`'],
    ] as const
  ).flatMap(([lexical, mark, name]) => {
    if (!nodes.some((node) => node.kind === 'lexical' && node.lexical === lexical)) return []
    for (const node of nodes) {
      if (node.kind !== 'class') continue
      const item = node.items.find((one) => one.kind === 'literal' && one.text.includes(mark))
      if (item === undefined) continue
      const message = `This literal contains ${name}, which begins the text of a \`${lexical}\`.`
      return [
        finding('doubt', item.file, item.at, message, `Use another literal, or no \`${lexical}\`.`, {
          code: 'literal-hidden',
        }),
      ]
    }
    return []
  })
}

/** Removes duplicates: the expansions of a generic class report the same problem at the same position. */
function distinct(problems: readonly Finding[]): readonly Finding[] {
  const seen = new Set<string>()
  return problems.filter(({ at, message, file }) => {
    const key = `${file ?? ''} ${at.offset} ${message}`
    return !seen.has(key) && seen.add(key)
  })
}

/**
 * Remarks about classes of the main file that no value of the first class can contain (the first class that contains
 * others). For classes that reach each other, only the first in the text is reported, and none that it reaches.
 */
export function unreachableClasses(dictionary: Dictionary): readonly Finding[] {
  const scope = scopeOf(dictionary)
  const names = [...scope.classes.keys()]
  const index = new Map(names.map((name, i) => [name, i]))
  const next = names.map((name) => usedBy(scope, name).flatMap((used) => index.get(used) ?? []))
  const start = names.find((_, i) => next[i]!.some((to) => to !== i)) ?? names[0]
  if (start === undefined) return []

  const component = components(names.length, (node) => next[node]!)
  const reached = new Set([component[index.get(start) ?? -1]])
  const told = new Set<number>()
  // Tarjan numbers a component before those that reach it: from the last to the first, users come before what they use.
  const order = names.map((_, i) => i).sort((a, b) => component[b]! - component[a]! || a - b)
  for (const from of order) {
    const mine = component[from]!
    if (!reached.has(mine)) continue
    for (const to of next[from]!) reached.add(component[to])
  }
  const held = new Set<number>()
  return order
    .flatMap((node) => {
      const mine = component[node]!
      // An abstract class may exist only for one of its alternatives.
      const { alternatives } = scope.classes.get(names[node]!)!.definition
      const named = alternatives.some(({ name }) => reached.has(component[index.get(name) ?? -1]))
      if (reached.has(mine) || named) return []
      const first = !told.has(mine) && !held.has(mine)
      told.add(mine)
      for (const to of next[node]!) if (component[to] !== mine) held.add(component[to]!)
      const { definition, file } = scope.classes.get(names[node]!)!
      if (!first || file !== null) return []
      const message = `No value of \`${start}\` can contain a \`${definition.name}\`.`
      return [
        finding('remark', null, definition.at, message, 'Remove it, or use it in a field.', { code: 'class-unused' }),
      ]
    })
    .sort((a, b) => a.at.offset - b.at.offset)
}

/** The classes that a value of a class can contain or be, and the abstract classes above it, which count as used. */
function usedBy(scope: Scope, name: string): readonly string[] {
  const { definition } = scope.classes.get(name)!
  const parents = scope.parents.get(name) ?? []
  const uses = [
    ...typesOf(definition),
    ...definition.implements,
    ...(definition.extends ?? []),
    ...parents.flatMap((parent) => fieldsOf(parent.definition).map(({ type }) => type)),
  ]
  return withArguments(uses).map((use) => use.name)
}
