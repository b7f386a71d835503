import { setTimeout as sleep } from 'node:timers/promises'
import type { Replayer, ErasedGame } from '../contract/game/game.ts'
import type { Audience } from '../contract/game/table.ts'
import type { OutlineSwing, OutlineWithSwings } from '../contract/game/outline.ts'
import type { Json } from '../contract/json.ts'
import { eachEvents, type EventKind, type EventLine } from '../histories/segments/match-place.ts'
import type { ReadMatch, ReadReport, SwingOfMatch, SwingsReport } from './protocol.ts'
import { sentence } from '../contract/sentence.ts'

/** The maximum number of events in a report, and of ms between two reports. */
const BATCH = 2_000
const BATCH_MS = 100
/** The number of events in the first report, which is sent early. */
const FIRST = 20
/** ms between two attempts to read on in a file that is still being written. */
const LOOK_MS = 10
/** A state is saved after this many events or bytes of history, whichever comes first. */
const STATE_EVENTS = 256
const STATE_BYTES = 256 * 1024
/** The number of swings that are kept, at every moment the largest. */
const SWINGS = 32

/**
 * Replays a match's inputs through the rules of its game, reports an outline of each event, and saves states on the
 * way, so that a viewer can start anywhere. Verifies nothing. Never rejects. If the file is still being written, waits
 * for the rest without a limit.
 */
export async function readMatch(
  game: ErasedGame | undefined,
  match: ReadMatch,
  report: (report: ReadReport) => Promise<void>,
): Promise<void> {
  const end = (broken: string | null): Promise<void> => report({ type: 'end', broken })
  const rules = rulesFor(game, match)
  if (typeof rules === 'string') return end(rules)
  try {
    await end(await fold(rules, match, report))
  } catch (error) {
    await end(sentence(`The match cannot be read: ${messageOf(error)}`))
  }
}

/** The rules with which a match was played, or why it cannot be replayed. */
function rulesFor(game: ErasedGame | undefined, { game: id, version }: ReadMatch): ErasedGame | string {
  if (game === undefined) return `The rules of ${id} are not available.`
  return game.version === version
    ? game
    : `The match needs version ${version} of the rules of ${id}, but this is version ${game.version}.`
}

/** Replays a match for its swings, those until it cannot be replayed any further. Never rejects. */
export async function reportSwings(
  game: ErasedGame | undefined,
  match: ReadMatch,
  report: (report: SwingsReport) => void,
): Promise<void> {
  const swings: SwingOfMatch[] = []
  const rules = rulesFor(game, match)
  let from = 0
  try {
    if (typeof rules !== 'string')
      await fold(rules, match, async (part) => {
        report({ type: 'replaying' })
        if (part.type !== 'events') return
        for (const swing of part.swings) swings.push({ ...swing, round: part.round[swing.event - from] ?? 1 })
        from += part.at.length
      })
    report({ type: 'swings', swings })
  } catch (error) {
    report({ type: 'unread', reason: messageOf(error) })
  }
}

