import { expect } from '@playwright/test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectAccessible } from './accessible.ts'
import { chromium, classWith, dist, go, test } from './served.ts'

/** A class in which a small tournament of haggling has been played. */
const played = classWith((folder) => {
  const quitter = join(folder, 'quitter.js')
  writeFileSync(quitter, 'module.exports = class { offer() { throw new Error("no deal") } }')
  const entrants = ['baby', 'conceder', 'learner'].map((name) => {
    return { name, agent: join(dist, 'agents', 'haggle', `${name}.js`) }
  })
  return {
    title: 'Tournament',
    game: 'haggle',
    format: { type: 'ordered-pairs', seeds: 3, finalists: 2, finalSeeds: [1, 2], phrase: 'Venice' },
    seed: 'e2e',
    isolation: 'permission',
    limits: { startMs: 60_000, moveMs: 60_000 },
    entrants: [...entrants, { name: 'quitter', agent: quitter }],
  }
})
test.use({ beginning: played })
test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

test('a tournament shows its scores, who got how much from whom, and why sessions were broken off', async ({
  classroom: page,
}) => {
  await go(page, '#/contests/tournament-1')
  await expect(page.getByRole('heading', { name: 'Who got how much from whom' })).toBeVisible()
  const matrix = page.getByRole('grid', { name: 'Mean scores against each other' })
  await expect(matrix.locator('[data-cell]')).toHaveCount(16)
  await matrix.locator('[data-cell]').nth(1).focus()
  await expect(page.getByText(/scored .* per session against .*, in \d+ sessions\./)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('t')
  await expect(page.getByRole('columnheader', { name: 'Per agreement' })).toBeVisible()
  await expect(page.getByRole('row', { name: /^quitter\b.*\b0\b/ }).first()).toBeVisible()
  await page.keyboard.press('t')
  await page.getByRole('tab', { name: /Set-up/ }).click()
  await expect(page.getByText('quitter broke off 18 sessions: Error: no deal')).toBeVisible()
  await expect(page.getByText('all ordered pairs')).toBeVisible()
})

test('a session is followed from offer to offer, in the picture, the shares and the text', async ({
  classroom: page,
}) => {
  await go(page, '#/contests/tournament-1')
  await page.getByRole('tab', { name: /^Matches/ }).click()
  await page.getByRole('option', { name: /^Match 1\b/ }).click()
  await expect(page.getByRole('heading', { name: 'Path of the offers' })).toBeVisible()
  const picture = page.getByRole('img', { name: /offers?(;| and)/ })
  await expect(picture.locator('.best').first()).toBeVisible()
  await expect(picture.locator('.offer').first()).toBeVisible()
  const turns = page.getByRole('region', { name: 'Shares, turn by turn' }).getByRole('listitem')
  await expect(turns.first()).toContainText('demands')
  await page.keyboard.press('ArrowRight')
  await expect(turns.first()).toHaveAttribute('aria-current', 'step')
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight')
  await expectAccessible(page)
  await page.keyboard.press('x')
  await expect(page.getByRole('region', { name: 'The match as text' })).toContainText(/wants .* and leaves/)
})

test('a session that is watched as a side hides what the other values; its address keeps the side', async ({
  classroom: page,
}) => {
  await go(page, '#/contests/tournament-1/matches/1')
  const viewer = page.getByRole('combobox', { name: 'Watch as' })
  await expect(viewer).toHaveValue('public')
  await viewer.selectOption({ index: 2 })
  await expect(page).toHaveURL(/#\/contests\/tournament-1\/matches\/1\?as=0$/)
  await expect(page.getByRole('heading', { name: 'Worth of the offers' })).toBeVisible()
  await page.getByRole('slider', { name: 'Place in the match' }).focus()
  await page.keyboard.press('ArrowRight')
  const values = page.getByRole('table', { name: 'What one object is worth' })
  await expect(values.getByRole('cell', { name: 'not known' })).not.toHaveCount(0)
  const players = page.getByRole('list', { name: 'Players' }).getByRole('listitem')
  await expect(players.nth(0)).toContainText('$')
  await expect(players.nth(1)).toContainText('not known')
  const first = page.getByRole('listbox', { name: 'Events' }).getByRole('option').first()
  await expect(first).toContainText(/: \$\d+ for [^,]+\./)
  await expectAccessible(page)
  await page.reload()
  await expect(viewer).toHaveValue('0')
  await expect(page.getByRole('heading', { name: 'Worth of the offers' })).toBeVisible()
  await viewer.selectOption('panel')
  await expect(page.getByRole('heading', { name: 'Path of the offers' })).toBeVisible()
  await expect(players.nth(1)).toContainText('$')
})

test('a new contest of haggling has the settings and the format of the game', async ({ classroom: page }) => {
  await go(page, '#/contests/new')
  await page.getByLabel('Game').selectOption({ label: 'Haggling' })
  await page.getByRole('button', { name: /^Haggling 2018/ }).click()
  await expect(page.getByLabel('Title')).toHaveValue('Haggling 2018')
  await expect(page.getByText('All pairs, then a final')).toBeHidden()
  await page.getByText('Advanced', { exact: true }).click()
  await expect(page.getByLabel('Scenarios', { exact: true })).toHaveValue('500')
  await page.getByLabel('Scenarios', { exact: true }).fill('2')
  await page.getByLabel('Finalists').fill('0')
  // Three agents are chosen by themselves: six ordered pairs, two scenarios each.
  await expect(page.getByText('12 matches', { exact: true })).toBeVisible()
})
