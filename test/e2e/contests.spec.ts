import { expect, type Page } from '@playwright/test'
import { existsSync } from 'node:fs'
import { graveViolations } from './accessible.ts'
import { chromium, go, test } from './served.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

const status = (page: Page) => page.getByTestId('status')
/** Matches played, as the screen says it. */
const played = async (page: Page): Promise<number> =>
  Number(
    /^(\d+) of/.exec(
      (await status(page)
        .getByText(/\d+ of \d+ matches/)
        .textContent()) ?? '',
    )?.[1],
  )

test('a contest runs, its standings move, it is paused, resumed and ends', async ({ classroom: page }) => {
  await go(page, '#/contests')
  await page.getByRole('option', { name: /Sample duels/ }).click()
  await expect(page.getByRole('heading', { name: 'Sample duels' })).toBeVisible()
  await expect(status(page)).toContainText('Ready')

  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect.poll(() => played(page), { timeout: 120_000, intervals: [200] }).toBeGreaterThan(2)
  const ladder = page.getByRole('region', { name: 'Standings' }).last()
  await expect(ladder.getByRole('listitem').first()).not.toContainText(/^1\s*baby0/)

  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(status(page)).toContainText('Paused')
  const before = await played(page)
  expect(before).toBeLessThan(56)
  const standing = await ladder.textContent()

  await page.getByRole('button', { name: 'Resume' }).click()
  await expect.poll(() => played(page)).toBeGreaterThan(before)
  await expect(ladder).not.toHaveText(standing ?? '')
  await expect(status(page)).toContainText('Ended')
  await expect(status(page)).toContainText('56 of 56 matches')
})

test('standings have their table one key away, and the heat map is walked by keys', async ({ classroom: page }) => {
  await go(page, '#/contests/sample-contest-1')
  await expect(status(page)).toContainText('Ended')
  await page.keyboard.press('t')
  await expect(page.getByRole('columnheader', { name: 'Points' })).toBeVisible()
  await expect(page.getByRole('row', { name: /^tartaglia/ }).first()).toBeVisible()
  await page.keyboard.press('t')
  const grid = page.getByRole('grid', { name: /Who beat whom/ })
  await grid.getByRole('gridcell').nth(1).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await expect(grid.locator('[data-cell="1 7"]')).toBeFocused()
  await expect(page.getByText(/finished ahead of .* matches \(\d+%\)/)).toBeVisible()
})

test('a new contest is made with the keyboard alone, and what is wrong stands beside its field', async ({
  classroom: page,
}) => {
  await go(page, '#/contests/new')
  const title = page.getByLabel('Title')
  await expect(title).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('A contest needs a title.')).toBeVisible()
  await expect(title).toBeFocused()
  await page.keyboard.type('Keys only')
  await expect(page.getByText('56 matches', { exact: true })).toBeVisible()

  await page.getByText('Advanced', { exact: true }).click()
  const players = page.getByLabel('Players a match')
  await players.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('9')
  await expect(page.getByText('9 players a match need at least 9 agents; 8 are chosen.')).toBeVisible()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('8')
  await expect(page.getByText('2 matches', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Create only' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Keys only' })).toBeVisible()
  await expect(status(page)).toContainText('0 of 2 matches')

  await page.getByRole('button', { name: 'Cancel…' }).click()
  await page.getByRole('button', { name: 'Keep it' }).click()
  await expect(status(page)).toContainText('Ready')
  await page.getByRole('button', { name: 'Cancel…' }).click()
  await page.getByRole('button', { name: 'Cancel the contest' }).click()
  await expect(status(page)).toContainText('Cancelled')
})

test('a practice contest: what may be attacked, and how much is played twice', async ({ classroom: page }) => {
  await go(page, '#/contests/new')
  await page.getByLabel('Title').fill('Practice')
  await page.getByText('Advanced', { exact: true }).click()
  await page.getByLabel('The administrator').check()
  await page.getByLabel('Other agents’ decisions').uncheck()
  await expect(page.getByText(/^So agents may attack the administrator/)).toBeVisible()
  await page.getByLabel('Played twice').fill('101')
  await expect(page.getByText('Enter a percentage from 0 to 100.')).toBeVisible()
  await page.getByLabel('Played twice').fill('25')
  await page.getByRole('button', { name: 'Create only' }).click()
  await expect(page.getByTestId('policy')).toHaveText('Policy: attacks on the administrator')
  await page.getByRole('tab', { name: 'Set-up' }).click()
  const facts = page.getByRole('region', { name: 'Set-up and notices' })
  await expect(facts).toContainText('its results never count')
  await expect(facts).toContainText('25 %')
})

