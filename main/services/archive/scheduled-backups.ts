import { existsSync, realpathSync } from 'node:fs'
import { readdir, readFile, realpath, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as z from 'zod'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { partsThat } from '../../administrator/classroom/layout.ts'
import { scratchFolder } from '../../administrator/classroom/scratch.ts'
import { writeSynced } from '../../administrator/classroom/synced-file.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { BackupState } from '../../contract/procedures/answers.ts'
import { sha256 } from '../../histories/canonical.ts'
import { machineErrorOf } from '../../histories/machine-error.ts'
import type { WallClock } from '../contests/recurring/wall-clock.ts'
import type { OngoingTasks } from '../ongoing-tasks.ts'
import { backUpInto, backupsOf, requireOutside } from './back-up.ts'
import { SUMS, sumsOf } from './backup-sums.ts'
import { whyUnusable } from './backup-test.ts'
import { surplus } from './thinning.ts'

const HOUR = 3_600_000
/** After a backup that failed, the next one is tried. ms. */
const AGAIN_AFTER = HOUR / 4
/** A backup is tested this long after the last test. ms. */
const TEST_EVERY = 7 * 24 * HOUR
/** The maximum number of backups that failed a test and are tested again with the next ones. */
const AGAIN_MAX = 3
/** A test leaves this many bytes of the disk of the class, on which hand-ins and histories are written meanwhile. */
const RESERVE = 1_000_000_000

/** Backups that a class makes by itself, while it is open. */
export interface ScheduledBackups {
  /** null: the class makes none. */
  state(): BackupState | null
  /** The settings have changed. */
  changed(): void
  /** Waits for a backup that is being made. No other one begins. */
  close(): Promise<void>
}

interface Options {
  readonly home: ClassFolder
  readonly clock: WallClock
  /** Lists a backup while it is made. */
  readonly ongoing: Pick<OngoingTasks, 'run'>
  /** Called when the state has changed. */
  onChange(): void
  /** Called with a sentence when backups begin to fail, or one that was tested cannot be used; once until it has changed. */
  onNotice(sentence: string): void
  onFatal(error: unknown): void
}

/** The knowledge of the backups in their folder. */
interface Known {
  readonly folder: string
  readonly last: number | null
  readonly problem: string | null
  readonly tested: Tested | null
}

const testResult = z.strictObject({
  at: z.iso.datetime(),
  problem: z.string().max(8_000).nullable(),
  /** The number of backups that were tested then. */
  copies: z.int().min(0).default(1),
  /** When each backup was tested the last time, by name. */
  before: z.record(z.string().max(100), z.iso.datetime()).default({}),
  /** Why backups cannot be used, by name, until they pass a test or are gone. */
  problems: z.record(z.string().max(100), z.string().max(8_000)).default({}),
  /** The names of backups that had a list of checksums when they were tested: without it a copy that has changed would pass. */
  listed: z.array(z.string().max(100)).default([]),
})
/** The file with the newest test, beside the backups. */
const TESTED = 'tested.json'

/** The name of a backup, by its time: such as 2026-11-28T12-00-00-000Z. Others are made by hand, and never thinned. */
const nameAt = (time: number): string => new Date(time).toISOString().replaceAll(/[:.]/g, '-')
function timeOfName(name: string): number | null {
  const parts = /^(\d{4}-\d{2}-\d{2}T\d{2})-(\d{2})-(\d{2})-(\d{3}Z)$/.exec(name)
  const time = parts === null ? Number.NaN : Date.parse(`${parts[1]}:${parts[2]}:${parts[3]}.${parts[4]}`)
  return Number.isNaN(time) ? null : time
}

/** The folder of a class in one that classes share: another data folder, as of an imported copy with the same key, is another class. */
function ownName({ folder, key }: ClassFolder): string {
  const place = realpathSync(folder)
  const name = basename(place)
    .replaceAll(/[^\p{L}\p{N}_-]/gu, '_')
    .slice(0, 60)
  return `${name}-${sha256(`${key.fingerprint} ${place}`).slice(0, 16)}`
}

/** Opens the schedule of a class: the first backup is due when the newest is as old as the settings say. */
export function openScheduledBackups({ home, clock, ongoing, onChange, onNotice, onFatal }: Options): ScheduledBackups {
  let known: Known | null = null
  let due = 0
  let cancel = (): void => undefined
  let isClosed = false
  let working: Promise<void> = Promise.resolve()
  let isBusy = false
  /** The settings have changed while a backup was made. */
  let isStale = false

  const settings = (): { folder: string; everyMs: number; chosen: string | null } => {
    const { folder, everyHours } = home.content.settings.backups
    return {
      folder: folder === '' ? backupsOf(home.folder) : join(folder, ownName(home)),
      everyMs: everyHours * HOUR,
      chosen: folder === '' ? null : folder,
    }
  }

  function wait(): void {
    cancel()
    if (isClosed || home.isReadOnly || settings().everyMs === 0) return
    cancel = clock.wake(due, look)
  }

  /** Begins anew with the present settings. */
  function begin(): void {
    isStale = false
    due = 0
    known = null
    wait()
  }

  function look(): void {
    if (isClosed || isBusy) return
    isBusy = true
    working = work()
      .catch(onFatal)
      .finally(() => {
        isBusy = false
        if (isStale) begin()
        else wait()
      })
  }

  async function work(): Promise<void> {
    const { folder, everyMs, chosen } = settings()
    if (everyMs === 0) return
    // After a clock was set back, what was made in times to come says nothing of when the next copy is due.
    if (known?.folder !== folder || (known.last ?? 0) > clock.now()) {
      known = await knownIn(folder, clock.now())
      due = dueAfter(known, everyMs)
      onChange()
    }
    // A clock may call early.
    if (clock.now() < due) return
    const [before, now] = [known, clock.now()]
    known = await ongoing.run('backup', () => backedUp(home, before, { chosen, now, onNotice }))
    if (known.problem !== null && known.problem !== before.problem) onNotice(known.problem)
    due = known.last === now ? dueAfter(known, everyMs) : now + AGAIN_AFTER
    onChange()
  }

  // In a turn of its own: the caller that opens the class has it first.
  if (!home.isReadOnly && settings().everyMs > 0) wait()
  return {
    state() {
      if (home.isReadOnly || settings().everyMs === 0) return null
      const iso = (time: number): string => new Date(time).toISOString()
      return {
        last: known === null || known.last === null ? null : iso(known.last),
        next: iso(Math.max(due, clock.now())),
        problem: known?.problem ?? null,
        tested: known?.tested ? shown(known.tested) : null,
      }
    },
    changed() {
      isStale = isBusy
      if (!isBusy) begin()
    },
    async close() {
      isClosed = true
      cancel()
      await working
    },
  }
}

/** Makes a backup, deletes surplus ones, and tests the new one if it is time. Returns what is known then. */
async function backedUp(
  home: ClassFolder,
  known: Known,
  { chosen, now, onNotice }: Pick<Options, 'onNotice'> & { chosen: string | null; now: number },
): Promise<Known> {
  const { folder } = known
  let { last } = known
  try {
    // A folder that is made where a stick is missing would fill the disk that the stick protects from.
    if (chosen !== null && !existsSync(chosen)) throw missing(chosen)
    await requireOutside(home.folder, chosen ?? folder)
    // Before the copy as well: on a full disk, none would ever succeed.
    await removeBrokenOff(folder)
    await thin(home, folder, now)
    await backUpInto(home, folder, nameAt(now))
    last = now
    await thin(home, folder, now)
    const isDue = known.tested === null || now - Date.parse(known.tested.at) >= TEST_EVERY
    const tested = isDue ? await tryOut(folder, known.tested, now, () => scratchFolder(home, 'restored')) : known.tested
    if (isDue && tested.problem !== null) onNotice(`A backup was tested, and cannot be used: ${tested.problem}`)
    return { folder, last, problem: null, tested }
  } catch (error) {
    const problem = error instanceof ExpectedError ? error : machineErrorOf(error, folder)
    if (problem === null) throw error
    return { ...known, last, problem: problem.message }
  }
}

const missing = (folder: string): ExpectedError =>
  new ExpectedError('host', 'path-unusable', `The folder for backups, ${folder}, is not there: plug in its disk.`)

type Tested = z.infer<typeof testResult>
const shown = ({ at, problem, copies }: Tested): NonNullable<BackupState['tested']> => ({ at, problem, copies })

/**
 * Tests the newest backup, of the others the one that was tested longest ago (an old copy decays where nobody looks), and those that failed before. Copies
 * that were opened are classes by now, and differ rightly from what was copied; one that failed before is named until it is gone.
 */
async function tryOut(
  folder: string,
  last: Tested | null,
  now: number,
  makeFolder: () => Promise<string>,
): Promise<Tested> {
  const times = (await timesIn(folder)).filter((time) => time <= now)
  const all = times.map(nameAt)
  const names = all.filter((name) => !isOpened(join(folder, name)))
  const [newest, ...others] = names.toSorted().reverse()
  const kept = <T>(values: Readonly<Record<string, T>> = {}): Record<string, T> =>
    Object.fromEntries(Object.entries(values).filter(([name]) => all.includes(name)))
  const [before, failed] = [kept(last?.before), new Map(Object.entries(kept(last?.problems)))]
  const listed = new Set(last?.listed.filter((name) => all.includes(name)))
  const testedAt = (name: string): string => before[name] ?? ''
  const whole = others.filter((name) => !failed.has(name))
  const byTest = (a: string, b: string): number => testedAt(a).localeCompare(testedAt(b))
  const [longest] = whole.reverse().toSorted(byTest)
  const at = new Date(now).toISOString()
  const again = names
    .filter((name) => failed.has(name))
    .toSorted(byTest)
    .slice(0, AGAIN_MAX)
  const chosen = [...new Set([newest, longest, ...again].filter((name) => name !== undefined))]
  for (const name of chosen) {
    const copy = join(folder, name)
    const hasList = existsSync(sumsOf(copy))
    const isLost = listed.has(name) && !hasList
    const found = isLost
      ? `${sumsOf(copy)}, the list of its checksums, is gone.`
      : await whyUnusable(copy, makeFolder, RESERVE)
    if (hasList) listed.add(name)
    failed.delete(name)
    if (found !== null) failed.set(name, found.slice(0, 8_000))
    before[name] = at
  }
  // The oldest first.
  const problems = Object.fromEntries([...failed].toSorted(([one], [other]) => one.localeCompare(other)))
  const told = Object.values(problems).join(' ').slice(0, 8_000)
  const result = { at, problem: told || null, copies: chosen.length, before, problems, listed: [...listed] }
  // Without room for the result, backups are tested again the next time.
  await writeSynced(join(folder, TESTED), `${JSON.stringify(result)}\n`).catch(() => undefined)
  return result
}

const dueAfter = ({ last }: Known, everyMs: number): number => (last === null ? 0 : last + everyMs)

/** The knowledge of a folder, without times to come. */
async function knownIn(folder: string, now: number): Promise<Known> {
  const times = (await timesIn(folder)).filter((time) => time <= now)
  const tested = await readFile(join(folder, TESTED), 'utf8').then(
    (text) => testResult.nullable().catch(null).parse(parsed(text)),
    () => null,
  )
  return {
    ...{ folder, last: times.length === 0 ? null : Math.max(...times), problem: null },
    tested: tested !== null && Date.parse(tested.at) <= now ? tested : null,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

async function timesIn(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder).catch(() => [])
  return names.flatMap((name) => timeOfName(name) ?? [])
}

/** Removes copies that were broken off, as by a stick that was pulled out. */
async function removeBrokenOff(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const isOwn = name.startsWith('.') && name.endsWith('.new') && timeOfName(name.slice(1, -4)) !== null
    if (isOwn) await rm(join(folder, name), { recursive: true, force: true })
    const isList = timeOfName(name.slice(0, -SUMS.length)) !== null && name.endsWith(SUMS)
    if (isList && !existsSync(join(folder, name.slice(0, -SUMS.length)))) await rm(join(folder, name), { force: true })
  }
}

/** True: a copy was opened as a class. */
const isOpened = (copy: string): boolean => partsThat('stays').some((part) => existsSync(join(copy, part)))

async function thin(home: ClassFolder, folder: string, now: number): Promise<void> {
  const own = await realpath(home.folder)
  for (const time of surplus(await timesIn(folder), now)) {
    const copy = join(folder, nameAt(time))
    // One that was opened may be somebody's class by now.
    if (isOpened(copy) || (await realpath(copy)) === own) continue
    await rm(copy, { recursive: true, force: true })
    await rm(sumsOf(copy), { force: true })
  }
}
