import type { Json } from '../../contract/json.ts'
import type { OpenQuestion } from '../open-question.ts'

/** Something to say; `question` is null where no answer is wanted. */
export interface OutgoingMessage {
  readonly message: Json
  readonly question: OpenQuestion | null
  readonly body: number
}

/** What an agent behind a wire has yet to be told, and what it was asked on the present channel; both oldest first. */
export class Outbox {
  #waiting: OutgoingMessage[] = []
  readonly #written = new Set<OpenQuestion>()

  push(message: OutgoingMessage): void {
    this.#waiting.push(message)
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** What is to be said now; it waits no longer. */
  next(): OutgoingMessage | undefined {
    return this.#waiting.shift()
  }

  /** Notes that the question is being written to the present channel. */
  write(question: OpenQuestion): void {
    question.sent = true
    this.#written.add(question)
  }

  /** The oldest of this body that the present channel may still answer, late or not. */
  oldest(body: number): OpenQuestion | undefined {
    for (const question of this.#written) if (question.body === body) return question
    return undefined
  }

  /** The oldest that the present channel owes an answer. */
  owed(): OpenQuestion | undefined {
    for (const question of this.#written) if (!question.over) return question
    return undefined
  }

  /** The question is neither said nor answered any more. */
  forget(question: OpenQuestion): void {
    this.#written.delete(question)
    this.#waiting = this.#waiting.filter((item) => item.question !== question)
  }

  /** The channel has ended; what was written to it may still be answered through another. */
  hangUp(): void {
    this.#written.clear()
  }

  /** What waits to be said never is. */
  clear(): void {
    this.#waiting = []
  }
}
