import type { SeatId } from '../../../main/contract/ids.ts'
import { onScreen, TOOLS, type Camera, type Point, type Room } from '../../parts/map/camera.ts'
import { number } from '../../words.ts'
import type { Claim } from './claims.ts'
import { placedLabels, squareAround, type Label, type PlacedLabel } from './labels.ts'
import type { DrawnCorner, DrawnStreet, DrawnWorld, Layout } from './layout.ts'
import type { EvidenceView } from './rules.ts'

/** Sizes in px, which grow with the streets up to a readable limit. */
interface Sizes {
  /** Radius of a robot. */
  readonly robot: number
  /** Half the side of a bank. */
  readonly bank: number
  /** Radius of an ordinary corner. */
  readonly corner: number
  /** Width of a street. */
  readonly street: number
  /** Length of an arrowhead; 0: streets are too short for them. */
  readonly arrow: number
  /** Length of a street. */
  readonly block: number
}

export function sizesOf({ streetLength }: Pick<Layout, 'streetLength'>, { scale }: Camera): Sizes {
  const block = streetLength * scale
  const between = (least: number, share: number, most: number): number => Math.min(most, Math.max(least, block * share))
  return {
    robot: between(7.5, 0.32, 13),
    bank: between(5, 0.24, 10),
    corner: between(1.4, 0.08, 4),
    street: between(0.8, 0.06, 3),
    arrow: block < 9 ? 0 : between(3.5, 0.2, 9),
    block,
  }
}

/** Streets as paths in units of the map. Shortcuts for cars are bent, so that those along a street can be told from it. */
export function streetPaths(streets: readonly DrawnStreet[]): {
  readonly streets: string
  readonly shortcuts: string
} {
  const path = (type: DrawnStreet['type']): string =>
    streets.flatMap((street) => (street.type === type ? [pathOf(street)] : [])).join('')
  return { streets: path('foot'), shortcuts: path('car') }
}

function pathOf(street: DrawnStreet): string {
  const { from, to } = street
  const { x, y } = control(street)
  return `M${from.x} ${from.y}${street.type === 'car' ? `Q${x} ${y} ` : 'L'}${to.x} ${to.y}`
}

/** The point to which a shortcut is bent; for a street, its middle. */
function control({ from, to, type }: DrawnStreet): Point {
  const bend = type === 'car' ? 0.12 : 0
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  return { x: (from.x + to.x) / 2 - dy * bend, y: (from.y + to.y) / 2 + dx * bend }
}

/** Arrowheads in the middle of the one-way streets of a type, as a path in px. */
export function arrowsOf(
  streets: readonly DrawnStreet[],
  type: DrawnStreet['type'],
  camera: Camera,
  size: number,
): string {
  if (size === 0) return ''
  return streets
    .flatMap((street) => {
      if (!street.oneWay || street.type !== type) return []
      const [from, to, bent] = [street.from, street.to, control(street)]
      // The middle of the curve, where it runs as the straight line does.
      const middle = { x: (from.x + to.x + 2 * bent.x) / 4, y: (from.y + to.y + 2 * bent.y) / 4 }
      const { x, y } = onScreen(camera, middle)
      const length = Math.hypot(to.x - from.x, to.y - from.y)
      const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length]
      const at = (along: number, aside: number): string =>
        `${(x + ux * along - uy * aside).toFixed(1)} ${(y + uy * along + ux * aside).toFixed(1)}`
      return [`M${at(size / 2, 0)}L${at(-size / 2, size * 0.55)}L${at(-size / 2, -size * 0.55)}Z`]
    })
    .join('')
}

/** A robot on the map. */
interface DrawnRobot extends Point {
  readonly seat: SeatId
  readonly corner: DrawnCorner
  readonly car: boolean
  /** 0 or null: it smells nothing, or it is not known what. */
  readonly smell: number | null
  readonly dirty: boolean
  /** The brain that moves it; null: its own. */
  readonly controller: SeatId | null
}

