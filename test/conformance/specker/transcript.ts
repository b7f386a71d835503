import { randomBytes } from 'node:crypto'
import type { Arrival, Post, RawTable } from '../../../main/contract/game/table.ts'
import type { WireEffect } from '../../../main/contract/game/wire.ts'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { Json } from '../../../main/contract/json.ts'
import { hashOf } from '../../../main/histories/canonical.ts'
import { specker } from '../../../main/referees/specker/specker.ts'

/** The events for which the referee waits at a table: an agent writes a line, or time passes. */
export type Moment = { readonly at: number } & (
  { readonly seat: number; readonly from: string } | { readonly time: true }
)
/** A moment, or a line that was written to an agent. */
export type Line = Moment | { readonly seat: number; readonly to: string }

export interface Begun {
  readonly config: Json
  readonly players: number
  readonly moveMs: number
}

export interface Played {
  readonly lines: readonly Line[]
  readonly end: { readonly outcome: Json; readonly state: string; readonly inputs: number }
}

/**
 * Conducts a match as a worker does, from the bytes of agents' lines to the final state, with a clock that is told what time it is.
 * `moment`: what happens next, before `until`; it sees what has been written.
 */
export async function conducted(
  { config, players, moveMs }: Begun,
  moment: (until: number, lines: readonly Line[]) => Moment,
): Promise<Played> {
  const game = eraseGame(specker)
  const seats = game.seats(config, players)
  if (typeof seats === 'string') throw new Error(seats)
  const lines: Line[] = []
  const wires = seats.map(({ id }) => game.dialogue.wire!(config, { seat: id, body: 0 }, seats, { unixNow: () => 0 }))
  const owed = new Map<number, number>()
  const gone = new Set<number>()
  const arrivals: Arrival<Json>[] = []
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]
  let now = 0
  let questions = 0
  let inputs = 0

  const take = (post: Post, effects: readonly WireEffect<Json>[]): void => {
    const { seat } = post
    const answered = (to: number, value: Json): Arrival<Json> => {
      const late = owed.get(seat) !== to
      if (!late) owed.delete(seat)
      return { at: now, post, type: 'answer', to, late, value, tookMs: 1 }
    }
    for (const effect of effects) {
      if (gone.has(seat)) return
      if (effect.type === 'write') lines.push({ seat, to: decoder.decode(effect.bytes) })
      else if (effect.type === 'answer') {
        const to = effect.to ?? owed.get(seat)
        arrivals.push(
          to === undefined ? { at: now, post, type: 'said', value: effect.value } : answered(to, effect.value),
        )
      } else if (effect.type === 'said') arrivals.push({ at: now, post, type: 'said', value: effect.value })
      else if (effect.type === 'fault') {
        arrivals.push({ at: now, post, type: 'fault', to: null, fault: effect.fault, gone: effect.gone })
      }
    }
  }
  for (const { id } of seats) take({ seat: id, body: 0 }, wires[id]!.joined(0))

  const table: RawTable = {
    seats,
    now: () => now,
    random: () => () => randomBytes(4).readUInt32LE(),
    ask({ post, message, limitMs }) {
      if (owed.has(post.seat) || gone.has(post.seat)) throw new Error(`seat ${post.seat} must not be asked`)
      const number = ++questions
      owed.set(post.seat, number)
      take(post, wires[post.seat]!.send(message, { number, limitMs }, now))
      return number
    },
    withdraw(question) {
      for (const [seat, number] of owed) {
        if (number !== question) continue
        owed.delete(seat)
        take({ seat, body: 0 }, wires[seat]!.withdrawn(question, now))
      }
    },
    tell(to, message) {
      for (const post of to) take(post, wires[post.seat]!.send(message, null, now))
    },
    next(until) {
      for (;;) {
        const arrival = arrivals.shift()
        if (arrival !== undefined) return Promise.resolve(arrival)
        const next = moment(until, lines)
        lines.push(next)
        now = next.at
        if ('time' in next) return Promise.resolve('time')
        take({ seat: next.seat, body: 0 }, wires[next.seat]!.receive(encoder.encode(next.from), now))
      }
    },
    dismiss: (seat) => void gone.add(seat),
    input: () => void inputs++,
    fault: () => undefined,
    console: () => undefined,
  }
  const fold = await game.conduct(table, config, '0'.repeat(64), { startMs: 1_000, moveMs })
  return { lines, end: { outcome: fold.outcome() as Json, state: hashOf(fold.save()), inputs } }
}
