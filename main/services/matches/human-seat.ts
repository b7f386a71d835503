import type { ErasedGame } from '../../contract/game.ts'
import type { Json } from '../../contract/json.ts'
import type { Play, PlayLine } from '../../contract/human-match.ts'
import type { SeatTransport, RemoteEvent } from '../../contract/seat-transport.ts'

/** A person's seat: the dialogue so far and the open question. */
export interface PersonSeat {
  readonly seatTransport: SeatTransport
  dialogue(): readonly PlayLine[]
  question(): Play['question']
  /** `question` null: unasked. Returns false, without sending anything, if it is not the open question. */
  answer(question: number | null, value: Json): boolean
  /** Reports to the match that the person has left; has no effect before the match has begun or after its end. */
  leave(reason: string): void
}

/**
 * A person at a window. Questions that only start an agent are answered here, because a person is always ready,
 * unless they leave a choice.
 * `onChange`: called when something was said or a question closed.
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
        const asksPerson = game.retelling?.asksPerson?.(message) === true
        const ready = asksPerson ? null : (game.retelling?.ready(message) ?? null)
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
