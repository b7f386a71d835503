import type { Fault } from '../../contract/faults.ts'
import type { Json } from '../../contract/json.ts'
import type { WireEffect } from '../../contract/game/wire.ts'
import { makeFault } from '../make-fault.ts'
import type { OpenQuestion } from './transport.ts'
import type { PlayerCore } from '../player-core.ts'
import { whyTooLong, whyUnreadable } from '../read-answer.ts'
import type { WireFault } from './dialogue.ts'
import type { Outbox } from './outbox.ts'

/** The effects of a wire that the inbox handles: what the agent has sent. The transport performs the others. */
export type ReadEffect = Extract<WireEffect<Json>, { type: 'answer' | 'said' | 'console' | 'fault' }>

/** Faults in a row that answer no question. An agent that causes this many floods the match and is stopped. */
const maxUnsolicitedFaults = 100

/** Reports to the core what an agent behind a wire sends, and what is wrong with it. */
export class Inbox {
  readonly #core: PlayerCore
  readonly #outbox: Outbox
  readonly #messageBytes: number
  readonly #bytesMax: number
  readonly #unreadableHint: string | undefined
  /** Bytes that the wire has read without an effect so far. */
  #pendingBytes = 0
  /** In a row. */
  #unsolicitedFaults = 0

  /**
   * `stateBytes`: how much state each message may carry beyond `messageBytes`. `unreadableHint`: a sentence for faults of bytes
   * that are not a message.
   */
  constructor(
    core: PlayerCore,
    outbox: Outbox,
    limits: {
      readonly messageBytes: number
      readonly stateBytes: number
      readonly unreadableHint?: string | undefined
    },
  ) {
    this.#core = core
    this.#outbox = outbox
    this.#messageBytes = limits.messageBytes
    this.#bytesMax = limits.messageBytes + limits.stateBytes
    this.#unreadableHint = limits.unreadableHint
  }

  /** Call before the wire reads this many bytes. */
  received(bytes: number): void {
    this.#pendingBytes += bytes
  }

  /** Call after it. `hadEffect`: the wire had an effect. */
  parsed(hadEffect: boolean): void {
    if (hadEffect) this.#pendingBytes = 0
    if (this.#pendingBytes <= this.#bytesMax) return
    const text = `The agent sent more than ${this.#bytesMax} bytes without completing a message.`
    this.leave({ kind: 'protocol', text })
  }

  /** The channel has ended. */
  reset(): void {
    this.#pendingBytes = 0
  }

  read(effect: ReadEffect): void {
    if ('body' in effect) this.#core.printed.speaker = effect.body
    if (effect.type === 'answer') this.#answered(effect.value, effect.to, effect.body)
    else if (effect.type === 'said') this.#said(effect.value, effect.body)
    else if (effect.type === 'console') this.#core.printed.show(effect.text)
    else this.#faulted(effect)
  }

  /** Reports a fault that does not end the agent. `question`: the one that it answers. */
  report(fault: Fault, question?: OpenQuestion, body?: number): void {
    if (question !== undefined) {
      this.#unsolicitedFaults = 0
      this.#outbox.forget(question)
    }
    this.#core.fault(fault, question, body)
  }

  /** Ends the player; see PlayerCore.leave. */
  leave(fault: Fault, question = this.#core.owed(), quiet = false): void {
    const tookMs = question === undefined ? undefined : this.#core.took(question)
    this.#core.leave(tookMs === undefined ? fault : { ...fault, tookMs }, question, quiet)
  }

  #answered(value: Json, to: number | null, body = 0): void {
    const question = to === null ? this.#outbox.oldest(body) : this.#core.question(to, body)
    if (question?.sent !== true) return this.#said(value, body)
    const problem = this.#problemOf(value)
    if (problem !== null) return this.#reportLimited(unreadable(problem), question)
    this.#unsolicitedFaults = 0
    this.#outbox.forget(question)
    this.#core.answer(question, value)
  }

  #said(value: Json, body?: number): void {
    const problem = this.#problemOf(value)
    if (problem === null) this.#core.said(value, body)
    else this.#reportLimited(unreadable(problem), undefined, body)
  }

  /** Why the value is refused; null: it is not. An answer may not use the bytes that are for the state. */
  #problemOf(value: Json): string | null {
    const mayBeTooLong = this.#pendingBytes > this.#messageBytes
    return whyUnreadable(value) ?? (mayBeTooLong ? whyTooLong(value, this.#messageBytes) : null)
  }

  #faulted({ fault: given, gone, to, body, unreadable }: WireFault): void {
    const question = this.#core.question(to)
    const hint = unreadable === true ? this.#unreadableHint : undefined
    const fault = hint === undefined ? given : { ...given, text: `${given.text.replace(/\.?$/, '.')} ${hint}` }
    if (gone) this.leave(fault, question)
    else this.#reportLimited(fault, question, body)
  }

  /** Reports a fault, and ends the player after too many that answer no question. */
  #reportLimited(fault: Fault, question?: OpenQuestion, body = question?.body): void {
    this.report(fault, question, body)
    if (question !== undefined || ++this.#unsolicitedFaults < maxUnsolicitedFaults) return
    const text = `The agent sent ${maxUnsolicitedFaults} messages in a row that could not be read.`
    this.leave({ kind: 'protocol', text })
  }
}

const unreadable = (problem: string): Fault => makeFault('invalid', `The agent sent ${problem}.`)
