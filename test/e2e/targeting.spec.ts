import { expect } from '@playwright/test'
import { peace, traders } from '../conformance/specker/traders.ts'
import { expectAccessible } from './accessible.ts'
import { chromium, classWith, go, test } from './served.ts'

/** A contest in which nobody may treat others differently, and dora buys of berta alone. */
const played = classWith((folder) => ({
  ...peace,
  title: 'Peace',
  isolation: 'permission',
  limits: { startMs: 60_000, moveMs: 60_000 },
  entrants: traders(folder, 'price === 420000000'),
}))
test.use({ beginning: played })
test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

test('a contest that has ended says who treated others differently, how sure that is, and leads to the matches', async ({
  classroom: page,
}) => {
  await go(page, '#/contests/peace-1')
  await page.getByRole('tab', { name: /^Set-up/ }).click()
  const report = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Targeting' }) })
  await expect(report).toContainText(/In 60 matches .*chance alone would almost never/s)
  await expect(report.getByRole('link', { name: 'dora' })).toHaveAttribute('href', '#/agents/dora')
  await expect(report.getByText(/^p (?:= 0\.00\d+|< 0\.0001)$/)).toBeVisible()
  await expect(report).toContainText(/purchases: [^]*with berta/)
  const event = report.getByRole('listitem').filter({ hasText: /bought challenge \d+ at 0\.42/ })
  await expect(event.last()).toBeVisible()
  await expectAccessible(page)
  await event.last().getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Match \d+$/)
  await expect(page.getByText('berta', { exact: true }).first()).toBeVisible()
})
