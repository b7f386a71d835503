import { movesOf, whyRefused, robotsOf, type BrainAnswer } from '../../../../main/referees/cops/player-view.ts'
import { ballotFirst, claimsKnown, firstPush, orderedTo, planFor } from './defaults.ts'
import { canChange, robotIn, type Session } from './session.ts'

type Mode = Session['own']['ptype']

/** The person's choices in a world before they are sent; the rest is as in `defaults.ts`. */
export interface Draft {
  readonly world: number
  /** The claimed place of the robber and its certainty in per cent; null: an empty number field. */
  readonly claimed: string | null
  readonly certainty: number | null
  /** The person's changes to the plan: targets of cops, by name. */
  readonly planned: ReadonlyMap<string, string>
  readonly ballot: readonly string[] | null
  /** The moves of the person's own robots, by name. */
  readonly goals: ReadonlyMap<string, string>
  readonly modes: ReadonlyMap<string, Mode>
  readonly lists: boolean
  /** In order, as are those who are bribed. */
  readonly accuse: readonly string[]
  readonly choose: readonly string[]
  readonly push: { readonly bot: string; readonly loc: string } | null
}

export const emptyDraft = (world: number): Draft => ({
  world,
  claimed: null,
  certainty: 80,
  planned: new Map(),
  ballot: null,
  goals: new Map(),
  modes: new Map(),
  lists: false,
  accuse: [],
  choose: [],
  push: null,
})

/** How a robot of the person moves. */
export function modeIn(session: Session, draft: Draft, bot: string): Mode {
  const { ptype } = robotIn(session.world, bot)
  if (!canChange(session, bot)) return ptype
  return draft.modes.get(bot) ?? orderedTo(session, bot)?.ptype ?? ptype
}

/** The legal targets of a robot of the person. */
export function goalsIn(session: Session, draft: Draft, bot: string): readonly string[] {
  return movesOf(session, robotIn(session.world, bot).loc, modeIn(session, draft, bot))
}

/** Its move: the person's choice, else that of the elected plan, else staying. */
export function goalIn(session: Session, draft: Draft, bot: string): string {
  const goals = goalsIn(session, draft, bot)
  const wanted = [draft.goals.get(bot), orderedTo(session, bot)?.loc].find(
    (loc) => loc !== undefined && goals.includes(loc),
  )
  return wanted ?? robotIn(session.world, bot).loc
}

/** The plan that is proposed. */
export const planIn = (session: Session, { planned }: Draft) =>
  planFor(session).map((each) => ({ ...each, loc: planned.get(each.bot) ?? each.loc }))

/** The answer to the open question; null: nothing that a person is asked. */
export function answerIn(session: Session, draft: Draft): BrainAnswer | null {
  const { asks, skeleton, world } = session
  const moves = (): { bot: string; loc: string; ptype: Mode }[] =>
    robotsOf(session).map((bot) => ({
      bot,
      loc: goalIn(session, draft, bot),
      ptype: modeIn(session, draft, bot),
    }))
  switch (asks) {
    case 'inform': {
      const { claimed: loc, certainty } = draft
      const about = { bot: skeleton.robber, ptype: 'robber', world: world.world } as const
      const own = loc === null || certainty === null ? [] : [{ ...about, loc, certainty }]
      return { type: 'inform', informs: [...own, ...claimsKnown(session)] }
    }
    case 'plan':
      return { type: 'plan', plan: planIn(session, draft) }
    case 'vote':
      return { type: 'vote', ballot: draft.ballot ?? ballotFirst(session) }
    case 'move': {
      const { loc, ptype } = moves()[0]!
      return { type: 'move', loc, ptype }
    }
    case 'orders': {
      const dirty = session.twist?.isDirty === true
      const market = dirty ? null : draft.lists ? 'turncoat' : 'straight-arrow'
      return { type: 'orders', market, moves: moves(), accuse: dirty ? [] : draft.accuse }
    }
    // It asks with a button of its own.
    case 'bribe':
      return { type: 'bribe', asks: false }
    case 'robber-orders': {
      const [move] = moves()
      const push = session.twist?.mustPush === true ? (draft.push ?? firstPush(session)) : null
      return {
        type: 'robber-orders',
        move: move!,
        push,
        choose: session.offers === null || push !== null ? null : draft.choose,
      }
    }
    default:
      return null
  }
}

/** The reason why the form cannot be sent, in one sentence, or null. */
export function refusalIn(session: Session, draft: Draft): string | null {
  const { certainty, claimed } = draft
  if (session.asks === 'inform' && claimed !== null) {
    const fits = certainty !== null && Number.isInteger(certainty) && Math.abs(certainty) <= 100
    if (!fits) return 'Enter a whole number from −100 (certainly not) to 100.'
  }
  const answer = answerIn(session, draft)
  return answer === null ? null : whyRefused(session, answer)
}
