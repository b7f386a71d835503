import { expect, type Page } from '@playwright/test'
import { join } from 'node:path'
import { expectAccessible } from './accessible.ts'
import { chromium, classWith, dist, go, test } from './served.ts'

/** A class in which one match of three has been played on the grid, with all extensions. */
const played = classWith(() => ({
  title: 'Rivers',
  game: 'punter',
  config: { map: 'grid', futures: true, splurges: true, options: true },
  format: { type: 'round-robin', seats: 3, repeats: 1 },
  seed: 'e2e',
  isolation: 'permission',
  limits: { startMs: 60_000, moveMs: 60_000 },
  entrants: ['baby', 'greedy', 'tartaglia'].map((name) => ({
    name,
    agent: join(dist, 'agents', 'punter', `${name}.js`),
  })),
}))
test.use({ beginning: played })
test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

const mapOf = (page: Page) => page.getByRole('application', { name: /^Map:/ })
const words = (page: Page) => page.getByTestId('map-words')

test('a match is watched: the map tells who claimed what when, by pointer and keyboard', async ({
  classroom: page,
}) => {
  await go(page, '#/contests/rivers-1/matches/0')
  const map = mapOf(page)
  await expect(map).toHaveAccessibleName(/^Map: 0 rivers of 60 taken\.$/)
  await expect(page.getByRole('img', { name: /^Scores over time/ })).toBeVisible()
  await page.keyboard.press('End')
  await expect(map).toHaveAccessibleName(/^Map: \d+ rivers of 60 taken\.$/)
  await expect(map).not.toHaveAccessibleName(/^Map: 0 /)

  await map.focus()
  await page.keyboard.press('ArrowRight')
  await expect(words(page)).toHaveText(/^River \d+-\d+: (free|claimed by (baby|greedy|tartaglia) in move \d+)/)
  const before = await words(page).textContent()
  await page.keyboard.press('ArrowDown')
  await expect(words(page)).not.toHaveText(before ?? '')
  // The keys of the map do not move the playback position.
  await expect(page.getByRole('slider', { name: 'Place in the match' })).toHaveValue(/^6\d$/)

  const zoomOut = page.getByRole('button', { name: 'Zoom out' })
  await expect(zoomOut).toBeDisabled()
  await page.keyboard.press('+')
  await expect(zoomOut).toBeEnabled()
  await page.keyboard.press('0')
  await expect(zoomOut).toBeDisabled()
  const box = (await map.boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.wheel(0, -400)
  await expect(zoomOut).toBeEnabled()
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2 + 80, box.y + box.height / 2 + 30, { steps: 4 })
  await page.mouse.up()
  await expectAccessible(page)

  // Screen readers have every move in the list of events and in the text, and the scores in the table.
  await page.keyboard.press('x')
  await expect(page.getByRole('region', { name: 'The match as text' })).toContainText(/claims \d+-\d+\./)
  await page.keyboard.press('x')
  await page.keyboard.press('t')
  await expect(page.getByRole('row', { name: /^tartaglia\b/ })).toBeVisible()
})

