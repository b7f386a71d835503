import type { PlayerEvent } from '../../../main/contract/players/player.ts'

/** The events of a player, kept until they are asked for. */
export interface Ear {
  emit(event: PlayerEvent): void
  /** The next event that is not a console line. */
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