test('a contest whose agents have a folder in common, as its policy allows (needs bubblewrap)', async ({
  classroom: page,
}) => {
  test.skip(!existsSync('/usr/bin/bwrap'), 'needs bubblewrap: npm run setup:debian')
  await go(page, '#/contests/new')
  await page.getByLabel('Title').fill('In common')
  await page.getByText('Advanced', { exact: true }).click()
  await page.getByLabel('Players a match').fill('8')
  const common = page.getByLabel('A folder in common')
  await expect(page.getByText(/Available on this machine\./)).toBeVisible()
  await expect(common).toBeHidden()
  await page.getByLabel('The implementation of other agents').check()
  await common.check()
  expect(await graveViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Create and run' }).click()
  await expect(page.getByText('Isolation with a shared folder')).toBeVisible()
  await expect(status(page)).toContainText('Ended', { timeout: 200_000 })
})

test('a new contest of a game that nobody plays says so, and does not look for the fault in the fields', async ({
  classroom: page,
}) => {
  await go(page, '#/contests/new')
  await page.getByLabel('Game').selectOption({ label: 'Haggling' })
  await expect(page.getByText('Nobody has handed in an agent for this game yet.')).toBeVisible()
  await expect(page.getByText('The estimate appears once there are agents for this game.')).toBeVisible()
  // The names of some are taken by agents of the other game.
  await page.getByRole('button', { name: 'Use the built-in agents' }).click()
  await expect(page.getByLabel('baby-haggle')).toBeChecked()
  await expect(page.getByLabel('conceder')).toBeChecked()
  await expect(page.getByText('Nobody has handed in an agent for this game yet.')).toBeHidden()
})

test('the projector freezes the scoreboard and is left by a key', async ({ classroom: page }) => {
  await go(page, '#/contests/sample-contest-1/projector')
  await expect(page.getByRole('heading', { name: 'Sample contest' })).toBeVisible()
  await page.keyboard.press('f')
  await expect(page.getByText(/^Frozen at \d+ of 70$/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(status(page)).toBeVisible()
  await page.getByRole('link', { name: 'Projector' }).click()
  await expect(page.getByText(/^Frozen at \d+ of 70$/)).toBeVisible()
  await page.keyboard.press('f')
  await expect(page.getByText(/^Frozen at/)).toBeHidden()
})

test('the projector shows the longest title whole', async ({ classroom: page }) => {
  const title = 'Knapsack and other burdens: the autumn contest of both groups, with all agents of last year '.repeat(3)
  await go(page, '#/contests/new')
  await page.getByLabel('Title').fill(title.slice(0, 200))
  await page.getByRole('button', { name: 'Create only' }).click()
  await page.getByRole('link', { name: 'Projector' }).click()
  const heading = page.getByRole('heading', { name: title.slice(0, 60) })
  await expect(heading).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  // Both sizes are whole pixels, the one rounded up and the other to the nearest: one pixel between them hides nothing.
  const hidden = () =>
    heading.evaluate(({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
      Math.max(scrollHeight - clientHeight, scrollWidth - clientWidth),
    )
  await expect.poll(hidden).toBeLessThanOrEqual(1)
  await page.keyboard.press('f')
  await expect(page.getByText(/^Frozen at/)).toBeVisible()
  await expect.poll(hidden).toBeLessThanOrEqual(1)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme })
    test('nothing of the contest screens keeps anybody out', async ({ classroom: page }) => {
      const found: Record<string, readonly object[]> = {}
      for (const [hash, sign] of [
        ['#/contests', 'Sample duels'],
        ['#/contests/new', 'Create and run'],
        ['#/contests/sample-contest-1', 'Who beat whom'],
        ['#/contests/sample-contest-1/projector', 'Freeze'],
      ] as const) {
        await go(page, hash)
        await expect(page.getByText(sign, { exact: true }).first()).toBeVisible()
        found[hash] = await graveViolations(page)
      }
      expect(Object.values(found).flat(), JSON.stringify(found)).toEqual([])
    })
  })
}

test('before a Swiss contest is run, an entrant withdraws, another enters late, and a round is paired by hand', async ({
  classroom: page,
}) => {
  await go(page, '#/contests/new')
  await page.getByText('Quick test', { exact: true }).click()
  await page.getByLabel('Title').fill('Decided')
  await page.getByRole('checkbox', { name: /^minmax/ }).uncheck()
  await page.getByText('Advanced', { exact: true }).click()
  await page.getByLabel('Format', { exact: true }).selectOption('Swiss')
  await page.getByRole('button', { name: 'Create only' }).click()
  const dialog = page.getByRole('dialog', { name: 'Entrants and pairings' })
  const open = async (decision: string): Promise<void> => {
    await page.getByRole('button', { name: 'Entrants…' }).click()
    await dialog.getByLabel('Decision').selectOption(decision)
  }
  await open('Withdraw an entrant')
  await dialog.getByLabel('Entrant').selectOption('baby')
  await expect(dialog).toContainText('not paired any more')
  await dialog.getByRole('button', { name: 'Withdraw it' }).click()
  await expect(page.getByRole('region', { name: 'Standings' }).last()).toContainText('withdrawn')

  await open('Enter an agent late')
  await dialog.getByLabel('Agent').selectOption('minmax')
  await dialog.getByRole('button', { name: 'Enter it' }).click()

  await open('Pair round 1 by hand')
  const first = dialog.getByLabel('Table 1, seat 1')
  const other = await dialog.getByLabel('Table 2, seat 1').inputValue()
  await first.selectOption(other)
  await expect(first).toHaveValue(other)
  expect(await graveViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Pair the round' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(status(page)).toContainText('Ended')
  await page.getByRole('tab', { name: 'Tables' }).click()
  await expect(page.getByText('By the educator').first()).toBeVisible()
})
