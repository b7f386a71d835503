import { expect } from '@playwright/test'
import { chromium, go, test } from './served.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

const week = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
/** A day that does not begin while the test runs, in any time zone: a contest that begins by itself would be one more. */
const farDay = (n: 2 | 3 | 4): (typeof week)[number] => week[(new Date().getUTCDay() + 6 + n) % 7]!
const days = week.filter((day) => day === farDay(2) || day === farDay(4))

test('a contest is repeated on days of the week, run now, edited, paused and removed', async ({ classroom: page }) => {
  await go(page, '#/settings')
  await page.getByLabel('Time zone of the class').selectOption('Europe/Rome')

  await go(page, '#/contests/new')
  await page.getByText('Quick test', { exact: true }).click()
  await page.getByLabel('Title').fill('Brescia cup')
  await page.getByRole('button', { name: 'Repeat…' }).click()
  const repeat = page.getByRole('dialog', { name: 'Repeat this contest' })
  await expect(repeat.getByLabel('Title')).toHaveValue('Brescia cup')
  // At first it is weekly, on the day of today.
  await expect(repeat.getByRole('checkbox', { checked: true })).toHaveCount(1)
  for (const day of week) await repeat.getByLabel(day).setChecked(days.includes(day))
  await repeat.getByLabel('Time', { exact: true }).fill('09:15')
  await expect(repeat.getByLabel('Who plays')).toHaveValue('all')
  await repeat.getByRole('button', { name: 'Create' }).click()

  const one = page.getByRole('article', { name: 'Brescia cup' })
  await expect(one).toContainText(`${days.join(', ')} at 09:15 (Europe/Rome)`)
  await expect(one).toContainText('all agents of the game')
  await expect(one).toContainText(/Next.*9:15/)
  await one.getByRole('button', { name: 'Run now' }).click()
  await expect(page.getByRole('heading', { name: /^Brescia cup, \d{4}-\d\d-\d\d$/ })).toBeVisible()
  await expect(page.getByTestId('status')).toContainText('Ended')

  await go(page, '#/contests')
  await page.getByRole('link', { name: 'Recurring' }).click()
  await expect(one).toContainText('Won by')
  await one.getByRole('button', { name: 'Edit…' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit the recurring contest' })
  for (const day of days) await edit.getByLabel(day).uncheck()
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit.getByRole('alert')).toHaveText('Choose at least one day.')
  await edit.getByLabel(farDay(3)).check()
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(one).toContainText(`${farDay(3)} at 09:15`)
  await one.getByRole('button', { name: 'Pause' }).click()
  await expect(one).toContainText('none while it is paused')
  await one.getByRole('button', { name: 'Resume' }).click()
  await expect(one).toContainText(/Next.*9:15/)

  // From a contest that exists.
  await one.getByRole('link', { name: /^Brescia cup, / }).click()
  await page.getByRole('button', { name: 'Repeat…' }).click()
  await repeat.getByLabel('Title').fill('Every day')
  for (const day of week) await repeat.getByLabel(day).check()
  await repeat.getByRole('button', { name: 'Repeat', exact: true }).click()
  const second = page.getByRole('article', { name: 'Every day' })
  await expect(second).toContainText('Daily at 08:00')
  await second.getByRole('button', { name: 'Remove…' }).click()
  await page.getByRole('button', { name: 'Remove it' }).click()
  await expect(second).toBeHidden()
  await expect(one).toBeVisible()
})
