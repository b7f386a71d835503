import type { OutlinePage } from '../../../main/contract/procedures/procedures.ts'
import type { MatchSource } from '../../../main/contract/histories/match-source.ts'
import { call, CallFailure } from '../../connection/client.ts'
import { gameWindow } from '../../games.ts'
import type { OpenMatch, PlacedMark, PlacedSwing } from '../../games/game.ts'
import { createOutline, type GrowingOutline } from '../../games/match-outline.ts'
import { createRows, type Rows } from '../../games/event-rows.ts'
import { largestSwings } from '../../games/swings.ts'
import { viewerOf } from './viewers.ts'
import { createStretches } from './stretches.ts'

/** ms between two redrawings of the whole match while it is being read. */
const REDRAW = 250
/** ms until the next try after a lost connection. */
const AGAIN = 500

/** An outline being read. It holds only numbers; events are fetched on demand. */
interface Reading {
  readonly outline: GrowingOutline
  readonly rows: Rows
  readonly marks: PlacedMark[]
  /** The first event of each round. */
  readonly rounds: number[]
  /** Positions of saved states, in ascending order. */
  readonly states: number[]
  readonly progress: Progress
  /** When the whole match was last redrawn, in ms of `performance.now`. */
  drawn: number
}

/** The part of a reading that screens follow. */
interface Progress {
  /** Events read so far. */
  folded: number
  /** As `folded`, but grows only as often as the whole match is redrawn. */
  reached: number
  /** Grows by 1 with each redrawing. */
  epoch: number
  swings: readonly PlacedSwing[]
  /** The reason why the rest cannot be read, or null. */
  broken: string | null
  /** True once everything has been read. */
  whole: boolean
}

/**
 * Opens a match as seen by the viewer that `as` names in an address (by everybody if it names none). Resolves with the beginning;
 * the rest is read for as long as `wanted` returns true. Rejects if the program cannot read the match, no window exists for its
 * game, or the rules cannot start it.
 */
export async function openMatch(
  source: MatchSource,
  as: string | undefined,
  wanted: () => boolean,
): Promise<OpenMatch> {
  const detail = await call('matches.get', { source })
  const { facts } = detail
  const game = gameWindow(facts.game)
  if (game === null) throw new Error(`There is no viewer for the game ${facts.game} yet.`)
  const openStory = await game.story()
  const viewer = viewerOf(as, facts.seats.length) ?? 'public'
  const story = openStory(detail, viewer)
  const outline = createOutline(detail.events, facts.seats.length, viewer)
  const progress: Progress = $state({ folded: 0, reached: 0, epoch: 0, swings: [], broken: null, whole: false })
  const reading: Reading = {
    outline,
    rows: createRows(),
    marks: [],
    rounds: [],
    states: [],
    progress,
    drawn: -Infinity,
  }
  const { states, rows, marks, rounds } = reading
  const { digest, digestOf, viewAt, otherwise } = createStretches({
    states,
    known: () => outline.length,
    state: (position) => call('matches.state', { source, position }),
    events: (offset, limit) => call('matches.events', { source, offset, limit }),
    fold: (from, saved, events) => story.stretch(from, saved, events),
  })

  const knowsSwings = (seat: number): boolean => story.knowsSwings?.(seat) ?? true
  readAll(source, wanted, outline, (page) => addPage(reading, page, knowsSwings)).catch((reason: unknown) => {
    progress.broken = `The events could not be read: ${reason instanceof Error ? reason.message : String(reason)}`
  })

  return {
    detail,
    viewer,
    names: facts.seats.map(({ name }) => name),
    story,
    outline,
    rows,
    marks,
    rounds,
    digest,
    digestOf,
    viewAt,
    otherwise,
    get positions() {
      return progress.whole ? progress.folded : Math.max(progress.folded, detail.events)
    },
    get swings() {
      return progress.swings
    },
    get folded() {
      return progress.folded
    },
    get reached() {
      return progress.reached
    },
    get epoch() {
      return progress.epoch
    },
    get broken() {
      return progress.broken
    },
  }
}

/** Reads pages of an outline until the last one, or until it is not wanted any more. */
async function readAll(
  source: MatchSource,
  wanted: () => boolean,
  outline: Pick<GrowingOutline, 'length'>,
  take: (page: OutlinePage) => void,
): Promise<void> {
  for (let last = false; !last && wanted();) {
    try {
      const page = await call('matches.outline', { source, from: outline.length })
      take(page)
      last = page.last
    } catch (reason) {
      if (!(reason instanceof CallFailure) || reason.code !== 'disconnected') throw reason
      await new Promise((resolve) => setTimeout(resolve, AGAIN))
    }
  }
}

/** Adds the next page. `knowsSwings`: true if the viewer may know the swings of a seat. */
function addPage(reading: Reading, page: OutlinePage, knowsSwings: (seat: number) => boolean): void {
  const { outline, rows, marks, rounds, states, progress } = reading
  outline.add(page)
  rows.grow(outline.length, outline.lines)
  states.push(...page.states)
  for (let event = progress.folded; event < outline.length; event++) {
    if (event === 0 || outline.round(event) !== outline.round(event - 1)) rounds.push(event)
  }
  for (const { event, seat, kind, line = 0 } of page.marks) {
    if (!outline.hidden(event)) marks.push({ position: event + 1, row: rows.first(event) + line, seat, kind })
  }
  const more = page.swings.filter(({ event, seat }) => !outline.hidden(event) && knowsSwings(seat))
  if (more.length > 0) {
    const placed = more.map(({ event, seat, amount, line = 0 }) => {
      return { position: event + 1, row: rows.first(event) + line, seat, amount, line }
    })
    progress.swings = largestSwings([...progress.swings, ...placed])
  }
  progress.folded = outline.length
  progress.broken = page.broken
  progress.whole = page.last && page.broken === null
  const now = performance.now()
  if (now - reading.drawn < REDRAW && !page.last) return
  reading.drawn = now
  progress.reached = progress.folded
  progress.epoch += 1
}