/** Replays the match; returns why it could not be replayed to its end, or null. */
async function fold(
  game: ErasedGame,
  { place, grows, config, seats, seed }: ReadMatch,
  report: (report: ReadReport) => Promise<void>,
): Promise<string | null> {
  const plain = seats.map(({ id, entrant, role, bodies }) => ({ id, entrant, role, bodies }))
  const replayer = game.fold(config, plain, seed)
  const levelsNow = (): readonly number[] => {
    const levels = replayer.levels()
    return plain.map((_, seat) => levels[seat] ?? 0)
  }
  let levels = levelsNow()
  let round = 1
  let gathered: OutlinedEvent[] = []
  let count = 0
  let reported = performance.now()
  let saved = { count: 0, bytes: 0, size: 0 }
  let broken: string | null = null
  let largest: readonly PlacedSwing[] = []
  const flush = async (): Promise<void> => {
    const first = count - gathered.length
    const swings = gathered.flatMap(({ outline }, event) =>
      outline.swings.map((swing) => ({ ...swing, event: first + event })),
    )
    largest = largestOf([...largest, ...swings])
    const kept = new Set(largest)
    await report({
      ...columnsOf(gathered, first, plain.length),
      swings: swings.filter((swing) => kept.has(swing)),
    })
    gathered = []
    reported = performance.now()
  }
  const take = async (events: readonly EventLine[]): Promise<boolean> => {
    for (const { line, kind, passed } of events) {
      const event = outlineOf(replayer, line, kind, round)
      if (typeof event === 'string') {
        broken = `Event ${count + 1} ${event}`
        return false
      }
      round = event.outline.round
      if (kind === 'input') levels = levelsNow()
      gathered.push({ ...event, levels })
      count++
      // The first screen needs some events soon; the others are reported in batches.
      if (count === FIRST || gathered.length === BATCH || performance.now() - reported > BATCH_MS) await flush()
      // The saved states must not become larger than the history.
      const far = count - saved.count >= STATE_EVENTS || passed - saved.bytes >= STATE_BYTES
      if (far && passed - saved.bytes >= saved.size) {
        const text = JSON.stringify(replayer.save())
        saved = { count, bytes: passed, size: text.length }
        await report({ type: 'state', position: count, text })
      }
    }
    return true
  }
  const more = async (): Promise<boolean> => {
    if (gathered.length > 0) await flush()
    return sleep(LOOK_MS, true)
  }
  await report({ type: 'begin', levels })
  await eachEvents(place, take, grows ? more : undefined)
  await flush()
  return broken
}

/** `event`: its index in the match. */
type PlacedSwing = OutlineSwing & { readonly event: number }

/** As many as are kept, in order of size; of equal ones the earlier. */
function largestOf(swings: readonly PlacedSwing[]): readonly PlacedSwing[] {
  return swings.toSorted((a, b) => Math.abs(b.amount) - Math.abs(a.amount) || a.event - b.event).slice(0, SWINGS)
}

interface OutlinedEvent {
  readonly at: number
  readonly outline: OutlineWithSwings
  readonly audience: Audience
  /** The level of each seat after the event. */
  readonly levels: readonly number[]
}

/** The outline of an event; a string: why the replay fails there, to be appended to the event's number. */
function outlineOf(
  replayer: Replayer,
  line: Buffer,
  kind: EventKind,
  round: number,
): Omit<OutlinedEvent, 'levels'> | string {
  try {
    const { b: body } = JSON.parse(line.toString('utf8')) as {
      readonly b: {
        readonly at: number
        readonly audience?: Audience
        readonly input?: Json
        readonly post?: { readonly seat: number }
      }
    }
    const { at, audience = 'public', input, post } = body
    if (typeof at !== 'number') return 'has no time.'
    if (kind !== 'input') {
      const seat = post?.seat ?? null
      const marks = kind === 'fault' && seat !== null ? [{ seat, kind }] : []
      // Like `audienceOf` in the contract.
      const own = seat === null ? ('public' as const) : [seat]
      return { at, audience: own, outline: { round, seat, lines: 1, marks, swings: [] } }
    }
    const outline = replayer.outline(input ?? null)
    return typeof outline === 'string' ? `does not follow the rules: ${outline}` : { at, audience, outline }
  } catch (error) {
    return sentence(`cannot be read: ${messageOf(error)}`)
  }
}

/** The report of some events; `first`: the index of the first one in the match. */
function columnsOf(
  events: readonly OutlinedEvent[],
  first: number,
  seats: number,
): Omit<Extract<ReadReport, { type: 'events' }>, 'swings'> {
  const levels = new Float64Array(events.length * seats)
  for (const [at, event] of events.entries()) levels.set(event.levels, at * seats)
  return {
    type: 'events',
    at: Float64Array.from(events, ({ at }) => at),
    round: Int32Array.from(events, ({ outline }) => outline.round),
    seat: Int32Array.from(events, ({ outline }) => outline.seat ?? -1),
    lines: Int32Array.from(events, ({ outline }) => outline.lines),
    levels,
    marks: events.flatMap(({ outline }, event) => outline.marks.map((mark) => ({ ...mark, event: first + event }))),
    restricted: events.flatMap(({ audience }, event) =>
      audience === 'public' ? [] : [{ event: first + event, audience }],
    ),
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
