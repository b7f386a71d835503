import { everythingRead } from '../../../arenas/reading-turns.ts'
import type { ErasedGame } from '../../../contract/game/game.ts'
import type { Json } from '../../../contract/json.ts'
import type { OpenPlayQuestion, PlayLine } from '../../../contract/procedures/human-match.ts'
import type { SeatTransport, RemoteNews } from '../../../contract/players/seat-transport.ts'
import { PauseNews } from '../../../players/network/pauses.ts'

/** A person's seat: the dialogue so far and the open questions. */
export interface PersonSeat {
  readonly seatTransport: SeatTransport
  /**
   * With several bodies, only the messages that start them and the newest lines of each, because the whole dialogue would
   * grow too long.
   */
  dialogue(): readonly PlayLine[]
  /** In the order in which they were asked. */
  questions(): readonly OpenPlayQuestion[]
  /** `question` null: unasked. Returns false, without sending anything, if it is not an open question. */
  answer(question: number | null, value: Json): boolean
  /** Reports to the match that the person has left; has no effect before the match has begun or after its end. */
  leave(reason: string): void
  /** The match is over, however it ended. */
  close(): void
}

/** How a body's player in the match is reached. */
interface Hearing {
  readonly hear: (event: RemoteNews) => void
  /** The pauses of this process, in which the person's time stands still. */
  readonly pauses: PauseNews
}

/** The newest lines of each of several bodies that are kept: what it was asked and what it answered. */
const KEPT = 2

/**
 * A person at a window, with all bodies of their seat. Questions that only start an agent are answered here, because a
 * person is always ready, unless they leave a choice.
 * `onChange`: called when something was said or a question closed.
 */
export function createPersonSeat(game: Pick<ErasedGame, 'replay'>, bodies: number, onChange: () => void): PersonSeat {
  let dialogue: PlayLine[] = []
  /** By body, while the match runs for it. */
  const hearing = new Map<number, Hearing>()
  const open = new Map<number, { readonly body: number; readonly until: number }>()
  let left: string | null = null
  /** Answers that have come. */
  let answers = 0
  const end = (body: number): void => {
    hearing.get(body)?.pauses.close()
    hearing.delete(body)
  }

  const say = (line: PlayLine, starts: boolean): void => {
    dialogue.push(line)
    if (bodies === 1 || starts) return
    const own = dialogue.filter((other) => (other.body ?? 0) === (line.body ?? 0) && !starting.has(other))
    const old = new Set(own.slice(0, -KEPT))
    dialogue = dialogue.filter((other) => !old.has(other))
  }
  const starting = new Set<PlayLine>()

  return {
    seatTransport(call, heard, body) {
      const ofBody = body === 0 ? {} : { body }
      if (call.type === 'seat') {
        end(body)
        const pauses = new PauseNews()
        const hear: Hearing['hear'] = (event) => heard(pauses.with(event))
        hearing.set(body, { hear, pauses })
        hear(left === null ? { type: 'joined' } : { type: 'left', reason: left })
      } else if (call.type === 'ask') {
        const { question, message, limitMs } = call
        const ready = game.replay?.ready(message) ?? null
        const line: PlayLine = { from: 'table', value: message, ...ofBody }
        if (ready !== null) starting.add(line)
        say(line, ready !== null)
        if (ready === null || game.replay?.asksPerson?.(message) === true)
          open.set(question, { body, until: performance.now() + limitMs })
        else hearing.get(body)?.hear({ type: 'answer', question, value: ready })
      } else if (call.type === 'tell') say({ from: 'table', value: call.message, ...ofBody }, false)
      else if (call.type === 'withdraw') open.delete(call.question)
      else if (call.type === 'check') {
        const { check } = call
        void everythingRead(() => answers).then(() => hearing.get(body)?.hear({ type: 'checked', check }))
        return
      } else {
        for (const [question, each] of open) if (each.body === body) open.delete(question)
        end(body)
      }
      onChange()
    },
    dialogue: () => [...dialogue],
    questions: () =>
      [...open].map(([number, { body, until }]) => ({
        number,
        body,
        msLeft: Math.max(0, Math.round(until - performance.now())),
      })),
    answer(question, value) {
      const body = question === null ? 0 : open.get(question)?.body
      const hear = body === undefined ? undefined : hearing.get(body)?.hear
      if (body === undefined || hear === undefined || left !== null) return false
      answers += 1
      say({ from: 'person', value, ...(body === 0 ? {} : { body }) }, false)
      if (question === null) hear({ type: 'said', value })
      else {
        open.delete(question)
        hear({ type: 'answer', question, value })
      }
      onChange()
      return true
    },
    leave(reason) {
      left ??= reason
      for (const { hear } of hearing.values()) hear({ type: 'left', reason: left })
    },
    close() {
      for (const body of hearing.keys()) end(body)
    },
  }
}
