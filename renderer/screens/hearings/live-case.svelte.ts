import type { CaseView } from '../../../main/contract/cases/case-procedures.ts'
import { call, subscribe } from '../../connection/client.ts'
import { resource, type Resource } from '../../connection/resource.svelte.ts'

/** A case that is shown, and read again after each of its entries. Call only during component initialization. */
export function liveCase(idOf: () => string): Resource<CaseView> {
  const shown = resource(() => call('cases.get', { case: idOf() }))
  let head = ''
  $effect(() =>
    subscribe(`case:${idOf()}`, (progress) => {
      // The first value is what was loaded, or is about to be.
      if (head !== '' && head !== progress.head) shown.reload()
      head = progress.head
    }),
  )
  return shown
}
