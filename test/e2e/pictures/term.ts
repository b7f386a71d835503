import type { Browser, Page } from '@playwright/test'
import { mkdirSync, rmSync } from 'node:fs'
import { choosePassword, enterCode, ownPage, serveTermClass } from '../term-class.ts'

const viewers = ['visitor', 'student', 'member', 'newcomer', 'educator'] as const
/** The one who looks. `visitor`: nobody has signed in. `newcomer`: a student without a team. */
export type Viewer = (typeof viewers)[number]

/** The class in the middle of a term. */
export interface Term {
  /** Opens a screen afresh. Resolves with the viewer's page. */
  open(as: Viewer, hash: string): Promise<Page>
  stop(): Promise<void>
}

/** Makes it anew in a folder. `route`: stands between a page and the program. */
export async function openTerm(browser: Browser, data: string, route: (page: Page) => Promise<void>): Promise<Term> {
  rmSync(data, { recursive: true, force: true })
  mkdirSync(data, { recursive: true })
  const served = await serveTermClass(data)
  const pages = new Map<Viewer, Page>()
  for (const viewer of viewers) {
    const page = await ownPage(browser)
    await route(page)
    pages.set(viewer, page)
    if (viewer === 'educator') await page.goto(served.address)
    if (viewer === 'visitor' || viewer === 'educator') continue
    await enterCode(page, served, viewer)
    await choosePassword(page)
  }
  let opened = 0
  return {
    async open(as, hash) {
      const page = pages.get(as)!
      await page.setViewportSize({ width: 1280, height: 800 })
      const origin = as === 'educator' ? new URL(served.address).origin : served.origin
      // Another address, so that the page begins anew.
      await page.goto(`${origin}/?${++opened}${hash}`)
      return page
    },
    async stop() {
      for (const page of pages.values()) await page.context().close()
      await served.stop()
    },
  }
}
