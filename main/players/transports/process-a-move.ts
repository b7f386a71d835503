import type { Fault } from '../../contract/faults.ts'
import { WireTransport, type LostChannel } from './wire-transport.ts'

/** A fresh process whenever something is to be said and none is up. One that fails costs what it was started for. */
export class ProcessAMove extends WireTransport {
  start(): void {
    this.core.becomeReady()
  }

  protected cameUp(): void {
    // The match has not waited for it.
  }

  protected missed(fault: Fault): void {
    this.inbox.report(fault, this.outbox.next()?.question ?? undefined)
    this.flush()
  }

  protected closedByWire(greeted: boolean): void {
    if (greeted) this.flush()
    else this.missed({ kind: 'protocol', text: 'The dialogue ended before the program was ready.' })
  }

  protected lost({ fault, own, greeted, asked }: LostChannel): void {
    this.hangUp()
    if (!greeted) return this.missed(fault)
    // A process may end as it likes once it has answered.
    if (asked !== undefined && this.core.holds(asked)) this.inbox.report(fault, asked)
    else if (own !== undefined) this.inbox.report(fault)
    this.flush()
  }

  protected override hangUp(): void {
    super.hangUp()
    // What an ended process was asked, nobody can answer any more.
    this.core.forgetLate()
  }

  protected override flush(): void {
    super.flush()
    if (!this.outbox.isEmpty) this.open()
  }
}
