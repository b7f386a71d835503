import type { Json } from '../../contract/json.ts'
import type { OpenQuestion } from './transport.ts'

/** A message to send; `question` is null where no answer is wanted. */
export interface OutgoingMessage {
  readonly message: Json
  readonly question: OpenQuestion | null
  readonly body: number
}

/** The messages that wait for a channel, and the questions that were written to the present one; both oldest first. */
export class Outbox {
  #waiting: OutgoingMessage[] = []
  readonly #written = new Set<OpenQuestion>()

  push(message: OutgoingMessage): void {
    this.#waiting.push(message)
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** Takes the oldest message that waits. */
  next(): OutgoingMessage | undefined {
    return this.#waiting.shift()
  }

  /** Notes that the question is being written to the present channel. */
  write(question: OpenQuestion): void {
    question.sent = true
    this.#written.add(question)
  }

  /** The oldest question to this body that may still be answered on the present channel, late or not. */
  oldest(body: number): OpenQuestion | undefined {
    for (const question of this.#written) if (question.body === body) return question
    return undefined
  }

  /** The oldest question on the present channel that is not over. */
  owed(): OpenQuestion | undefined {
    for (const question of this.#written) if (!question.over) return question
    return undefined
  }

  /** The question is answered, or must not be sent any more. */
  forget(question: OpenQuestion): void {
    this.#written.delete(question)
    this.#waiting = this.#waiting.filter((item) => item.question !== question)
  }

  /** Takes back the message of a question that was not written; undefined: it does not wait. */
  recall(question: OpenQuestion): OutgoingMessage | undefined {
    const item = this.#waiting.find((each) => each.question === question)
    this.forget(question)
    return item
  }

  /** The present channel has ended. */
  hangUp(): void {
    this.#written.clear()
  }

  /** Nothing that waits will be sent. */
  clear(): void {
    this.#waiting = []
  }
}
