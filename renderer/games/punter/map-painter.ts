import { seatColour, seatLetter, seatTextColour } from '../../parts/seats.ts'
import { onScreen, type Camera, type Point } from '../../parts/map/camera.ts'
import { type Layout, riverName } from './layout.ts'
import type { RiverView, View } from './rules.ts'
import { number } from '../../words.ts'

type Pen = CanvasRenderingContext2D

/** Colours of the page, as computed styles have them. */
export interface Ink {
  readonly ink: string
  readonly paper: string
  /** Rivers without an owner. */
  readonly faint: string
  readonly accent: string
}

/** A bet as it is drawn. Sites are indices into the layout's. */
export interface DrawnFuture {
  readonly seat: number
  readonly mine: number
  readonly target: number
  readonly kept: boolean
}

/** The things drawn, and their places. */
interface Scene {
  readonly layout: Layout
  readonly camera: Camera
  readonly ink: Ink
}

/** px of a river on the screen from which it shows the letter of its owner. */
const LETTERED = 46
/** Maximum number of futures drawn as lines; with more, only their targets are drawn. */
const BETS_MAX = 32

/** px: thinner where rivers are short. */
function widthOf({ layout, camera }: Scene): number {
  return Math.min(4.5, Math.max(1.25, (layout.riverLength * camera.scale) / 8))
}

/** Rivers without an owner, in one stroke. */
export function paintFree(pen: Pen, scene: Scene): void {
  pen.strokeStyle = scene.ink.faint
  pen.lineWidth = Math.max(1, widthOf(scene) / 2)
  pen.globalAlpha = 0.6
  stroke(pen, scene, scene.layout.rivers.keys())
  pen.globalAlpha = 1
}

/**
 * Rivers that somebody has: a line in the owner's colour, dashed in the pattern of its group of seven seats, with a dark edge.
 * An option is a row of dots in its holder's colour within a black line, so that it is seen in every kind of colour vision.
 */
export function paintTaken(pen: Pen, scene: Scene, taken: readonly RiverView[]): void {
  const width = widthOf(scene)
  pen.lineCap = 'butt'
  if (width >= 2) {
    pen.strokeStyle = scene.ink.ink
    pen.lineWidth = width + 1.5
    stroke(pen, scene, numbersOf(taken))
  }
  for (const [owner, own] of Map.groupBy(taken, (river) => river.owner)) {
    pen.strokeStyle = seatColour(owner)
    pen.lineWidth = width
    pen.setLineDash(dashesOf(owner))
    stroke(pen, scene, numbersOf(own))
  }
  pen.setLineDash([])
  paintOptions(pen, scene, taken, width)
  for (const { river, owner, holder } of taken)
    paintLetters(pen, scene, river, holder === null ? [owner] : [owner, holder])
}

function paintOptions(pen: Pen, scene: Scene, taken: readonly RiverView[], width: number): void {
  const sold = taken.filter(({ holder }) => holder !== null)
  pen.strokeStyle = '#000000'
  pen.lineWidth = Math.max(1.5, width * 0.7)
  stroke(pen, scene, numbersOf(sold))
  pen.setLineDash([width, width])
  for (const [holder, own] of Map.groupBy(sold, (river) => river.holder ?? 0)) {
    pen.strokeStyle = seatColour(holder)
    stroke(pen, scene, numbersOf(own))
  }
  pen.setLineDash([])
}

/** Length in px of a river on the screen from which sites are drawn as dots. */
const DOTTED = 8

/** Mines as squares with a lambda, other sites as dots, and futures: a ring around the target, closed by a dot when it is kept. */
export function paintMarks(pen: Pen, scene: Scene, futures: readonly DrawnFuture[]): void {
  const { layout, camera, ink } = scene
  const length = layout.riverLength * camera.scale
  const size = Math.min(9, Math.max(3, length * 0.2))
  if (length >= DOTTED) paintDots(pen, scene, size / 4)
  for (const site of layout.sites) if (site.isMine) paintMine(pen, onScreen(camera, site), size, ink)
  if (length >= LETTERED) for (const site of layout.sites) paintId(pen, scene, site, size)
  for (const future of futures) paintFuture(pen, scene, future, size, futures.length <= BETS_MAX)
}

