import { expect } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { chromium, go, test } from './served.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

const screen = '#/contests/sample-contest-1/analysis'

test('a ready question leads to the event in its match, and an own query is answered or refused with its place', async ({
  classroom: page,
}) => {
  await go(page, '#/contests/sample-contest-1')
  await page.getByRole('link', { name: 'Analysis' }).click()
  await page.getByRole('button', { name: /^Time used/ }).click()
  const answer = page.getByRole('region', { name: 'Answer', exact: true })
  await expect(answer.getByRole('img')).toBeVisible()
  await expectAccessible(page)
  // One that is low in the list is shown from its title on.
  await page.getByRole('button', { name: /^Worst losses/ }).click()
  await expect(page.getByRole('heading', { name: 'Worst losses' })).toBeInViewport()
  await page.getByRole('button', { name: /^Time used/ }).click()
  await expect(answer.getByRole('img')).toBeVisible()
  // A chosen chart is in the address.
  await answer.getByRole('combobox', { name: 'Chart', exact: true }).selectOption('line')
  await expect(page).toHaveURL(/[?&]chart=kind%3Dline/)
  await page.reload()
  await expect(answer.getByRole('combobox', { name: 'Chart', exact: true })).toHaveValue('line')
  await answer
    .getByRole('button', { name: /^Keep as evidence: Match \d+, event \d+$/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Your note (optional)')).toHaveValue(/^“Time used”: agent /)
  await dialog.getByLabel('Title of the new dossier').fill('Slow agents')
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await expect(dialog).toBeHidden()
  const row = answer.getByRole('link', { name: /^Match \d+, event \d+$/ }).first()
  const [, match = '', event = ''] = /^Match (\d+), event (\d+)$/.exec((await row.textContent()) ?? '') ?? []
  await row.click()
  await expect(page).toHaveURL(new RegExp(`matches/${match}\\?move=${event}`))
  await expect(page.getByRole('slider', { name: 'Place in the match' })).toHaveValue(event)

  // A query of an address is shown, and nothing is asked.
  await go(page, `${screen}?tab=query&sql=${encodeURIComponent("ATTACH 'x.db' AS x")}`)
  await expect(page.getByRole('note')).toContainText('has not been run')
  await expect(page.getByRole('alert')).toHaveCount(0)
  const editor = page.getByRole('textbox', { name: 'Query' })
  await expect(editor).toContainText('ATTACH')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(answer).toHaveCount(0)

  await editor.click()
  await page.keyboard.press('ControlOrMeta+a')
  // Columns of the table are offered while somebody types.
  await page.keyboard.type('SELECT seats.ent')
  await expect(page.getByRole('option', { name: /^entrant(?!_)/ })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('SELECT entrant, avg(scor) AS mean FROM seats GROUP BY entrant')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByRole('alert')).toContainText('Line 1, column 21')
  await editor.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('SELECT entrant, avg(score) AS mean FROM seats GROUP BY entrant')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(answer.getByRole('img')).toBeVisible()
  await expectAccessible(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    answer.getByRole('button', { name: 'CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('sample-contest-1-query.csv')

  await page.getByRole('tab', { name: 'Search in texts' }).click()
  await page.getByRole('searchbox', { name: 'Words' }).fill('offer*')
  await page.keyboard.press('Enter')
  const found = page.getByRole('list', { name: 'Found texts' }).getByRole('listitem')
  await expect(found.first().getByRole('link')).toHaveAttribute('href', /matches\/\d+\?move=\d+/)
  await expectAccessible(page)

  await page.getByRole('tab', { name: 'Two versions' }).click()
  await expect(page.getByRole('button', { name: 'Compare' })).toBeDisabled()
  await page.getByLabel('Second: the agent').selectOption({ index: 1 })
  await page.getByLabel('Question', { exact: true }).selectOption('Worst losses')
  await page.getByRole('button', { name: 'Compare' }).click()
  const comparison = page.getByRole('region', { name: 'Comparison', exact: true })
  await expect(comparison).toContainText(/First: .+, \d+ match(es)? in \d+ contests?\. Second: /)
  await expectAccessible(page)

  await go(page, '#/evidence')
  await page.getByRole('link', { name: 'Slow agents' }).click()
  await expect(page.getByRole('list', { name: 'Items of the dossier' })).toContainText('“Time used”')
})
