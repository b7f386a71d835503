import { expect, type Download, type Page } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectAccessible } from './accessible.ts'
import { events, openSolution } from './match-events.ts'
import { chromium, go, test } from './served.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

const scrubber = (page: Page) => page.getByRole('slider', { name: 'Place in the match' })
/** The seat's account on the screen. */
const account = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name }).locator('b')

/** Opens the first match of the sample contest that has been played, from the list. */
async function openMatch(page: Page): Promise<void> {
  await go(page, '#/contests/sample-contest-1')
  await page.getByRole('tab', { name: /^Matches/ }).click()
  await page.getByRole('option', { name: /^Match 1\b/ }).click()
  await expect(page.getByRole('heading', { name: 'Match 1', exact: true })).toBeVisible()
  await expect(scrubber(page)).toHaveAttribute('max', /^[1-9]\d*$/)
}

test('a match is scrubbed by keyboard and by mouse, and everything follows', async ({ classroom: page }) => {
  await openMatch(page)
  const last = Number(await scrubber(page).getAttribute('max'))
  await expect(scrubber(page)).toHaveValue('0')
  // Later events, while nothing is for sale yet.
  await expect(page.getByRole('list', { name: 'Largest swings' })).toBeVisible()

  await page.keyboard.press('ArrowRight')
  await expect(scrubber(page)).toHaveValue('1')
  await expect(
    page
      .getByRole('region', { name: /Market/ })
      .getByRole('listitem')
      .first(),
  ).toBeVisible()
  await page.keyboard.press('End')
  await expect(scrubber(page)).toHaveValue(String(last))
  const chosen = events(page).getByRole('option', { selected: true })
  const rows = Number(await chosen.getAttribute('aria-setsize'))
  await expect(chosen).toHaveAttribute('aria-posinset', String(rows))
  await page.keyboard.press('ArrowLeft')
  await expect(chosen).toHaveAttribute('aria-posinset', String(rows - 1))
  await page.keyboard.press('Home')
  await expect(scrubber(page)).toHaveValue('0')

  await scrubber(page).click()
  const middle = Number(await scrubber(page).inputValue())
  expect(Math.abs(middle - last / 2)).toBeLessThan(last * 0.1)
  await expect(events(page).locator('[aria-selected="true"]')).toBeVisible()

  const chart = page.getByRole('img', { name: /^Accounts over time/ })
  const { width } = (await chart.boundingBox())!
  await chart.hover({ position: { x: width / 2, y: 40 } })
  await page.mouse.down()
  await chart.hover({ position: { x: width * 0.75, y: 40 } })
  await chart.hover({ position: { x: width - 2, y: 40 } })
  await page.mouse.up()
  await expect(scrubber(page)).toHaveValue(String(last))
})

test('it plays by the space bar and stops at the end', async ({ classroom: page }) => {
  await openMatch(page)
  // Slowly first: a match that plays fast is over before one looks.
  await page.keyboard.press(' ')
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  await page.getByLabel('Speed').selectOption('50 a second')
  const last = await scrubber(page).getAttribute('max')
  await expect(scrubber(page)).toHaveValue(last!)
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible()
})

test('accounts at the end are those that the standings were made of', async ({ classroom: page }) => {
  await openMatch(page)
  await page.keyboard.press('End')
  await expect(scrubber(page)).toHaveValue((await scrubber(page).getAttribute('max'))!)
  await page.keyboard.press('t')
  const rows = page.getByRole('row').filter({ hasNot: page.getByRole('columnheader') })
  await expect(rows).toHaveCount(4)
  for (const row of await rows.all())
    await expect(async () => {
      const [, now, end] = await row.getByRole('cell').or(row.getByRole('rowheader')).allTextContents()
      expect(now).toBe(end)
    }).toPass({ timeout: 60_000 })
  await expect(account(page, 'tartaglia').or(account(page, 'minmax')).first()).not.toHaveText('10')
})

