import { educatorHome } from '../educator-home.ts'
import type { Rooms } from '../rooms.ts'
import type { HandlersOf } from './handlers-of.ts'

/** The procedures of the educator's home. */
export function homeHandlers(rooms: Rooms): HandlersOf<'home'> {
  return {
    'home.get': () => educatorHome(rooms),
    async 'home.stopRerun'({ request }) {
      rooms.reruns.stop(null, request)
      return null
    },
  }
}
