import { educatorHome } from '../educator-home.ts'
import type { Rooms } from '../rooms.ts'
import type { HandlersOf } from './handlers-of.ts'

/** The procedure of the educator's home. */
export function homeHandlers(rooms: Rooms): HandlersOf<'home'> {
  return { 'home.get': () => educatorHome(rooms) }
}
