/** A map to be drawn; its sites have coordinates. */
interface Drawn {
  readonly sites: readonly { readonly id: number; readonly x?: number | undefined; readonly y?: number | undefined }[]
  readonly rivers: readonly { readonly source: number; readonly target: number }[]
  readonly mines: readonly number[]
}

/** A small picture of a map, in the units of its coordinates. */
export interface MapPreview {
  /** The `viewBox`. */
  readonly box: string
  /** All rivers as one path, so that ten thousand of them are one element. */
  readonly rivers: string
  readonly mines: readonly { readonly x: number; readonly y: number }[]
  /** The radius of a mine. */
  readonly mine: number
}

/** The picture of a map with sites. A site without coordinates lies at the origin. */
export function previewOf({ sites, rivers, mines }: Drawn): MapPreview {
  const points = new Map(sites.map(({ id, x = 0, y = 0 }) => [id, { x, y }]))
  const [xs, ys] = [[...points.values()].map(({ x }) => x), [...points.values()].map(({ y }) => y)]
  const least = (all: readonly number[]): number => all.reduce((a, b) => Math.min(a, b))
  const most = (all: readonly number[]): number => all.reduce((a, b) => Math.max(a, b))
  const [left, top] = [least(xs), least(ys)]
  const [width, height] = [most(xs) - left, most(ys) - top]
  const size = Math.max(width, height, 1)
  const edge = size / 20
  const at = (site: number): { x: number; y: number } => points.get(site)!
  return {
    box: [left - edge, top - edge, width + 2 * edge, height + 2 * edge].join(' '),
    rivers: rivers
      .map(({ source, target }) => `M${at(source).x} ${at(source).y}L${at(target).x} ${at(target).y}`)
      .join(''),
    mines: mines.map(at),
    mine: size / 60,
  }
}
