import type { Point } from './camera.ts'

export interface GestureHandlers {
  /** Called with a drag of the map, in px. */
  onpan(by: Point): void
  /** The map is enlarged around a point of its place; returns false if it cannot be: then a wheel scrolls the page. */
  onzoom(factor: number, at: Point): boolean
  /** A pointer points there; null: it has left. */
  onpoint(at: Point | null): void
  /** Called with a press that was not a drag. */
  onpress(at: Point): void
}

/** px that a pointer may move in a press before it is a drag. */
const STILL = 5
/** How much a notch of a wheel enlarges. */
const WHEEL = 1.0016

/** Mouse, pen and touch on an element: dragging pans, a wheel or two fingers zoom. Returns the function to stop. */
export function listenForGestures(
  element: HTMLElement,
  { onpan, onzoom, onpoint, onpress }: GestureHandlers,
): () => void {
  const down = new Map<number, Point>()
  let begun: Point | null = null
  let isDrag = false

  const placeOf = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = element.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
  const pinch = (id: number, to: Point): void => {
    const other = [...down].find(([each]) => each !== id)?.[1]
    const from = down.get(id)
    if (other === undefined || from === undefined) return
    const before = Math.hypot(from.x - other.x, from.y - other.y)
    const after = Math.hypot(to.x - other.x, to.y - other.y)
    if (before > 0) onzoom(after / before, { x: (to.x + other.x) / 2, y: (to.y + other.y) / 2 })
  }
  const press = (event: PointerEvent): void => {
    if (event.button !== 0 || isControl(event.target)) return
    begun = placeOf(event)
    isDrag = down.size > 0
    down.set(event.pointerId, begun)
    element.setPointerCapture(event.pointerId)
  }
  const move = (event: PointerEvent): void => {
    const at = placeOf(event)
    const from = down.get(event.pointerId)
    if (from === undefined) return onpoint(isControl(event.target) ? null : at)
    if (begun !== null && Math.hypot(at.x - begun.x, at.y - begun.y) > STILL) isDrag = true
    if (!isDrag) return
    if (down.size > 1) pinch(event.pointerId, at)
    else onpan({ x: at.x - from.x, y: at.y - from.y })
    down.set(event.pointerId, at)
  }
  const release = (event: PointerEvent): void => {
    if (!down.delete(event.pointerId)) return
    if (!isDrag && event.type === 'pointerup') onpress(placeOf(event))
  }
  const leave = (): void => onpoint(null)
  const wheel = (event: WheelEvent): void => {
    if (onzoom(WHEEL ** -event.deltaY, placeOf(event))) event.preventDefault()
  }

  const stop = new AbortController()
  const { signal } = stop
  element.addEventListener('pointerdown', press, { signal })
  element.addEventListener('pointermove', move, { signal })
  element.addEventListener('pointerup', release, { signal })
  element.addEventListener('pointercancel', release, { signal })
  element.addEventListener('pointerleave', leave, { signal })
  element.addEventListener('wheel', wheel, { signal, passive: false })
  return () => stop.abort()
}

const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button') !== null
