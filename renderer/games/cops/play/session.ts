import { printSkeleton } from '../../../../grammars/cops/index.ts'
import type { Play } from '../../../../main/contract/procedures/human-match.ts'
import {
  brainViewFrom,
  seatOf,
  twistViewOf,
  type BrainAnswer,
  type BrainView,
  type DialogueLine,
  type TwistView,
} from '../../../../main/referees/cops/player-view.ts'
import type { Json } from '../../../../main/contract/json.ts'
import type { Message } from '../../../../main/referees/cops/messages.ts'
import { layoutOf, type DrawnWorld, type Layout } from '../layout.ts'

/** A match as a person who plays in it sees it. */
export interface Session extends BrainView {
  readonly layout: Layout
  readonly drawn: DrawnWorld
  readonly role: 'robber' | 'cop'
  /** The place of the person's robot, and its way of moving. */
  readonly own: BrainView['world']['players'][number]
  /** Data of the second phase; null: the match is played by the rules of the first. */
  readonly twist: TwistView | null
}

/** null: the match has not begun. */
export function sessionOf({ dialogue, question }: Pick<Play, 'dialogue' | 'question'>): Session | null {
  // Messages of the program itself, and answers that its schema has checked.
  const messages = dialogue.map(({ from, value }): DialogueLine => {
    return from === 'table' ? { told: value as unknown as Message } : { answered: value as unknown as BrainAnswer }
  })
  const view = brainViewFrom(messages)
  const own = view?.world.players.find(({ bot }) => bot === view.skeleton.name)
  if (view === null || own === undefined) return null
  return {
    ...view,
    asks: question === null ? null : view.asks,
    role: view.skeleton.name === view.skeleton.robber ? 'robber' : 'cop',
    layout: cachedLayout(view.skeleton),
    drawn: drawnOf(view),
    own,
    twist: twistViewOf(view),
  }
}

function drawnOf({ skeleton, world: { players, banks, evidence, smell } }: BrainView): DrawnWorld {
  const { robber, cops, name } = skeleton
  return {
    names: [robber, ...cops],
    robber: players.find(({ bot }) => bot === robber)?.loc ?? null,
    banks,
    evidence: null,
    cops: players.flatMap(({ bot, loc, ptype }) => {
      if (ptype === 'robber') return []
      const own = bot === name
      return [{ seat: seatOf(skeleton, bot), loc, ptype, smell: own ? smell : null, evidence: own ? evidence : null }]
    }),
  }
}

/** True if a robot may change between foot and car: a cop at headquarters. */
export const canChange = ({ skeleton: { nodes }, role, world }: Session, bot: string): boolean =>
  role === 'cop' && nodes.some(({ loc, tag }) => tag === 'hq' && loc === robotIn(world, bot).loc)

/** A robot of the world, which shows all cops at any time. */
export const robotIn = ({ players }: BrainView['world'], bot: string): Session['own'] =>
  players.find((player) => player.bot === bot)!

export const asJson = (answer: BrainAnswer): Json => answer

/** A new session is made with every message; its map stays. */
let last: { readonly key: string; readonly layout: Layout } | null = null

function cachedLayout(skeleton: Session['skeleton']): Layout {
  const key = printSkeleton(skeleton)
  if (last?.key !== key) last = { key, layout: layoutOf(skeleton) }
  return last.layout
}
