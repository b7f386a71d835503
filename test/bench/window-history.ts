import type { Page } from '@playwright/test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { go, serve } from '../e2e/served.ts'
import { withFolder } from './folder.ts'
import { historyFile } from './long-history.ts'
import { rowOf } from './row.ts'
import { inBrowser, makeEmptyClass } from './window-stage.ts'

/** A little more than 100 MB in 9,600 events. */
const LONG = { turns: 4_800, offers: 2, constraints: 100, variables: 20 } as const
/** The same match, but short. */
const SHORT = { ...LONG, turns: 5 } as const
const SEEKS = 20
/** Times that a file is opened. */
const OPENINGS = 2

/** A long match in a file from elsewhere: until it stands in the window, and until the window stands elsewhere in it. */
export const windowHistory = inBrowser('window-history', (page) =>
  withFolder(async (folder) => {
    const [long, short] = [await historyFile(folder, 'long', LONG), await historyFile(folder, 'short', SHORT)]
    const data = join(folder, 'data')
    await makeEmptyClass(data)
    const served = serve(data)
    try {
      await page.goto(await served.address)
      await page.getByRole('button', { name: 'Skip the tour' }).click()
      const times = { long: [] as number[], short: [] as number[] }
      for (let n = 0; n < OPENINGS; n++) {
        times.short.push(await openingOf(page, short))
        times.long.push(await openingOf(page, long))
      }
      await wholeMatch(page)
      const { far, near, still } = await seeks(page)
      const mb = (statSync(long).size / 1e6).toFixed(0)
      return [
        rowOf(
          {
            name: `window, a history of ${mb} MB from the file to its first event, the better of two`,
            value: Math.min(...times.long),
            unit: 'ms',
          },
          { name: 'the same of a short history', value: Math.min(...times.short), unit: 'ms' },
          { of: 'value', below: 1_000 },
        ),
        rowOf(
          {
            name: `window, the slowest of ${SEEKS} seeks in it, all panels drawn`,
            value: Math.max(...far),
            unit: 'ms',
          },
          { name: 'the slowest of as many steps to the next event', value: Math.max(...near), unit: 'ms' },
          { of: 'value', below: 200 },
        ),
        rowOf(
          { name: 'window, a jump in it, the median', value: median(far), unit: 'ms' },
          { name: 'a frame of the screen', value: median(still), unit: 'ms' },
          { of: 'value', below: 100 },
        ),
        rowOf(
          { name: 'window, a step to the next event in it, the median', value: median(near), unit: 'ms' },
          { name: 'a frame of the screen', value: median(still), unit: 'ms' },
          // A frame takes 16.7 ms, whatever is drawn in it.
          { of: 'value', below: 17 },
        ),
      ]
    } finally {
      await served.stop()
    }
  }),
)

/**
 * ms from choosing the file until its match can be scrubbed and its first event is told, as the page itself sees them: who asks
 * from outside, asks seldom.
 */
async function openingOf(page: Page, file: string): Promise<number> {
  await go(page, '#/histories')
  const input = page.getByLabel('Open history files')
  await input.waitFor({ state: 'attached' })
  const opened = page.evaluate(async () => {
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
    const shown = async (selector: string, text: string): Promise<HTMLElement> => {
      for (const begun = performance.now(); performance.now() < begun + 60_000; await frame()) {
        const found = document.querySelector<HTMLElement>(selector)
        if (found?.textContent.includes(text) === true) return found
      }
      throw new Error(`there is no ${text}`)
    }
    await new Promise((resolve) => addEventListener('change', resolve, { capture: true, once: true }))
    const start = performance.now()
    const link = await shown('a[href^="#/histories/file/"]', 'Open the match')
    link.click()
    await shown('[role=listbox][aria-label=Events] [role=option]', 'offers')
    return performance.now() - start
  })
  await input.setInputFiles(file)
  return opened
}

/** Waits until all of the open match has been read. */
async function wholeMatch(page: Page): Promise<void> {
  await page.keyboard.press('End')
  await page.waitForFunction(
    () => {
      const slider = document.querySelector<HTMLInputElement>('input[type=range]')
      return slider !== null && slider.value === slider.max
    },
    null,
    { timeout: 120_000 },
  )
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0

/**
 * ms of seeks all over the match, of steps to the event behind each place, and of frames in which nothing happens, as the page itself sees them: from the input to
 * the frame after everything shows the new place.
 */
async function seeks(page: Page): Promise<Record<'far' | 'near' | 'still', readonly number[]>> {
  return page.evaluate(async (count) => {
    const slider = document.querySelector<HTMLInputElement>('input[type=range]')!
    const last = Number(slider.max)
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
    const shown = (): boolean =>
      document.querySelector('[aria-busy="true"]') === null &&
      (document.querySelector('[role=option][aria-selected=true]')?.textContent ?? '').trim() !== ''
    const seek = async (to: number): Promise<number> => {
      const start = performance.now()
      slider.value = String(to)
      slider.dispatchEvent(new Event('input', { bubbles: true }))
      do await frame()
      while (!shown())
      return performance.now() - start
    }
    const far: number[] = []
    const near: number[] = []
    const still: number[] = []
    for (let n = 1; n <= count; n++) {
      // Evenly spread, never twice near the same place.
      const to = 1 + Math.floor(((n * 0.618_033_988_75) % 1) * (last - 2))
      far.push(await seek(to))
      near.push(await seek(to + 1))
      await frame()
      const start = performance.now()
      await frame()
      still.push(performance.now() - start)
    }
    return { far, near, still }
  }, SEEKS)
}