function paintDots(pen: Pen, { layout, camera, ink }: Scene, radius: number): void {
  pen.fillStyle = ink.ink
  pen.beginPath()
  for (const site of layout.sites) {
    if (site.isMine) continue
    const { x, y } = onScreen(camera, site)
    pen.moveTo(x, y)
    pen.arc(x, y, radius, 0, 2 * Math.PI)
  }
  pen.fill()
}

/** The id of a site, at its upper right. */
function paintId(pen: Pen, { camera, ink }: Scene, site: Layout['sites'][number], size: number): void {
  const { x, y } = onScreen(camera, site)
  const place = { x: x + size + 5, y: y - size - 4 }
  pen.strokeStyle = ink.paper
  pen.lineWidth = 3
  write(pen, String(site.id), place, ink.ink, 12, true)
}

function paintMine(pen: Pen, { x, y }: Point, size: number, { paper, accent }: Ink): void {
  pen.fillStyle = accent
  pen.strokeStyle = paper
  pen.lineWidth = 1.5
  pen.fillRect(x - size, y - size, 2 * size, 2 * size)
  pen.strokeRect(x - size, y - size, 2 * size, 2 * size)
  if (size >= 6) write(pen, 'λ', { x, y }, paper, size * 1.7)
}

function paintFuture(
  pen: Pen,
  { layout, camera }: Scene,
  { seat, mine, target, kept }: DrawnFuture,
  size: number,
  joined: boolean,
): void {
  const from = onScreen(camera, layout.sites[mine]!)
  const to = onScreen(camera, layout.sites[target]!)
  pen.strokeStyle = seatColour(seat)
  pen.lineWidth = 1.5
  if (joined) {
    pen.setLineDash([2, 4])
    pen.beginPath()
    pen.moveTo(from.x, from.y)
    // Bent, so that it does not hide rivers.
    pen.quadraticCurveTo(
      (from.x + to.x) / 2 + (to.y - from.y) / 6,
      (from.y + to.y) / 2 + (from.x - to.x) / 6,
      to.x,
      to.y,
    )
    pen.stroke()
    pen.setLineDash([])
  }
  // Rings of several punters at one site are one around the other.
  const radius = size * (0.8 + 0.3 * (seat % 7))
  pen.lineWidth = size / 4
  pen.beginPath()
  pen.arc(to.x, to.y, radius, 0, 2 * Math.PI)
  pen.stroke()
  if (!kept) return
  pen.fillStyle = seatColour(seat)
  pen.beginPath()
  pen.arc(to.x, to.y, size / 2, 0, 2 * Math.PI)
  pen.fill()
}

/** Draws the river pointed at or chosen: a wide line in the accent colour, for a layer beneath the rivers. */
export function paintFocus(pen: Pen, scene: Scene, rivers: readonly number[], site: number | null): void {
  const { ink, layout, camera } = scene
  pen.strokeStyle = ink.accent
  pen.lineWidth = widthOf(scene) + 8
  pen.lineCap = 'round'
  stroke(pen, scene, rivers)
  if (site === null) return
  const { x, y } = onScreen(camera, layout.sites[site]!)
  pen.lineWidth = 3
  pen.beginPath()
  pen.arc(x, y, 13, 0, 2 * Math.PI)
  pen.stroke()
}

