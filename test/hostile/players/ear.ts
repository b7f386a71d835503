import type { PlayerEvent } from '../../../main/contract/players/player.ts'

/** What a player says, kept until it is asked for. */
export interface Ear {
  emit(event: PlayerEvent): void
  /** The next event that is no console line. */
  next(): Promise<PlayerEvent>
  /** Console lines so far. */
  readonly console: string[]
}

export function openEar(): Ear {
  const events: PlayerEvent[] = []
  const waiting: ((event: PlayerEvent) => void)[] = []
  const console: string[] = []
  return {
    console,
    emit(event) {
      if (event.type === 'console') console.push(event.text)
      else if (waiting.length > 0) waiting.shift()!(event)
      else events.push(event)
    },
    next() {
      const event = events.shift()
      return event === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(event)
    },
  }
}
