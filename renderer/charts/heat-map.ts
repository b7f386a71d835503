import type { EntrantId } from '../../main/contract/ids.ts'
import type { HeadToHead, StandingRow } from '../../main/contract/procedures/procedures.ts'

/** The results of one entrant against another. */
export interface Duel {
  /** Matches with both. */
  readonly met: number
  /** The number of these in which the first finished ahead of the second; ties count half. */
  readonly better: number
  /** better / met; null if they have not met. */
  readonly share: number | null
  /** From -1, the worst, to 1, the best. */
  readonly lean: number
}

export interface HeatMap {
  /** Best first, as in the standings. */
  readonly names: readonly EntrantId[]
  /** Row against column; null on the diagonal. */
  readonly cells: readonly (readonly (Duel | null)[])[]
  /** True if `better` is the row's total score and `share` its mean. */
  readonly scores: boolean
}

/** Wins by pair of entrants, in the order of the standings. */
export function heatMapOf({ names, better, met, scores }: HeadToHead, standings: readonly StandingRow[]): HeatMap {
  const place = new Map(standings.map(({ agent }, at) => [agent, at]))
  const order = names.map((_, at) => at).sort((a, b) => placeOf(names[a]!, place) - placeOf(names[b]!, place))
  const scale = scores === true ? scaleOf({ better, met }) : ([0, 1] as const)
  return {
    scores: scores === true,
    names: order.map((at) => names[at]!),
    cells: order.map((row) =>
      order.map((column) => (row === column ? null : duel(better[row]?.[column] ?? 0, met[row]?.[column] ?? 0, scale))),
    ),
  }
}

function placeOf(name: EntrantId, place: ReadonlyMap<EntrantId, number>): number {
  return place.get(name) ?? place.size
}

/** The lowest and the highest mean score of any pair. */
function scaleOf({ better, met }: Pick<HeadToHead, 'better' | 'met'>): readonly [least: number, most: number] {
  let [least, most] = [Infinity, -Infinity]
  for (const [i, row] of better.entries()) {
    for (const [j, score] of row.entries()) {
      const of = met[i]?.[j] ?? 0
      if (i === j || of === 0) continue
      least = Math.min(least, score / of)
      most = Math.max(most, score / of)
    }
  }
  return [least, most]
}

function duel(better: number, met: number, [least, most]: readonly [number, number]): Duel {
  const share = met === 0 ? null : better / met
  // If all are equal, all cells are neutral.
  const lean = share === null || least === most ? 0 : ((share - least) / (most - least)) * 2 - 1
  return { met, better, share, lean }
}

/** A range of entrants: start and maximum length. */
export interface IndexRange {
  readonly from: number
  readonly most: number
}

/** A part of a heat map. */
export function partOf({ names, cells }: HeatMap, rows: IndexRange, columns: IndexRange) {
  const cut = <T>(list: readonly T[], { from, most }: IndexRange): readonly T[] => list.slice(from, from + most)
  return {
    rows: cut(names, rows),
    columns: cut(names, columns),
    cells: cut(cells, rows).map((row) => cut(row, columns)),
  }
}

/** Splits `size` entrants into ranges of `most`; the last has the rest. */
export function stretchesOf(size: number, most: number): readonly IndexRange[] {
  return Array.from({ length: Math.max(1, Math.ceil(size / most)) }, (_, at) => ({ from: at * most, most }))
}
