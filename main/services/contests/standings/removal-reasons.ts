import type { EntrantId } from '../../../contract/ids.ts'
import type { Outcome } from '../../../contract/game/outcome.ts'
import { addText, patternOf } from '../../../contract/text-patterns.ts'

/** Why an entrant was removed, and from how many matches. Numbers in which the reasons differ are left out. */
export interface RemovalRow {
  readonly agent: EntrantId
  readonly matches: number
  readonly reason: string
}

/** The reasons of the removals of a contest, by entrant. */
export interface RemovalReasons {
  add(entrants: readonly EntrantId[], outcome: Outcome): void
  /** In the order of the entrants, the most frequent reason of each first. */
  rows(): readonly RemovalRow[]
}

/** Distinct reasons of an entrant that are kept; others are counted together. */
const REASONS_MAX = 20
const OTHERS = 'Other reasons.'
const UNKNOWN = 'No reason was recorded.'

export function createRemovalReasons(names: readonly EntrantId[]): RemovalReasons {
  const reasons = new Map(names.map((name) => [name, new Map<string, { text: string; times: number }>()]))
  return {
    add(entrants, { places }) {
      for (const { seat, removed, reason = UNKNOWN } of places) {
        const groups = removed ? reasons.get(entrants[seat] ?? '') : undefined
        if (groups === undefined) continue
        addText(groups, groups.size < REASONS_MAX || groups.has(patternOf(reason)) ? reason : OTHERS, 1)
      }
    },
    rows: () =>
      [...reasons].flatMap(([agent, groups]) =>
        [...groups.values()]
          .sort((a, b) => b.times - a.times)
          .map(({ text, times }): RemovalRow => ({ agent, matches: times, reason: text })),
      ),
  }
}
