import type { Play } from '../../../../main/contract/procedures/human-match.ts'
import { robotsOf } from '../../../../main/referees/cops/player-view.ts'
import { visible } from '../../../parts/lists/visible.ts'
import { number, ordinal } from '../../../words.ts'
import type { Session } from './session.ts'

const CHOOSE = 'Choose where you go: click a corner, and click it again to go.'

/** The task of the open question; '' if nothing is asked. */
export function taskOf(session: Session): string {
  const { asks, offers, twist, world } = session
  const isEven = world.world % 2 === 0
  switch (asks) {
    case 'inform':
      return isEven ? 'Say what the others should know, then hear them.' : 'Say what you know, then hear the others.'
    case 'plan':
      return isEven ? 'Plan a move for every bribed cop.' : 'Plan a move for every cop.'
    case 'vote':
      return 'Rank the plans, the best first.'
    case 'bribe':
      return twist?.whyNotAsk === null ? 'Choose where you go, or ask first who can be bribed.' : CHOOSE
    case 'robber-orders':
      if (twist?.mustPush === true) return 'Push a cop, and choose where you go.'
      return offers === null || offers.length === 0 ? CHOOSE : 'Choose whom you bribe, and where you go.'
    case 'move':
    case 'orders':
      return robotsOf(session).length > 1 ? 'Choose where your robots go.' : CHOOSE
    default:
      return ''
  }
}

/** Events of the second phase so far, as known to the person, in sentences. */
export function twistNewsOf(session: Session): readonly string[] {
  const { twist, role, world, skeleton } = session
  if (twist === null) return []
  const robots = robotsOf(session)
  const others = twist.dirty.filter((bot) => bot !== skeleton.name)
  const accusations = (world.twist?.accusations ?? []).map(({ accuser, accused, world: when }) => {
    const how = session.state.falseAccusations.length > 0 ? 'wrongly' : 'rightly'
    return `${accuser} accused ${accused} ${how} in world ${number(when)}.`
  })
  const taken = (world.twist?.control ?? []).flatMap(({ brain, bot }) =>
    brain === bot || brain === skeleton.name ? [] : [`${brain} moves ${bot} after a true accusation.`],
  )
  return [
    ...(twist.isDirty ? ['The robber has bribed you: you get an eighth of its loot if it escapes.'] : []),
    ...(others.length > 0 ? [`Bribed: ${others.join(', ')}.`] : role === 'robber' ? ['Nobody is bribed.'] : []),
    ...(robots.length > 1 ? [`You move ${robots.join(', ')}.`] : []),
    ...accusations,
    ...taken,
  ]
}

const bonuses = {
  base: ['of the robber’s loot', 'of what the banks hold'],
  evidence: ['for evidence'],
  plans: ['for elected plans'],
  capture: ['for the capture'],
  bribe: ['for the last bribe'],
  market: ['for waiting on the market'],
  penalty: ['for a false accusation'],
} as const

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** How the match ended for the person: place, points and what they are for. '': it has no outcome. */
export function endingOf({ result, seat, names }: Pick<Play, 'result' | 'seat' | 'names'>): string {
  const outcome = result !== null && 'outcome' in result ? result.outcome : null
  const own = outcome?.places[seat]
  if (outcome === null || own === undefined) return ''
  const points = (tenths: number): string => (tenths / 10).toLocaleString('en')
  const place = `You finish ${ordinal(own.rank)} of ${number(names.length)} with ${points(own.score)} points.`
  if (own.removed) return `You were disqualified: ${visible(own.reason ?? '')} ${place}`
  const { earned, end } = outcome
  const parts: unknown = Array.isArray(earned) ? earned[seat] : undefined
  const listed = Object.entries(bonuses).flatMap(([key, words]) => {
    const amount = isRecord(parts) ? parts[key] : undefined
    if (typeof amount !== 'number' || amount === 0) return []
    return [`${points(amount)} ${end === 'caught' ? words.at(-1) : words[0]}`]
  })
  const why = listed.length === 0 ? '' : ` ${listed.join(', ')}.`
  const ends = {
    caught: ' The robber was caught.',
    escaped: ' The robber has escaped.',
    disqualified: ' Somebody was disqualified, so nobody scores.',
  } as const
  const how = end === 'caught' || end === 'escaped' || end === 'disqualified' ? ends[end] : ''
  return `${place}${why}${how}`
}
