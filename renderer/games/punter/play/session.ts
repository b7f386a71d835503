import type { Play } from '../../../../main/contract/procedures/human-match.ts'
import { playerViewFrom, type PlayerView } from '../../../../main/referees/punter/player-view.ts'
import type { Answer, Message } from '../../../../main/referees/punter/messages.ts'
import { layoutOf, type Layout } from '../layout.ts'

/** A match as a person who plays in it sees it. */
export interface Session extends PlayerView {
  readonly layout: Layout
  /** The task of the open question; null: no question is open. */
  readonly asks: 'futures' | 'move' | null
}

/** null: it has not begun. */
export function sessionOf({ dialogue, question }: Pick<Play, 'dialogue' | 'question'>): Session | null {
  // Messages of the program itself, and answers that its schema has checked.
  const messages = dialogue.map(({ from, value }) =>
    from === 'table' ? { told: value as unknown as Message } : { answered: value as unknown as Answer },
  )
  const known = playerViewFrom(messages)
  if (known === null) return null
  const last = messages.findLast((line) => 'told' in line)?.told
  const asks = question === null ? null : last?.type === 'setup' ? 'futures' : 'move'
  return { ...known, layout: cachedLayout(known), asks }
}

/** A new session is made with every message; its map stays. */
let last: { readonly key: string; readonly layout: Layout } | null = null

function cachedLayout({ map, state: { course } }: PlayerView): Layout {
  const key = JSON.stringify(map)
  if (last?.key !== key) last = { key, layout: layoutOf(course) }
  return last.layout
}
