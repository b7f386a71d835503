import { hostCaller } from '../../main/contract/people/caller.ts'
import { chromium as driver, type Page } from '@playwright/test'
import { readdirSync, readFileSync } from 'node:fs'
import { createDispatcher } from '../../main/administrator/procedures/dispatch.ts'
import { openClassroom, type ClassroomService } from '../../main/app/classroom-service.ts'
import { openPortal } from '../../main/portal/portal.ts'
import { resources } from '../../main/services/machine/resources.ts'
import { launching, windowedChromium } from '../e2e/browser.ts'
import type { Bench, Row } from './row.ts'

/** ms that frames are counted for. */
const WATCHED = 12_000
const viewport = { width: 1280, height: 800 }

/** A bench that wants a browser; without one it has no rows, and says so. */
export function inBrowser(name: string, measure: (page: Page) => Promise<readonly Row[]>): Bench {
  return {
    name,
    async measure() {
      if (windowedChromium === null) {
        console.error('  left out: it needs Chromium (npm run setup:debian -- --tests)')
        return []
      }
      const browser = await driver.launch(launching(windowedChromium))
      try {
        return await measure(await browser.newPage({ viewport, locale: 'en-GB' }))
      } finally {
        await browser.close()
      }
    },
  }
}

/** Makes a data folder without the sample class: nothing runs in it. */
export async function makeEmptyClass(data: string): Promise<void> {
  const service = await openClassroom({ data, sample: false })
  // Whoever opens it next would take it for a new one, and play the sample contest on all cores.
  await service.handlers['settings.set']({}, hostCaller)
  await service.close()
}

/** Shows a classroom in the page while something is measured there; then both are closed. */
export async function inClassroom<T>(
  page: Page,
  service: ClassroomService,
  measure: (page: Page, service: ClassroomService) => Promise<T>,
): Promise<T> {
  const unexpected = (error: unknown): void => console.error(error)
  const dispatcher = createDispatcher(service, unexpected)
  const portal = await openPortal({
    dispatcher,
    accounts: null,
    files: resources.renderer,
    port: 0,
    onUnexpected: unexpected,
  })
  try {
    await page.goto(portal.address())
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    const skip = page.getByRole('button', { name: 'Skip the tour' })
    if (await skip.isVisible()) await skip.click()
    return await measure(page, service)
  } finally {
    await portal.close()
    await service.close()
  }
}

/** Frames that a page draws in its slowest second of the next few. */
export function slowestSecond(page: Page): Promise<number> {
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

/** Memory of a process and all that it has started, shared pages counted once, in MB; null where Linux does not say. */
export function memoryOf(pid: number): number | null {
  try {
    const children = new Map<number, number[]>()
    for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
      const parent = Number(/^PPid:\s+(\d+)/m.exec(status(name))?.[1] ?? 0)
      children.set(parent, [...(children.get(parent) ?? []), Number(name)])
    }
    const tree = [pid]
    for (const each of tree) tree.push(...(children.get(each) ?? []))
    return tree.reduce((sum, each) => sum + proportional(each), 0) / 1024
  } catch {
    return null
  }
}

/** Resident memory of one process, in MB; null where Linux does not say. */
export function residentOf(pid: number): number | null {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(status(String(pid)))?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) / 1024
}

function status(process: string): string {
  try {
    return readFileSync(`/proc/${process}/status`, 'utf8')
  } catch {
    return '' // it has ended meanwhile
  }
}

/** kB. */
function proportional(process: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${process}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
}
