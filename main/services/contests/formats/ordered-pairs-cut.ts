import type { StageResult } from '../../../contract/contests/contest-format.ts'
import type { OrderedPairs } from '../../../contract/contests/format-settings.ts'

/** The most stages in which those who are tied at the cut play on; the order of the list decides what they leave tied. */
const PLAY_ON_STAGES = 4

/** The number of finalists; 0: there is no final. */
export function finalistCount({ finalists }: OrderedPairs, entrants: number): number {
  return Math.min(finalists, entrants)
}

/** The number of stages between the first one and the final; they are empty where nobody is tied at the cut. */
export function playOnStages(settings: OrderedPairs, entrants: number): number {
  const count = finalistCount(settings, entrants)
  return settings.ties === 'play-on' && count > 0 && count < entrants ? PLAY_ON_STAGES : 0
}

/** The scores of an entrant that decide about the final: in the first stage, then in each in which it played on. */
type Compare = (a: number, b: number) => number

function compareBy(stages: readonly StageResult[]): Compare {
  return (a, b) => {
    for (const stage of stages) if (stage[a]!.score !== stage[b]!.score) return stage[b]!.score - stage[a]!.score
    return 0
  }
}

/** All entrants, best first; what is tied keeps the order of the description. */
function ranked(stages: readonly StageResult[]): { readonly order: readonly number[]; readonly compare: Compare } {
  const compare = compareBy(stages)
  return { order: [...stages[0]!.keys()].sort(compare), compare }
}

/** The entrants that are tied across the cut after these stages; empty: the finalists are known. */
export function tiedAtCut(settings: OrderedPairs, stages: readonly StageResult[]): readonly number[] {
  const { order, compare } = ranked(stages)
  const count = finalistCount(settings, order.length)
  const [last, first] = [order[count - 1], order[count]]
  if (last === undefined || first === undefined || compare(last, first) !== 0) return []
  return order.filter((entrant) => compare(entrant, last) === 0)
}

/** The finalists, best first, or null before they are known. `results`: of the finished stages of the contest. */
export function finalistsOf(settings: OrderedPairs, results: readonly StageResult[]): readonly number[] | null {
  const stages = stagesBeforeFinal(settings, results)
  return stages === null ? null : ranked(stages).order.slice(0, finalistCount(settings, stages[0]!.length))
}

function stagesBeforeFinal(settings: OrderedPairs, results: readonly StageResult[]): readonly StageResult[] | null {
  const [first] = results
  if (first === undefined) return null
  const stages = results.slice(0, 1 + playOnStages(settings, first.length))
  return stages.length === 1 + playOnStages(settings, first.length) ? stages : null
}

/** An entrant that the first stage left tied at the cut. */
export interface TiedEntrant {
  readonly entrant: number
  /** In the first stage. */
  readonly score: number
  /** In each stage in which it played on. */
  readonly playedOn: readonly number[]
  readonly isFinalist: boolean
  readonly decidedBy: 'playing on' | 'order of the list'
}

/** Those whom the first stage left tied at the cut, the best first, with the rule that decided; empty before it did. */
export function tiesAtCut(settings: OrderedPairs, results: readonly StageResult[]): readonly TiedEntrant[] {
  const stages = stagesBeforeFinal(settings, results)
  if (stages === null || finalistCount(settings, stages[0]!.length) === 0) return []
  const { order } = ranked(stages)
  const finalists = new Set(order.slice(0, finalistCount(settings, order.length)))
  const tied = new Set(tiedAtCut(settings, stages.slice(0, 1)))
  const undecided = new Set(tiedAtCut(settings, stages))
  return order
    .filter((entrant) => tied.has(entrant))
    .map((entrant) => ({
      entrant,
      score: stages[0]![entrant]!.score,
      playedOn: stages.slice(1).flatMap((stage) => (stage[entrant]!.matches > 0 ? [stage[entrant]!.score] : [])),
      isFinalist: finalists.has(entrant),
      decidedBy: undecided.has(entrant) ? 'order of the list' : 'playing on',
    }))
}