/** The letters of who uses a long river, in its middle. */
function paintLetters(pen: Pen, { layout, camera }: Scene, river: number, seats: readonly number[]): void {
  const { source, target } = layout.rivers[river]!
  const [a, b] = [onScreen(camera, layout.sites[source]!), onScreen(camera, layout.sites[target]!)]
  const length = Math.hypot(b.x - a.x, b.y - a.y)
  if (length < LETTERED * seats.length) return
  for (const [at, seat] of seats.entries()) {
    const part = (at + 1) / (seats.length + 1)
    const place = { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part }
    pen.fillStyle = seatColour(seat)
    pen.beginPath()
    pen.arc(place.x, place.y, 8, 0, 2 * Math.PI)
    pen.fill()
    write(pen, seatLetter(seat), place, seatTextColour(seat), 11)
  }
}

/** `outlined`: in the stroke style, so that it is read over a line. */
function write(pen: Pen, text: string, { x, y }: Point, style: string, size: number, outlined = false): void {
  pen.fillStyle = style
  pen.font = `650 ${size}px "Inter Variable", sans-serif`
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  if (outlined) pen.strokeText(text, x, y + size * 0.06)
  pen.fillText(text, x, y + size * 0.06)
}

function stroke(pen: Pen, { layout, camera }: Scene, rivers: Iterable<number>): void {
  const { sites } = layout
  pen.beginPath()
  for (const river of rivers) {
    const { source, target } = layout.rivers[river]!
    const [a, b] = [sites[source]!, sites[target]!]
    const [x, y] = [camera.left + a.x * camera.scale, camera.top + a.y * camera.scale]
    pen.moveTo(x, y)
    if (source === target) pen.arc(x - 7, y, 7, 0, 2 * Math.PI)
    else pen.lineTo(camera.left + b.x * camera.scale, camera.top + b.y * camera.scale)
  }
  pen.stroke()
}

const numbersOf = (taken: readonly RiverView[]): readonly number[] => taken.map(({ river }) => river)

/** As the lines of the chart of scores: colours come again after seven seats, in another pattern. */
const dashesOf = (seat: number): readonly number[] & number[] => (seat < 7 ? [] : seat < 14 ? [7, 3] : [2, 3])

/** The futures that are known, placed on the map. */
export function drawnFutures(
  layout: Layout,
  punters: readonly Pick<View['punters'][number], 'futures'>[],
): readonly DrawnFuture[] {
  return punters.flatMap((punter, seat) =>
    (punter.futures ?? []).flatMap(({ source, target, kept }): readonly DrawnFuture[] => {
      const [mine, to] = [layout.places.get(source), layout.places.get(target)]
      return mine === undefined || to === undefined ? [] : [{ seat, mine, target: to, kept }]
    }),
  )
}

/** The owner of a river in words, and since when. `taken` undefined: nobody. */
export function riverWords(
  layout: Layout,
  river: number,
  taken: RiverView | undefined,
  names: readonly string[],
): string {
  const name = `River ${riverName(layout, river)}`
  if (taken === undefined) return `${name}: free`
  const { owner, claimedAt, holder, soldAt } = taken
  const claim = `${name}: claimed by ${nameOf(names, owner)} in move ${number(claimedAt + 1)}`
  if (holder === null || soldAt === null) return claim
  return `${claim}, option of ${nameOf(names, holder)} since move ${number(soldAt + 1)}`
}

/** A site, and the futures that are about it. */
export function siteWords(
  { sites }: Layout,
  site: number,
  futures: readonly DrawnFuture[],
  names: readonly string[],
): string {
  const { id, isMine } = sites[site]!
  const bets = futures
    .filter(({ mine, target }) => mine === site || target === site)
    .map(({ seat, mine, target, kept }) => {
      const what = `${nameOf(names, seat)} bets on ${sites[mine]!.id} to ${sites[target]!.id}`
      return kept ? `${what} and has joined them` : what
    })
  return [`${isMine ? 'Mine' : 'Site'} ${id}`, ...bets].join('; ')
}

const nameOf = (names: readonly string[], seat: number): string => names[seat] ?? `seat ${seat}`
