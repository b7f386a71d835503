import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { chromium, go, goByKeys, test } from './served.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

/** One scenario: 4 books, 1 hat and 1 ball, a hat worth 8 to who begins and a ball 2. */
async function chooseScenario(page: Page): Promise<void> {
  await page.getByText('Game settings').click()
  await page.getByLabel('One scenario for all').fill('1')
}
const myTurn = (page: Page) => page.getByRole('status').filter({ hasText: /nothing has been offered yet|leaves you/ })

test('a person plays against an agent that ships, to a deal that is looked at as any other match', async ({
  classroom: page,
}) => {
  await go(page, '#/agents')
  await page.getByRole('link', { name: 'Play against an agent' }).click()
  await expect(page.getByRole('heading', { name: 'Play against an agent' })).toBeVisible()
  await page.getByLabel('Game').selectOption({ label: 'Haggling' })
  await page.getByLabel('Against').selectOption({ label: 'baby (comes with Tartaglia)' })
  await chooseScenario(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Begin' }).click()

  await expect(page.getByRole('heading', { name: 'You against baby' })).toBeVisible()
  await expect(myTurn(page)).toBeVisible()
  await expect(page.getByRole('timer')).toContainText(/min.* left/)
  await expectAccessible(page)
  await page.getByLabel('You take of 1 hat').fill('2')
  await expect(page.getByText('Of hat you can take a whole number from 0 to 1.')).toBeVisible()
  await page.getByLabel('You take of 1 hat').fill('1')
  // All that is left to the baby is worth nothing to it.
  await page.getByRole('button', { name: 'Offer', exact: true }).click()
  await expect(page.getByRole('row', { name: /baby offers/ })).toBeVisible()
  await page.getByRole('button', { name: /^Accept \$/ }).click()
  await expect(page.getByRole('status').filter({ hasText: 'You have agreed' })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'View the match' }).click()
  await expect(page.getByRole('heading', { name: 'Path of the offers' })).toBeVisible()
  await expect(page.getByText('Human', { exact: true }).first()).toBeVisible()
  await go(page, '#/contests/human-against-baby-1')
  await expect(page.getByTestId('status')).toContainText('Ended')
})

test('by keyboard alone: chosen, begun, offered, accepted', async ({ classroom: page }) => {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await goByKeys(page, 'p', page.getByRole('heading', { name: 'Play against an agent' }))
  await expect(page.getByLabel('Game')).toBeFocused()
  await page.keyboard.type('Hag')
  await expect(page.getByLabel('2nd opponent')).toBeHidden()
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Against')).toBeFocused()
  await expect(page.getByLabel('Against').locator('option', { hasText: 'conceder' })).toHaveCount(1)
  await page.keyboard.type('conc')
  await expect(page.getByLabel('Against').locator('option:checked')).toHaveText(/conceder/)
  // The first player, the time, the objects, and then the button.
  for (let i = 0; i < 4; i++) await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Begin' })).toBeFocused()
  await page.keyboard.press('Enter')

  await expect(myTurn(page)).toBeVisible()
  const first = page.getByRole('spinbutton').first()
  await expect(first).toBeFocused()
  const before = Number(await first.inputValue())
  await page.keyboard.press('ArrowDown')
  await expect(first).toHaveValue(String(before - 1))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('spinbutton').nth(1)).toBeFocused()
  await page.keyboard.press('0')
  await expect(page.getByRole('spinbutton').nth(1)).toHaveValue('0')
  await page.keyboard.press('Enter')
  // It either takes that or makes an offer of its own, which is taken.
  const over = page.getByRole('status').filter({ hasText: 'You have agreed' })
  const theirs = page.getByRole('status').filter({ hasText: 'leaves you' })
  await expect(over.or(theirs)).toBeVisible()
  if (await theirs.isVisible()) await page.keyboard.press('a')
  await expect(over).toBeVisible()
})

test.describe('whose matches are counted', () => {
  test.use({ alone: true })
  test('a person who goes to another screen has left the match, and one who closes the window too', async ({
    classroom: page,
  }) => {
    const begin = async (on: Page): Promise<void> => {
      await go(on, '#/play?game=haggle')
      await on.getByLabel('Who begins').selectOption({ label: 'The agent' })
      await on.getByRole('button', { name: 'Begin' }).click()
      await expect(myTurn(on)).toBeVisible()
    }
    const ended = page.getByRole('option', { name: /^Human against baby .* Ended / })
    await begin(page)
    await go(page, '#/contests')
    await page.getByRole('button', { name: 'Stay' }).click()
    await expect(myTurn(page)).toBeVisible()
    await go(page, '#/contests')
    await page.getByRole('button', { name: 'Give up and leave' }).click()
    await go(page, '#/contests?of=people')
    await expect(ended).toHaveCount(1)
    await go(page, '#/contests/human-against-baby-1/matches/0')
    await expect(page.getByText('The player has left the match.').first()).toBeVisible()

    const other = await page.context().newPage()
    await other.goto(page.url())
    await begin(other)
    await go(page, '#/contests?of=people')
    await other.close()
    await expect(ended).toHaveCount(2)
    await go(page, '#/contests/human-against-baby-2/matches/0')
    await expect(page.getByText('The player has left the window.').first()).toBeVisible()
    await go(page, '#/play/human-against-baby-9')
    await expect(page.getByRole('alert')).toContainText('No match of human-against-baby-9 is being played here.')
    await expectAccessible(page)
  })
})
