export interface Point {
  readonly x: number
  readonly y: number
}

/** The part of a map that is shown: its point (x, y) is at (left + x * scale, top + y * scale), in px. */
export interface Camera {
  readonly scale: number
  readonly left: number
  readonly top: number
}

/** A size in px. */
export interface Room {
  readonly width: number
  readonly height: number
}

/** The place of the zoom buttons, in the upper right corner. */
export const TOOLS: Room = { width: 36, height: 104 }
/** px that a point which is to be seen is at least away from the edge of the room. */
const EDGE = 20
/** How many times the size that fits a map may be enlarged to. */
const CLOSEST = 64

/** Shows all of a map, as large as fits, in the middle. `edge`: px that stay free on each side. */
export function fitting(extent: Point, { width, height }: Room, edge: number): Camera {
  const inner = { x: Math.max(1, width - 2 * edge), y: Math.max(1, height - 2 * edge) }
  const size = Math.min(extent.x > 0 ? inner.x / extent.x : Infinity, extent.y > 0 ? inner.y / extent.y : Infinity)
  const scale = Number.isFinite(size) ? size : 1
  return { scale, left: (width - extent.x * scale) / 2, top: (height - extent.y * scale) / 2 }
}

/** Enlarges what is shown; the point of the map at `at` (px) stays where it is. `fit`: the camera that shows all of the map. */
export function zoomed(camera: Camera, factor: number, at: Point, fit: Camera): Camera {
  const scale = Math.min(CLOSEST * fit.scale, Math.max(fit.scale, camera.scale * factor))
  if (scale === fit.scale) return fit
  const { x, y } = onMap(camera, at)
  return { scale, left: at.x - x * scale, top: at.y - y * scale }
}

/** Moves the map by a distance in px; a part of it stays in view. */
export function panned(camera: Camera, by: Point, extent: Point, { width, height }: Room): Camera {
  const within = (value: number, length: number, room: number): number =>
    Math.min(room / 2, Math.max(room / 2 - length * camera.scale, value))
  return {
    scale: camera.scale,
    left: within(camera.left + by.x, extent.x, width),
    top: within(camera.top + by.y, extent.y, height),
  }
}

/** Moves what is shown just so far that a point of the map is well within its room. */
export function showing(camera: Camera, point: Point, extent: Point, room: Room): Camera {
  const { x, y } = onScreen(camera, point)
  const by = { x: shift(x, room.width), y: shift(y, room.height) }
  return by.x === 0 && by.y === 0 ? camera : panned(camera, by, extent, room)
}

const shift = (at: number, length: number): number => Math.max(0, EDGE - at) + Math.min(0, length - EDGE - at)

export const onScreen = ({ scale, left, top }: Camera, { x, y }: Point): Point => ({
  x: left + x * scale,
  y: top + y * scale,
})

export const onMap = ({ scale, left, top }: Camera, { x, y }: Point): Point => ({
  x: (x - left) / scale,
  y: (y - top) / scale,
})
