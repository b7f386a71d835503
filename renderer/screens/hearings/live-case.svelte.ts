import type { CaseView } from '../../../main/contract/cases/case-procedures.ts'
import { untrack } from 'svelte'
import { call, subscribe } from '../../connection/client.ts'
import { resource, type Resource } from '../../connection/resource.svelte.ts'

/** A case that is shown, and read again after each of its entries. Call only during component initialization. */
export function liveCase(idOf: () => string): Resource<CaseView> {
  const shown = resource(() => call('cases.get', { case: idOf() }))
  /** The entries of the case, as far as the topic has told. */
  let told = $state(0)
  $effect(() => {
    told = 0
    return subscribe(`case:${idOf()}`, ({ n }) => (told = n))
  })
  // An entry can also come between the answer and the subscription.
  $effect(() => {
    if (shown.value !== undefined && shown.value.n < told) untrack(() => shown.reload())
  })
  return shown
}
