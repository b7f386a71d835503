import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as z from 'zod'
import type { KnownClass } from '../contract/procedures/classes.ts'

/** A rectangle on the desktop, in device-independent pixels. */
const bounds = z.strictObject({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) })
export type Bounds = z.infer<typeof bounds>

/** The window state kept between starts. */
const kept = z.strictObject({
  bounds: bounds.nullable(),
  maximized: z.boolean(),
  /** Files that were opened, newest first. */
  recent: z.array(z.string().min(1).max(4_096)).max(20),
  /** Classes that were open, the last one first. */
  classes: z
    .array(z.strictObject({ folder: z.string().min(1).max(4_096), name: z.string().min(1).max(4_096) }))
    .max(20)
    .default([]),
})
export type WindowState = z.infer<typeof kept>

const nothing: WindowState = { bounds: null, maximized: false, recent: [], classes: [] }
const RECENT_MAX = 10

/** If the file is missing or damaged, the window opens as on the first start. */
export function readWindowState(file: string): WindowState {
  try {
    return kept.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return nothing
  }
}

/** Replaces the file atomically. Errors are ignored: a full disk must not keep a window from closing. */
export function writeWindowState(file: string, value: WindowState): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`)
    renameSync(`${file}.new`, file)
  } catch {
    return
  }
}

/** The list with `path` as its newest. */
export function withRecent(recent: readonly string[], path: string): string[] {
  return [path, ...recent.filter((other) => other !== path)].slice(0, RECENT_MAX)
}

/** The list of classes with one that is open now as its newest. */
export function withClass(classes: readonly KnownClass[], open: KnownClass): KnownClass[] {
  return [open, ...classes.filter(({ folder }) => folder !== open.folder)].slice(0, RECENT_MAX)
}

interface FirstClassFacts {
  /** True: `usual` was named for this start. */
  readonly isNamed: boolean
  readonly usual: string
  readonly classes: readonly KnownClass[]
}

/** The folder of the class with which the program begins: the one that was named, else the last one that is still there, else the usual one. */
export async function firstClass(
  { isNamed, usual, classes }: FirstClassFacts,
  isThere: (folder: string) => Promise<boolean>,
): Promise<string> {
  const last = classes[0]?.folder
  return isNamed || last === undefined || !(await isThere(last)) ? usual : last
}

/**
 * The window's position: the old one, if at least 100 × 30 pixels of its title bar are on a display; null: the system's
 * choice.
 */
export function placeFor(wanted: Bounds | null, workAreas: readonly Bounds[]): Bounds | null {
  if (wanted === null) return null
  const held = workAreas.some((area) => {
    const across = Math.min(wanted.x + wanted.width, area.x + area.width) - Math.max(wanted.x, area.x)
    const down = Math.min(wanted.y + 30, area.y + area.height) - Math.max(wanted.y, area.y)
    return across >= 100 && down >= 30
  })
  return held ? wanted : null
}
