import { expect } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { expectAccessible } from './accessible.ts'
import { chromium, go, test } from './served.ts'
import { evil, evilShown, file } from './strangers.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

test('a history is verified, exported with its key, and opened again; a tampered one is found out', async ({
  classroom: page,
}) => {
  await go(page, '#/histories')
  const list = page.getByRole('listbox', { name: 'Histories' })
  await expect(list.getByRole('option').first()).toBeVisible()
  await expect(list.getByRole('option').first()).toHaveAttribute('aria-setsize', '70', { timeout: 200_000 })
  await expectAccessible(page)

  await list.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const chosen = page.getByRole('region', { name: 'The selected match' })
  await expect(chosen.getByRole('heading', { name: 'Match 2', exact: true })).toBeVisible()
  await chosen.getByRole('button', { name: 'Verify' }).click()
  await expect(chosen.getByRole('heading', { name: 'This history is genuine' })).toBeVisible()
  await expect(chosen.getByRole('status').getByRole('listitem').nth(1)).toBeVisible()

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    chosen.getByRole('button', { name: 'Export' }).click(),
  ])
  const text = readFileSync(await download.path(), 'utf8')
  await expect(chosen.getByText(/^tartaglia-ed25519:[0-9a-f]{64}$/)).toBeVisible()
  await expectAccessible(page)

  const open = page.getByLabel('Open history files')
  await open.setInputFiles(file(download.suggestedFilename(), text))
  await expect(page.getByRole('link', { name: 'Open the match' })).toBeVisible()
  await page.getByRole('button', { name: 'Close', exact: true }).click()

  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.includes('"k":"input"'))
  lines[at] = lines[at]!.replace(/"at":\d/, (digits) => (digits.endsWith('7') ? '"at":8' : '"at":7'))
  await open.setInputFiles(file('tampered.jsonl', lines.join('\n')))
  await expect(page.getByRole('heading', { name: 'This history is not genuine' })).toBeVisible()
  await expect(page.getByText(`Line ${at + 1} of the file.`)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Open the match all the same' }).click()
  const banner = page.getByRole('alert')
  await expect(banner).toContainText('This history is not genuine')
  await expect(banner).toContainText('Expected')
  await expect(page.getByRole('slider', { name: 'Place in the match' })).toHaveValue(/^[1-9]\d*$/)
  await expectAccessible(page)
  await go(page, '#/histories')

  await open.setInputFiles(file('evil.jsonl', evil.repeat(2)))
  await expect(page.getByText('evil.jsonl').first()).toBeVisible()
  await expectAccessible(page)
})

test('the list is searched, and an opened match is the chosen one', async ({ classroom: page }) => {
  await go(page, '#/histories')
  const search = page.getByRole('searchbox', { name: 'Search by contest or agent' })
  await search.fill('gambler')
  const first = page.getByRole('listbox', { name: 'Histories' }).getByRole('option').first()
  await expect(first).toContainText('gambler')
  await expect(first).not.toHaveAttribute('aria-setsize', '70')
  const number = /match (\d+)/.exec((await first.textContent()) ?? '')![1]!
  await page
    .getByRole('region', { name: 'The selected match' })
    .getByRole('link', { name: 'Open', exact: true })
    .click()
  await expect(page).toHaveURL(new RegExp(`/matches/${number}$`))
  await go(page, '#/histories')
  await search.fill(evil.replace('\u001B', ''))
  await expect(page.getByRole('heading', { name: 'No histories found' })).toBeVisible()
  await expect(page.getByText(evilShown.slice(0, 40))).toBeVisible()
  await expectAccessible(page)
  // The search stands in the address; the link in the navigation leads to the whole list all the same.
  await expect(page).toHaveURL(/search=/)
  await page.getByRole('navigation').getByRole('link', { name: 'Histories' }).click()
  await expect(search).toHaveValue('')
})

test('all histories of two players are verified at once, and the ticks stay', async ({ classroom: page }) => {
  await go(page, '#/histories')
  await page.getByLabel('Player').fill('baby')
  await page.getByLabel('Against').fill('greedy')
  await page.getByRole('button', { name: /^Verify all \d+$/ }).click()
  await expect(page.getByText(/^All \d+ histories are genuine\./)).toBeVisible()
  await expect(page.getByRole('img', { name: 'verified: genuine' }).first()).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByLabel('Player')).toHaveValue('baby')
  await expect(page.getByRole('img', { name: 'verified: genuine' }).first()).toBeVisible()
})
