// The documentation as a folder, opened from disk in a browser without a network.
import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expectAccessible } from './accessible.ts'
import { chromium } from './browser.ts'
import { go, test as served } from './served.ts'
import { tooWide } from './width.ts'

const cli = join(import.meta.dirname, '..', '..', 'dist', 'cli.js')
test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

let folder = ''
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tartaglia-docs-'))
  execFileSync(process.execPath, [cli, 'docs', '--export', folder], { stdio: 'pipe' })
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Opens a page without a network; everything that it complains of comes into `said`. */
async function openPage(
  context: BrowserContext,
  file: string,
): Promise<{ readonly page: Page; readonly said: string[] }> {
  await context.setOffline(true)
  const page = await context.newPage()
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  page.on('pageerror', (error) => said.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) said.push(request.url())
  })
  await page.goto(pathToFileURL(join(folder, file)).href)
  return { page, said }
}

test('the search finds a section, by the keyboard alone', async ({ context }) => {
  const { page, said } = await openPage(context, 'games/cows.html')
  const search = page.getByRole('searchbox', { name: 'Search the documentation' })
  await expect(search).toBeVisible()

  await page.keyboard.press('/')
  await expect(search).toBeFocused()
  await page.keyboard.type('xyzzyplugh')
  await expect(page.getByRole('status')).toHaveText('No section contains all words of “xyzzyplugh”.')
  await expect(page.getByRole('article')).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('article')).toBeVisible()
  await page.keyboard.type('railroad diagrams')
  const found = page.getByRole('list', { name: 'Found sections' })
  await expect(found.getByRole('link').first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(found.getByRole('link').first()).toBeFocused()
  const { pathname, hash } = new URL(
    await found
      .getByRole('link', { name: 'Grammar', exact: true })
      .evaluate((link) => (link as HTMLAnchorElement).href),
  )
  expect([pathname.endsWith('/language.html'), hash]).toEqual([true, '#grammar'])
  await found.getByRole('link', { name: 'Grammar', exact: true }).press('Enter')
  await expect(page).toHaveTitle('The challenge language · Tartaglia')
  await expect(page.getByRole('heading', { name: 'Grammar', exact: true })).toBeInViewport()
  // The fonts and the icon are there, too.
  await expect
    .poll(() => page.evaluate(() => [...document.fonts].filter(({ status }) => status === 'loaded').length))
    .toBeGreaterThan(1)
  expect(said).toEqual([])
})

test('on a phone all pages are one key away, and nothing is wider than the screen', async ({ context }) => {
  const { page, said } = await openPage(context, 'index.html')
  await page.setViewportSize({ width: 390, height: 844 })
  const pages = page.getByRole('navigation', { name: 'All pages' })
  await expect(pages).toBeHidden()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the text' })).toBeFocused()
  await page.getByRole('button', { name: 'All pages' }).press('Enter')
  await expect(pages).toBeVisible()
  await pages.getByRole('link', { name: 'Standings' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Standings and statistics')
  await expect(pages).toBeHidden()
  expect(await tooWide(page)).toEqual([])
  await page.getByRole('link', { name: /^Next/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Grades')
  expect(said).toEqual([])
})

test('pages and findings are accessible', async ({ context }) => {
  const { page } = await openPage(context, 'challenge-tutorial.html')
  await page.setViewportSize({ width: 390, height: 844 })
  // Its code is wider than the screen.
  await expect(page.getByRole('group', { name: 'Code' }).first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('searchbox').fill('time limit')
  await expect(page.getByRole('list', { name: 'Found sections' }).getByRole('link').first()).toBeVisible()
  await expectAccessible(page)
})

served('Help opens the page about the screen, and the documentation beside it', async ({ classroom: page }) => {
  await go(page, '#/contests')
  await page.getByRole('link', { name: 'Help', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contests')
  const [site] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Page to print', exact: true }).click(),
  ])
  await expect(site).toHaveTitle('Contests · Tartaglia')
  await site.getByRole('searchbox', { name: 'Search the documentation' }).fill('railroad diagrams')
  await expect(site.getByRole('list', { name: 'Found sections' }).getByRole('link').first()).toBeVisible()
})

served('a browser without a session reads the documentation, and nothing else', async ({ classroom, browser }) => {
  const { origin } = new URL(classroom.url())
  const stranger = await browser.newContext()
  const page = await stranger.newPage()
  const answer = await page.goto(`${origin}/help/`)
  expect(answer?.headers()['content-security-policy']).toContain("script-src 'self'")
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Documentation')
  expect((await page.goto(`${origin}/licenses.txt`))?.status()).toBe(401)
  await stranger.close()
})
