import type { ContestId } from '../../../main/contract/ids.ts'
import type { ContestDetail } from '../../../main/contract/procedures/procedures.ts'
import { call, subscribe } from '../../connection/client.ts'
import { resource, type Resource } from '../../connection/resource.svelte.ts'

/** The current state of a contest: loaded, then updated while it runs. Call only during component initialization. */
export function liveContest(contest: () => ContestId): Resource<ContestDetail> {
  const detail = resource(() => call('contests.get', { contest: contest() }))
  $effect(() => subscribe(`contest:${contest()}`, (now) => detail.set(now)))
  return detail
}
