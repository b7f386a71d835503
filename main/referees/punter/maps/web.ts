import { rounded, type Edge, type Point, type Sketch } from './sketch.ts'

/** A spider's web: threads from the site in the middle, and rings around it, with at most the given number of sites in all. */
export function web(sites: number): Sketch {
  const threads = Math.max(3, Math.min(sites - 1, Math.round(Math.sqrt(2 * sites))))
  const rings = Math.floor((sites - 1) / threads)
  const points: Point[] = [{ x: 0, y: 0 }]
  const rivers: Edge[] = []
  for (let ring = 0; ring < rings; ring++) {
    for (let thread = 0; thread < threads; thread++) {
      const angle = (2 * Math.PI * thread) / threads
      const site =
        points.push({ x: rounded((ring + 1) * Math.cos(angle)), y: rounded((ring + 1) * Math.sin(angle)) }) - 1
      rivers.push([ring === 0 ? 0 : site - threads, site])
      rivers.push([site, thread === threads - 1 ? site + 1 - threads : site + 1])
    }
  }
  return { points, rivers }
}
