import type { ClassNode, Node } from './expand.ts'
import { END, FOREIGN, pieces } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

/** What must come next in the text of a class: one of these tokens (END: nothing may follow), or a whole type. */
export type GrammarSymbol =
  | { readonly kind: 'tokens'; readonly tokens: readonly number[] }
  | { readonly kind: 'type'; readonly node: Node; readonly label: string }

const end: GrammarSymbol = { kind: 'tokens', tokens: [END] }

/** The text of a class without its printing commands. */
export function symbolsOf(node: ClassNode, vocabulary: Vocabulary): readonly GrammarSymbol[] {
  return node.items.flatMap((item): readonly GrammarSymbol[] => {
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

/** The tokens of a lexical class, or of one that has no values here. */
export function tokensOf(
  node: Extract<Node, { kind: 'lexical' | 'foreign' }>,
  vocabulary: Vocabulary,
): readonly number[] {
  return node.kind === 'foreign' ? [FOREIGN] : vocabulary.lexical[node.lexical]
}
