import { expect } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { browser, chromium, go, test } from './served.ts'

test.use(browser)
test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

test('challenges are listed, explained and shown in their source', async ({ classroom: page }) => {
  await go(page, '#/challenges')
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2)
  await expectAccessible(page)
  await page.getByRole('searchbox', { name: 'Search challenges' }).fill('max-csp')
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1)
  await page.getByRole('link', { name: /Maximum constraint satisfaction/ }).click()
  await expect(page.getByText('The raw material is a list of constraints')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('tab', { name: 'Source' }).click()
  const source = page.getByRole('region', { name: 'Source of max-csp' })
  await expect(source).toContainText('challenge max-csp "Maximum constraint satisfaction')
  await source.focus()
  await page.keyboard.press('End')
  await expect(source).not.toContainText('challenge max-csp')
  await expectAccessible(page)
})

test('a challenge that is not there is told by its name', async ({ classroom: page }) => {
  await go(page, '#/challenges/no-such')
  await expect(page.getByRole('alert')).toContainText('no-such')
  await expectAccessible(page)
})
