import { expect, type Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectAccessible } from './accessible.ts'
import { openSolution } from './match-events.ts'
import { root } from './scripts.ts'
import { chromium, go, test } from './served.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

const tutorial = readFileSync(join(root, 'docs/challenge-tutorial.md'), 'utf8')
const steps = [...tutorial.matchAll(/^```challenge\n([^]*?)^```$/gm)].map(([, text]) => text!)

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('from the empty editor to standings and a picture, as docs/challenge-tutorial.md says', async ({
  classroom: page,
}) => {
  await go(page, '#/challenges')
  await page.getByRole('link', { name: 'New challenge' }).click()
  await button(page, 'Empty').click()
  const source = page.getByRole('textbox', { name: 'Source of new' })
  await expect(source).toContainText('challenge my-challenge')
  await source.focus()
  await page.keyboard.press('Control+a')
  const problems = page.getByRole('list', { name: 'Errors' }).getByRole('listitem')
  const game = page.getByRole('region', { name: 'The game' })
  for (const [at, text] of steps.entries()) {
    await page.keyboard.insertText(at === 0 ? text : `\n${text}`)
    if (at < 5) await expect(problems.first()).toBeVisible()
    else await expect(page.getByText('No errors')).toBeVisible()
    if (at === 5) {
      await expect(game).toContainText('not playable')
      // The picture of the text that was there before is gone.
      await expect(page.getByRole('img', { name: /^The first example/ })).toBeHidden()
    }
    if (at === 6) await expect(game).toContainText('The game can be played.')
    if (at === 8) await expect(page.getByRole('img', { name: /^The first example/ })).toBeVisible()
  }
  await expect(game).toContainText('Difficulty by closeness')
  await expectAccessible(page)

  await button(page, 'Save…').click()
  const dialog = page.getByRole('dialog', { name: 'Save to the class' })
  await expect(dialog.getByLabel('Name')).toHaveValue('knapsack-2')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('knapsack-2.challenge')).toBeVisible()
  await page.getByRole('link', { name: 'New contest with it' }).click()
  await expect(page.getByLabel('Challenge', { exact: true })).toHaveValue('knapsack-2')
  await page.getByLabel('Title').fill('My knapsack')
  await page.getByText('Quick test', { exact: true }).click()
  await button(page, 'Choose none').click()
  for (const name of ['baby', 'sampler', 'tartaglia']) await page.getByRole('checkbox', { name, exact: true }).check()
  await expect(page.getByText('3 matches', { exact: true })).toBeVisible()
  const radio = page.getByRole('radio').and(page.locator(':enabled')).first()
  const decided = page.getByText('Available on this machine.')
  // The isolation is looked up while the rest is filled in.
  await expect(decided.or(radio).first()).toBeVisible()
  if ((await decided.count()) === 0) await radio.check()
  await button(page, 'Create and run').click()
  await expect(page.getByTestId('status')).toContainText('Ended', { timeout: 240_000 })
  const ladder = page.getByRole('region', { name: 'Standings' }).last()
  for (const name of ['baby', 'sampler', 'tartaglia']) await expect(ladder).toContainText(name)

  await page.getByRole('tab', { name: /^Matches/ }).click()
  await page.getByRole('option', { name: /^Match 1\b/ }).click()
  await openSolution(page)
  await expect(page.getByRole('img', { name: /^Raw material with the solution/ })).toBeVisible()
})
