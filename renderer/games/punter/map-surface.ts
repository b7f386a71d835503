import type { Camera, Room } from '../../parts/map/camera.ts'
import type { Layout } from './layout.ts'
import { paintFocus, paintFree, paintMarks, paintTaken, type DrawnFuture, type Ink } from './map-painter.ts'
import type { RiverView } from './rules.ts'

/** The contents of a map. */
export interface Shown {
  readonly layout: Layout
  readonly camera: Camera
  readonly room: Room
  readonly taken: readonly RiverView[]
  readonly futures: readonly DrawnFuture[]
  /** Rivers that are pointed at or chosen. */
  readonly rivers: readonly number[]
  /** A site that is pointed at; null: none. */
  readonly site: number | null
}

export interface MapSurface {
  /** Draws what has changed since the last call. */
  show(shown: Shown): void
}

/** Three canvases, one over the other. The styles of the rivers' say the colours. */
export interface Layers {
  readonly focus: HTMLCanvasElement
  readonly rivers: HTMLCanvasElement
  readonly marks: HTMLCanvasElement
}

/** ms after which the colours of the page are read again: that makes the browser compute its styles. */
const INK_MS = 500

/**
 * Draws a map in layers, from below: what is pointed at, rivers, sites. While a match is played forwards, only the rivers of the last
 * moves are drawn, over those that are there; all are drawn again when the camera, the size or the colours change, or when
 * rivers become free again.
 */
export function createMapSurface(layers: Layers): MapSurface {
  const pens = {
    rivers: layers.rivers.getContext('2d'),
    focus: layers.focus.getContext('2d'),
    marks: layers.marks.getContext('2d'),
  }
  let last: { readonly shown: Shown; readonly ink: Ink } | null = null
  /** Owner and holder by river, for rivers drawn as taken. */
  let drawn = new Map<number, string>()
  let inkReadAt = -Infinity

  const fit = ({ width, height }: Room): void => {
    const dense = window.devicePixelRatio
    for (const canvas of Object.values(layers) as readonly HTMLCanvasElement[]) {
      canvas.width = Math.round(width * dense)
      canvas.height = Math.round(height * dense)
    }
    for (const pen of Object.values(pens)) pen?.setTransform(dense, 0, 0, dense, 0, 0)
  }
  const wipe = (pen: CanvasRenderingContext2D, { width, height }: Room): void => pen.clearRect(0, 0, width, height)

  const inkNow = (): Ink => {
    const now = performance.now()
    if (last !== null && now - inkReadAt < INK_MS) return last.ink
    inkReadAt = now
    return inkOf(layers.rivers)
  }

  return {
    show(shown) {
      const { rivers, focus, marks } = pens
      if (rivers === null || focus === null || marks === null || shown.room.width === 0) return
      const ink = inkNow()
      const before = last
      const isResized = before === null || !isSameRoom(before.shown.room, shown.room)
      const isNew =
        isResized ||
        before.shown.layout !== shown.layout ||
        before.shown.camera !== shown.camera ||
        !isSameInk(before.ink, ink)
      if (isResized) fit(shown.room)
      const scene = { layout: shown.layout, camera: shown.camera, ink }
      const added = isNew ? null : additions(drawn, shown.taken)
      if (added === null) {
        wipe(rivers, shown.room)
        paintFree(rivers, scene)
      }
      paintTaken(rivers, scene, added ?? shown.taken)
      if (added === null) drawn = new Map()
      for (const river of added ?? shown.taken) drawn.set(river.river, usersOf(river))
      if (isNew || !isSameFutures(before.shown.futures, shown.futures)) {
        wipe(marks, shown.room)
        paintMarks(marks, scene, shown.futures)
      }
      if (isNew || before.shown.rivers !== shown.rivers || before.shown.site !== shown.site) {
        wipe(focus, shown.room)
        paintFocus(focus, scene, shown.rivers, shown.site)
      }
      last = { shown, ink }
    },
  }
}

/** Rivers taken since then; null: some became free or changed owner, so that all must be redrawn. */
export function additions(
  drawn: ReadonlyMap<number, string>,
  taken: readonly RiverView[],
): readonly RiverView[] | null {
  let kept = 0
  const added: RiverView[] = []
  for (const river of taken) {
    const users = drawn.get(river.river)
    if (users === undefined) {
      added.push(river)
      continue
    }
    if (users !== usersOf(river)) return null
    kept += 1
  }
  return kept === drawn.size ? added : null
}

const usersOf = ({ owner, holder }: RiverView): string => (holder === null ? `${owner}` : `${owner} ${holder}`)

/** As the styles of a canvas have them: properties that draw nothing there. */
function inkOf(canvas: HTMLCanvasElement): Ink {
  const style = getComputedStyle(canvas)
  return {
    ink: style.color,
    paper: style.columnRuleColor,
    faint: style.outlineColor,
    accent: style.borderTopColor,
  }
}

const isSameFutures = (a: Shown['futures'], b: Shown['futures']): boolean =>
  a === b || (a.length === b.length && a.every((future, at) => isSameFuture(future, b[at]!)))

const isSameFuture = (a: DrawnFuture, b: DrawnFuture): boolean =>
  a.seat === b.seat && a.mine === b.mine && a.target === b.target && a.kept === b.kept

const isSameRoom = (a: Room, b: Room): boolean => a.width === b.width && a.height === b.height

const isSameInk = (a: Ink, b: Ink): boolean =>
  a.ink === b.ink && a.paper === b.paper && a.faint === b.faint && a.accent === b.accent
