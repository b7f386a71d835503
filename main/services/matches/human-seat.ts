import type { ErasedGame } from '../../contract/game.ts'
import type { Json } from '../../contract/json.ts'
import type { Play, PlayLine } from '../../contract/human-match.ts'
import type { SeatTransport, RemoteEvent } from '../../contract/seat-transport.ts'

/** Where a person sits: what the table said, what the person said, and what is awaited. */
export interface PersonSeat {
  readonly seatTransport: SeatTransport
  dialogue(): readonly PlayLine[]
  question(): Play['question']
  /** `question` null: unasked. False: it is not the open question, and nothing was said. */
  answer(question: number | null, value: Json): boolean
  /** Says so to the match; nothing happens where that is over, or has not begun. */
  leave(reason: string): void
}

/**
 * A person at a window. Messages that only begin an agent's work are answered here: a person is ready by being there.
 * `onChange` is called when something was said or is not awaited any more.
 */
export function createPersonSeat(game: Pick<ErasedGame, 'retelling'>, onChange: () => void): PersonSeat {
  const dialogue: PlayLine[] = []
  let hear: ((event: RemoteEvent) => void) | null = null
  let open: { readonly number: number; readonly until: number } | null = null
  let left: string | null = null

  return {
    seatTransport(call, heard) {
      hear = heard
      if (call.type === 'seat') {
        heard(left === null ? { type: 'joined' } : { type: 'left', reason: left })
      } else if (call.type === 'ask') {
        const { question, message, limitMs } = call
        dialogue.push({ from: 'table', value: message })
        const ready = game.retelling?.ready(message) ?? null
        if (ready === null) open = { number: question, until: performance.now() + limitMs }
        else heard({ type: 'answer', question, value: ready })
      } else if (call.type === 'tell') dialogue.push({ from: 'table', value: call.message })
      else if (call.type === 'withdraw') {
        if (open?.number === call.question) open = null
      } else {
        open = null
        hear = null
      }
      onChange()
    },
    dialogue: () => [...dialogue],
    question: () =>
      open === null ? null : { number: open.number, msLeft: Math.max(0, Math.round(open.until - performance.now())) },
    answer(question, value) {
      if (hear === null || left !== null || (question !== null && question !== open?.number)) return false
      dialogue.push({ from: 'person', value })
      if (question === null) hear({ type: 'said', value })
      else {
        open = null
        hear({ type: 'answer', question, value })
      }
      onChange()
      return true
    },
    leave(reason) {
      left ??= reason
      hear?.({ type: 'left', reason: left })
    },
  }
}
