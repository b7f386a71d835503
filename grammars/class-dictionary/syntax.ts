import type { ClassNode, Item, ListNode, Node, OptionNode } from './expand.ts'
import { END, FOREIGN, pieces } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

/** The next symbol in the text of a class: one of these tokens (END: nothing may follow), or a whole type. */
type GrammarSymbol =
  | { readonly kind: 'tokens'; readonly tokens: readonly number[] }
  | { readonly kind: 'type'; readonly node: Node; readonly label: string }

/**
 * A step in the text of a class, a list or an option: a symbol, a decision whether to continue here or at step `exit`,
 * or a jump back to step `to`. After the last step the text is complete.
 */
export type Step =
  GrammarSymbol | { readonly kind: 'decide'; readonly exit: number } | { readonly kind: 'jump'; readonly to: number }

const end: GrammarSymbol = { kind: 'tokens', tokens: [END] }

/** The symbols of the text of items, without printing commands. */
function symbolsOf(items: readonly Item[], vocabulary: Vocabulary): readonly GrammarSymbol[] {
  return items.flatMap((item): readonly GrammarSymbol[] => {
    switch (item.kind) {
      case 'field':
        return [{ kind: 'type', node: item.type, label: item.label }]
      case 'literal':
        return pieces(item.text).map((text) => ({ kind: 'tokens', tokens: [vocabulary.tokenOf.get(text)!] }))
      case 'end':
        return [end]
      case 'print':
        return []
    }
  })
}

/**
 * The steps of the text of a class, a list or an option, without printing commands. Lists and options have one
 * decision.
 */
export function stepsOf(node: ClassNode | ListNode | OptionNode, vocabulary: Vocabulary): readonly Step[] {
  const written = (items: readonly Item[]): readonly GrammarSymbol[] => symbolsOf(items, vocabulary)
  if (node.kind === 'class') return written(node.items)
  const { of, layout } = node
  const element: Step = { kind: 'type', node: of, label: '' }
  if (node.kind === 'option') {
    const value = [...written(layout?.before ?? []), element, ...written(layout?.after ?? [])]
    return [{ kind: 'decide', exit: value.length + 1 }, ...value]
  }
  if (node.layout === null) return [{ kind: 'decide', exit: 3 }, element, { kind: 'jump', to: 0 }]
  const { before, first, open, close, after } = node.layout
  const start = [...written(before), ...(first ? [element] : [])]
  const again = [...written(open), element, ...written(close)]
  return [
    ...start,
    { kind: 'decide', exit: start.length + again.length + 2 },
    ...again,
    { kind: 'jump', to: start.length },
    ...written(after),
  ]
}

/** The index of the decision of a list or an option. */
export function decisionAt(node: ListNode | OptionNode, steps: readonly Step[]): number {
  return node.layout === null ? 0 : steps.findIndex(({ kind }) => kind === 'decide')
}

/** The tokens of a lexical class, or of a foreign class, which has no values here. */
export function tokensOf(
  node: Extract<Node, { kind: 'lexical' | 'foreign' }>,
  vocabulary: Vocabulary,
): readonly number[] {
  return node.kind === 'foreign' ? [FOREIGN] : vocabulary.lexical[node.lexical]
}
