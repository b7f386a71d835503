import type { Picture, Shape } from './picture.ts'

/** Maximum lines of a description. */
const LONGEST = 200

/**
 * A picture in words, a line a thing: for screen readers, and for all who would rather read. Begins with a line about the
 * whole.
 */
export function describePicture(picture: Picture): readonly string[] {
  const { kind, shapes, left } = picture
  const words = describing[kind](shapes)
  const lines = words.slice(0, LONGEST)
  const more = words.length - lines.length + left
  return more === 0 ? lines : [...lines, `${more} more are left out.`]
}

const describing: Readonly<Record<Picture['kind'], (shapes: readonly Shape[]) => readonly string[]>> = {
  graph(shapes) {
    const nodes = shapes.filter(({ word }) => word === 'node')
    const edges = shapes.filter(({ word }) => word === 'edge')
    return [
      `Graph: ${counted(nodes.length, 'vertex', 'vertices')}, ${counted(edges.length, 'edge')}.`,
      ...nodes.map((node) => `Vertex ${node.places[0]}${looksOf(node)}.`),
      ...edges.map((edge) => `Edge from ${edge.places[0]} to ${edge.places[1]}${looksOf(edge)}.`),
    ]
  },
  grid: (shapes) => rowsOf('Grid', shapes),
  table: (shapes) => rowsOf('Table', shapes),
  bars: (shapes) => [
    `Bars: ${counted(shapes.length, 'bar')}.`,
    ...shapes.map((bar, index) => `Bar ${index + 1}: ${rounded(bar.places[0])}${looksOf(bar)}.`),
  ],
  gantt: (shapes) => [
    `Gantt chart: ${counted(shapes.length, 'bar')}.`,
    ...shapes.map((bar) => {
      const [row, from, to] = bar.places
      return `Row ${row}: from ${rounded(from)} to ${rounded(to)}${looksOf(bar)}.`
    }),
  ],
  alignment(shapes) {
    const letters = shapes.filter(({ word }) => word === 'letter')
    const links = shapes.filter(({ word }) => word === 'link')
    return [
      ...rowsOf('Alignment', letters),
      ...links.map(
        (link) =>
          `Place ${link.places[0]} of the first row with place ${link.places[1]} of the second${looksOf(link)}.`,
      ),
    ]
  },
}

function rowsOf(name: string, shapes: readonly Shape[]): readonly string[] {
  const rows = new Map<number, Shape[]>()
  for (const shape of shapes) {
    const row = Number(shape.places[0])
    const known = rows.get(row)
    if (known === undefined) rows.set(row, [shape])
    else known.push(shape)
  }
  const lines = [...rows].toSorted(([a], [b]) => a - b)
  return [
    `${name}: ${counted(rows.size, 'row')}, ${counted(shapes.length, 'cell')}.`,
    ...lines.map(([row, cells]) => {
      const inOrder = cells.toSorted((a, b) => Number(a.places[1]) - Number(b.places[1]))
      return `Row ${row}: ${inOrder.map((cell) => `${cell.label ?? ''}${shortLooks(cell)}`.trim() || 'empty').join(', ')}.`
    }),
  ]
}

function looksOf({ label, colour, mark }: Shape): string {
  const said = [label === null ? '' : `labelled ${label}`, colour === 0 ? '' : `colour ${colour}`, mark ? 'marked' : '']
  const parts = said.filter((part) => part !== '')
  return parts.length === 0 ? '' : `, ${parts.join(', ')}`
}

function shortLooks({ colour, mark }: Shape): string {
  const parts = [colour === 0 ? '' : `colour ${colour}`, mark ? 'marked' : ''].filter((part) => part !== '')
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

function counted(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

function rounded(value: string | number | undefined): string {
  return typeof value === 'number' ? String(Math.round(value * 1000) / 1000) : String(value)
}
