import { subscribe, type TopicName } from './client.ts'

/** Changes of a busy class come in bursts: a screen loads what they change at most this often. ms. */
const PAUSE = 500

/** Calls back some time (ms) after a topic was heard of, once for all that come meanwhile. Returns the end of it. */
export function afterBursts(topics: readonly TopicName[], listener: () => void, pause = PAUSE): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      listener()
    }, pause)
  }
  const ends = topics.map((topic) => subscribe(topic, soon))
  return () => {
    for (const end of ends) end()
    clearTimeout(timer)
  }
}
