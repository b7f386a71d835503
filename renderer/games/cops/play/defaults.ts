import { dirtyRobotsOf, movesOf, robotsOf, type BrainAnswer } from '../../../../main/referees/cops/player-view.ts'
import { canChange, robotIn, type Session } from './session.ts'

type Informs = Extract<BrainAnswer, { type: 'inform' }>['informs']
type Plan = Extract<BrainAnswer, { type: 'plan' }>['plan']
type Push = { readonly bot: string; readonly loc: string }

/** Facts certain to a clean cop: the evidence that it found, and the corners ruled out because it would smell the robber from there. */
export function claimsKnown(session: Session): Informs {
  const { world, skeleton, own, role, twist } = session
  // A brain that helps the robber gives nothing away by itself.
  if (role === 'robber' || twist?.isDirty === true) return []
  const about = { bot: skeleton.robber, ptype: 'robber' } as const
  const found = world.evidence.map(({ loc, world: when }) => ({ ...about, loc, world: when, certainty: 100 }))
  if (world.smell !== 0) return found
  const empty = movesOf(session, own.loc, own.ptype).filter((loc) => loc !== own.loc)
  return [...found, ...empty.sort().map((loc) => ({ ...about, loc, world: world.world, certainty: -100 }))]
}

/** The robber's likely place: where it is seen, or the place claimed with most certainty; null: unknown. */
function suspected({ world, skeleton: { robber }, informs }: Session): string | null {
  const seen = world.players.find(({ bot }) => bot === robber)
  if (seen !== undefined) return seen.loc
  const claims = informs
    .flatMap((said) => said.informs)
    .filter(({ bot, certainty, world: when }) => bot === robber && certainty > 0 && when >= world.world - 8)
  return claims.sort((a, b) => b.world - a.world || b.certainty - a.certainty)[0]?.loc ?? null
}

/**
 * A plan for the cops of the round: it brings them nearer to where the robber seems to be, and that of the robber or of a dirty cop
 * further away from it; without a suspicion they stay.
 */
export function planFor(session: Session): Plan {
  const { world, twist, role } = session
  const goal = suspected(session)
  const helps = role === 'robber' || twist?.isDirty === true
  return copsOfRound(session).map((bot) => {
    const { loc, ptype } = robotIn(world, bot)
    const distances = movesOf(session, loc, ptype).map((to) => [to, distanceIn(session, to, goal)] as const)
    const [best] = distances.sort(([, a], [, b]) => (helps ? b - a : a - b))
    // Cops move in odd worlds: after a round of an even world that is one world later.
    return { bot, loc: best?.[0] ?? loc, ptype, world: world.world + (world.world % 2 === 0 ? 2 : 1) }
  })
}

/** Cops of which a round decides: all, or those of dirty brains in an even world. */
function copsOfRound(session: Session): readonly string[] {
  const { world, skeleton } = session
  if (world.world % 2 === 0 && world.twist !== undefined) return dirtyRobotsOf(session)
  return world.players.flatMap(({ bot }) => (bot === skeleton.robber ? [] : [bot]))
}

/** As the crow flies, in units of the picture; 0 from or to a corner that is not on the map. */
function distanceIn({ layout: { byName } }: Session, from: string, to: string | null): number {
  const [a, b] = [byName.get(from), byName.get(to ?? '')]
  return a === undefined || b === undefined ? 0 : Math.hypot(a.x - b.x, a.y - b.y)
}

/** The person's own plan first, then those of the others in order of arrival. */
export function ballotFirst({ skeleton: { name }, plans }: Session): readonly string[] {
  return [name, ...plans.map(({ bot }) => bot).filter((bot) => bot !== name)]
}

/** The move that the elected plan gives a robot; null: none that is legal. */
export function orderedTo(session: Session, robot: string): Pick<Session['own'], 'loc' | 'ptype'> | null {
  const { winner, plans, world } = session
  const order = plans.find(({ bot }) => bot === winner)?.plan.find(({ bot }) => bot === robot)
  if (order === undefined) return null
  const { loc: from, ptype: mode } = robotIn(world, robot)
  const isMode = order.ptype === mode || (order.ptype !== 'robber' && canChange(session, robot))
  if (!isMode || !movesOf(session, from, order.ptype).includes(order.loc)) return null
  return { loc: order.loc, ptype: order.ptype }
}

/** Cops that can be pushed somewhere, with their corners: those nearest to the robber, and the furthest corners, first. */
export function pushesOf(session: Session): readonly { readonly bot: string; readonly locs: readonly string[] }[] {
  const { world, skeleton, own } = session
  const away = (loc: string): number => distanceIn(session, loc, own.loc)
  return skeleton.cops
    .map((bot) => robotIn(world, bot))
    .sort((a, b) => away(a.loc) - away(b.loc))
    .map(({ bot, loc, ptype }) => {
      const [, ...locs] = movesOf(session, loc, ptype)
      return { bot, locs: locs.sort((a, b) => away(b) - away(a)) }
    })
    .filter(({ locs }) => locs.length > 0)
}

/** The push that keeps the nearest cop away; null: nobody can be pushed. */
export function firstPush(session: Session): Push | null {
  const [nearest] = pushesOf(session)
  return nearest === undefined ? null : { bot: nearest.bot, loc: nearest.locs[0]! }
}

/** True if the robber confers with nobody in this world, so that a person needs no questions about its rounds. */
export const isAlone = ({ role, twist }: Session): boolean => role === 'robber' && twist?.dirty.length === 0

/** A warning about an effect of the decision that the person may not intend, in one sentence, or null. */
export function warningOf(session: Session, goals: ReadonlyMap<string, string>): string | null {
  const { role, twist, world, skeleton } = session
  const robber = world.players.find(({ bot }) => bot === skeleton.robber)
  if (role === 'robber') {
    const there = world.players.find(({ bot, loc }) => bot !== skeleton.robber && loc === goals.get(skeleton.robber))
    return there === undefined ? null : `${there.bot} is there and would catch you.`
  }
  const meets = robotsOf(session).some((bot) => goals.get(bot) === robber?.loc)
  return twist?.isDirty === true && meets ? 'That would catch the robber, and a bribed cop gets nothing for it.' : null
}
