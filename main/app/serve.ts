import { createDispatcher } from '../administrator/procedures/dispatch.ts'
import { openPortal } from '../portal/portal.ts'
import { openClassroom, type ClassroomService } from './classroom-service.ts'
import { resources } from '../services/machine/resources.ts'

export interface ServeOptions {
  readonly data: string
  /** 0: any that is free. */
  readonly port: number
  /** Told what nobody expected; `doing` says where. The classroom goes on. */
  onUnexpected(error: unknown, doing: string): void
}

/** A classroom that is served to browsers of this machine. */
export interface ServedClassroom {
  readonly service: ClassroomService
  /** Lets one browser in, once. */
  readonly address: string
  /** Stops what runs, at a point from which it goes on later, and gives port and data folder back. */
  close(): Promise<void>
}

/** Opens a classroom and serves it on loopback. Throws ExpectedError or MachineError when folder or port cannot be had. */
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
