import * as z from 'zod'
import { complaintSentence, parsePlainly } from '../../../contract/complaints.ts'
import type { SeatId } from '../../../contract/ids.ts'
import { move, type Move } from '../../../referees/punter/messages.ts'
import { sentence } from '../../../contract/sentence.ts'

/** A turn of a logged game. */
export type LoggedTurn =
  | { readonly type: 'move'; readonly move: Move }
  | { readonly type: 'timeout' }
  /** The turn of a zombie, which was not asked. */
  | { readonly type: 'gone' }

/** A game in a log of the official server. Lists are by seat. */
export interface GameLog {
  readonly settings: { readonly futures: boolean; readonly splurges: boolean; readonly options: boolean }
  /** The file name of the map. */
  readonly map: string
  readonly punters: number
  /** The punters that were not ready. */
  readonly failed: ReadonlySet<SeatId>
  readonly futures: readonly (readonly z.infer<typeof future>[])[]
  readonly turns: readonly LoggedTurn[]
  readonly official: OfficialResult
}

/** The result according to the official server. null: not in the log. */
interface OfficialResult {
  readonly scores: readonly (number | null)[]
  readonly futures: readonly (number | null)[]
  readonly credits: readonly (number | null)[]
  readonly options: readonly (number | null)[]
}

const punter = z.int().min(0)
const named = z.object({ punter })
const future = z.object({ source: z.int(), target: z.int() })
const flag = z.boolean().default(false)

const event = z.union([
  z.object({ gameplay: z.enum(['start', 'stop']) }),
  z.object({ settings: z.object({ futures: flag, splurges: flag, options: flag }) }),
  z.object({ map: z.string() }),
  z.object({ punter, team: z.string() }),
  z.object({ punter, futures: z.array(future) }),
  z.object({ timeout: named }),
  z.object({ zombie: named }),
  z.object({ scores: z.array(z.object({ punter, score: z.number() })) }),
  z.object({
    futures: z.array(z.object({ punter, scores: z.array(z.object({ mine: z.int(), score: z.number() })) })),
  }),
  z.object({ statuses: z.array(z.object({ punter, credit: z.int().optional(), options: z.int().optional() })) }),
  move,
  // Start, stop, and other entries.
  z.looseObject({}).transform(() => ({ other: true })),
])
type Event = z.infer<typeof event>
const gameLog = z.object({ game: z.array(event) })

/** Reads the text of a log; a string says in one sentence why it is not valid. */
export function readGameLog(text: string): GameLog | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return sentence(`It is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  const parsed = parsePlainly(gameLog, value)
  if (!parsed.ok) return `It is not a game log: ${complaintSentence(parsed.complaint)}`
  const events = parsed.value.game
  const map = events.flatMap((each) => ('map' in each ? each.map : []))[0]
  const punters = events.filter((each) => 'team' in each).length
  if (map === undefined || punters === 0) return 'It is not a game log: it names no map, or no punters.'
  const settings = events.flatMap((each) => ('settings' in each ? each.settings : []))[0]
  const seats = Array.from({ length: punters }, (_, seat) => seat)
  const given = new Map(
    events.flatMap((each) => ('punter' in each && 'futures' in each ? [[each.punter, each.futures] as const] : [])),
  )
  return {
    settings: settings ?? { futures: false, splurges: false, options: false },
    map,
    punters,
    failed: failedIn(events),
    futures: seats.map((seat) => given.get(seat) ?? []),
    turns: hasMarks(events) ? turnsInOrder(played(events), punters, failedIn(events)) : turnsByName(events, punters),
    official: officialIn(events, seats),
  }
}

/** The first games of the lightning round were logged in a wrong order and without gameplay marks. */
const hasMarks = (events: readonly Event[]): boolean => events.some((each) => 'gameplay' in each)

const startOf = (events: readonly Event[]): number =>
  events.findIndex((each) => 'gameplay' in each && each.gameplay === 'start')

/** The entries after the stop are notices to zombies. */
function played(events: readonly Event[]): readonly Event[] {
  const stop = events.findIndex((each) => 'gameplay' in each && each.gameplay === 'stop')
  return events.slice(startOf(events) + 1, stop === -1 ? undefined : stop)
}

function failedIn(events: readonly Event[]): ReadonlySet<SeatId> {
  const before = events.slice(0, Math.max(0, startOf(events)))
  return new Set(before.flatMap((each) => ('zombie' in each ? [each.zombie.punter] : [])))
}

const isMove = (each: Event): each is Move => 'claim' in each || 'pass' in each || 'splurge' in each || 'option' in each

/**
 * A move belongs to the seat whose turn it is, whatever punter it names. A zombie uses its turn, unless its pass
 * follows or it has just moved.
 */
function turnsInOrder(events: readonly Event[], punters: number, failed: ReadonlySet<SeatId>): readonly LoggedTurn[] {
  const turns: LoggedTurn[] = []
  const gone = new Set(failed)
  let timedOut = false
  for (const [at, each] of events.entries()) {
    const seat = turns.length % punters
    if ('timeout' in each) timedOut = true
    else if ('zombie' in each) {
      const { punter } = each.zombie
      gone.add(punter)
      const next = events[at + 1]
      const passFollows = next !== undefined && 'pass' in next && next.pass.punter === punter
      const hasMoved = (seat + punters - 1) % punters === punter && turns.length > 0
      if (passFollows || hasMoved) continue
      turns.push({ type: 'gone' })
      timedOut = false
    } else if (isMove(each)) {
      turns.push(
        gone.has(seat)
          ? { type: 'gone' }
          : timedOut && 'pass' in each
            ? { type: 'timeout' }
            : { type: 'move', move: each },
      )
      timedOut = false
    }
  }
  return turns
}

/** Each punter's own moves in order, arranged in turns. A punter without further moves passes. */
function turnsByName(events: readonly Event[], punters: number): readonly LoggedTurn[] {
  const own = Array.from({ length: punters }, (_, seat) =>
    events.filter(isMove).filter((each) => Object.values(each)[0]?.punter === seat),
  )
  const rounds = Math.max(...own.map(({ length }) => length))
  return Array.from({ length: rounds * punters }, (_, turn) => {
    const move = own[turn % punters]![Math.floor(turn / punters)]
    return { type: 'move', move: move ?? { pass: {} } }
  })
}

function officialIn(events: readonly Event[], seats: readonly SeatId[]): OfficialResult {
  const scores = new Map<SeatId, number>()
  const futures = new Map<SeatId, number>()
  const credits = new Map<SeatId, number>()
  const options = new Map<SeatId, number>()
  for (const each of events) {
    if ('scores' in each) for (const { punter, score } of each.scores) scores.set(punter, score)
    if ('futures' in each && !('punter' in each)) {
      for (const { punter, scores: own } of each.futures)
        futures.set(
          punter,
          own.reduce((sum, { score }) => sum + score, 0),
        )
    }
    if (!('statuses' in each)) continue
    for (const { punter, credit, options: left } of each.statuses) {
      if (credit !== undefined) credits.set(punter, credit)
      if (left !== undefined) options.set(punter, left)
    }
  }
  const bySeat = (values: ReadonlyMap<SeatId, number>) => seats.map((seat) => values.get(seat) ?? null)
  return { scores: bySeat(scores), futures: bySeat(futures), credits: bySeat(credits), options: bySeat(options) }
}
