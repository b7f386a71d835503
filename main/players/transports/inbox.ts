import type { Fault } from '../../contract/faults.ts'
import type { Json } from '../../contract/json.ts'
import type { WireEffect } from '../../contract/wire.ts'
import { makeFault } from '../make-fault.ts'
import type { OpenQuestion } from '../open-question.ts'
import type { PlayerCore } from '../player-core.ts'
import { whyTooLong, whyUnreadable } from '../read-answer.ts'
import type { WireFault } from './dialogue.ts'
import type { Outbox } from './outbox.ts'

/** What a wire makes of an agent's bytes; all else that it wants done is no matter of the inbox. */
export type ReadEffect = Extract<WireEffect<Json>, { type: 'answer' | 'said' | 'console' | 'fault' }>

/** Faults that no question waits for, one after the other: whoever goes on like this floods the match. */
const maxUnsolicitedFaults = 100

/** Reports to the core what an agent behind a wire has sent, and what went wrong with it. */
export class Inbox {
  readonly #core: PlayerCore
  readonly #outbox: Outbox
  readonly #messageBytes: number
  readonly #bytesMax: number
  /** Bytes since the wire last made anything of them. */
  #fruitless = 0
  #strays = 0

  /** `stateBytes`: what may come with each message beyond its own bytes. */
  constructor(
    core: PlayerCore,
    outbox: Outbox,
    limits: { readonly messageBytes: number; readonly stateBytes: number },
  ) {
    this.#core = core
    this.#outbox = outbox
    this.#messageBytes = limits.messageBytes
    this.#bytesMax = limits.messageBytes + limits.stateBytes
  }

  /** So many bytes have come; they are read next. */
  heard(bytes: number): void {
    this.#fruitless += bytes
  }

  /** They have been read. `fruitful`: the wire made something of them. */
  understood(fruitful: boolean): void {
    if (fruitful) this.#fruitless = 0
    if (this.#fruitless <= this.#bytesMax) return
    const text = `The agent sent more than ${this.#bytesMax} bytes without completing a message.`
    this.leave({ kind: 'protocol', text })
  }

  /** What follows comes through another channel. */
  hangUp(): void {
    this.#fruitless = 0
  }

  read(effect: ReadEffect): void {
    if ('body' in effect) this.#core.printed.speaker = effect.body
    if (effect.type === 'answer') this.#answered(effect.value, effect.to, effect.body)
    else if (effect.type === 'said') this.#said(effect.value, effect.body)
    else if (effect.type === 'console') this.#core.printed.show(effect.text)
    else this.#faulted(effect)
  }

  /** A fault that the agent outlives. `question`: the one that it answers. */
  report(fault: Fault, question?: OpenQuestion, body?: number): void {
    if (question !== undefined) {
      this.#strays = 0
      this.#outbox.forget(question)
    }
    this.#core.fault(fault, question, body)
  }

  /** Nothing more will come; see PlayerCore.leave. */
  leave(fault: Fault, question = this.#core.owed(), quiet = false): void {
    const tookMs = question === undefined ? undefined : this.#core.took(question)
    this.#core.leave(tookMs === undefined ? fault : { ...fault, tookMs }, question, quiet)
  }

  #answered(value: Json, to: number | null, body = 0): void {
    const question = to === null ? this.#outbox.oldest(body) : this.#core.question(to, body)
    if (question?.sent !== true) return this.#said(value, body)
    const problem = this.#problemOf(value)
    if (problem !== null) return this.#stray(unreadable(problem), question)
    this.#strays = 0
    this.#outbox.forget(question)
    this.#core.answer(question, value)
  }

  #said(value: Json, body?: number): void {
    const problem = this.#problemOf(value)
    if (problem === null) this.#core.said(value, body)
    else this.#stray(unreadable(problem), undefined, body)
  }

  /** What the state left free is no room for a longer answer. */
  #problemOf(value: Json): string | null {
    const mayBeTooLong = this.#fruitless > this.#messageBytes
    return whyUnreadable(value) ?? (mayBeTooLong ? whyTooLong(value, this.#messageBytes) : null)
  }

  #faulted({ fault, gone, to, body }: WireFault): void {
    const question = this.#core.question(to)
    if (gone) this.leave(fault, question)
    else this.#stray(fault, question, body)
  }

  /** A fault that the agent outlives, for a while. */
  #stray(fault: Fault, question?: OpenQuestion, body = question?.body): void {
    this.report(fault, question, body)
    if (question !== undefined || ++this.#strays < maxUnsolicitedFaults) return
    const text = `The agent sent ${maxUnsolicitedFaults} messages in a row that could not be read.`
    this.leave({ kind: 'protocol', text })
  }
}

const unreadable = (problem: string): Fault => makeFault('invalid', `The agent sent ${problem}.`)
