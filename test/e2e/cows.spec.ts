import { expect, type Page } from '@playwright/test'
import { join } from 'node:path'
import { expectAccessible } from './accessible.ts'
import { chromium, classWith, dist, go, test } from './served.ts'

/** A class in which a team that splits the herd has played against one that does not. */
const played = classWith(() => ({
  title: 'Cattle',
  game: 'cows',
  config: { map: 'small', steps: 150 },
  format: { type: 'round-robin', seats: 2, repeats: 1 },
  seed: 'e2e',
  isolation: 'permission',
  limits: { startMs: 60_000, moveMs: 60_000 },
  entrants: ['tartaglia', 'herder'].map((name) => ({ name, agent: join(dist, 'agents', 'cows', `${name}.js`) })),
}))
test.use({ beginning: played })
test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

const pasture = (page: Page) => page.getByRole('application', { name: /^Pasture/ })
const words = (page: Page) => page.getByTestId('map-words')

test('a match is watched: the pasture, what a herder sees, where cows were, the scores and the text', async ({
  classroom: page,
}) => {
  await go(page, '#/contests/cattle-1/matches/0')
  await expect(pasture(page)).toHaveAccessibleName(/^Pasture: 24 cows in the field; .* has 0, .* has 0\.$/)
  await expect(page.getByRole('img', { name: /^Cows caught over time/ })).toBeVisible()
  await page.keyboard.press('End')
  await expect(pasture(page)).not.toHaveAccessibleName(/24 cows in the field/)

  await pasture(page).focus()
  await page.keyboard.press('ArrowRight')
  await expect(words(page)).toHaveText(
    /^Herder 1 of (tartaglia|herder) at column \d+, row \d+: sees \d+ cows?( and \d+ herders? of the other team)?$/,
  )
  // The keys of the pasture do not move the playback position.
  await expect(page.getByRole('slider', { name: 'Place in the match' })).toHaveValue('150')
  await page.keyboard.press('+')
  await expect(page.getByRole('button', { name: 'Zoom out' })).toBeEnabled()
  await expectAccessible(page)
  await page.getByRole('tab', { name: 'Where cows were' }).click()
  await expect(page.getByRole('application', { name: /^Where cows were in the first 150 events/ })).toBeVisible()

  await page.keyboard.press('x')
  await expect(page.getByRole('region', { name: 'The match as text' })).toContainText(
    // In the order of the seats, which are drawn.
    /Step 150: .*(tartaglia \d+, herder \d+|herder \d+, tartaglia \d+)\./,
  )
  await page.keyboard.press('x')
  await page.keyboard.press('t')
  await expect(page.getByRole('row', { name: /^tartaglia \d+ 6 \d+ \d+ / })).toBeVisible()
})

test('a seat is shown what its herders saw', async ({ classroom: page }) => {
  await go(page, '#/contests/cattle-1/matches/0?as=0')
  await expect(pasture(page)).not.toHaveAccessibleName(/^Pasture: 24 cows/)
  await expect(pasture(page)).toHaveAccessibleName(/^Pasture: \d+ cows? in the field/)
})

const step = (page: Page, number: number) =>
  page.getByRole('status').filter({ hasText: `Step ${number} of 5: 6 herders to move.` })

test('a person plays by clicks and keys, and the rest repeat or skip', async ({ classroom: page }) => {
  await go(page, '#/play?game=cows&against=baby')
  await page.getByText('Game settings').click()
  await page.getByLabel('Steps').fill('5')
  await page.getByRole('button', { name: 'Begin' }).click()

  await expect(step(page, 1)).toBeVisible()
  await expect(page.getByRole('group', { name: 'Move herder 1' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'north', exact: true }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Herder 1: north' })).toBeVisible()
  await expect(page.getByRole('group', { name: 'Move herder 2' })).toBeVisible()
  await page.getByRole('button', { name: 'Herder 4:' }).click()
  await page.getByRole('button', { name: 'southeast' }).click()
  await page.getByRole('button', { name: 'The rest skip' }).click()

  await expect(step(page, 2)).toBeVisible()
  await page.getByRole('button', { name: 'The rest repeat' }).click()
  await expect(step(page, 3)).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Herder 4: waits for you' })).toBeVisible()

  await pasture(page).focus()
  await page.keyboard.press('3')
  await page.keyboard.press('w')
  await expect(page.getByRole('listitem').filter({ hasText: 'Herder 3: north' })).toBeVisible()
  await page.keyboard.press('r')
  await expect(step(page, 4)).toBeVisible()
  await page.keyboard.press(' ')
  await expect(step(page, 5)).toBeVisible()
  await page.keyboard.press(' ')
  await expect(
    page.getByRole('status').filter({ hasText: /^(You win|You lose|A draw): \d+ cows? in your corral/ }),
  ).toBeVisible()
  await page.getByRole('link', { name: 'View the match' }).click()
  await expect(pasture(page)).toBeVisible()
})
