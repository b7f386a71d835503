import type { Page } from '@playwright/test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openClassroom, type ClassroomService } from '../../main/app/classroom-service.ts'
import { hostCaller } from '../../main/contract/people/caller.ts'
import type { ContestDraft } from '../../main/contract/procedures/procedures.ts'
import { parseKeyText, type PublicKey } from '../../main/histories/keys.ts'
import { makeSampleClass } from '../e2e/make-sample-class.ts'
import { withFolder } from './folder.ts'
import { recordedContest } from './recorded-contest.ts'
import { tellsEvent } from './replay-worker.ts'
import { rowOf, type Row, type Target } from './row.ts'
import { inBrowser, inClassroom, slowestSecond } from './window-stage.ts'

/** Events a second that are told: so many more than the 10,000 to be shown that a pause of the machine leaves as many. */
const EVENTS = 10_800
/** Workers that tell them, more than this machine's contests have; with sixteen their own cost is what is measured. */
const TELLERS = 4
const contest = 'sample-contest-1'

/**
 * The screen of a running contest: how many frames its slowest second has, against the same screen at rest. Once while the
 * sample contest's matches, as they were really played, are told again by workers at that pace, on the way that all events take:
 * engine, segments on disk, record, topic, socket, screen. Once while it is really played on all cores, which makes as many
 * events as the row's name says.
 */
export const windowLive = inBrowser('window-live', (page) =>
  withFolder(async (folder) => {
    const data = join(folder, 'data')
    await makeSampleClass(data)
    const watch = (page: Page, service: ClassroomService): Promise<Watched> => watchContest(page, service, data)
    const played = await inClassroom(page, await openClassroom({ data }), watch)
    const launch = await recordedContest({ ...played, data, contest, folder, perSecond: EVENTS / TELLERS })
    const told = await inClassroom(page, await openClassroom({ data, launch, workers: TELLERS }), watch)
    const row = (name: string, { frames, atRest }: Watched, target?: Target): Row =>
      rowOf(
        { name, value: frames, unit: 'frames/s' },
        { name: 'the same screen at rest', value: atRest, unit: 'frames/s' },
        target,
      )
    const target = { of: 'value', atLeast: 50 } as const
    return [
      rowOf(
        { name: 'window, events told again while the screen is watched', value: told.events, unit: 'events/s' },
        { name: 'offered', value: EVENTS, unit: 'events/s' },
        { of: 'value', atLeast: 10_000 },
      ),
      row(
        `window, recorded matches told again at ${thousands(told.events)} events/s, played here at ${thousands(played.events)}`,
        told,
        target,
      ),
      row(`window, a contest played with ${thousands(played.events)} events/s`, played, target),
    ]
  }),
)

const thousands = (value: number): string => Math.round(value).toLocaleString('en')

/** Measurements of the window while a contest ran. */
interface Watched {
  /** Frames of the slowest second, and of that of the screen at rest. */
  readonly frames: number
  readonly atRest: number
  /** That its histories have grown by in a second. */
  readonly events: number
  readonly key: PublicKey
}

/** Begins a contest of the sample class's agents that lasts longer than it is watched, and looks on. */
async function watchContest(page: Page, { handlers }: ClassroomService, data: string): Promise<Watched> {
  await page.evaluate((to) => (location.hash = to), `#/contests/${contest}`)
  await page.locator('[aria-label=Standings][tabindex]').waitFor()
  const atRest = await slowestSecond(page)
  const { draft } = await handlers['contests.get']({ contest }, hostCaller)
  // More than can be played meanwhile.
  const longer: ContestDraft = {
    ...draft,
    title: 'Long',
    seed: 'long',
    format: { type: 'round-robin', seats: 4, repeats: 1_000 },
  }
  const { contest: long } = await handlers['contests.create']({ draft: longer }, hostCaller)
  await page.evaluate((to) => (location.hash = to), `#/contests/${long}`)
  await handlers['contests.start']({ contest: long }, hostCaller)
  await page.locator('[aria-label=Standings][tabindex]').waitFor()
  const done = async (): Promise<number> =>
    (await handlers['contests.get']({ contest: long }, hostCaller)).summary.progress.done
  while ((await done()) === 0) await new Promise((resolve) => setTimeout(resolve, 100))
  const dir = join(data, 'contests', long)
  const [before, begun] = [sizes(dir), performance.now()]
  const frames = await slowestSecond(page)
  const [after, ms] = [sizes(dir), performance.now() - begun]
  await handlers['contests.pause']({ contest: long }, hostCaller)
  const { publicKey } = await handlers['settings.get']({}, hostCaller)
  return {
    frames,
    atRest,
    events: (eventsBetween(dir, before, after) * 1_000) / ms,
    key: parseKeyText(publicKey)!,
  }
}

/** Bytes of each file of a folder. */
const sizes = (dir: string): ReadonlyMap<string, number> =>
  new Map(readdirSync(dir).map((name) => [name, statSync(join(dir, name)).size]))

/** Events that a contest's histories have grown by from one moment to another. */
function eventsBetween(dir: string, before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): number {
  let events = 0
  for (const [name, size] of after) {
    const grown = readFileSync(join(dir, name)).subarray(before.get(name) ?? 0, size)
    events += grown.toString('utf8').split('\n').filter(tellsEvent).length
  }
  return events
}
