import type { SeatId } from '../../../main/contract/ids.ts'
import type { Camera } from '../../parts/map/camera.ts'
import { seatColour, seatLetter, seatTextColour } from '../../parts/seats.ts'
import type { DrawnHerder, DrawnScene, Ground, Place } from './drawn-scene.ts'

type Pen = CanvasRenderingContext2D

/** Colours of the page, as computed styles have them. */
export interface Ink {
  readonly ink: string
  readonly paper: string
  readonly surface: string
  readonly obstacle: string
  readonly accent: string
}

/** The ground, seen by a camera whose unit is a cell: corrals in their team's colour with its letter, hatched in a direction of its own, and obstacles. */
export function paintGround(pen: Pen, ground: Ground, camera: Camera, ink: Ink): void {
  const { scale: size, left, top } = camera
  pen.fillStyle = ink.surface
  pen.fillRect(left, top, size * ground.width, size * ground.height)
  for (const [seat, corral] of ground.corrals.entries()) {
    if (corral === null) continue
    const box = {
      x: left + corral.x0 * size,
      y: top + corral.y0 * size,
      width: (corral.x1 - corral.x0 + 1) * size,
      height: (corral.y1 - corral.y0 + 1) * size,
    }
    paintCorral(pen, seat, box)
  }
  pen.fillStyle = ink.obstacle
  const gap = size >= 6 ? 0.5 : 0
  for (const { x, y } of ground.obstacles) {
    pen.fillRect(left + x * size + gap, top + y * size + gap, size - 2 * gap, size - 2 * gap)
  }
  pen.strokeStyle = ink.obstacle
  pen.lineWidth = 1
  pen.strokeRect(left + 0.5, top + 0.5, size * ground.width - 1, size * ground.height - 1)
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** px between the lines of a hatching. */
const HATCH = 9

function paintCorral(pen: Pen, seat: SeatId, { x, y, width, height }: Box): void {
  pen.save()
  pen.beginPath()
  pen.rect(x, y, width, height)
  pen.clip()
  pen.fillStyle = pen.strokeStyle = seatColour(seat)
  pen.globalAlpha = 0.22
  pen.fillRect(x, y, width, height)
  pen.globalAlpha = 0.55
  pen.lineWidth = 1
  pen.beginPath()
  for (let at = -height; at < width; at += HATCH) {
    const [from, to] = seat === 0 ? [at, at + height] : [at + height, at]
    pen.moveTo(x + from, y + height)
    pen.lineTo(x + to, y)
  }
  pen.stroke()
  pen.restore()
  pen.strokeStyle = seatColour(seat)
  pen.lineWidth = 2
  pen.strokeRect(x + 1, y + 1, width - 2, height - 2)
  const letter = Math.min(width, height) * 0.6
  if (letter < 9) return
  pen.globalAlpha = 0.85
  write(pen, seatLetter(seat), { x: x + width / 2, y: y + height / 2 }, seatColour(seat), letter)
  pen.globalAlpha = 1
}

/** Draws how often cows stood on each cell: the more often, the darker. `heat`: by cell, row by row, from 0 to 1. */
export function paintHeat(
  pen: Pen,
  heat: Float32Array,
  { width }: Ground,
  { scale: size, left, top }: Camera,
  ink: Ink,
): void {
  pen.fillStyle = ink.accent
  for (const [cell, share] of heat.entries()) {
    if (share === 0) continue
    pen.globalAlpha = 0.12 + 0.73 * share
    pen.fillRect(left + (cell % width) * size, top + Math.floor(cell / width) * size, size, size)
  }
  pen.globalAlpha = 1
}

/** The ways that herders came, the older the fainter. `trails`: places of each, the oldest first. */
export function paintTrails(pen: Pen, trails: readonly Trail[], camera: Camera): void {
  pen.lineJoin = pen.lineCap = 'round'
  for (const { seat, places } of trails) {
    pen.strokeStyle = seatColour(seat)
    pen.lineWidth = Math.max(1.5, camera.scale / 4)
    for (const [at, place] of places.entries()) {
      const next = places[at + 1]
      if (next === undefined) break
      const [a, b] = [middleOf(camera, place), middleOf(camera, next)]
      pen.globalAlpha = 0.15 + (0.6 * at) / places.length
      pen.beginPath()
      pen.moveTo(a.x, a.y)
      pen.lineTo(b.x, b.y)
      pen.stroke()
    }
  }
  pen.globalAlpha = 1
}

export interface Trail {
  readonly seat: SeatId
  readonly places: readonly Place[]
}

/** Cows and herders; what a chosen herder sees is framed. */
export function paintScene(
  pen: Pen,
  { herders, cows }: DrawnScene,
  ground: Ground,
  camera: Camera,
  ink: Ink,
  chosen: DrawnHerder | null,
): void {
  if (chosen !== null) paintSight(pen, chosen, ground, camera, ink)
  for (const cow of cows) paintCow(pen, middleOf(camera, cow), camera.scale, ink)
  for (const herder of herders) paintHerder(pen, herder, camera, ink)
  if (chosen === null) return
  const { x, y } = middleOf(camera, chosen)
  pen.strokeStyle = ink.accent
  pen.lineWidth = 2.5
  pen.beginPath()
  pen.arc(x, y, radiusOf(camera) + 4, 0, 2 * Math.PI)
  pen.stroke()
}

function paintSight(
  pen: Pen,
  { x, y }: Place,
  { sight, width, height }: Ground,
  { scale: size, left, top }: Camera,
  { accent }: Ink,
): void {
  const [x0, y0] = [Math.max(0, x - sight), Math.max(0, y - sight)]
  const [x1, y1] = [Math.min(width, x + sight + 1), Math.min(height, y + sight + 1)]
  const box = [left + x0 * size, top + y0 * size, (x1 - x0) * size, (y1 - y0) * size] as const
  pen.fillStyle = pen.strokeStyle = accent
  pen.globalAlpha = 0.1
  pen.fillRect(...box)
  pen.globalAlpha = 1
  pen.lineWidth = 1.5
  pen.setLineDash([5, 3])
  pen.strokeRect(...box)
  pen.setLineDash([])
}

/** A pale body with a dark patch; a dot where cells are small. */
function paintCow(pen: Pen, { x, y }: Place, size: number, { ink, paper }: Ink): void {
  const radius = Math.max(1.8, size * 0.42)
  pen.fillStyle = size < 5 ? ink : paper
  pen.strokeStyle = ink
  pen.lineWidth = Math.max(0.8, size / 10)
  pen.beginPath()
  pen.arc(x, y, radius, 0, 2 * Math.PI)
  pen.fill()
  if (size < 5) return
  pen.stroke()
  pen.fillStyle = ink
  pen.beginPath()
  pen.arc(x, y, radius, -0.6 * Math.PI, 0.4 * Math.PI)
  pen.fill()
}

/** Larger than their cells if these are small, so that teams can be distinguished. */
const radiusOf = ({ scale: size }: Camera): number => Math.max(4.5, size * 0.55)

/** px of a herder's radius from which it shows its number. */
const NUMBERED = 6.5

function paintHerder(pen: Pen, { seat, body, ...place }: DrawnHerder, camera: Camera, ink: Ink): void {
  const { x, y } = middleOf(camera, place)
  const radius = radiusOf(camera)
  pen.fillStyle = seatColour(seat)
  pen.strokeStyle = ink.ink
  pen.lineWidth = 1.25
  pen.beginPath()
  if (seat === 0) pen.arc(x, y, radius, 0, 2 * Math.PI)
  else pen.rect(x - 0.9 * radius, y - 0.9 * radius, 1.8 * radius, 1.8 * radius)
  pen.fill()
  pen.stroke()
  if (body !== null && radius >= NUMBERED) write(pen, String(body + 1), { x, y }, seatTextColour(seat), radius * 1.4)
}

const middleOf = ({ scale: size, left, top }: Camera, { x, y }: Place): Place => ({
  x: left + (x + 0.5) * size,
  y: top + (y + 0.5) * size,
})

function write(pen: Pen, text: string, { x, y }: Place, style: string, size: number): void {
  pen.fillStyle = style
  pen.font = `650 ${size}px "Inter Variable", sans-serif`
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  pen.fillText(text, x, y + size * 0.06)
}
