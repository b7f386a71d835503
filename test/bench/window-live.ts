import type { Page } from '@playwright/test'
import { join } from 'node:path'
import { createDispatcher } from '../../main/administrator/procedures/dispatch.ts'
import type { Service } from '../../main/administrator/procedures/desk.ts'
import { openClassroom, type ClassroomService } from '../../main/app/classroom-service/service.ts'
import { resources } from '../../main/app/resources.ts'
import type { Caller, ContestDetail, ContestDraft, StandingRow } from '../../main/contract/procedures.ts'
import { openPortal } from '../../main/portal/portal.ts'
import { withFolder } from './folder.ts'
import { rowOf, type Row } from './row.ts'
import { inBrowser, makeSampleClass } from './window-stage.ts'

/** Changes a second that a running contest is told to the screen with. */
const EVENTS = 10_000
/** ms between two batches of them. */
const BEAT = 5
/** ms that frames are counted for. */
const WATCHED = 6_000
const contest = 'sample-contest-1'
const educator: Caller = { right: 'educator' }

/**
 * The screen of a running contest: how many frames its slowest second has, while its standings change ten thousand times a
 * second, and while a contest is really played beside it on all cores. Against the same screen at rest.
 */
export const windowLive = inBrowser('window-live', (page) =>
  withFolder(async (folder) => {
    const data = join(folder, 'data')
    await makeSampleClass(data)
    const service = await openClassroom({ data })
    const storm = stormOf(service)
    const unexpected = (error: unknown): void => console.error(error)
    const dispatcher = createDispatcher(storm.service, unexpected)
    const portal = await openPortal({ dispatcher, files: resources.renderer, port: 0, onUnexpected: unexpected })
    try {
      await page.goto(portal.address())
      await page.getByRole('button', { name: 'Skip the tour' }).click()
      const [rest, stormy, told] = await stormOn(page, storm)
      const [played, events] = await playOn(page, service)
      const calm = { name: 'the same screen at rest', value: rest, unit: 'frames/s' }
      const target = { of: 'value', atLeast: 50 } as const
      return [
        rowOf(
          { name: `window, a contest changing ${thousands(told)} times/s`, value: stormy, unit: 'frames/s' },
          calm,
          target,
        ),
        rowOf(
          { name: `window, a contest played with ${thousands(events)} events/s`, value: played, unit: 'frames/s' },
          calm,
          target,
        ),
      ] satisfies readonly Row[]
    } finally {
      await portal.close()
      await service.close()
    }
  }),
)

const thousands = (value: number): string => Math.round(value).toLocaleString('en')

/** A classroom whose contest changes as often as it is told to, without anybody playing. */
interface Storm {
  readonly service: Service
  /** Begins; the function ends it and gives how many changes a second there were. */
  begin(): () => number
}

function stormOf(real: ClassroomService): Storm {
  const listeners = new Set<(value: unknown) => void>()
  return {
    service: {
      ...real,
      on(topic, listener) {
        if (topic !== `contest:${contest}`) return real.on(topic, listener)
        listeners.add(listener)
        const end = real.on(topic, listener)
        return () => {
          listeners.delete(listener)
          end()
        }
      },
    },
    begin() {
      let detail: ContestDetail | null = null
      void real.handlers['contests.get']({ contest }, educator).then((loaded) => (detail = loaded))
      const begun = performance.now()
      let events = 0
      const timer = setInterval(() => {
        for (const due = ((performance.now() - begun) * EVENTS) / 1_000; events < due; events++) {
          if (detail === null) continue
          detail = changed(detail, events)
          for (const listener of listeners) listener(detail)
        }
      }, BEAT)
      return () => {
        clearInterval(timer)
        return (events * 1_000) / (performance.now() - begun)
      }
    },
  }
}

/** The contest after one more match, in which one agent has left three behind. */
function changed(detail: ContestDetail, event: number): ContestDetail {
  const winner = (event * 5) % detail.standings.length
  const standings = detail.standings.map((row, at): StandingRow =>
    at === winner ? { ...row, points: row.points + 3, wins: row.wins + 1 } : row,
  )
  standings.sort((a, b) => b.points - a.points)
  const progress = { done: event, total: 1_000_000, msLeft: 1_000_000 - event }
  return {
    ...detail,
    summary: { ...detail.summary, state: 'running', progress },
    standings: standings.map((row, at) => ({ ...row, rank: at + 1 })),
  }
}

/** Frames of the slowest second at rest and in the storm; and changes a second that there were. */
async function stormOn(page: Page, storm: Storm): Promise<readonly [rest: number, stormy: number, told: number]> {
  await page.evaluate((to) => (location.hash = to), `#/contests/${contest}`)
  await page.locator('[aria-label=Standings][tabindex]').waitFor()
  const rest = await slowestSecond(page)
  const end = storm.begin()
  const stormy = await slowestSecond(page)
  return [rest, stormy, end()]
}

/** Frames of the slowest second while a contest is played, and the events a second that its histories have grown by. */
async function playOn(page: Page, { handlers }: ClassroomService): Promise<readonly [frames: number, events: number]> {
  const { draft } = await handlers['contests.get']({ contest }, educator)
  // More than can be played meanwhile.
  const longer: ContestDraft = { ...draft, title: 'Long', format: { type: 'round-robin', seats: 4, repeats: 1_000 } }
  const { contest: long } = await handlers['contests.create']({ draft: longer }, educator)
  await page.evaluate((to) => (location.hash = to), `#/contests/${long}`)
  await handlers['contests.start']({ contest: long }, educator)
  await page.locator('[aria-label=Standings][tabindex]').waitFor()
  const done = async (): Promise<number> =>
    (await handlers['contests.get']({ contest: long }, educator)).summary.progress.done
  const [before, begun] = [await done(), performance.now()]
  const frames = await slowestSecond(page)
  const [matches, ms] = [(await done()) - before, performance.now() - begun]
  await handlers['contests.pause']({ contest: long }, educator)
  const { events } = await handlers['matches.get']({ source: { from: 'contest', contest: long, match: 0 } }, educator)
  return [frames, (matches * events * 1_000) / ms]
}

/** Frames that a page draws in its slowest second of the next few. */
function slowestSecond(page: Page): Promise<number> {
  return page.evaluate(async (watched) => {
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))
    const frames = [await frame()]
    while (frames.at(-1)! - frames[0]! < watched) frames.push(await frame())
    const last = frames.at(-1)! - 1_000
    return Math.min(
      ...frames
        .filter((from) => from <= last)
        .map((from) => frames.filter((at) => at >= from && at < from + 1_000).length),
    )
  }, WATCHED)
}
