import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { chromium, go, test } from './served.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

const handIn = (page: Page) => page.getByRole('button', { name: 'Hand in the turn' })
const over = (page: Page) => page.getByRole('status').filter({ hasText: /You end with .* energy/ })
const does = (page: Page) => page.getByRole('list', { name: 'Your actions' })

async function begin(page: Page, variant: string): Promise<void> {
  await go(page, '#/play?game=specker&against=baby')
  await expect(page.getByRole('heading', { name: 'Play against an agent' })).toBeVisible()
  await expect(page.getByLabel('Against').locator('option:checked')).toHaveText(/^baby/)
  await page.getByText('Game settings').click()
  await page.getByLabel('Kind of challenges').selectOption({ label: variant })
  await page.getByLabel('Rounds of trading').fill('2')
}

/** Everything that this turn must have, with what the program finds. Returns how many challenges are solved in it. */
async function doTurn(page: Page): Promise<number> {
  const solved = await page.getByRole('heading', { name: /^Solve challenge/ }).count()
  const owed = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: /^(Solve|Deliver) challenge/ }) })
  for (const section of await owed.all()) {
    for (const label of ['Fill in random material', 'Find a good secret solution', 'Find a good solution']) {
      const button = section.getByRole('button', { name: label })
      if (!(await button.isVisible())) continue
      await button.click()
      await expect(
        section.getByText(label.startsWith('Fill') ? 'This raw material is legal.' : /^Quality/),
      ).toBeVisible()
    }
  }
  const buy = page.getByRole('button', { name: /^Accept challenge/ }).first()
  if (await buy.isVisible()) await buy.click()
  const form = page.getByRole('form', { name: 'New offer' })
  if (await form.isVisible()) {
    const predicate = form.getByLabel('Predicate')
    const offer = does(page).getByText(/^Offer .* for 0\.4$/)
    await form.getByLabel('Price').fill('0.4')
    // A random one may have been offered before; then it says so, and another one is filled in.
    while ((await offer.count()) === 0) {
      await form.getByRole('button', { name: 'Fill in a random predicate' }).click()
      await expect(predicate).not.toHaveValue('')
      await form.getByRole('button', { name: 'Add to my turn' }).click()
      await expect(offer.or(form.locator('[aria-invalid="true"]')).first()).toBeVisible()
      if ((await offer.count()) === 0) await predicate.fill('')
    }
  }
  return solved
}

/** To the end, not having been removed, and not without having solved something. */
async function playOut(page: Page): Promise<void> {
  let solved = 0
  for (;;) {
    await expect(handIn(page).or(over(page))).toBeVisible()
    if (await over(page).isVisible()) break
    const round = await page.getByRole('status').first().textContent()
    solved += await doTurn(page)
    await handIn(page).click()
    await expect(page.getByText('This turn was not handed in')).toBeHidden()
    await expect(page.getByRole('status').first()).not.toHaveText(round ?? '')
  }
  expect(solved).toBeGreaterThan(0)
  await expect(page.getByText('You were removed')).toBeHidden()
}

test('a person plays a Specker match to its end, by the rules, and its history is genuine', async ({
  classroom: page,
}) => {
  await begin(page, 'classic')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Begin' }).click()
  await expect(page.getByRole('heading', { name: 'You against baby' })).toBeVisible()
  const contest = page.url().split('#/play/')[1]!
  await expect(handIn(page)).toBeVisible()
  await handIn(page).click()
  await expect(page.getByRole('alert')).toContainText('Rule 3, offer something new.')
  await expectAccessible(page)
  await doTurn(page)
  await handIn(page).click()
  // The second turn has a market, what is owed, and something new.
  await expect(page.getByText(/^Round 2 of 2/)).toBeVisible()
  await expectAccessible(page)
  await playOut(page)
  await expectAccessible(page)

  await page.getByRole('link', { name: 'View the match' }).click()
  await expect(page.getByRole('heading', { name: 'Accounts' })).toBeVisible()
  await go(page, '#/histories')
  await page.getByRole('searchbox', { name: 'Search by contest or agent' }).fill(contest)
  await expect(page.getByRole('option', { name: new RegExp(contest) })).toBeVisible()
  const chosen = page.getByRole('region', { name: 'The selected match' })
  await chosen.getByRole('button', { name: 'Verify' }).click()
  await expect(chosen.getByRole('heading', { name: 'This history is genuine' })).toBeVisible()
})

test('secrets are committed to and revealed by the program', async ({ classroom: page }) => {
  await begin(page, 'secret')
  await page.getByRole('button', { name: 'Begin' }).click()
  await playOut(page)
})

test('where everybody acts at any time, nobody plays at a window', async ({ classroom: page }) => {
  await begin(page, 'classic')
  await page.getByText('More rules of the game').click()
  await page.getByLabel('Timing of turns').selectOption({ label: 'at any time' })
  await expect(page.getByText('If everybody acts at any time, only agents can play.')).toBeVisible()
  await page.getByRole('button', { name: 'Begin' }).click()
  await expect(page.getByRole('heading', { name: 'Play against an agent' })).toBeVisible()
})
