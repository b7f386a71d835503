import { expect, type Page } from '@playwright/test'
import { chromium, go, test } from './served.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

const status = (page: Page) => page.getByTestId('status')
const ended = async (page: Page): Promise<void> => expect(status(page)).toContainText('Ended')

test('the class gives a phrase, the contest is played, and a second phase with other rules counts with it', async ({
  classroom: page,
}) => {
  await go(page, '#/contests/new')
  await page.getByText('Quick test', { exact: true }).click()
  await page.getByLabel('Title').fill('Heist')
  await page.getByText('Advanced', { exact: true }).click()
  await page.getByLabel('Format', { exact: true }).selectOption('One match of all')
  await page.getByLabel('Phrase of the class').selectOption('asked for when entries are closed')
  await page.getByRole('button', { name: 'Create and close entries' }).click()

  await expect(status(page)).toContainText('Needs a phrase')
  const before = page.getByRole('region', { name: 'Before the first match' })
  const commitment = await before.locator('code').textContent()
  expect(commitment).toMatch(/^[0-9a-f]{64}$/)
  await before.getByLabel('Phrase of the class').fill('sixteen cows')
  await page.keyboard.press('Enter')
  await ended(page)
  await page.getByRole('tab', { name: 'Set-up' }).click()
  const facts = page.getByRole('region', { name: 'Set-up and notices' })
  await expect(facts).toContainText('sixteen cows')
  await expect(facts).toContainText(commitment ?? '')

  await page.getByRole('button', { name: 'Next phase…' }).click()
  const dialog = page.getByRole('dialog', { name: 'The next phase' })
  await expect(dialog.getByLabel('Title')).toHaveValue('Heist, phase 2')
  await expect(dialog.getByLabel('Rounds of trading')).toHaveValue('3')
  await dialog.getByLabel('Rounds of trading').fill('4')
  await dialog.getByLabel('Weight of phase 2').fill('2')
  await dialog.getByRole('button', { name: 'Create the phase' }).click()

  await expect(page.getByRole('heading', { name: 'Heist, phase 2' })).toBeVisible()
  await expect(status(page)).toContainText('Entries open')
  await page.getByRole('button', { name: 'Close entries now' }).click()
  await expect(status(page)).toContainText('Needs a phrase')
  await before.getByLabel('Phrase of the class').fill('seventeen cows')
  await page.getByRole('button', { name: 'Start with this phrase' }).click()
  await ended(page)
  await page.getByRole('tab', { name: 'All phases' }).click()
  const table = page.getByRole('table', { name: 'Standings over all phases' })
  await expect(table.getByRole('columnheader', { name: 'Phase 2, times 2' })).toBeVisible()
  await expect(table.getByRole('row')).toHaveCount(9)
  await page.getByRole('link', { name: 'Heist', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Next phase' })).toBeVisible()
})

test('a round-robin that ends when the best are known is set up in the form', async ({ classroom: page }) => {
  await go(page, '#/contests/new')
  await page.getByLabel('Title').fill('Until known')
  await page.getByText('Advanced', { exact: true }).click()
  await expect(page.getByLabel('Confidence')).toBeHidden()
  await page.getByLabel('Ends when the best are known').fill('3')
  await page.getByLabel('Confidence').fill('100')
  await expect(page.getByText('Enter a percentage from 50 to 99.9.')).toBeVisible()
  await page.getByLabel('Confidence').fill('99')
  await page.getByRole('button', { name: 'Create only' }).click()
  await expect(page.getByRole('heading', { name: 'Until known' })).toBeVisible()
  await page.getByRole('tab', { name: 'Set-up' }).click()
  await expect(page.getByRole('region', { name: 'Set-up and notices' })).toContainText(
    'the best 3, with 99% confidence',
  )
})
