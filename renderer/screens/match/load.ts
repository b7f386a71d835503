import type { Fold } from './fold.ts'
import type { Pages } from './pages.ts'

/** The world around a fold: a clock, a breath for the screen, and whether anybody still wants it. */
export interface Surroundings {
  readonly now: () => number
  /** Resolves when the screen has had its turn. */
  readonly breathe: () => Promise<void>
  readonly wanted: () => boolean
  readonly progress: () => void
}

/** ms of folding between two breaths: a frame at 60 a second has 16. */
const SLICE = 8
/** Events that are read at first, so that something is there soon however large they are, and then at a time. */
const FIRST = 50
const AHEAD = 500

/** Folds a whole match without ever holding the screen. Rejects where its events cannot be read. */
export async function foldAll(fold: Fold<unknown, unknown>, pages: Pages, total: number, around: Surroundings) {
  const goes = (): boolean => fold.broken === null && around.wanted()
  while (fold.digests.length < total && goes()) {
    const from = fold.digests.length
    let events = await pages.read(from, Math.min(total, from + (from === 0 ? FIRST : AHEAD)))
    if (events.length === 0) return
    while (events.length > 0 && goes()) {
      const until = around.now() + SLICE
      events = events.slice(fold.push(events, () => around.now() >= until))
      around.progress()
      if (events.length > 0) await around.breathe()
    }
  }
}
