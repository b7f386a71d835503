import * as z from 'zod'
import { complaintLine, parsePlainly } from '../../contract/complaints.ts'

const id = z.int().min(0)

/** For pictures alone: whatever is not a number counts as absent. */
const coordinate = z.number().optional().catch(undefined)

/** A map as files of 2017 have it. Their other fields of a map, a site or a river are kept in the text and have no meaning here. */
const mapFile = z.looseObject({
  sites: z.array(z.looseObject({ id, x: coordinate, y: coordinate })),
  rivers: z.array(z.looseObject({ source: id, target: id })),
  mines: z.array(id),
})
export type MapFile = z.infer<typeof mapFile>

/** A map file, or what is wrong with it, a sentence each. */
export type MapReading = { readonly file: MapFile } | { readonly problems: readonly string[] }

/**
 * Mines times sites and rivers: from each mine the way to each site is searched over all rivers, and kept. The largest map of the
 * contest has about a million.
 */
const SEARCHES_MAX = 20_000_000

/** Problems of one map that are told; a file may have thousands. */
const TOLD = 20

/**
 * Reads the text of a map file. `repair`: what does not fit is left out, and a map without mines gets one at the site with the
 * most rivers; else each such thing is a problem. Rivers and mines that come twice are harmless.
 */
export function readMapFile(text: string, repair: boolean): MapReading {
  if (text.trim() === '') return { problems: ['The map is empty.'] }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { problems: [`The map is not JSON: ${error instanceof Error ? error.message : String(error)}.`] }
  }
  const parsed = parsePlainly(mapFile, value)
  if (!parsed.ok) return { problems: [`The map cannot be read: ${complaintLine(parsed.complaint)}.`] }
  const file = repair ? repaired(parsed.value) : parsed.value
  const problems = problemsOf(file)
  return problems.length === 0 ? { file } : { problems: problems.slice(0, TOLD) }
}

function problemsOf({ sites, rivers, mines }: MapFile): readonly string[] {
  const ids = new Set<number>()
  const problems: string[] = []
  for (const { id } of sites) {
    if (ids.has(id)) problems.push(`Site ${id} comes twice.`)
    ids.add(id)
  }
  for (const { source, target } of rivers) {
    const missing = [source, target].find((end) => !ids.has(end))
    if (missing !== undefined)
      problems.push(`The river ${source}-${target} leads to site ${missing}, which does not exist.`)
  }
  for (const mine of mines) if (!ids.has(mine)) problems.push(`Mine ${mine} is not a site of the map.`)
  if (rivers.length === 0) problems.push('The map has no rivers.')
  if (mines.length === 0) problems.push('The map has no mines: nobody could score.')
  if (new Set(mines).size * (sites.length + rivers.length) > SEARCHES_MAX) {
    problems.push(
      `The map is too large: mines times sites and rivers must not be more than ${SEARCHES_MAX.toLocaleString('en')}.`,
    )
  }
  return problems
}

function repaired(file: MapFile): MapFile {
  const ids = new Set<number>()
  const sites = file.sites.filter(({ id }) => !ids.has(id) && ids.add(id))
  const rivers = file.rivers.filter(({ source, target }) => ids.has(source) && ids.has(target))
  const mines = file.mines.filter((mine) => ids.has(mine))
  return { ...file, sites, rivers, mines: mines.length > 0 ? mines : busiest(rivers) }
}

/** The site with the most rivers, the lowest of several; none where there are no rivers. */
function busiest(rivers: MapFile['rivers']): number[] {
  const counts = new Map<number, number>()
  for (const { source, target } of rivers) {
    if (source === target) continue
    for (const end of [source, target]) counts.set(end, (counts.get(end) ?? 0) + 1)
  }
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || a - b)
    .slice(0, 1)
    .map(([site]) => site)
}
