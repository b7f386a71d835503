import type { Play } from '../../../../main/contract/human-match.ts'
import type { SeatId } from '../../../../main/contract/ids.ts'
import type { Json } from '../../../../main/contract/json.ts'
import type { BotMessage } from '../../../../grammars/cops/index.ts'
import type { Message } from '../../../../main/referees/cops/messages.ts'
import { layoutOf, type DrawnWorld, type Layout } from '../layout.ts'

type Skeleton = Extract<Message, { type: 'skeleton' }>
type World = Extract<Message, { type: 'world' }>
type Informs = Extract<Message, { type: 'informs' }>['from']
type Plans = Extract<Message, { type: 'plans' }>['from']

/** A match as a person who plays in it sees it. */
export interface Session {
  readonly skeleton: Skeleton
  readonly world: World
  readonly layout: Layout
  readonly drawn: DrawnWorld
  readonly role: 'robber' | 'cop'
  /** Where the person's robot is, and how it moves. */
  readonly own: World['players'][number]
  /** What the open question wants; null: nothing is asked. */
  readonly asks: BotMessage['type'] | null
  /** Of the current world; empty before they are told. */
  readonly informs: Informs
  readonly plans: Plans
  /** The elected plan's cop; null: no winner; undefined: not told yet. */
  readonly winner: string | null | undefined
}

/** null: the match has not begun. */
export function sessionOf({ dialogue, question }: Pick<Play, 'dialogue' | 'question'>): Session | null {
  let skeleton: Skeleton | null = null
  let world: World | null = null
  let informs: Informs = []
  let plans: Plans = []
  let winner: string | null | undefined
  let last: Message | null = null
  for (const { from, value } of dialogue) {
    if (from !== 'table') continue
    // Messages of the program itself.
    const message = value as unknown as Message
    last = message
    if (message.type === 'skeleton') skeleton = message
    if (message.type === 'world') [world, informs, plans, winner] = [message, [], [], undefined]
    if (message.type === 'informs') informs = message.from
    if (message.type === 'plans') plans = message.from
    if (message.type === 'tally') winner = message.winner
  }
  if (skeleton === null || world === null || last === null) return null
  const own = world.players.find(({ bot }) => bot === skeleton.name)
  if (own === undefined) return null
  const asks = question === null ? null : last.asks
  const role = skeleton.name === skeleton.robber ? 'robber' : 'cop'
  const layout = cachedLayout(skeleton)
  return { skeleton, world, layout, drawn: drawnOf(skeleton, world), role, own, asks, informs, plans, winner }
}

/** Seats as the map numbers them: the robber first, then cops in the order of their names. */
export const seatOf = ({ robber, cops }: Pick<Skeleton, 'robber' | 'cops'>, bot: string): SeatId =>
  bot === robber ? 0 : 1 + cops.indexOf(bot)

function drawnOf(skeleton: Skeleton, { players, banks, evidence, smell }: World): DrawnWorld {
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

/** Where a robot can go: names of corners, the one where it stands first. */
export function movesOf(
  { skeleton: { edges } }: Pick<Session, 'skeleton'>,
  { loc, ptype: mode }: Pick<Session['own'], 'loc' | 'ptype'>,
): readonly string[] {
  const found = new Set([loc])
  for (const { from, to, type } of edges) {
    if (mode !== 'cop-car' && type === 'car') continue
    if (from === loc) found.add(to)
    if (to === loc && mode !== 'cop-car') found.add(from)
  }
  return [...found]
}

/** Whether a cop may change between foot and car: at headquarters. */
export const canChange = ({ skeleton: { nodes }, own, role }: Session): boolean =>
  role === 'cop' && nodes.some(({ loc, tag }) => loc === own.loc && tag === 'hq')

export const asJson = (answer: BotMessage): Json => answer

/** The session is made anew with every message, its map stays. */
let last: { readonly skeleton: Skeleton; readonly layout: Layout } | null = null

function cachedLayout(skeleton: Skeleton): Layout {
  if (last?.skeleton !== skeleton) last = { skeleton, layout: layoutOf(skeleton) }
  return last.layout
}
