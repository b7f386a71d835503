import type { Ms } from '../contract/clock.ts'
import type { Json } from '../contract/json.ts'
import type { TimeBank } from '../contract/player.ts'

/** A question to an agent behind a wire. */
export interface OpenQuestion {
  readonly number: number
  readonly limitMs: Ms
  readonly bank: TimeBank | undefined
  /** Who was asked; absent: the first or only body. */
  readonly body: number | undefined
  /** When its clock began: as it was written, or as it was asked where the agent was away. */
  begun: Ms | null
  sent: boolean
  /** Its time is up or it was withdrawn; an answer is late. */
  over: boolean
  /** Stops its limit's clock; null: that has not been started. */
  stop: (() => void) | null
}

/** Something to say; `question` is null where no answer is wanted. */
export interface OutgoingMessage {
  readonly message: Json
  readonly question: OpenQuestion | null
  readonly body: number | undefined
}

/** What an agent has been asked and has not answered, and what it has yet to be told; all of it oldest first. */
export interface OpenQuestions {
  /** Puts it behind what waits to be said. */
  ask(number: number, message: Json, limitMs: Ms, bank?: TimeBank, body?: number): OpenQuestion
  tell(message: Json, body?: number): void
  /** Whether anything waits to be said. */
  waits(): boolean
  /** What is to be said now; it waits no longer. */
  next(): OutgoingMessage | undefined
  /** Notes that it is being written to the present channel. */
  write(question: OpenQuestion): void
  /**
   * null: the oldest that was written to the present channel. undefined where there is no such question any more. `body`: only
   * one of its own; absent: anybody's.
   */
  find(number: number | null, body?: number): OpenQuestion | undefined
  /** As `find` has it: neither answered nor forgotten. */
  holds(question: OpenQuestion): boolean
  /** The oldest that is not over. `written`: of those written to the present channel. */
  owed(written?: 'written'): OpenQuestion | undefined
  /** All of them, as they are now. */
  all(): readonly OpenQuestion[]
  /** Stops its clock; it is neither said nor answered any more. */
  forget(question: OpenQuestion): void
  /** The channel has ended; what was written to it may still be answered through another. */
  hangUp(): void
  /** What waits to be said never is. */
  silence(): void
}

/** Questions of one player, none at first. */
export function noQuestions(): OpenQuestions {
  const unanswered = new Map<number, OpenQuestion>()
  let written: OpenQuestion[] = []
  let outbox: OutgoingMessage[] = []
  return {
    ask(number, message, limitMs, bank, body) {
      const question: OpenQuestion = { number, limitMs, bank, body, begun: null, sent: false, over: false, stop: null }
      unanswered.set(number, question)
      outbox.push({ message, question, body })
      return question
    },
    tell: (message, body) => void outbox.push({ message, question: null, body }),
    waits: () => outbox.length > 0,
    next: () => outbox.shift(),
    write(question) {
      question.sent = true
      written.push(question)
    },
    find(number, body) {
      const isOfBody = (each: OpenQuestion): boolean => body === undefined || (each.body ?? 0) === body
      if (number === null) return written.find(isOfBody)
      const found = unanswered.get(number)
      return found !== undefined && isOfBody(found) ? found : undefined
    },
    holds: (question) => unanswered.get(question.number) === question,
    owed: (only) => [...(only === 'written' ? written : unanswered.values())].find(({ over }) => !over),
    all: () => [...unanswered.values()],
    forget(question) {
      question.stop?.()
      unanswered.delete(question.number)
      written = written.filter((each) => each !== question)
      outbox = outbox.filter((item) => item.question !== question)
    },
    hangUp() {
      written = []
    },
    silence() {
      outbox = []
    },
  }
}
