import { expect, test, type Page } from '@playwright/test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectAccessible, graveViolations } from './accessible.ts'
import { chromium } from './served.ts'
import { askToJoin, choosePassword, enterCode, ownPage, serveTermClass } from './term-class.ts'
import { termPlaces } from './term-places.ts'
import { tooWide } from './width.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

const home = mkdtempSync(join(tmpdir(), 'tartaglia-e2e-'))
test.afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

const phone = { width: 390, height: 844 }
/** A window of 1280 x 800 at 200 %. */
const enlarged = { width: 640, height: 400 }

/** The page as it is now, on a phone, at 200 %, and in colours of the person's own. */
async function expectUsable(page: Page, what: string): Promise<void> {
  const before = page.viewportSize()!
  for (const size of [phone, enlarged]) {
    await page.setViewportSize(size)
    await expect.poll(() => tooWide(page), { message: `${what}, ${size.width} px` }).toEqual([])
  }
  await page.setViewportSize(phone)
  await test.step(what, () => expectAccessible(page))
  await page.emulateMedia({ forcedColors: 'active' })
  expect(await graveViolations(page, ['color-contrast']), `${what}, forced colours`).toEqual([])
  await expect.poll(() => untold(page), { message: `${what}, forced colours: told by a background alone` }).toEqual([])
  await page.emulateMedia({ forcedColors: null })
  await page.setViewportSize(before)
}

/**
 * Fields and buttons without an edge, and selected ones without an outline: they are told from others by their background alone, and
 * backgrounds are the same everywhere in colours of the person's own.
 */
function untold(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const told = ({ style, width }: { style: string; width: string }): boolean =>
      style !== 'none' && Number.parseFloat(width) > 0
    const seen = (selector: string): readonly Element[] =>
      [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility())
    return [
      ...seen('input:not([type=radio], [type=checkbox], [type=file]), select, textarea, .button').filter((each) => {
        const { borderBottomStyle, borderBottomWidth } = getComputedStyle(each)
        return !told({ style: borderBottomStyle, width: borderBottomWidth })
      }),
      ...seen('[aria-pressed=true], [aria-current], [aria-selected=true]').filter((each) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(each)
        return !told({ style: outlineStyle, width: outlineWidth })
      }),
    ].map((each) => each.outerHTML.slice(0, 200))
  })
}

test('the screens of students, a panel and people are used at 390 px, at 200 % and in forced colours', async ({
  browser,
  page: educator,
}) => {
  const term = await serveTermClass(join(home, 'data'))
  try {
    const [student, member, visitor] = [await ownPage(browser), await ownPage(browser), await ownPage(browser)]
    await visitor.goto(term.origin)
    await expect(visitor.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await expectUsable(visitor, 'Sign in')
    await askToJoin(visitor, term, 'Ximena Ortega')
    await expectUsable(visitor, 'Join')
    await visitor.getByRole('button', { name: 'Ask to join' }).click()
    await expect(visitor.getByRole('heading', { name: 'You have asked to join' })).toBeVisible()
    await visitor.close()

    await enterCode(student, term, 'student')
    await expectUsable(student, 'Choose a password')
    await choosePassword(student)
    await enterCode(member, term, 'member')
    await choosePassword(member)
    await educator.goto(term.address)
    await expect(educator.getByRole('heading', { level: 1 })).toBeVisible()
    const pages = { student, member, educator }
    for (const { by, pattern, to, sign } of termPlaces) {
      const page = pages[by]
      await to(page, term)
      await expect(sign(page), `${by}: ${pattern}`).toBeVisible()
      await expectUsable(page, `${by}: ${pattern}`)
      if ((await page.getByRole('dialog').count()) > 0) await page.keyboard.press('Escape')
    }
  } finally {
    await term.stop()
  }
})
