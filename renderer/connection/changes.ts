import { untrack } from 'svelte'
import { subscribe, type TopicName } from './client.ts'
import { link } from './link.svelte.ts'

/**
 * Calls `listener` with each change of a topic from now on. The first value on a connection is not a change: what a screen shows is loaded
 * at that moment. Call it before the first load, so that nothing is missed between the two. Returns the function to unsubscribe.
 */
export function onChange(topic: TopicName, listener: () => void): () => void {
  /** The connection whose first value has come. */
  let known = -1
  return subscribe(topic, () => {
    const epoch = untrack(() => link.epoch)
    const isFirst = epoch !== known
    known = epoch
    if (!isFirst) listener()
  })
}
