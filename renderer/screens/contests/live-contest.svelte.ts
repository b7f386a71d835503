import type { ContestId } from '../../../main/contract/ids.ts'
import type { ContestDetail } from '../../../main/contract/procedures.ts'
import { call, subscribe } from '../../client.ts'
import { resource, type Resource } from '../../resource.svelte.ts'

/** A contest as it is now: loaded, then as the program tells it while it runs. Only while a component is being made. */
export function liveContest(contest: () => ContestId): Resource<ContestDetail> {
  const detail = resource(() => call('contests.get', { contest: contest() }))
  $effect(() => subscribe(`contest:${contest()}`, (now) => detail.set(now)))
  return detail
}
