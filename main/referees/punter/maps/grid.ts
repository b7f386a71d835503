import type { Edge, Sketch } from './sketch.ts'

/** A square grid of exactly the given number of sites; its last row may be shorter. */
export function grid(sites: number): Sketch {
  const columns = Math.ceil(Math.sqrt(sites))
  const numbers = Array.from({ length: sites }, (_, site) => site)
  return {
    points: numbers.map((site) => ({ x: site % columns, y: Math.floor(site / columns) })),
    rivers: numbers.flatMap((site): readonly Edge[] => [
      ...(site % columns < columns - 1 && site + 1 < sites ? [[site, site + 1] as const] : []),
      ...(site + columns < sites ? [[site, site + columns] as const] : []),
    ]),
  }
}
