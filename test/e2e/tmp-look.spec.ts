import { chromium, go, test } from './served.ts'
import { expect } from '@playwright/test'
test.skip(chromium === null, 'x')
test('look', async ({ classroom: page }) => {
  test.setTimeout(400_000)
  const shot = async (name: string) => {
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: width === 390 ? 844 : 800 })
        await page.screenshot({ path: `/work/h/pictures-o/${name}-${scheme}-${width}.png` })
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await go(page, '#/challenges/knapsack')
  await page.getByRole('tab', { name: 'Samples' }).click()
  await page.getByRole('combobox', { name: 'Raw material from' }).selectOption('its generator')
  await page.getByRole('spinbutton', { name: 'Samples' }).fill('1')
  await page.getByRole('button', { name: 'Sample', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Samples' })).toContainText('Sample 1')
  await expect(page.getByRole('region', { name: 'Difficulty' })).toContainText('Difficulty by closeness')
  await shot('samples-generator')
  await go(page, '#/challenges/knapsack')
  await page.getByRole('tab', { name: 'Source' }).click()
  await expect(page.getByRole('region', { name: 'The game' })).toContainText('can be played')
  await shot('source-report')
  await page.getByRole('region', { name: 'The game' }).evaluate((e) => e.scrollIntoView({ block: 'end' }))
  await shot('source-report-end')
  await go(page, '#/challenges/new')
  await shot('new-challenge')
})