test('an event shows its raw material, solution and what is satisfied, and becomes a test case', async ({
  classroom: page,
}) => {
  await openMatch(page)
  await openSolution(page)
  await expect(page.getByRole('img', { name: /^Raw material with the solution/ })).toBeVisible()
  const quality = (await page.getByText(/^Quality/).textContent()) ?? ''
  const satisfied = Number(
    /(\d+)\s+of\s+\d+\s+parts/.exec((await page.getByText(/of\s+\d+\s+parts/).textContent()) ?? '')?.[1],
  )
  expect(satisfied === 0).toBe(/=\s*0%/.test(quality))

  await page.getByRole('button', { name: 'Save as test case…' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: /^Save .*instance\.txt/ }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^match-1-event-\d+-instance\.txt$/)
  expect(readFileSync(await file.path(), 'utf8')).toMatch(/^variables \d+/)

  const downloads: Download[] = []
  page.on('download', (each) => downloads.push(each))
  await page.getByRole('button', { name: 'Save all 5' }).click()
  await expect.poll(() => downloads.length).toBe(5)
  const folder = test.info().outputPath('case')
  for (const each of downloads) await each.saveAs(join(folder, each.suggestedFilename()))
  const dialog = page.getByRole('dialog', { name: 'Save as test case' })
  const names = await dialog.getByRole('listitem').locator('code').allTextContents()
  expect(names.sort()).toEqual(downloads.map((each) => each.suggestedFilename()).sort())
  // The command that the dialog names, in the folder of the files and on a machine without the class, comes to the same quality.
  const [program, ...args] = ((await dialog.locator('.command code').textContent()) ?? '').split(' ')
  expect(program).toBe('tartaglia')
  const cli = join(import.meta.dirname, '..', '..', 'dist', 'cli.js')
  const env = { ...process.env, TARTAGLIA_DATA: test.info().outputPath('nowhere') }
  const evaluated = execFileSync(process.execPath, [cli, ...args], { cwd: folder, env, encoding: 'utf8' })
  expect(evaluated.replace(/\s/g, '')).toContain(/(\d+\/\d+)/.exec(quality)?.[1] ?? quality)
})

test('the whole match can be read as text', async ({ classroom: page }) => {
  await openMatch(page)
  await page.keyboard.press('x')
  const text = page.getByRole('region', { name: 'The match as text' })
  await expect(text.getByRole('heading', { name: 'Round 1', exact: true })).toBeVisible()
  await expect(text.getByText(/offers challenge 0 for/)).toBeVisible()
  await text.getByRole('button', { name: 'Go to event 3', exact: true }).click()
  await page.getByRole('button', { name: 'Show the pictures' }).click()
  await expect(scrubber(page)).toHaveValue('3')
})

test('a match that is not there is said to be so', async ({ classroom: page }) => {
  await go(page, '#/contests/sample-contest-1/matches/99999')
  await expect(page.getByRole('alert')).toContainText('The match could not be opened')
})

/** A window in which everything fits, and one in which all that can scroll does. */
const windows = [
  { width: 1280, height: 800 },
  { width: 800, height: 480 },
]

async function expectOpenToAll(page: Page): Promise<void> {
  for (const viewport of windows) {
    await page.setViewportSize(viewport)
    await expectAccessible(page)
  }
}

test.describe('nothing keeps anybody out', () => {
  test('of the market and what is owed', async ({ classroom: page }) => {
    await openMatch(page)
    await scrubber(page).click()
    await expect(page.getByRole('tab', { name: /^Market\s*[1-9]/ })).toBeVisible()
    await expectOpenToAll(page)
  })

  test('of the tables', async ({ classroom: page }) => {
    await openMatch(page)
    await page.keyboard.press('End')
    await expect(scrubber(page)).toHaveValue((await scrubber(page).getAttribute('max'))!)
    await page.keyboard.press('t')
    await expect(page.getByRole('table', { name: /^Accounts/ })).toBeVisible()
    await expectOpenToAll(page)
  })

  test('of an event and its test case', async ({ classroom: page }) => {
    await openMatch(page)
    await openSolution(page)
    await expect(page.getByRole('group', { name: 'Solution', exact: true })).toBeVisible()
    await expectOpenToAll(page)
    await page.getByRole('button', { name: 'Save as test case…' }).click()
    await expect(page.getByRole('dialog', { name: 'Save as test case' })).toBeVisible()
    await expectOpenToAll(page)
  })

  test('of the match as text', async ({ classroom: page }) => {
    await openMatch(page)
    await page.keyboard.press('x')
    await expect(page.getByRole('region', { name: 'The match as text' })).toBeVisible()
    await expectOpenToAll(page)
  })
})

test('another agent is asked what it would have played here, beside what was played', async ({
  classroom: page,
}, testInfo) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await openMatch(page)
  await openSolution(page)
  await page.getByRole('tab', { name: 'What if?' }).click()
  await page.getByRole('combobox', { name: 'Ask', exact: true }).selectOption({ label: 'tartaglia' })
  await page.getByRole('button', { name: 'What would it play here?' }).click()
  const compared = page.getByRole('region', { name: 'The answers compared' })
  await expect(compared).toContainText('tartaglia would have played')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.screenshot({ path: testInfo.outputPath('wide.png') })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await compared.scrollIntoViewIfNeeded()
  await page.screenshot({ path: testInfo.outputPath('narrow.png') })
  await page.setViewportSize({ width: 1280, height: 800 })
  await expectAccessible(page)
  // The address keeps the panel, and the link of an event leads to it.
  await compared
    .getByRole('button', { name: /^event / })
    .first()
    .click()
  await expect(page.getByRole('tab', { name: 'What if?', selected: true })).toBeVisible()
})
