import { expect } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { chromium, go, test } from './served.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

test('a new educator follows the first steps, sets a deadline, extends it, and sees the class as a student', async ({
  classroom: page,
}) => {
  await go(page, '#/class')
  const steps = page.getByRole('region', { name: /^First steps/ })
  const current = steps.locator('[aria-current=step]')
  await expect(current).toContainText('Name the class')
  await steps.getByLabel('Name of the class').fill('Algebra')
  await steps.getByRole('button', { name: 'Save' }).click()

  await expect(current).toContainText('Add the students')
  await steps.getByRole('link', { name: 'Go to People' }).click()
  await page.getByRole('button', { name: 'Add people' }).first().click()
  const names = ['Ada Lovelace', '王小明', 'Zoë Ångström', 'محمد علي', 'Ελένη Παπαδοπούλου', 'Анна Иванова']
  await page.getByLabel('Or paste names').fill(names.join('\n'))
  await page.getByRole('button', { name: 'Show what changes' }).click()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('row')).toHaveCount(7)

  await page.getByRole('button', { name: 'New team…' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Engines')
  await page.getByRole('checkbox', { name: 'Ada Lovelace' }).check()
  await page.getByRole('checkbox', { name: '王小明' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Edit team Engines' })).toHaveCount(2)
  await page.getByRole('button', { name: 'Edit team Engines' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Analytical engines')
  await page.getByRole('checkbox', { name: '王小明' }).uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Edit team Analytical engines' })).toHaveCount(1)

  await page.getByRole('button', { name: /^Print slips/ }).click()
  await expect(page.getByText('The slips have no address yet')).toBeVisible()
  await page.getByRole('button', { name: 'Open to the network…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Port')).toBeVisible()
  await dialog.getByLabel('Port').fill('0')
  await dialog.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(dialog.getByRole('img', { name: /^QR code/ })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('listitem').first()).toContainText('https://')

  await go(page, '#/class')
  await expect(current).toContainText('Choose the game')
  await current.getByLabel('Game').selectOption({ label: 'Haggling' })
  await current.getByRole('button', { name: 'Choose' }).click()
  await expect(current).toContainText('Pass on the link to the kit')
  await expect(current.locator('code')).toContainText('#/agents?game=haggle')
  await current.getByRole('button', { name: 'I have told them' }).click()
  await expect(current).toContainText('Run a first contest')
  await expectAccessible(page)

  // The second contest of the sample class has not begun.
  await go(page, '#/contests/sample-duels-1')
  await page.getByRole('button', { name: 'Set a deadline…' }).click()
  await dialog.getByLabel('Later files').selectOption('late-days')
  await dialog.getByLabel('Late days of each student').fill('3')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('timer')).toContainText(/6 days|7 days/)

  await go(page, '#/class')
  await expect(page.getByRole('region', { name: 'Deadlines' }).getByRole('timer')).toBeVisible()
  await page.getByRole('button', { name: 'Extend for Zoë Ångström' }).click()
  await dialog.getByLabel('Reason').fill('ill')
  await dialog.getByRole('button', { name: 'Extend', exact: true }).click()
  await expect(page.getByRole('list', { name: /^Extensions in/ })).toContainText('ill')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'See as Zoë Ångström' }).click()
  await expect(page.getByText(/You see the class as Zoë Ångström sees it/)).toBeVisible()
  const rail = page.getByRole('navigation', { name: 'Screens' })
  await expect(rail.getByRole('link', { name: 'My team' })).toBeVisible()
  await expect(rail.getByRole('link', { name: 'People' })).toBeHidden()
  await expect(page.getByRole('region', { name: 'Due' })).toContainText('Sample duels')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Back to my own view' }).click()
  await expect(rail.getByRole('link', { name: 'People' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Students' })).toBeVisible()
})
