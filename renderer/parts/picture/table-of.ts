import type { Picture, Shape } from '../../../grammars/challenges/index.ts'

/** A table of a picture. `head`: its row 0, which has the names of the columns. */
export interface PictureTable {
  readonly head: readonly string[]
  /** null: nothing was drawn there. */
  readonly rows: readonly (readonly (Shape | null)[])[]
}

/** Rows and columns without anything are left out, so that far numbers make no wide tables. */
export function tableOf({ shapes }: Picture): PictureTable {
  const numbers = (place: number): readonly number[] =>
    [...new Set(shapes.map(({ places }) => Number(places[place])))].toSorted((a, b) => a - b)
  const cells = new Map(shapes.map((shape) => [`${shape.places[0]} ${shape.places[1]}`, shape]))
  const columns = numbers(1)
  const row = (number: number): readonly (Shape | null)[] =>
    columns.map((column) => cells.get(`${number} ${column}`) ?? null)
  return {
    head: row(0).map((cell) => cell?.label ?? ''),
    rows: numbers(0).flatMap((number) => (number === 0 ? [] : [row(number)])),
  }
}
