import { createDispatcher } from '../administrator/procedures/dispatch.ts'
import { ExpectedError } from '../contract/expected-error.ts'
import { openPortal, type Portal } from '../portal/portal.ts'
import { openClassroom, type ClassroomService } from './classroom-service.ts'
import { resources } from '../services/machine/resources.ts'
import { keepPort, lastPort } from './last-port.ts'

export interface ServeOptions {
  readonly data: string
  /** 0: any free port. null: the port of the last start, so that open pages find the classroom again; any if it is in use. */
  readonly port: number | null
  /** Called on unexpected errors; `doing`: the activity. The classroom continues. */
  onUnexpected(error: unknown, doing: string): void
  /** Called with a sentence about each recurring contest that begins, and each that does not. */
  onRecurring?(sentence: string): void
  /** Called with sentences about what was recovered and lost, if the class had to be rebuilt. */
  onRecovery?(sentence: string): void
}

/** A classroom that is served to browsers on this machine. */
export interface ServedClassroom {
  readonly service: ClassroomService
  /** The address, which admits one browser once. */
  readonly address: string
  /** Stops running contests so that they can be resumed, and releases the port and the data folder. */
  close(): Promise<void>
}

/**
 * Opens a classroom and serves it on loopback. Throws ExpectedError or MachineError if the folder or the port is not
 * available.
 */
export async function serveClassroom({
  data,
  port,
  onUnexpected,
  onRecurring,
  onRecovery,
}: ServeOptions): Promise<ServedClassroom> {
  const service = await openClassroom({
    data,
    onFatal: (error) => onUnexpected(error, 'The classroom'),
    ...(onRecurring && { onRecurring }),
    ...(onRecovery && { onRecovery }),
  })
  try {
    const dispatcher = createDispatcher(service, onUnexpected)
    const open = (at: number): Promise<Portal> =>
      openPortal({ dispatcher, files: resources.renderer, port: at, onUnexpected })
    const kept = port ?? lastPort(data)
    const portal = await open(kept).catch((error: unknown) => {
      if (port !== null || kept === 0 || !(error instanceof ExpectedError)) throw error
      return open(0)
    })
    keepPort(data, portal.origin)
    return {
      service,
      address: portal.address(),
      async close() {
        await portal.close()
        await service.close()
      },
    }
  } catch (error) {
    await service.close()
    throw error
  }
}
