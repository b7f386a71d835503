import type { CaseView } from '../../../main/contract/cases/case-procedures.ts'
import type { Stage, TimedStage } from '../../../main/contract/cases/cases.ts'
import { partyName, stageNames } from './case-words.ts'

/** A part of a hearing with its clock. */
interface HearingPart {
  readonly name: string
  readonly is: 'over' | 'now' | 'to come'
  /** The time that it took, that is left, or that it will have, in ms. */
  readonly ms: number
}

type Timed = Pick<CaseView, 'settings' | 'stages' | 'stage' | 'instance' | 'deadline' | 'filer' | 'other'>

/** The stages that are heard in class, in their order. */
const heard = ['answer', 'election', 'hearing', 'voting', 'opening', 'ruling'] as const satisfies readonly TimedStage[]

/**
 * The parts of a live hearing at a time of the server, in ms since the epoch. The stage `hearing` is three equal parts: each side
 * speaks, then the panel asks. The record does not know these three: people may write at any time of the stage.
 */
export function hearingParts(of: Timed, now: number): readonly HearingPart[] {
  const { settings } = of
  const present = placeOf(of.stage)
  return heard.flatMap((name, at) => {
    const given = settings.times[name] * 1_000
    if (at > present && name === 'election' && settings.chair === 'drawn') return []
    const span = at > present ? null : spanOf(of, name, given)
    // No chair was elected, since the case ended before or the panel has one member.
    if (span === undefined) return []
    if (name !== 'hearing') return partOf(stageNames[name], span, given, now, [0, 1])
    const names = [`${partyName(of.filer)} speaks`, `${partyName(of.other)} speaks`, 'Questions and replies']
    return names.map((each, third) => partOf(each, span, given, now, [third / 3, (third + 1) / 3]))
  })
}

/** The place of a stage among those that are heard; those after it are to come, also a second time. */
function placeOf(stage: Stage): number {
  if (stage === 'filed') return -1
  if (stage === 'draw') return 0
  const place = heard.findIndex((name) => name === stage)
  return place < 0 ? heard.length : place
}

/** A stage that has begun, in ms since the epoch. */
interface Span {
  readonly from: number
  /** null: it lasts. */
  readonly to: number | null
  /** ms from its beginning to its end as planned, or as it was if that was later. */
  readonly whole: number
}

/** The last time at which a stage of this instance was; undefined: it was left out. `given`: its time by the settings, in ms. */
function spanOf({ stages, instance, deadline }: Timed, name: TimedStage, given: number): Span | undefined {
  const at = stages.findLastIndex((each) => each.stage === name && each.instance === instance)
  if (at < 0) return undefined
  const from = Date.parse(stages[at]!.at)
  const next = stages[at + 1]
  if (next === undefined) return { from, to: null, whole: deadline === null ? given : Date.parse(deadline) - from }
  const to = Date.parse(next.at)
  return { from, to, whole: Math.max(given, to - from) }
}

/** A share of a stage, from one fraction of its time to another. `span` null: it has not begun. */
function partOf(
  name: string,
  span: Span | null,
  given: number,
  now: number,
  [begin, end]: readonly [number, number],
): HearingPart {
  if (span === null) return { name, is: 'to come', ms: given * (end - begin) }
  const [from, to] = [span.from + span.whole * begin, span.from + span.whole * end]
  const until = span.to ?? now
  if (span.to !== null || (now >= to && end < 1))
    return { name, is: 'over', ms: Math.max(0, Math.min(until, to) - from) }
  if (now < from) return { name, is: 'to come', ms: to - from }
  return { name, is: 'now', ms: Math.max(0, to - now) }
}

/** The time that is left in all parts, in ms. */
export function leftOf(parts: readonly HearingPart[]): number {
  return parts.reduce((sum, { is, ms }) => sum + (is === 'over' ? 0 : ms), 0)
}

/** A time on a clock: `2:05`, `1:02:05`. Parts of a second count as a second while the time runs down. */
export function clockText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const two = (number: number): string => String(number).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}
