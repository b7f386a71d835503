import type { Fault } from '../../contract/faults.ts'
import { WireTransport, type LostChannel } from './wire-transport.ts'

/** One process or connection for the match: the player ends with it. */
export class SingleChannelTransport extends WireTransport {
  start(): void {
    this.open()
  }

  protected channelUp(): void {
    this.core.becomeReady()
  }

  protected handshakeFailed(fault: Fault): void {
    this.inbox.leave(fault)
  }

  protected wireClosed(): void {
    // After a farewell this is no fault, unless somebody still waits for an answer.
    this.inbox.leave({ kind: 'protocol', text: 'The dialogue has ended.' }, undefined, true)
  }

  protected channelLost({ fault, own }: LostChannel): void {
    this.inbox.leave(fault, this.core.question(own?.to))
  }
}
