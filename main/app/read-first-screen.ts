import { hostCaller } from '../contract/people/caller.ts'
import type { ClassroomService } from './classroom-service.ts'

/**
 * Begins to read what the overview of an open class is made of, which may be the histories of its last contests, so that it is known when
 * the window, which loads meanwhile, asks for it. A failure is not reported here: the screen that asks is told of it.
 */
export function readFirstScreen({
  handlers,
}: {
  readonly handlers: Pick<ClassroomService['handlers'], 'class.overview'>
}): void {
  handlers['class.overview']({}, hostCaller).catch(() => undefined)
}
