/** How the shapes of a picture are laid out. */
export type PictureKind = 'graph' | 'grid' | 'table' | 'bars' | 'gantt' | 'alignment'

/**
 * A picture of an instance, or of an instance with a solution, as a challenge file declares it. Plain data; the texts are
 * those of strangers. `left`: the number of shapes that are left out because there are more than MOST_SHAPES.
 */
export interface Picture {
  readonly kind: PictureKind
  readonly shapes: readonly Shape[]
  readonly left: number
}

/** A picture, or why it has none. `at`: the offset in the file, if known. */
export type Drawn =
  | { readonly ok: true; readonly picture: Picture }
  | { readonly ok: false; readonly at: number | null; readonly error: string }

/**
 * One part of a picture. `places`: the names of a graph's vertices as texts; rows, columns and lengths as numbers. `colour`: 0 for
 * none, else 1, 2, 3 and so on. `mark`: the solution has chosen it.
 */
export interface Shape {
  readonly word: ShapeWord
  readonly places: readonly (string | number)[]
  readonly label: string | null
  readonly colour: number
  readonly mark: boolean
}

export type ShapeWord = 'node' | 'edge' | 'cell' | 'bar' | 'letter' | 'link'

export const MOST_SHAPES = 2_000

/** name: a number or a text. */
export type PlaceKind = 'name' | 'int' | 'number'

/** The shapes of each kind of picture, and their places in order. */
export const kinds: Readonly<Record<PictureKind, Partial<Readonly<Record<ShapeWord, readonly PlaceKind[]>>>>> = {
  graph: { node: ['name'], edge: ['name', 'name'] },
  grid: { cell: ['int', 'int'] },
  table: { cell: ['int', 'int'] },
  bars: { bar: ['number'] },
  gantt: { bar: ['name', 'number', 'number'] },
  alignment: { letter: ['int', 'int'], link: ['int', 'int'] },
}
