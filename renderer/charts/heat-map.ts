import type { EntrantId } from '../../main/contract/ids.ts'
import type { HeadToHead, StandingRow } from '../../main/contract/procedures.ts'

/** How one entrant did against another. */
export interface Duel {
  /** Matches that both played. */
  readonly met: number
  /** Of these, matches in which the first ended before the second; half for level. */
  readonly better: number
  /** better / met; null where they have not met. */
  readonly share: number | null
  /** From -1, the worst, to 1, the best. */
  readonly lean: number
}

export interface HeatMap {
  /** Best first, as in the standings. */
  readonly names: readonly EntrantId[]
  /** Row against column; null on the diagonal. */
  readonly cells: readonly (readonly (Duel | null)[])[]
  /** Whether `better` is what the row scored, and `share` its mean. */
  readonly scores: boolean
}

/** Who beat whom, in the order of the standings: the pattern is then a slope from the best to the worst. */
export function heatMapOf({ names, better, met, scores }: HeadToHead, standings: readonly StandingRow[]): HeatMap {
  const place = new Map(standings.map(({ agent }, at) => [agent, at]))
  const order = names.map((_, at) => at).sort((a, b) => placeOf(names[a]!, place) - placeOf(names[b]!, place))
  const most =
    scores === true
      ? Math.max(1e-9, ...better.flatMap((row, i) => row.map((score, j) => score / (met[i]?.[j] || 1))))
      : 1
  return {
    scores: scores === true,
    names: order.map((at) => names[at]!),
    cells: order.map((row) =>
      order.map((column) => (row === column ? null : duel(better[row]?.[column] ?? 0, met[row]?.[column] ?? 0, most))),
    ),
  }
}

function placeOf(name: EntrantId, place: ReadonlyMap<EntrantId, number>): number {
  return place.get(name) ?? place.size
}

function duel(better: number, met: number, most: number): Duel {
  const share = met === 0 ? null : better / met
  return { met, better, share, lean: share === null ? 0 : (share / most) * 2 - 1 }
}

/** Entrants in a row: from the first, so many of them at the most. */
export interface Stretch {
  readonly from: number
  readonly most: number
}

/** A part of a heat map. */
export function partOf({ names, cells }: HeatMap, rows: Stretch, columns: Stretch) {
  const cut = <T>(list: readonly T[], { from, most }: Stretch): readonly T[] => list.slice(from, from + most)
  return {
    rows: cut(names, rows),
    columns: cut(names, columns),
    cells: cut(cells, rows).map((row) => cut(row, columns)),
  }
}

/** The stretches that `size` entrants fall into, `most` in each; the last one holds the rest. */
export function stretchesOf(size: number, most: number): readonly Stretch[] {
  return Array.from({ length: Math.max(1, Math.ceil(size / most)) }, (_, at) => ({ from: at * most, most }))
}
