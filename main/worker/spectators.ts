import { LIVE_EVENTS, type LiveEvent, type LiveFrame, type TableSpectators } from '../contract/game/live-match.ts'
import type { Json } from '../contract/json.ts'

/** The spectators of one match in the worker that plays it. */
export interface Spectators extends TableSpectators {
  /** True while frames are wanted. The first one comes at once, others after inputs. */
  watch(wanted: boolean): void
  /** No more frames are made. */
  close(): void
}

/** ms between two frames at least. */
const PAUSE_MS = 200
/** Characters of frames per second at most: a large scene is shown less often. */
const CHARACTERS = 1_000_000
/** The maximum number of lines of an input, and of characters of a line, because a line may quote an agent. */
const LINES_MAX = 50
const CHARACTERS_MAX = 500

/** Makes frames for `report` while they are wanted. Without spectators an input costs nothing but a count. */
export function createSpectators(names: readonly string[], report: (frame: LiveFrame) => void): Spectators {
  let scene: (() => Json) | null = null
  let watched = false
  let closed = false
  let events = 0
  let recent: LiveEvent[] = []
  /** True if something has happened since the last frame. */
  let isNew = false
  let timer: NodeJS.Timeout | undefined

  const show = (): void => {
    if (!isNew || !watched || closed || scene === null || timer !== undefined) return
    const shown = scene()
    const text = shown === null ? null : JSON.stringify(shown)
    report({ events, recent, scene: text })
    recent = []
    isNew = false
    const pause = Math.max(PAUSE_MS, ((text?.length ?? 0) / CHARACTERS) * 1_000)
    timer = setTimeout(() => {
      timer = undefined
      show()
    }, pause)
  }

  return {
    names,
    get watched() {
      return watched
    },
    begin(current) {
      scene = current
      show()
    },
    event(at, lines) {
      events += 1
      if (!watched) return
      const texts = lines?.slice(0, LINES_MAX).map(({ text }) => text.slice(0, CHARACTERS_MAX).toWellFormed()) ?? null
      recent.push({ number: events, at, lines: texts })
      if (recent.length > LIVE_EVENTS) recent.shift()
      isNew = true
      show()
    },
    watch(wanted) {
      if (watched === wanted) return
      watched = wanted
      recent = []
      isNew = wanted
      show()
    },
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
