import { expect, test as base, type Page } from '@playwright/test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { browser as settings, serve } from '../served.ts'
import { standBetween, type Answers, type Otherwise } from './answers.ts'
import { withPalette } from './png.ts'
import { scenes, type Scene } from './scenes.ts'
import { preparedSchool } from './school.ts'

const images = join(import.meta.dirname, '..', '..', '..', 'docs', 'images')
const sizes = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const

/** Pictures say nothing of the machine that they were taken on, and only one has the tour. */
const anywhere: Answers = {
  'settings.get': (_, real) => ({ ...real, dataFolder: '/home/you/.local/share/tartaglia', tourSeen: true }),
}

interface Studio {
  readonly page: Page
  /** Opens a screen afresh, with the program answering so. */
  open(scene: Scene): Promise<void>
}

const test = base.extend<object, { studio: Studio }>({
  studio: [
    async ({ browser }, use) => {
      const page = await browser.newPage({ acceptDownloads: true, locale: 'en-GB', reducedMotion: 'reduce' })
      const school = await preparedSchool(page)
      const served = {
        sample: serve(school.sample),
        busy: serve(school.busy),
        haggling: serve(school.haggling),
        live: serve(school.live),
      }
      try {
        let otherwise: Otherwise = {}
        await page.routeWebSocket(/\/rpc$/, (socket) => standBetween(socket, () => otherwise))
        const letIn = async (address: Promise<string>): Promise<string> => {
          await page.goto(await address)
          return new URL(page.url()).origin
        }
        const origins = {
          sample: await letIn(served.sample.address),
          busy: await letIn(served.busy.address),
          haggling: await letIn(served.haggling.address),
          live: await letIn(served.live.address),
        }
        let opened = 0
        await use({
          page,
          async open(scene) {
            otherwise = { ...scene, answers: { ...anywhere, ...scene.answers } }
            // Another address, so that the page begins anew.
            await page.goto(`${origins[scene.school ?? 'sample']}/?${++opened}${scene.hash}`)
          },
        })
      } finally {
        await page.close()
        await Promise.all(Object.values(served).map((each) => each.stop()))
      }
    },
    { scope: 'worker', timeout: 600_000 },
  ],
})
// With scroll bars: what scrolls must not look as if it were cut off.
const launchOptions = { ...settings.launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] }
test.use({ launchOptions, actionTimeout: 20_000 })
mkdirSync(images, { recursive: true })

for (const scene of scenes) {
  const { screen, state, act, sign } = scene
  test(`${screen} ${state}`, async ({ studio: { page, open } }) => {
    await page.setViewportSize(sizes[0])
    await open(scene)
    if (act !== undefined) {
      await expect(page.locator('main h1').first()).toBeVisible()
      await act(page)
    }
    await expect(sign(page)).toBeVisible()
    await page.evaluate(() => document.fonts.ready)
    // Nothing lies under the pointer.
    await page.mouse.move(0, 0)
    for (const size of sizes) {
      await page.setViewportSize(size)
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme })
        const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
        writeFileSync(join(images, `${screen}-${state}-${theme}-${size.width}.png`), withPalette(png))
      }
    }
  })
}
