import type { Picture, Shape } from '../../../grammars/challenges/index.ts'

/** The parts of a picture's SVG, in px of its own size; lines lie below boxes. */
export interface Scene {
  readonly width: number
  readonly height: number
  readonly lines: readonly Line[]
  readonly boxes: readonly Box[]
}

export interface Line {
  readonly x1: number
  readonly y1: number
  readonly x2: number
  readonly y2: number
  readonly mark: boolean
  /** Drawn weakly, because other lines are marked. */
  readonly faint: boolean
  readonly label: string | null
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** A disc, or the shape of its colour. */
  readonly round: boolean
  /** 0: none. */
  readonly colour: number
  readonly mark: boolean
  readonly text: string
  /** The height of the text, if it is not in the middle. */
  readonly textY: number | null
}

/** Beyond this many lines labels would cover each other. */
const LABELLED_LINES = 15
/** A wider range of rows or columns is drawn without its gaps. */
const WIDEST_RANGE = 120

/** The scene of a picture; tables are drawn as tables. */
export function sceneOf({ kind, shapes }: Picture): Scene {
  switch (kind) {
    case 'graph':
      return graph(shapes)
    case 'bars':
      return bars(shapes)
    case 'gantt':
      return gantt(shapes)
    case 'alignment':
      return alignment(shapes)
    case 'grid':
    case 'table':
      return grid(shapes)
  }
}

function graph(shapes: readonly Shape[]): Scene {
  const nodes = shapes.filter(({ word }) => word === 'node')
  const edges = shapes.filter(({ word }) => word === 'edge')
  const radius = Math.max(70, nodes.length * 9)
  const centre = radius + 20
  const places = new Map(
    nodes.map(({ places: [name] }, index) => {
      const angle = (2 * Math.PI * index) / nodes.length - Math.PI / 2
      return [name, { x: centre + radius * Math.cos(angle), y: centre + radius * Math.sin(angle) }] as const
    }),
  )
  const chosen = edges.some(({ mark }) => mark)
  const lines = edges.flatMap(({ places: [a, b], mark, label }): readonly Line[] => {
    const [from, to] = [places.get(a), places.get(b)]
    if (from === undefined || to === undefined) return []
    const shown = chosen ? mark : edges.length <= LABELLED_LINES
    const ends = { x1: from.x, y1: from.y, x2: to.x, y2: to.y }
    return [{ ...ends, mark, faint: chosen && !mark, label: shown ? label : null }]
  })
  const boxes = nodes.map(({ places: [name], label, colour, mark }): Box => {
    const { x, y } = places.get(name)!
    const text = label ?? String(name)
    return { x: x - 13, y: y - 13, width: 26, height: 26, round: true, colour, mark, text, textY: null }
  })
  return { width: 2 * centre, height: 2 * centre, lines, boxes }
}

/** The places of rows or columns with these numbers, from 0. */
function ranks(numbers: readonly number[]): { readonly count: number; of(number: number): number } {
  const sorted = [...new Set(numbers)].toSorted((a, b) => a - b)
  const first = sorted[0] ?? 0
  const range = (sorted.at(-1) ?? 0) - first + 1
  if (range <= WIDEST_RANGE) return { count: range, of: (number) => number - first }
  const places = new Map(sorted.map((number, index) => [number, index]))
  return { count: sorted.length, of: (number) => places.get(number) ?? 0 }
}

const CELL = 30

function grid(shapes: readonly Shape[]): Scene {
  const rows = ranks(shapes.map(({ places }) => Number(places[0])))
  const columns = ranks(shapes.map(({ places }) => Number(places[1])))
  const boxes = shapes.map((shape) =>
    boxOf(shape, {
      x: 2 + columns.of(Number(shape.places[1])) * CELL,
      y: 2 + rows.of(Number(shape.places[0])) * CELL,
      width: CELL - 3,
      height: CELL - 3,
    }),
  )
  return { width: columns.count * CELL + 4, height: rows.count * CELL + 4, lines: [], boxes }
}

function boxOf(
  { label, colour, mark }: Shape,
  place: Pick<Box, 'x' | 'y' | 'width' | 'height'>,
  textY: number | null = null,
): Box {
  return { ...place, round: false, colour, mark, text: label ?? '', textY }
}

const TALLEST = 140

function bars(shapes: readonly Shape[]): Scene {
  const step = shapes.length > 40 ? 12 : 34
  const values = shapes.map(({ places }) => Number(places[0]))
  const highest = Math.max(0, ...values)
  const lowest = Math.min(0, ...values)
  const unit = highest === lowest ? 0 : TALLEST / (highest - lowest)
  const ground = 4 + highest * unit
  const boxes = shapes.map((shape, index) => {
    const height = Math.max(2, Math.abs(values[index]!) * unit)
    const y = values[index]! < 0 ? ground : ground - height
    return boxOf(shape, { x: 4 + index * step, y, width: step - 6, height }, TALLEST + 18)
  })
  const width = shapes.length * step + 8
  const base = { x1: 0, y1: ground, x2: width, y2: ground, mark: false, faint: true, label: null }
  return { width, height: TALLEST + 28, lines: [base], boxes }
}

const ROW = 38
const TIME_WIDTH = 480
const NAMES = 60

function gantt(shapes: readonly Shape[]): Scene {
  const names = [...new Set(shapes.map(({ places }) => String(places[0])))]
  const starts = shapes.map(({ places }) => Number(places[1]))
  const ends = shapes.map(({ places }) => Number(places[2]))
  const first = Math.min(...starts, ...ends)
  const unit = TIME_WIDTH / (Math.max(...starts, ...ends) - first || 1)
  const boxes = shapes.map((shape, index) => {
    const [from, to] = [Math.min(starts[index]!, ends[index]!), Math.max(starts[index]!, ends[index]!)]
    const width = Math.max(2, (to - from) * unit - 1)
    const y = 4 + names.indexOf(String(shape.places[0])) * ROW
    return boxOf(shape, { x: NAMES + (from - first) * unit, y, width, height: ROW - 8 })
  })
  const heads = names.map((text, index): Box => {
    const place = { x: 4, y: 4 + index * ROW, width: NAMES - 10, height: ROW - 8 }
    return { ...place, round: false, colour: -1, mark: false, text, textY: null }
  })
  return { width: NAMES + TIME_WIDTH + 8, height: names.length * ROW + 8, lines: [], boxes: [...heads, ...boxes] }
}

function alignment(shapes: readonly Shape[]): Scene {
  const letters = shapes.filter(({ word }) => word === 'letter')
  const rows = ranks(letters.map(({ places }) => Number(places[0])))
  const columns = ranks(letters.map(({ places }) => Number(places[1])))
  const top = (row: number): number => 4 + row * 2.4 * CELL
  const left = (column: number): number => 2 + columns.of(column) * CELL
  const boxes = letters.map((shape) =>
    boxOf(shape, {
      x: left(Number(shape.places[1])),
      y: top(rows.of(Number(shape.places[0]))),
      width: CELL - 3,
      height: CELL - 3,
    }),
  )
  const lines = shapes
    .filter(({ word }) => word === 'link')
    .map(({ places: [a, b], mark, label }): Line => {
      const middle = (CELL - 3) / 2
      const ends = { x1: left(Number(a)) + middle, y1: top(0) + CELL - 3, x2: left(Number(b)) + middle, y2: top(1) }
      return { ...ends, mark, faint: false, label }
    })
  return { width: columns.count * CELL + 4, height: top(Math.max(0, rows.count - 1)) + CELL + 4, lines, boxes }
}
