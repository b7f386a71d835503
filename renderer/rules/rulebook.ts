/** A game's rulebook, made of its page in docs/games when the window is built (scripts/rulebooks.ts). */
export type Rulebook = readonly Block[]

export type Block =
  /** `level`: 1 for the title. */
  | { readonly kind: 'heading'; readonly level: number; readonly id: string; readonly spans: readonly Span[] }
  | { readonly kind: 'paragraph'; readonly spans: readonly Span[] }
  /** `start`: the number of the first item; null: a list without numbers. */
  | { readonly kind: 'list'; readonly start: number | null; readonly items: readonly Item[] }
  | { readonly kind: 'table'; readonly head: Row; readonly rows: readonly Row[] }
  | { readonly kind: 'code'; readonly text: string }

/** `id`: `rule-5` for the fifth rule where rules are items of lists; null: it has no number. */
export interface Item {
  readonly id: string | null
  readonly blocks: readonly Block[]
}

type Row = readonly (readonly Span[])[]

/** A part of a line. `to`: the id of the heading or item that a link leads to. */
export type Span =
  | { readonly kind: 'text' | 'code' | 'strong' | 'em'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly to: string }

/** The id of a rule's text. */
export const ruleId = (number: number): string => `rule-${number}`

/** The words of some blocks, on one line. */
export function textOfBlocks(blocks: readonly Block[]): string {
  const line = (spans: readonly Span[]): string => spans.map(({ text }) => text).join('')
  return blocks
    .map((block): string => {
      switch (block.kind) {
        case 'heading':
        case 'paragraph':
          return line(block.spans)
        case 'code':
          return block.text
        case 'list':
          return block.items.map((item) => textOfBlocks(item.blocks)).join(' ')
        case 'table':
          return [block.head, ...block.rows].flatMap((row) => row.map(line)).join(' ')
      }
    })
    .join(' ')
    .replaceAll(/\s+/g, ' ')
}