/** Everybody who is seen, in px: around their corner where several share one. */
export function robotsOf(
  { byName }: Pick<Layout, 'byName'>,
  { robber, cops }: Pick<DrawnWorld, 'robber' | 'cops'>,
  camera: Camera,
  size: number,
): readonly DrawnRobot[] {
  const rest = { car: false, smell: null, dirty: false, controller: null }
  const all = [
    ...(robber === null ? [] : [{ ...rest, seat: 0, loc: robber }]),
    ...cops.map(({ seat, loc, ptype, smell, dirty, controller }) => ({
      seat,
      loc,
      car: ptype === 'cop-car',
      smell,
      dirty: dirty === true,
      controller: controller === undefined || controller === seat ? null : controller,
    })),
  ]
  return [...Map.groupBy(all, ({ loc }) => loc)].flatMap(([loc, here]) => {
    const corner = byName.get(loc)
    if (corner === undefined) return []
    const { x, y } = onScreen(camera, corner)
    const radius = here.length === 1 ? 0 : (1.15 * size) / Math.sin(Math.PI / here.length)
    return here.map((each, at) => {
      const angle = Math.PI + (2 * Math.PI * at) / here.length
      return { ...each, corner, x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) }
    })
  })
}

/** The claims about a corner. */
interface DrawnClaim {
  readonly seat: SeatId
  readonly loc: string
  /** From 0 to 1. */
  readonly opacity: number
  /** In px: a sector of a disc where the robber is claimed to be, a cross where it is claimed not to be. */
  readonly path: string
  readonly denies: boolean
}

/** Claims by corner: those that agree share a disc, so that each shows its own certainty. */
export function drawnClaims(
  { byName }: Pick<Layout, 'byName'>,
  claims: readonly Claim[],
  camera: Camera,
  size: number,
): readonly DrawnClaim[] {
  const radius = size * 1.75
  return [...Map.groupBy(claims, ({ loc, certainty }) => `${loc} ${certainty > 0}`).values()].flatMap((alike) => {
    const corner = byName.get(alike[0]!.loc)
    if (corner === undefined) return []
    const { x, y } = onScreen(camera, corner)
    return alike.map(({ seat, loc, certainty }, at) => {
      const denies = certainty < 0
      const share = Math.min(1, Math.abs(certainty) / 100)
      const path = denies
        ? cross({ x: x + 2 * at - alike.length + 1, y }, size * 0.45)
        : sector({ x, y }, radius, at, alike.length)
      return { seat, loc, denies, path, opacity: denies ? 0.1 + 0.6 * share : 0.12 + 0.78 * share }
    })
  })
}

const cross = ({ x, y }: Point, r: number): string =>
  `M${x - r} ${y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`

function sector({ x, y }: Point, radius: number, at: number, of: number): string {
  if (of === 1)
    return `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`
  const point = (number: number): string => {
    const angle = (2 * Math.PI * number) / of - Math.PI / 2
    return `${x + radius * Math.cos(angle)} ${y + radius * Math.sin(angle)}`
  }
  return `M${x} ${y}L${point(at)}A${radius} ${radius} 0 0 1 ${point(at + 1)}Z`
}

/** px of a street from which ordinary corners are named. */
const NAMED = 56

/**
 * The texts beside corners: what banks hold, the names of headquarters, of the robber's start and of banks, the worlds of evidence,
 * then the names of corners where somebody is or is said to be, and of an enlarged map those of all corners. The least important are
 * left out where there is no room.
 */
