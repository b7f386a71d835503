import type { Fault } from '../../contract/faults.ts'
import { WireTransport, type ClosedChannel, type LostChannel } from './wire-transport.ts'

/**
 * A process for each question. The next one is started as soon as one has ended, so that it can greet while others think; it gets
 * its message when the question comes. If a process that was asked fails, only its question fails; if one fails before it was
 * asked, the question gets another.
 */
export class ProcessAMoveTransport extends WireTransport {
  start(): void {
    this.core.becomeReady()
  }

  protected channelUp(): void {
    // The player was ready before.
  }

  protected handshakeFailed(fault: Fault): void {
    const item = this.outbox.next()
    if (item === undefined) return
    this.notSent(item)
    this.inbox.report(fault, item.question ?? undefined)
    this.flush()
  }

  protected wireClosed({ greeted, asked, last }: ClosedChannel): void {
    if (!greeted) return this.handshakeFailed({ kind: 'protocol', text: endedEarly })
    this.flush()
    // A process that says something unasked has no successor before there is a question.
    if (asked && !last && this.core.isOpen) this.open()
  }

  protected channelLost({ fault, own, greeted, asked }: LostChannel): void {
    this.hangUp()
    if (!greeted) return this.handshakeFailed(fault)
    // How a process ends after its answer, or before it is asked, does not matter.
    if (asked !== undefined && this.core.holds(asked)) this.inbox.report(fault, asked)
    else if (own !== undefined) this.inbox.report(fault)
    this.flush()
  }

  protected override hangUp(): void {
    super.hangUp()
    // A process that has ended cannot answer late.
    this.core.forgetLate()
  }

  protected override flush(): void {
    super.flush()
    if (!this.outbox.isEmpty) this.open()
  }
}

const endedEarly = 'The dialogue ended before the program was ready.'
