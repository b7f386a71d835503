import type { BotMessage } from '../../../../grammars/cops/index.ts'
import { movesOf, type Session } from './session.ts'

type Informs = Extract<BotMessage, { type: 'inform' }>['informs']
type Plan = Extract<BotMessage, { type: 'plan' }>['plan']

/** What a cop knows for sure: the evidence that it found, and where it would smell the robber and does not. */
export function claimsKnown(session: Session): Informs {
  const { world, skeleton, own } = session
  const about = { bot: skeleton.robber, ptype: 'robber' } as const
  const found = world.evidence.map(({ loc, world: when }) => ({ ...about, loc, world: when, certainty: 100 }))
  if (world.smell !== 0) return found
  const empty = movesOf(session, own).filter((loc) => loc !== own.loc)
  return [...found, ...empty.sort().map((loc) => ({ ...about, loc, world: world.world, certainty: -100 }))]
}

/** Where the robber seems to be: where it is seen, or where a cop is surest of it; null: nobody knows. */
function suspected({ world, skeleton: { robber }, informs }: Session): string | null {
  const seen = world.players.find(({ bot }) => bot === robber)
  if (seen !== undefined) return seen.loc
  const claims = informs
    .flatMap((said) => said.informs)
    .filter(({ bot, certainty, world: when }) => bot === robber && certainty > 0 && when >= world.world - 8)
  return claims.sort((a, b) => b.world - a.world || b.certainty - a.certainty)[0]?.loc ?? null
}

/** A plan that brings every cop nearer to where the robber seems to be; without a suspicion they stay. */
export function planTowards(session: Session): Plan {
  const { skeleton, world } = session
  const goal = session.layout.byName.get(suspected(session) ?? '')
  return world.players
    .filter(({ bot }) => bot !== skeleton.robber)
    .map(({ bot, loc, ptype }) => {
      const distance = (to: string): number => {
        const corner = session.layout.byName.get(to)
        return goal === undefined || corner === undefined ? 0 : Math.hypot(corner.x - goal.x, corner.y - goal.y)
      }
      const [best] = [...movesOf(session, { loc, ptype })].sort((a, b) => distance(a) - distance(b))
      return { bot, loc: best ?? loc, ptype, world: world.world + 1 }
    })
}

/** The person's own plan first, then those of the others as they came. */
export function ballotFirst({ skeleton: { name, cops } }: Session): readonly string[] {
  return [name, ...cops.filter((cop) => cop !== name)]
}

/** Where the elected plan sends the person; null: nowhere that can be reached. */
export function orderedTo(session: Session): string | null {
  const { winner, plans, skeleton, own } = session
  const plan = plans.find(({ bot }) => bot === winner)?.plan ?? []
  const loc = plan.find(({ bot }) => bot === skeleton.name)?.loc
  return loc !== undefined && movesOf(session, own).includes(loc) ? loc : null
}
