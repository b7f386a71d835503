import { expect, test as base, type Page } from '@playwright/test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { launching, windowedChromium } from '../browser.ts'
import { serve } from '../served.ts'
import { standBetween, type Otherwise, type Traffic } from './answers.ts'
import { anywhere } from './anywhere.ts'
import { readPixels, withPalette } from './png.ts'
import { scenes as others, type Scene } from './scenes.ts'
import { preparedSchool, type School } from './school.ts'
import { termScenes } from './term-scenes.ts'
import { openTerm, type Term } from './term.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const images = join(root, '.cache', 'pictures')
const sheets = join(images, 'sheets')
/** The pictures of the docs are committed, with fewer colours. */
const shown = join(root, 'docs', 'images')
/** The folder that gets them; where it is given, they alone are made. */
const only = process.env['TARTAGLIA_PICTURES']
const sizes = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
  { width: 390, height: 844 },
] as const

/** The pictures of a scene: its name, and how it is looked at. Those of the docs, if they alone are made. */
const picturesOf = ({ screen, state }: Scene) =>
  sizes.flatMap((size) =>
    (['light', 'dark'] as const)
      .map((theme) => ({ name: `${screen}-${state}-${theme}-${size.width}.png`, size, theme }))
      .filter(({ name }) => only === undefined || existsSync(join(shown, name))),
  )
const scenes = [...others, ...termScenes].filter((scene) => picturesOf(scene).length > 0)

/** By page: that of its last connection. */
const traffics = new WeakMap<Page, Traffic>()

/** Resolves when the program has answered all that a screen has asked, and the answers lead to no other question. */
async function settled(page: Page): Promise<void> {
  const traffic = (): Traffic => traffics.get(page) ?? { asked: 0, open: new Set() }
  await page.waitForLoadState('networkidle')
  for (let asked = -1; asked !== traffic().asked;) {
    asked = traffic().asked
    await expect.poll(() => traffic().open.size).toBe(0)
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  }
}

type Served = ReturnType<typeof serve>

interface Studio {
  readonly page: Page
  /** Opens a screen afresh, with the program answering so. Resolves with the page on which it is. */
  open(scene: Scene): Promise<Page>
}

const test = base.extend<object, { studio: Studio }>({
  studio: [
    async ({ browser }, use) => {
      const page = await browser.newPage({ acceptDownloads: true, locale: 'en-GB', reducedMotion: 'reduce' })
      let school: School | undefined
      let term: Term | undefined
      const served: Served[] = []
      const origins = new Map<keyof School, string>()
      try {
        let otherwise: Otherwise = {}
        const route = (each: Page): Promise<void> =>
          each.routeWebSocket(/\/rpc$/, (socket) => {
            const traffic = { asked: 0, open: new Set<string>() }
            traffics.set(each, traffic)
            standBetween(socket, () => otherwise, anywhere, traffic)
          })
        await route(page)
        /** Pictures of the term alone need none of these classes, which take minutes to make. */
        const originOf = async (name: keyof School): Promise<string> => {
          school ??= await preparedSchool(page)
          const known = origins.get(name)
          if (known !== undefined) return known
          const opened = serve(school[name])
          served.push(opened)
          await page.goto(await opened.address)
          const { origin } = new URL(page.url())
          origins.set(name, origin)
          return origin
        }
        let opened = 0
        await use({
          page,
          async open(scene) {
            otherwise = {}
            if (scene.as !== undefined) {
              term ??= await openTerm(browser, join(images, 'term'), route)
              otherwise = scene
              return term.open(scene.as, scene.hash)
            }
            const origin = await originOf(scene.school ?? 'sample')
            otherwise = scene
            // Another address, so that the page begins anew.
            await page.goto(`${origin}/?${++opened}${scene.hash}`)
            return page
          },
        })
      } finally {
        await page.close()
        await Promise.all([...served, ...(term === undefined ? [] : [term])].map((each) => each.stop()))
      }
    },
    { scope: 'worker', timeout: 600_000 },
  ],
})
// With scroll bars: what scrolls must not look as if it were cut off.
const launchOptions = { ...launching(windowedChromium), ignoreDefaultArgs: ['--hide-scrollbars'] }
test.use({ launchOptions, actionTimeout: 20_000 })
mkdirSync(sheets, { recursive: true })

for (const scene of scenes) {
  const { screen, state, act, sign } = scene
  test(`${screen} ${state}`, async ({ studio }) => {
    await studio.page.setViewportSize(sizes[0])
    const page = await studio.open(scene)
    if (act !== undefined) {
      await expect(page.locator('main h1').first()).toBeVisible()
      await act(page)
    }
    await expect(sign(page)).toBeVisible()
    await settled(page)
    await page.evaluate(() => document.fonts.ready)
    // Nothing lies under the pointer.
    await page.mouse.move(0, 0)
    for (const { name, size, theme } of picturesOf(scene)) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme: theme })
      const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
      if (only === undefined) writeFileSync(join(images, name), png)
      if (existsSync(join(shown, name))) writeFileSync(join(only ?? shown, name), withPalette(readPixels(png)))
    }
  })
}

/** One contact sheet a screen: all its pictures in rows of four, each with its name. */
test('contact sheets', async ({ studio: { page } }) => {
  test.skip(only !== undefined)
  const pictures = readdirSync(images).filter((name) => name.endsWith('.png'))
  for (const screen of new Set(scenes.map((scene) => scene.screen))) {
    const states = scenes.filter((scene) => scene.screen === screen).map(({ state }) => `${screen}-${state}-`)
    const own = pictures.filter((name) => states.some((start) => name.startsWith(start)))
    if (own.length === 0) continue
    const figures = own.map(
      (name) =>
        `<figure><img src="${pathToFileURL(join(images, name)).href}"><figcaption>${name.slice(0, -4)}</figcaption></figure>`,
    )
    const sheet = join(sheets, `${screen}.html`)
    writeFileSync(
      sheet,
      `<!doctype html><meta charset="utf-8"><title>${screen}</title><style>
body { display: grid; grid-template-columns: repeat(4, 1fr); gap: 12px; margin: 12px; font: 13px sans-serif; background: #888 }
figure { margin: 0 } img { width: 100% }</style>${figures.join('')}`,
    )
    await page.setViewportSize({ width: 2400, height: 1200 })
    await page.goto(pathToFileURL(sheet).href)
    await expect
      .poll(() =>
        page.evaluate(() => [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0)),
      )
      .toBe(true)
    await page.screenshot({ path: join(sheets, `${screen}.png`), fullPage: true })
  }
})
