import { expect } from '@playwright/test'
import { existsSync } from 'node:fs'
import { expectAccessible } from './accessible.ts'
import { chromium, go, test } from './served.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

test('appearance and language are taken at once and kept', async ({ classroom: page }) => {
  await go(page, '#/settings')
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const format = await page.getByLabel('Format').inputValue()
  await page.getByRole('radio', { name: 'Dark' }).check()
  await expect.poll(paper).toBe('rgb(22, 20, 16)')
  await page.getByLabel('Format').selectOption('de-DE')
  await expect(page.getByText('12.345,67')).toBeVisible()
  await expect(page.getByText('Format')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
  await expect(page.getByText('12.345,67')).toBeVisible()
  await expect.poll(paper).toBe('rgb(22, 20, 16)')
  await page.getByRole('radio', { name: 'Light' }).check()
  await expect.poll(paper).toBe('rgb(251, 248, 241)')
  await page.getByRole('radio', { name: 'System' }).check()
  await page.getByLabel('Format').selectOption(format)
  await expect(page.getByText('12.345,67')).toBeHidden()
})

test('what one window changes, all have', async ({ classroom: page }) => {
  const other = await page.context().newPage()
  await other.goto(page.url())
  await go(other, '#/settings')
  await go(page, '#/settings')
  await expect(other.getByRole('radio', { name: 'System' })).toBeChecked()
  await page.getByRole('radio', { name: 'Dark' }).check()
  await page.getByLabel('Format').selectOption('de-DE')
  await expect(other.getByRole('radio', { name: 'Dark' })).toBeChecked()
  await expect.poll(() => other.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(22, 20, 16)')
  await expect(other.getByText('12.345,67')).toBeVisible()
  await other.close()
})

test('the licences of what Tartaglia is made with can be read', async ({ classroom: page }) => {
  await go(page, '#/settings')
  await page.getByRole('button', { name: 'Show third-party licences' }).click()
  await expect(page.getByLabel('Licences of the packages')).toContainText('bits-ui 2.')
  await expectAccessible(page)
})

test('an address of web applications is allowed, and forbidden again', async ({ classroom: page }) => {
  await go(page, '#/settings')
  const list = page.getByRole('list', { name: 'Allowed addresses' })
  const address = 'http://10.0.0.7:8080/anna'
  await page.getByLabel('Address to allow').fill('http://127.1/')
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByText('it is not written in normalized form, http://127.0.0.1/')).toBeVisible()
  await page.getByLabel('Address to allow').fill(address)
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(list.getByText(address)).toBeVisible()
  await expect(page.getByLabel('Address to allow')).toHaveValue('')
  await page.reload()
  await expect(list.getByText(address)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: `Forbid ${address}` }).click()
  await expect(list).toBeHidden()
})

test('a backup says where it lies', async ({ classroom: page }) => {
  await go(page, '#/settings')
  await page.getByRole('button', { name: 'Back up now' }).click()
  const told = page.getByText(/copied to /)
  await expect(told).toBeVisible()
  const folder = /copied to (.+)$/.exec((await told.textContent()) ?? '')![1]!
  expect(existsSync(folder)).toBe(true)
  await expectAccessible(page)
})

test('an examination is stopped where it is not wanted any more', async ({ classroom: page }) => {
  await go(page, '#/settings')
  await page.getByRole('button', { name: 'Check this machine' }).click()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByRole('button', { name: 'Check this machine' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Isolation methods' })).toBeHidden()
  await expect(page.getByRole('alert')).toBeHidden()
})

test('this machine is examined: every tier with its attacks, every finding with its verdict', async ({
  classroom: page,
}) => {
  await go(page, '#/settings')
  await page.getByRole('button', { name: 'Check this machine' }).click()
  const tiers = page.getByRole('list', { name: 'Isolation methods' })
  await expect(tiers.getByRole('listitem')).toHaveCount(4)
  await expect(page.getByRole('list', { name: 'This machine' })).toContainText('node')
  await expectAccessible(page)
})

test('with colours of the person’s own, what is selected and how far something is can still be seen', async ({
  classroom: page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await go(page, '#/histories')
  const selected = page.getByRole('listbox').getByRole('option', { selected: true })
  await expect(selected).toBeVisible()
  await expect(selected).toHaveCSS('outline-style', 'solid')
  await go(page, '#/contests/sample-contest-1')
  const bar = page.getByRole('progressbar', { name: 'Matches played' })
  await expect(bar).toBeVisible()
  const [around, inside] = await bar.evaluate((outer) =>
    [outer, outer.firstElementChild!].map((each) => getComputedStyle(each).backgroundColor),
  )
  expect(inside).not.toBe(around)
})
