import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPixels, type Pixels } from './png.ts'

/** A picture of the docs that does not show what the program shows. */
export interface StalePicture {
  readonly name: string
  /** The part of its pixels that differ, 0 to 1; null: it was not made anew. */
  readonly part: number | null
}

/**
 * Pictures differ if more of their pixels do. A changed word makes 0.02 % and more, another Chromium that places letters between pixels and
 * does not fit them to pixels up to 0.004 %. A single digit may pass.
 */
const PART_MAX = 1 / 10_000
/** 0 to 255, in one of the three colours. Edges of letters, and the colours of palettes, mostly differ by less. */
const COLOUR_MAX = 96

/** The pictures in `shown` that are not the same in `made`; both are folders. */
export function stalePictures(shown: string, made: string): readonly StalePicture[] {
  return readdirSync(shown)
    .filter((name) => name.endsWith('.png'))
    .flatMap((name): readonly StalePicture[] => {
      const [before, after] = [shown, made].map((folder) => join(folder, name)) as [string, string]
      if (!existsSync(after)) return [{ name, part: null }]
      const part = differingPart(readPixels(readFileSync(before)), readPixels(readFileSync(after)))
      return part > PART_MAX ? [{ name, part }] : []
    })
}

/** The part of the pixels, 0 to 1, that resemble none of those at their place and around it in the other picture; 1 for other sizes. */
function differingPart(one: Pixels, other: Pixels): number {
  if (one.width !== other.width || one.height !== other.height) return 1
  const { width, height } = one
  let differing = 0
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if (!resembles(one, other, x, y) || !resembles(other, one, x, y)) differing += 1
  return differing / (width * height)
}

/** True if a pixel of the first picture has about the colour of one of the nine around its place in the second. */
function resembles({ width, height, rgb }: Pixels, { rgb: others }: Pixels, x: number, y: number): boolean {
  const at = (y * width + x) * 3
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++)
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
      const near = (row * width + column) * 3
      const isNear = (channel: number): boolean => Math.abs(rgb[at + channel]! - others[near + channel]!) <= COLOUR_MAX
      if (isNear(0) && isNear(1) && isNear(2)) return true
    }
  return false
}
