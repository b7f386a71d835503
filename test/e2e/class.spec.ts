import { expect } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { chromium, firstStart, go, goByKeys, test } from './served.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

test.describe('at the first start', () => {
  test.use({ beginning: firstStart })
  test('a newcomer sees standings, opens a match, and is led on by the tour', async ({ classroom: page }) => {
    await expect(page).toHaveTitle('Class · Tartaglia')
    await expect(page.getByRole('heading', { name: 'Sample contest' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Standings' }).getByRole('listitem')).toHaveCount(8)
    await page.getByRole('link', { name: 'Open a match' }).click()
    await expect(page).toHaveURL(/#\/contests\/sample-contest-1\/matches\/\d+$/)
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Class', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Class', level: 1 })).toBeVisible()
  })
})

test('the tour has five steps, leads through the screens, and stays away once it is skipped', async ({
  classroom: page,
}) => {
  await go(page, '#/settings')
  await page.getByRole('button', { name: 'Show the tour' }).click()
  const tour = page.getByRole('region', { name: 'Welcome to the classroom' })
  await expect(tour.getByText('Step 1 of 5')).toBeVisible()
  for (const heading of ['Agents', 'Challenges', 'Contests', 'Histories']) {
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
  }
  await expect(page.getByText('Step 5 of 5')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Begin' }).click()
  await expect(page.getByText('Step 5 of 5')).toBeHidden()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Class', level: 1 })).toBeVisible()
  await expect(page.getByText(/Step \d of 5/)).toBeHidden()
})

test('every screen is a key away, the palette reaches agents, contests, matches and verbs', async ({
  classroom: page,
}) => {
  for (const [key, heading] of [
    ['a', 'Agents'],
    ['l', 'Challenges'],
    ['o', 'Contests'],
    ['h', 'Histories'],
    ['s', 'Settings'],
    ['c', 'Class'],
  ] as const) {
    await goByKeys(page, key, page.getByRole('heading', { name: heading, level: 1 }))
  }

  // The palette finds what there is when it is asked: the sample contest must have played a match by then.
  await goByKeys(page, 'h', page.getByRole('heading', { name: 'Histories', level: 1 }))
  await expect(page.getByRole('option', { name: /sample-contest-1/ }).first()).toBeVisible()

  for (const [words, option, address] of [
    ['help', /^Open the manual/, /#\/help$/],
    ['minmax', /^minmax/, /#\/agents\/minmax$/],
    ['sample c', /^Sample contest/, /#\/contests\/sample-contest-1$/],
    ['go to hist', /^Go to Histories/, /#\/histories$/],
    ['sample-contest-1', /^Match \d+ of Sample contest/, /#\/contests\/sample-contest-1\/matches\/\d+$/],
  ] as const) {
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Go to anything, do anything' })
    await field.fill(words)
    const found = page.getByRole('option', { name: option }).first()
    await expect(found).toBeVisible()
    while ((await found.getAttribute('aria-selected')) !== 'true') await field.press('ArrowDown')
    await field.press('Enter')
    await expect(page).toHaveURL(address)
    await expect(field).toBeHidden()
  }

  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeHidden()

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go to anything, do anything' }).fill('no such thing at all')
  await expect(page.getByText('No matches.')).toBeVisible()
  await expectAccessible(page)
})

test('an address that leads nowhere says so and leads back', async ({ classroom: page }) => {
  await go(page, '#/nowhere/at%20all')
  await expect(page.getByRole('heading', { name: 'Screen not found' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to Class', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Class', level: 1 })).toBeVisible()
  await expectAccessible(page)
})
