import type { Node } from '../class-dictionary/expand.ts'

/** Each time lists and options nest by this number of levels, one of them gets a name. */
const NAMED_EVERY = 16

/** The declarations that describe the values of a type. */
export interface Declared {
  /** The type and all that it can contain, in the order of discovery. */
  readonly all: ReadonlySet<Node>
  /** Those with a name. */
  readonly named: readonly { readonly name: string; readonly node: Node }[]
  nameOf(node: Node): string | undefined
}

/**
 * Gives names to a type and to all that it can contain: classes, abstract classes, lexical classes for which
 * `mentioned` returns true, and lists and options only if they are nested deeply. The names are those of the types,
 * with `Pair(int, ident)` as `Pair_int_ident`, and with a number if one is taken or `reserved`.
 */
export function declare(root: Node, reserved: ReadonlySet<string>, mentioned: (node: Node) => boolean): Declared {
  const names = new Map<Node, string>()
  const named: { name: string; node: Node }[] = []
  const taken = new Set(reserved)
  const seen = new Set([root])
  const nesting = new Map<Node, number>()
  for (const node of seen) {
    const inner = inside(node)
    const depth = nesting.get(node) ?? 0
    for (const one of inner) {
      if (!seen.has(one)) nesting.set(one, node.kind === 'list' || node.kind === 'option' ? depth + 1 : 0)
      seen.add(one)
    }
    const wrapper = node.kind === 'list' || node.kind === 'option'
    if (wrapper ? depth % NAMED_EVERY === NAMED_EVERY - 1 || holdsItself(node) : mentioned(node)) {
      const name = free(node.text)
      names.set(node, name)
      named.push({ name, node })
    }
  }
  return { all: seen, named, nameOf: (node) => names.get(node) }

  function free(text: string): string {
    const plain = text.replace(/[^A-Za-z0-9_$]+/g, '_').replace(/_$/, '')
    let name = plain
    for (let number = 2; taken.has(name); number++) name = `${plain}_${number}`
    taken.add(name)
    return name
  }
}

/** True if a list is its own element, without a class between, as a repetition can be. */
function holdsItself(node: Node): boolean {
  let inner = node
  for (let steps = 0; inner.kind === 'list' || inner.kind === 'option'; steps++) {
    inner = inner.of
    if (inner === node) return true
    if (steps > NAMED_EVERY) return false
  }
  return false
}

/** The types of a type's fields, elements and alternatives. */
function inside(node: Node): readonly Node[] {
  if (node.kind === 'list' || node.kind === 'option') return [node.of]
  if (node.kind === 'choice') return node.alternatives.map((alternative) => alternative.node)
  return node.kind === 'class' ? node.items.flatMap((item) => (item.kind === 'field' ? [item.type] : [])) : []
}
