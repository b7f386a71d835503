import type { Fault } from '../../contract/faults.ts'
import { WireTransport, type LostChannel } from './wire-transport.ts'

/** One process or connection for the match: its end is the agent's end. */
export class SingleChannel extends WireTransport {
  start(): void {
    this.open()
  }

  protected cameUp(): void {
    this.core.becomeReady()
  }

  protected missed(fault: Fault): void {
    this.inbox.leave(fault)
  }

  protected closedByWire(): void {
    // After a farewell this is no fault, unless somebody still waits for an answer.
    this.inbox.leave({ kind: 'protocol', text: 'The dialogue has ended.' }, undefined, true)
  }

  protected lost({ fault, own }: LostChannel): void {
    this.inbox.leave(fault, this.core.question(own?.to))
  }
}
