import { setTimeout as sleep } from 'node:timers/promises'
import type { Audience, Replayer, ErasedGame, Outline } from '../contract/game.ts'
import type { Json } from '../contract/json.ts'
import { eachEvents, type EventKind, type EventLine } from '../histories/match-place.ts'
import type { ReadMatch, ReadReport } from './protocol.ts'

/** Events that are told of at once, or those of so many ms. */
const BATCH = 2_000
const BATCH_MS = 100
/** ... but the first ones sooner. */
const FIRST = 20
/** ms after which a file that is still being written is looked at again. */
const LOOK_MS = 10
/** A state is saved after so many events or bytes of history, whichever comes first... */
const STATE_EVENTS = 256
const STATE_BYTES = 256 * 1024

/**
 * Folds a match's inputs through the rules of its game, tells what each event is to a picture of the whole match, and saves
 * states on the way, so that a viewer can begin anywhere. Nothing is checked that a verification checks. Never rejects. For the
 * rest of a file that grows it waits for as long as it takes.
 */
export async function readMatch(
  game: ErasedGame | undefined,
  match: ReadMatch,
  report: (report: ReadReport) => Promise<void>,
): Promise<void> {
  const end = (broken: string | null): Promise<void> => report({ type: 'end', broken })
  const { game: id, version } = match
  if (game === undefined) return end(`The rules of ${id} are not at hand.`)
  if (game.version !== version) {
    return end(`The match follows version ${version} of the rules of ${id}; at hand is ${game.version}.`)
  }
  try {
    await end(await fold(game, match, report))
  } catch (error) {
    await end(`The match cannot be read: ${wordsOf(error)}.`)
  }
}

/** Why the match cannot be folded to its end; null: it was. */
async function fold(
  game: ErasedGame,
  { place, grows, config, seats, seed }: ReadMatch,
  report: (report: ReadReport) => Promise<void>,
): Promise<string | null> {
  const plain = seats.map(({ id, entrant, role, bodies }) => ({ id, entrant, role, bodies }))
  const folding = game.fold(config, plain, seed)
  const levelsNow = (): readonly number[] => {
    const levels = folding.levels()
    return plain.map((_, seat) => levels[seat] ?? 0)
  }
  let levels = levelsNow()
  let round = 1
  let gathered: Told[] = []
  let count = 0
  let reported = performance.now()
  let saved = { count: 0, bytes: 0, size: 0 }
  let broken: string | null = null
  const tell = async (): Promise<void> => {
    await report(columnsOf(gathered, count - gathered.length, plain.length))
    gathered = []
    reported = performance.now()
  }
  const take = async (events: readonly EventLine[]): Promise<boolean> => {
    for (const { line, kind, passed } of events) {
      const told = outlineOf(folding, line, kind, round)
      if (typeof told === 'string') {
        broken = `Event ${count + 1} ${told}`
        return false
      }
      round = told.outline.round
      if (kind === 'input') levels = levelsNow()
      gathered.push({ ...told, levels })
      count++
      // The first screen waits for some events; whatever else there is can be told of together.
      if (count === FIRST || gathered.length === BATCH || performance.now() - reported > BATCH_MS) await tell()
      // ... but never more of states than there is of history.
      const far = count - saved.count >= STATE_EVENTS || passed - saved.bytes >= STATE_BYTES
      if (far && passed - saved.bytes >= saved.size) {
        const text = JSON.stringify(folding.save())
        saved = { count, bytes: passed, size: text.length }
        await report({ type: 'state', position: count, text })
      }
    }
    return true
  }
  const more = async (): Promise<boolean> => {
    if (gathered.length > 0) await tell()
    return sleep(LOOK_MS, true)
  }
  await report({ type: 'begin', levels })
  await eachEvents(place, take, grows ? more : undefined)
  await tell()
  return broken
}

interface Told {
  readonly at: number
  readonly outline: Outline
  readonly audience: Audience
  /** What each seat has after it. */
  readonly levels: readonly number[]
}

/** What an event was; text: why the match ends there, to be put behind the event's number. */
function outlineOf(folding: Replayer, line: Buffer, kind: EventKind, round: number): Omit<Told, 'levels'> | string {
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
      // As `audienceOf` in the contract has it.
      const own = seat === null ? ('public' as const) : [seat]
      return { at, audience: own, outline: { round, seat, lines: 1, marks } }
    }
    const outline = folding.tell(input ?? null)
    return typeof outline === 'string' ? `does not follow the rules: ${outline}` : { at, audience, outline }
  } catch (error) {
    return `cannot be read: ${wordsOf(error)}.`
  }
}

/** `first`: the first one's place in the match. */
function columnsOf(events: readonly Told[], first: number, seats: number): ReadReport {
  const levels = new Float64Array(events.length * seats)
  for (const [event, told] of events.entries()) levels.set(told.levels, event * seats)
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

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
