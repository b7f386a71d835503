import type { Fault } from '../../contract/faults.ts'
import { WireTransport, type LostChannel } from './wire-transport.ts'

/** A new process whenever there is a message to send and none is up. If it fails, only the question that it was started for fails. */
export class ProcessAMoveTransport extends WireTransport {
  start(): void {
    this.core.becomeReady()
  }

  protected channelUp(): void {
    // The player was ready before.
  }

  protected handshakeFailed(fault: Fault): void {
    const item = this.outbox.next()
    this.notSent(item)
    this.inbox.report(fault, item?.question ?? undefined)
    this.flush()
  }

  protected wireClosed(greeted: boolean): void {
    if (greeted) this.flush()
    else this.handshakeFailed({ kind: 'protocol', text: 'The dialogue ended before the program was ready.' })
  }

  protected channelLost({ fault, own, greeted, asked }: LostChannel): void {
    this.hangUp()
    if (!greeted) return this.handshakeFailed(fault)
    // How a process ends after its answer does not matter.
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
