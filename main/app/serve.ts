import { createDispatcher } from '../administrator/procedures/dispatch.ts'
import { openPortal } from '../portal/portal.ts'
import { openClassroom, type ClassroomService } from './classroom-service.ts'
import { resources } from '../services/machine/resources.ts'

export interface ServeOptions {
  readonly data: string
  /** 0: any free port. */
  readonly port: number
  /** Called on unexpected errors; `doing`: the activity. The classroom continues. */
  onUnexpected(error: unknown, doing: string): void
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
export async function serveClassroom({ data, port, onUnexpected }: ServeOptions): Promise<ServedClassroom> {
  const service = await openClassroom({ data, onFatal: (error) => onUnexpected(error, 'The classroom') })
  try {
    const dispatcher = createDispatcher(service, onUnexpected)
    const portal = await openPortal({ dispatcher, files: resources.renderer, port, onUnexpected })
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
