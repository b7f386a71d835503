import type { Fault } from '../../contract/faults.ts'
import type { Json } from '../../contract/json.ts'
import type { OpenQuestion } from '../open-question.ts'
import { WireTransport, type ClosedChannel, type LostChannel } from './wire-transport.ts'

/** An agent that may lose its connection and come back. It may answer a question over a later connection than it was asked. */
export class ReconnectingTransport extends WireTransport {
  #absent: NodeJS.Timeout | undefined

  start(): void {
    this.#absent = setTimeout(() => {
      if (!this.hasChannel) this.inbox.report({ kind: 'timeout', text: 'The agent has not connected.' })
      this.core.becomeReady()
    }, this.limits.startMs)
    this.open()
  }

  override ask(question: OpenQuestion, message: Json): void {
    // The clock of a question runs while the agent is away.
    if (!this.isUp) this.core.begin(question)
    super.ask(question, message)
  }

  override close(fault?: Fault): void {
    clearTimeout(this.#absent)
    super.close(fault)
  }

  protected channelUp(): void {
    clearTimeout(this.#absent)
    if (this.core.isReady) this.core.emit({ type: 'joined' })
    else this.core.becomeReady()
  }

  protected handshakeFailed(fault: Fault): void {
    this.inbox.report(fault)
  }

  protected wireClosed({ greeted }: ClosedChannel): void {
    if (greeted) this.core.emit({ type: 'left' })
  }

  protected channelLost({ fault, own, offended, greeted }: LostChannel): void {
    this.hangUp()
    if (own !== undefined || offended) this.inbox.report(fault, this.core.question(own?.to))
    if (greeted) this.core.emit({ type: 'left' })
  }
}