export function townLabels(
  { corners }: Pick<Layout, 'corners'>,
  view: Pick<DrawnWorld, 'banks'> | null,
  robots: readonly DrawnRobot[],
  claims: readonly DrawnClaim[],
  evidence: readonly EvidenceView[],
  sizes: Sizes,
  camera: Camera,
  room: Room,
): readonly PlacedLabel[] {
  const around = Map.groupBy(robots, ({ corner }) => corner.loc)
  const claimed = new Set(claims.map(({ loc }) => loc))
  const found = Map.groupBy(evidence, ({ loc }) => loc)
  const money = new Map(view?.banks.map(({ loc, value }) => [loc, value]))
  const symbols = corners.flatMap((corner) => {
    const size = corner.tag === 'ordinary' ? (found.has(corner.loc) ? sizes.robot * 0.8 : null) : sizes.bank
    return size === null ? [] : [squareAround(onScreen(camera, corner), size)]
  })
  const tools = { left: room.width - TOOLS.width, top: 0, right: room.width, bottom: TOOLS.height }
  const marks = [tools, ...symbols, ...robots.map((robot) => squareAround(robot, sizes.robot))]
  const label = (kind: string, { loc, ...corner }: DrawnCorner, text: string): Label => {
    const at = onScreen(camera, corner)
    const own = corner.tag === 'ordinary' && !found.has(loc) ? sizes.corner : sizes.bank
    const reach = (around.get(loc) ?? []).map(({ x, y }) => Math.hypot(x - at.x, y - at.y) + sizes.robot * 1.2)
    return { key: `${kind} ${loc}`, at, text, clear: 3 + Math.max(own, ...reach) }
  }
  const ofTag = (tag: DrawnCorner['tag']): readonly DrawnCorner[] => corners.filter((corner) => corner.tag === tag)
  const names = (some: readonly DrawnCorner[]): readonly Label[] =>
    some.map((corner) => label('name', corner, corner.loc))
  const ordinary = ofTag('ordinary')
  const isInvolved = ({ loc }: DrawnCorner): boolean => around.has(loc) || claimed.has(loc) || found.has(loc)
  return placedLabels(
    [
      ...ofTag('bank').flatMap((corner) => {
        const value = money.get(corner.loc)
        return value === undefined ? [] : [label('money', corner, `$${number(value)}`)]
      }),
      ...names([...ofTag('hq'), ...ofTag('robber-start'), ...ofTag('bank')]),
      ...ordinary.flatMap((corner) => {
        const worlds = found.get(corner.loc)?.map(({ world }) => world)
        return worlds === undefined ? [] : [label('evidence', corner, `world ${worlds.join(', ')}`)]
      }),
      ...names(ordinary.filter(isInvolved)),
      ...(sizes.block < NAMED ? [] : names(ordinary.filter((corner) => !isInvolved(corner)))),
    ],
    marks,
    room,
  )
}

const tags: Readonly<Record<DrawnCorner['tag'], string>> = {
  hq: ', headquarters',
  'robber-start': ", the robber's start",
  bank: ', a bank',
  ordinary: '',
}

/** A corner in words: what is there, who, and what cops claim of it. `view`: null: only the town is known. */
export function cornerWords({ loc, tag }: DrawnCorner, view: DrawnWorld | null, claims: readonly Claim[]): string {
  if (view === null) return `${loc}${tags[tag]}`
  const name = (seat: number): string => view.names[seat] ?? `seat ${seat}`
  const money = view.banks.find((bank) => bank.loc === loc)?.value
  const here = [
    ...(view.robber === loc ? [`${name(0)}, the robber`] : []),
    ...view.cops.flatMap(({ seat, loc: at, ptype, smell }) => {
      if (at !== loc) return []
      const smells = smell === null || smell === 0 ? '' : `, smells the robber at ${smell}`
      return [`${name(seat)} ${ptype === 'cop-car' ? 'in a car' : 'on foot'}${smells}`]
    }),
  ]
  const evidence = shownEvidence(view).flatMap((each) => (each.loc === loc ? [each.world] : []))
  const said = claims.flatMap((claim) =>
    claim.loc === loc ? [`${name(claim.seat)} ${number(claim.certainty)} %`] : [],
  )
  return [
    `${loc}${tags[tag]}${money === undefined ? '' : ` with $${number(money)}`}`,
    ...(here.length === 0 ? [] : [`here: ${here.join('; ')}`]),
    ...(evidence.length === 0 ? [] : [`evidence of world ${evidence.join(' and ')}`]),
    ...(said.length === 0 ? [] : [`claimed: ${said.join(', ')}`]),
  ].join(' · ')
}

/** The evidence drawn, each piece once: all of it, or that found by the viewer's cops. */
export function shownEvidence({
  evidence,
  cops,
}: Pick<DrawnWorld, 'evidence' | 'cops'>): NonNullable<DrawnWorld['evidence']> {
  if (evidence !== null) return evidence
  const found = cops.flatMap((cop) => cop.evidence ?? [])
  return [...new Map(found.map((each) => [`${each.loc} ${each.world}`, each])).values()]
}
