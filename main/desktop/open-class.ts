import { resolve } from 'node:path'
import { createDispatcher, type Dispatcher } from '../administrator/procedures/dispatch.ts'
import { requireClass, type ClassShelf } from '../app/class-shelf.ts'
import { openClassroom, type ClassroomService } from '../app/classroom-service.ts'
import { classNetwork } from '../app/network.ts'
import { readFirstScreen } from '../app/read-first-screen.ts'
import { fail, report } from './reports.ts'

/** The class that the window shows. */
export interface OpenClass {
  readonly data: string
  readonly service: ClassroomService
  readonly dispatcher: Dispatcher
}

/** Opens a data folder: its lock is taken, its contests resume. Rejects like `openClassroom`. */
export async function openClass(data: string, classes: ClassShelf): Promise<OpenClass> {
  const network = classNetwork(data, report)
  const service = await openClassroom({ data, network, classes, onFatal: fail })
  const dispatcher = createDispatcher(service, report)
  readFirstScreen(service)
  network.serve({ dispatcher, accounts: service.accounts })
  return { data, service, dispatcher }
}

/** Called with the reason why a class did not close as it should, or did not open. */
interface SwitchFailures {
  onNotClosed(error: unknown): void
  onNotOpened(error: unknown): void
}

/**
 * Closes a class and opens another one: its screens hear nothing more, its contests pause, its people are signed out, and its folder is released before
 * the other one's is taken. If the other cannot be opened, the first one is opened again. A class that cannot be closed as it should, as
 * where its stick was pulled out, does not keep the other one from being opened. Rejects if both cannot be opened.
 */
export async function switchClass(
  present: OpenClass,
  next: string,
  open: (data: string) => Promise<OpenClass>,
  { onNotClosed, onNotOpened }: SwitchFailures,
): Promise<OpenClass> {
  present.dispatcher.close()
  await present.service.close().catch(onNotClosed)
  try {
    // Opening would make an empty class where a stick was pulled out meanwhile.
    await requireClass(resolve(next))
    return await open(next)
  } catch (error) {
    onNotOpened(error)
    return open(present.data)
  }
}