test('a match is watched while a person plays it, move by move, and as a whole when it is over', async ({
  classroom: page,
}) => {
  await go(page, '#/play?game=punter&against=baby')
  await page.getByText('Game settings').click()
  await page.getByLabel('Futures').selectOption({ label: 'yes' })
  await page.getByLabel('Splurges').selectOption({ label: 'yes' })
  await page.getByRole('button', { name: 'Begin' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Choose your futures' })).toBeVisible()
  await page.getByLabel('Mine').selectOption('5')
  await page.getByLabel('Site', { exact: true }).fill('4')
  await page.getByRole('button', { name: 'Add' }).click()
  const contest = page.url().split('#/play/')[1]!

  // Another window of the same person; its matches are those of any contest.
  const other = await page.context().newPage()
  await other.goto(page.url().split('#')[0]!)
  await go(other, `#/contests/${contest}?tab=matches`)
  await other.getByRole('region', { name: 'Being played' }).getByRole('link', { name: 'Match 0' }).click()
  await expect(other.getByText('Being played')).toBeVisible()
  await expect(mapOf(other)).toHaveAccessibleName('Map: 0 rivers of 12 taken.')

  await page.getByRole('button', { name: 'Begin with 1 future' }).click()
  await expect(myTurn(page, 1)).toBeVisible()
  const field = page.getByLabel('River or route')
  await field.fill('4-5')
  await field.press('Enter')
  const events = other.getByRole('list', { name: 'Events' })
  await expect(events).toContainText('Human claims 4-5.')
  await expect(events).toContainText(/baby claims \d-\d\./)
  await expect(events).toContainText('Secret while the match is played.')
  await expect(events).not.toContainText('bets')
  await expect(mapOf(other)).toHaveAccessibleName('Map: 2 rivers of 12 taken.')
  await expect(other.getByRole('row', { name: /^Human\b/ })).toBeVisible()
  await expectAccessible(other)

  for (let move = 3; move <= 11; move += 2) {
    await expect(myTurn(page, move)).toBeVisible()
    await page.getByRole('button', { name: 'Pass' }).click()
  }
  // The window goes over to the whole match by itself.
  await expect(other.getByRole('slider', { name: 'Place in the match' })).toBeVisible()
  await expect(other.getByRole('list', { name: 'Events' })).toHaveCount(0)
  await other.close()
})

const myTurn = (page: Page, move: number) =>
  page.getByRole('status').filter({ hasText: `It is your turn: move ${move} of 12.` })

test('a person plays by clicking rivers, by keyboard and by writing, to the end', async ({ classroom: page }) => {
  await go(page, '#/play?game=punter&against=baby')
  await page.getByText('Game settings').click()
  await page.getByLabel('Futures').selectOption({ label: 'yes' })
  await page.getByLabel('Splurges').selectOption({ label: 'yes' })
  await page.getByRole('button', { name: 'Begin' }).click()

  await expect(page.getByRole('status').filter({ hasText: 'Choose your futures' })).toBeVisible()
  await page.getByLabel('Mine').selectOption('5')
  await page.getByLabel('Site', { exact: true }).fill('4')
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('list', { name: 'Your futures' })).toContainText('5 to 4: wins or loses 1')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Begin with 1 future' }).click()

  // By writing: what is not legal cannot be sent.
  await expect(myTurn(page, 1)).toBeVisible()
  const field = page.getByLabel('River or route')
  await field.fill('4-7')
  await expect(page.getByTestId('judged')).toHaveText('There is no river 4-7.')
  await field.fill('4-5')
  await expect(page.getByTestId('judged')).toHaveText('Adds 3 to your score.')
  await field.press('Enter')

  // By keyboard on the map.
  await expect(myTurn(page, 3)).toBeVisible()
  await expect(page.getByRole('list', { name: /^Moves so far/ })).toContainText('You: claims 4-5.')
  const map = mapOf(page)
  await map.focus()
  await page.keyboard.press('ArrowRight')
  await expect(words(page)).toHaveText('River 3-4: claimed by baby in move 2')
  await page.keyboard.press('ArrowDown')
  await expect(words(page)).toHaveText('River 2-3: free')
  const chosen = /^Claim (\d+-\d+)$/
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: chosen })).toBeEnabled()
  await page.keyboard.press('Enter')

  // By clicks: the river in the middle of the lower edge, between the mine 1 and site 2.
  await expect(myTurn(page, 5)).toBeVisible()
  const box = (await map.boundingBox())!
  for (let y = box.height - 4; (await page.getByRole('button', { name: chosen }).count()) === 0; y -= 6) {
    await page.mouse.click(box.x + box.width * 0.62, box.y + y)
  }
  await page.getByRole('button', { name: chosen }).click()

  for (let move = 7; move <= 11; move += 2) {
    await expect(myTurn(page, move)).toBeVisible()
    await page.getByRole('button', { name: 'Pass' }).click()
  }
  await expect(
    page.getByRole('status').filter({ hasText: /^You finish (1st|2nd) of 2 with -?\d+ points?\./ }),
  ).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'View the match' }).click()
  await expect(mapOf(page)).toBeVisible()
  await expect(page.getByText('Human', { exact: true }).first()).toBeVisible()
})
