import { expect } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RING_TOWN } from '../unit/cops/stage.ts'
import { expectAccessible } from './accessible.ts'
import { chromium, classWith, dist, go, test } from './served.ts'

/** A class in which one match of three agents has been played in the hamlet: of the cops three are the last one's. */
const played = classWith(() => ({
  title: 'Chase',
  game: 'cops',
  config: { map: 'hamlet', lastWorld: 40 },
  format: { type: 'single' },
  seed: 'e2e',
  isolation: 'permission',
  limits: { startMs: 60_000, moveMs: 60_000 },
  entrants: ['tartaglia', 'baby', 'house'].map((name) => ({ name, agent: join(dist, 'agents', 'cops', `${name}.js`) })),
}))
test.use({ beginning: played })
test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

test('a match is watched: the town, claims, votes and loot, by the panel and by a seat', async ({
  classroom: page,
}) => {
  await go(page, '#/contests/chase-1/matches/0')
  const town = page.getByRole('application', { name: /^Town in world/ })
  await expect(town).toHaveAccessibleName(/^Town in world 0: the robber is at [-a-z0-9#]+\.$/)
  await expect(page.getByRole('img', { name: /^Loot over time/ })).toBeVisible()
  // At 1280 by 800 the list of events has room for more than two of them.
  const events = page.getByRole('listbox', { name: /events/i }).getByRole('option')
  await expect.poll(() => events.count()).toBeGreaterThan(3)
  // Everybody sees what follows the position, faded; a seat does not.
  const later = page.locator('.chart g.later')
  await expect(later).toHaveCount(1)
  const viewer = page.getByRole('combobox', { name: 'Watch as' })
  await viewer.selectOption('3')
  await expect(town).toHaveAccessibleName(/^Town in world 0: the robber’s place is not known/)
  await expect(later).toHaveCount(0)
  await viewer.selectOption('public')
  await expect(later).toHaveCount(1)
  await page.keyboard.press('End')
  await expect(later).toHaveCount(0)
  await expect(town).not.toHaveAccessibleName(/^Town in world 0:/)
  await page.getByRole('radio', { name: 'baby (Baby)' }).check()
  // The map zooms, and its keys go from corner to corner without moving the playback position.
  await town.focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByTestId('map-words')).toHaveText(/, headquarters/)
  await page.keyboard.press('+')
  await expect(page.getByRole('button', { name: 'Zoom out' })).toBeEnabled()
  await page.keyboard.press('0')
  await expect(page.getByRole('button', { name: 'Zoom out' })).toBeDisabled()
  await expectAccessible(page)

  await page.getByRole('tab', { name: 'Round' }).click()
  await expect(page.getByRole('region', { name: 'Claims and votes' })).toContainText(
    /Elected: the plan of|No plan was elected/,
  )
  await expect(page.getByRole('table', { name: 'Election' }).getByRole('row')).toHaveCount(6)
  await expectAccessible(page)

  // Screen readers have every move in the text, and where everybody is in the table.
  await page.keyboard.press('x')
  await expect(page.getByRole('region', { name: 'The match as text' })).toContainText(
    /World \d+: tartaglia \(Tartaglia\) moves to/,
  )
  await page.keyboard.press('x')
  await page.keyboard.press('t')
  await expect(page.getByRole('row', { name: /^baby .* (foot|car) / })).toBeVisible()
})

test('a town comes from a file, is saved as one to the byte, and is deleted', async ({ classroom: page }) => {
  const buffer = Buffer.from(RING_TOWN.replaceAll('\n', '\r\n'))
  await go(page, '#/contests/new')
  await page.getByLabel('Game').selectOption({ label: 'Cops & Robbers' })
  await page.getByLabel('Map from a file').setInputFiles({ name: 'Ring.wsk', mimeType: 'text/plain', buffer })
  await expect(page.getByLabel('Map', { exact: true })).toHaveValue('ring')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save “ring” as a file' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toBe('ring.wsk')
  expect(readFileSync(await saved.path())).toEqual(buffer)

  await page.getByRole('button', { name: 'Delete “ring”…' }).click()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete “ring”' }).click()
  await expect(page.getByRole('option', { name: 'ring (of this class)' })).toHaveCount(0)
  await expect(page.getByLabel('Map', { exact: true })).not.toHaveValue('ring')
})

test('a person plays the robber by clicking corners and by the list, to the end', async ({ classroom: page }) => {
  await go(page, '#/play?game=cops&against=baby')
  await page.getByText('Game settings').click()
  await page.getByLabel('Last world').fill('6')
  await page.getByRole('button', { name: 'Begin' }).click()
  const turn = (world: number) => page.getByRole('status').filter({ hasText: `World ${world}. Choose where you go` })

  // The list has every move; the first is to stay.
  await expect(turn(0)).toBeVisible()
  await expectAccessible(page)
  const here = await page.getByRole('combobox', { name: /^Go to/ }).inputValue()
  await page.getByRole('combobox', { name: /^Go to/ }).selectOption({ index: 1 })
  const there = await page.getByRole('combobox', { name: /^Go to/ }).inputValue()
  expect(there).not.toBe(here)
  await page.getByRole('button', { name: 'Go', exact: true }).click()

  // On the map a second click on a corner goes there.
  await expect(turn(2)).toBeVisible()
  await expect(page.getByText(`the robber, at ${there}.`)).toBeVisible()
  const corner = page.locator('circle.option').nth(1)
  await corner.click()
  await corner.click()

  await expect(turn(4)).toBeVisible()
  await page.getByRole('button', { name: 'Go', exact: true }).click()
  // The cop whose empty plan was elected has 60 points.
  await expect(page.getByRole('status').filter({ hasText: /^You finish 2nd of 6 with 0 points\./ })).toBeVisible()
  await expectAccessible(page)
})

test('a person plays a cop: claims, plans, votes and moves, by what stands in the form', async ({
  classroom: page,
}) => {
  await go(page, '#/play?game=cops&against=baby')
  await page.getByText('Game settings').click()
  await page.getByLabel('Last world').fill('4')
  await page.getByLabel('You play').selectOption({ label: 'a cop' })
  await page.getByRole('button', { name: 'Begin' }).click()
  const asked = (text: string) => page.getByRole('status').filter({ hasText: text })

  await expect(asked('World 1. Say what you know')).toBeVisible()
  await page.getByRole('combobox', { name: /^Where you think/ }).selectOption({ index: 1 })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Announce' }).click()
  await expect(asked('World 1. Plan a move for every cop')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Propose the plan' }).click()
  await expect(asked('World 1. Rank the plans')).toBeVisible()
  await page
    .getByRole('button', { name: /^Rank .* higher$/ })
    .first()
    .click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Vote', exact: true }).click()
  await expect(asked('World 1. Choose where you go')).toBeVisible()
  // At headquarters a cop may take a car.
  await page.getByRole('checkbox', { name: 'by car from now on' }).check()
  await page.getByRole('checkbox', { name: 'only ask me for moves' }).check()
  await page.getByRole('button', { name: 'Go', exact: true }).click()
  await expect(asked('World 3. Choose where you go')).toBeVisible()
  await expect(page.getByText('a cop in a car')).toBeVisible()
  await page.getByRole('button', { name: 'Go', exact: true }).click()
  await expect(asked('You finish')).toBeVisible()
})
