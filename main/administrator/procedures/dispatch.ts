import type { UploadKind, UploadQuery } from '../../contract/procedures/uploads.ts'
import type { Visitor } from '../../contract/people/caller.ts'
import type { CallReply } from '../../contract/procedures/procedures.ts'
import { openConnection, paceOf, type Connection, type Transport } from './connection.ts'
import { createServiceDesk, type OnUnexpected, type Service, type TakenFile } from './service-desk.ts'

/** The single entry point for screens, for all transports. */
export interface Dispatcher {
  /** Starts the connection to one screen. */
  connect(transport: Transport, visitor: Visitor): Connection
  /** One call outside of any connection. Never rejects. */
  call(name: unknown, input: unknown, visitor: Visitor): Promise<CallReply<unknown>>
  /** Receives an uploaded file, piece by piece, outside of any connection. Never rejects. */
  take(
    kind: UploadKind,
    query: UploadQuery,
    content: AsyncIterable<Uint8Array>,
    visitor: Visitor,
  ): Promise<CallReply<TakenFile>>
  /** Ends all connections: a screen that is still there can neither read nor change a class that is being closed. */
  close(): void
}

/**
 * Creates the dispatcher of a service. Every request is validated: the procedure's name, the caller's role, size and schema
 * of the input. A handler's ExpectedError becomes 'refused' or 'host' with its message; any other error goes to
 * `onUnexpected`, and the screen learns only that there was one.
 */
export function createDispatcher(service: Service, onUnexpected: OnUnexpected): Dispatcher {
  const desk = createServiceDesk(service, onUnexpected)
  const screens = new Set<Connection>()
  const pace = (): number => paceOf(screens.size)
  return {
    connect(transport, visitor) {
      const { receive, close } = openConnection(desk, transport, visitor, pace)
      const connection: Connection = {
        receive,
        close() {
          screens.delete(connection)
          close()
        },
      }
      screens.add(connection)
      return connection
    },
    async call(name, input, visitor) {
      const admitted = desk.admit(name, input, visitor)
      return admitted.ok ? admitted.value.run() : admitted
    },
    take: (kind, query, content, visitor) => desk.take(kind, query, content, visitor),
    close() {
      for (const screen of screens) screen.close()
    },
  }
}
