import type { Point, Room } from '../../parts/map/camera.ts'

/** A text that is wanted beside a point of a map. */
export interface Label {
  readonly key: string
  /** px */
  readonly at: Point
  readonly text: string
  /** px around the point that the text leaves free. */
  readonly clear: number
}

/** A text and its start in px: its left end, and the middle of its height. */
export interface PlacedLabel extends Point {
  readonly key: string
  readonly text: string
}

/** A rectangle in px. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** px of a line of text. */
const HEIGHT = 14
/** px of a character of a label, on average; digits are the widest that are common. */
const CHARACTER = 7.1

export const squareAround = ({ x, y }: Point, radius: number): Box => ({
  left: x - radius,
  top: y - radius,
  right: x + radius,
  bottom: y + radius,
})

/**
 * Places labels, the most important first, right of, above, below or left of their points, where they neither leave the room nor
 * cover one of the marks or each other. Those that fit nowhere are left out.
 */
export function placedLabels(labels: readonly Label[], marks: readonly Box[], room: Room): readonly PlacedLabel[] {
  const taken = [...marks]
  return labels.flatMap(({ key, at, text, clear }) => {
    if (at.x < 0 || at.y < 0 || at.x > room.width || at.y > room.height) return []
    const box = boxesOf(at, text.length * CHARACTER, clear).find(
      (each) => isWithin(each, room) && !taken.some((other) => overlap(each, other)),
    )
    if (box === undefined) return []
    taken.push(box)
    return [{ key, text, x: box.left, y: (box.top + box.bottom) / 2 }]
  })
}

function boxesOf({ x, y }: Point, width: number, clear: number): readonly Box[] {
  const box = (left: number, top: number): Box => ({ left, top, right: left + width, bottom: top + HEIGHT })
  return [
    box(x + clear, y - HEIGHT / 2),
    box(x - width / 2, y - clear - HEIGHT),
    box(x - width / 2, y + clear),
    box(x - clear - width, y - HEIGHT / 2),
  ]
}

const isWithin = ({ left, top, right, bottom }: Box, { width, height }: Room): boolean =>
  left >= 0 && top >= 0 && right <= width && bottom <= height

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
