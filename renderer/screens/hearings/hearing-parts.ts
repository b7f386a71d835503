import type { CaseView } from '../../../main/contract/cases/case-procedures.ts'
import { endOfPart, hearingParts } from '../../../main/contract/cases/hearing-parts.ts'
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

/** The parts of a live hearing at a time of the server, in ms since the epoch. The stage `hearing` has three of them. */
export function partClocks(of: Timed, now: number): readonly HearingPart[] {
  const { settings } = of
  const present = placeOf(of.stage)
  return heard.flatMap((name, at) => {
    const given = settings.times[name] * 1_000
    if (at > present && name === 'election' && settings.chair === 'drawn') return []
    const span = at > present ? null : spanOf(of, name, given)
    // No chair was elected, since the case ended before or the panel has one member.
    if (span === undefined) return []
    if (name !== 'hearing') return partOf(stageNames[name], span, given, now, (whole) => [0, whole])
    return hearingParts.map((part, at) => {
      const title = part === 'panel' ? 'Questions and replies' : `${partyName(of[part])} speaks`
      const before = hearingParts[at - 1]
      return partOf(title, span, given, now, (whole) => [
        before === undefined ? 0 : endOfPart(before, whole),
        endOfPart(part, whole),
      ])
    })
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

/** A share of a stage. `span` null: it has not begun. `share`: its beginning and end in a stage of that time; ms. */
function partOf(
  name: string,
  span: Span | null,
  given: number,
  now: number,
  share: (whole: number) => readonly [begin: number, end: number],
): HearingPart {
  const [begin, end] = share(span?.whole ?? given)
  if (span === null) return { name, is: 'to come', ms: end - begin }
  const [from, to] = [span.from + begin, span.from + end]
  const until = span.to ?? now
  if (span.to !== null || (now >= to && end < span.whole))
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
