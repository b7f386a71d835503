import type { OutlinePage } from '../../../main/contract/procedures/procedures.ts'
import type { MatchSource } from '../../../main/contract/histories/match-source.ts'
import { call, CallFailure } from '../../connection/client.ts'
import { gameWindow } from '../../games.ts'
import type { OpenMatch, PlacedMark, PlacedSwing } from '../../games/game.ts'
import { createOutline } from '../../games/match-outline.ts'
import { createRows } from '../../games/event-rows.ts'
import { largestSwings } from '../../games/swings.ts'
import { viewerOf } from './viewers.ts'
import { createStretches } from './stretches.ts'

/** ms between two redrawings of what shows the whole match while it is being read. */
const REDRAW = 250
/** ms after which a lost connection is asked again. */
const AGAIN = 500

/**
 * Opens a match, to be watched as whom an address names by `as`; where it has none such, as everybody. Its beginning at once, the rest as the program reads it, for as long as `wanted` says so. Only its numbers are
 * kept here; events are fetched where they are looked at. Rejects where the program cannot read it, its game has no window, or
 * its rules cannot start it.
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
  const tell = await game.story()
  const viewer = viewerOf(as, facts.seats.length) ?? 'public'
  const story = tell(detail, viewer)
  const outline = createOutline(detail.events, facts.seats.length, viewer)
  const rows = createRows()
  const marks: PlacedMark[] = []
  const rounds: number[] = []
  const states: number[] = []
  const { digest, digestOf, viewAt } = createStretches({
    states,
    known: () => outline.length,
    state: (position) => call('matches.state', { source, position }),
    events: (offset, limit) => call('matches.events', { source, offset, limit }),
    fold: (from, saved, events) => story.stretch(from, saved, events),
  })

  let swings = $state.raw<readonly PlacedSwing[]>([])
  let folded = $state(0)
  let reached = $state(0)
  let epoch = $state(0)
  let broken = $state<string | null>(null)
  let whole = $state(false)
  let drawn = -Infinity

  function takeOver(page: OutlinePage): void {
    outline.add(page)
    rows.grow(outline.length, outline.lines)
    states.push(...page.states)
    for (let event = folded; event < outline.length; event++) {
      if (event === 0 || outline.round(event) !== outline.round(event - 1)) rounds.push(event)
    }
    for (const { event, seat, kind, line = 0 } of page.marks) {
      if (!outline.hidden(event)) marks.push({ position: event + 1, row: rows.first(event) + line, seat, kind })
    }
    const more = page.swings.filter(({ event, seat }) => !outline.hidden(event) && (story.knowsSwings?.(seat) ?? true))
    if (more.length > 0) {
      const placed = more.map(({ event, seat, amount, line = 0 }) => {
        return { position: event + 1, row: rows.first(event) + line, seat, amount, line }
      })
      swings = largestSwings([...swings, ...placed])
    }
    folded = outline.length
    broken = page.broken
    whole = page.last && page.broken === null
    const now = performance.now()
    if (now - drawn < REDRAW && !page.last) return
    drawn = now
    reached = folded
    epoch += 1
  }

  async function readAll(): Promise<void> {
    for (let last = false; !last && wanted();) {
      try {
        const page = await call('matches.outline', { source, from: outline.length })
        takeOver(page)
        last = page.last
      } catch (reason) {
        if (!(reason instanceof CallFailure) || reason.code !== 'disconnected') throw reason
        await new Promise((resolve) => setTimeout(resolve, AGAIN))
      }
    }
  }
  readAll().catch((reason: unknown) => {
    broken = `The events could not be read: ${reason instanceof Error ? reason.message : String(reason)}`
  })

  return {
    detail,
    viewer,
    names: facts.seats.map(({ name }) => name),
    story,
    digest,
    digestOf,
    outline,
    rows,
    get positions() {
      return whole ? folded : Math.max(folded, detail.events)
    },
    marks,
    get swings() {
      return swings
    },
    rounds,
    get folded() {
      return folded
    },
    get reached() {
      return reached
    },
    get epoch() {
      return epoch
    },
    get broken() {
      return broken
    },
    viewAt,
  }
}
