// A class without students offers the sample term, which is opened beside it and seen as each kind of person.
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { chromium, go, test } from './served.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

/** Screens with a heading or text that is there when they have loaded. */
type Screens = readonly (readonly [address: string, sign: string | RegExp])[]

async function walk(page: Page, screens: Screens): Promise<void> {
  for (const [address, sign] of screens) {
    await go(page, address)
    await expect(page.getByRole('main').getByText(sign).filter({ visible: true }).first(), address).toBeVisible()
    await expect(page.getByText(/could not be loaded|has failed|Screen not found/), address).toHaveCount(0)
  }
}

async function backToOwnView(page: Page): Promise<void> {
  const back = page.getByRole('button', { name: 'Back to my own view' })
  await back.click()
  await expect(back).toBeHidden()
}

test('the sample term is offered, made with progress, opened, and seen as educator, student and guest', async ({
  classroom: page,
}) => {
  const first = new URL(page.url()).origin
  await go(page, '#/class')
  await page.getByRole('button', { name: 'Open the sample term' }).click()
  await expect(page.getByText(/^Its weeks are being played/)).toBeVisible()
  await page.waitForURL((url) => url.origin !== first, { timeout: 180_000 })
  await expect(page).toHaveTitle('Class · Algebra · Tartaglia')
  await expectAccessible(page)
  await walk(page, [
    ['#/people', 'Ada Lovelace'],
    ['#/people/log', /Ada Lovelace|This computer|imported/],
    ['#/grades/term', 'Abacus'],
    ['#/hearings', /case/i],
    ['#/hearings/case-1', /appeal/i],
    ['#/contests', 'Winter cup'],
  ])

  await go(page, '#/class')
  await page.getByRole('button', { name: 'See as Ada Lovelace' }).click()
  await expect(page.getByText('You see the class as Ada Lovelace sees it.')).toBeVisible()
  await walk(page, [
    ['#/team', 'Abacus'],
    ['#/hand-in', 'Hand in'],
    ['#/hearings/case-2', /Which offer was it/],
    ['#/hearings/case-2', 'They are of Abacus.'],
    ['#/contests', 'Winter cup'],
    ['#/agents', 'rosso'],
  ])
  await backToOwnView(page)

  await page.getByRole('button', { name: 'See as a guest' }).click()
  await expect(page.getByText('You see the class as a guest sees it.')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'People' })).toHaveCount(0)
  await walk(page, [
    ['#/contests', 'Week 2: Haggling'],
    ['#/agents', 'rosso'],
    ['#/histories', /Haggling/],
  ])
  await backToOwnView(page)

  // The first class goes on, and is opened from here.
  await go(page, '#/classes')
  await expectAccessible(page)
  await page.getByRole('region', { name: 'Other classes' }).getByRole('button', { name: /^Open/ }).first().click()
  await page.waitForURL((url) => url.origin === first)
})
