import type { Caller, Reply } from '../../contract/procedures.ts'
import { openConnection, type Connection, type Transport } from './connection.ts'
import { createServiceDesk, type OnUnexpected, type Service, type TakenFile } from './service-desk.ts'

/** The one way in for screens, whatever they are connected by. */
export interface Dispatcher {
  /** Begins a conversation with one screen. */
  connect(transport: Transport, caller: Caller): Connection
  /**
   * Takes a history file in beside any conversation, piece by piece, whatever its size. `expected`: what `histories.expect` has
   * called it. Never rejects.
   */
  take(
    fileName: unknown,
    content: AsyncIterable<Uint8Array>,
    caller: Caller,
    expected?: unknown,
  ): Promise<Reply<TakenFile>>
}

/**
 * Makes the way in to a service. Everything that arrives is examined: the procedure's name, the caller's right, size and
 * shape of the input. A handler's ExpectedError becomes 'refused' or 'host' with its sentence; any other error goes to
 * `onUnexpected`, and the screen learns only that there was one.
 */
export function createDispatcher(service: Service, onUnexpected: OnUnexpected): Dispatcher {
  const desk = createServiceDesk(service, onUnexpected)
  return {
    connect: (transport, caller) => openConnection(desk, transport, caller),
    take: (fileName, content, caller, expected) => desk.take(fileName, content, caller, expected),
  }
}
