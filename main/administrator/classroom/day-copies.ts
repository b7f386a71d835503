import { existsSync } from 'node:fs'
import { copyFile, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, syncFile, syncFolder } from '../../histories/durable.ts'
import { itemsIn } from './entry-records.ts'
import { PRIVATE_FOLDER } from './private-files.ts'
import { renamed } from '../../histories/put-in-place.ts'

/** The number of days whose copies are kept. */
const DAYS_KEPT = 30
/** ms. */
const DAY = 24 * 60 * 60_000

/** The folder of the copies of days, and of what older versions wrote. */
export const copiesOf = (data: string): string => join(data, 'class-copies')
const nameOf = (day: string): string => `class-${day}.json`

/** A copy of `class.json` as it was before the first write of a day. */
export interface DayCopy {
  /** Such as 2026-11-26, UTC. */
  readonly day: string
  readonly path: string
}

/** The copies of `class.json`, newest first. */
export async function dayCopies(data: string): Promise<readonly DayCopy[]> {
  const days = (await itemsIn(copiesOf(data))).flatMap(
    ({ name }) => /^class-(\d{4}-\d{2}-\d{2})\.json$/.exec(name)?.[1] ?? [],
  )
  return days
    .sort()
    .reverse()
    .map((day) => ({ day, path: join(copiesOf(data), nameOf(day)) }))
}

/**
 * Copies `class.json` as it is, unless there is a copy of this day, and deletes the oldest copies, those of older forms too. `now`: UTC. Rejects with the
 * system's error; no half copy has the name of one.
 */
export async function keepDayCopy(data: string, now: Date): Promise<void> {
  const file = join(data, 'class.json')
  const path = join(copiesOf(data), nameOf(now.toISOString().slice(0, 10)))
  if (existsSync(path) || !existsSync(file)) return
  makeFolder(copiesOf(data), PRIVATE_FOLDER)
  const growing = `${path}.new`
  await copyFile(file, growing)
  await syncFile(growing)
  await renamed(growing, path)
  syncFolder(copiesOf(data))
  for (const { path: old } of (await dayCopies(data)).slice(DAYS_KEPT)) await rm(old, { force: true })
  await endOlderForms(data, now)
}

/** Deletes copies of older forms, which hold the class of former days too, when they are as old as copies of days become. */
async function endOlderForms(data: string, now: Date): Promise<void> {
  for (const name of await readdir(copiesOf(data))) {
    if (!/^(class|people)-form-\d+\./.test(name)) continue
    const path = join(copiesOf(data), name)
    if (now.getTime() - (await stat(path)).mtimeMs > DAYS_KEPT * DAY) await rm(path, { force: true })
  }
}
