import type { CaseRoom } from '../../../main/contract/cases/case-procedures.ts'
import { subscribe } from '../../connection/client.ts'

/**
 * Those who have the room of a case open; null: it is not known yet. While a person of the case looks (`isOpen`), they are there themselves.
 * Call only during component initialization.
 */
export function caseRoom(idOf: () => string, isOpen: () => boolean): { readonly value: CaseRoom | null } {
  let value = $state.raw<CaseRoom | null>(null)
  $effect(() => {
    value = null
    return isOpen() ? subscribe(`caseRoom:${idOf()}`, (room) => (value = room)) : undefined
  })
  return {
    get value() {
      return value
    },
  }
}
