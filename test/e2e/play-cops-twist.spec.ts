import { expect, type Page } from '@playwright/test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RING_TOWN } from '../unit/cops/stage.ts'
import { expectAccessible } from './accessible.ts'
import { chromium, classWith, go, test } from './served.ts'

/**
 * All stand still, the robber on the bank r9. The first cop lists itself in world 3; the robber bribes whoever is offered in world 4.
 * The third cop accuses the person's in world 7.
 */
const schemer = `module.exports = {
  name: 'Ann',
  robber: () => ({
    bribe: (winner, { world }) => world === 4,
    move: (world, offers) => ({ loc: 'r9', choose: offers ?? undefined }),
  }),
  cop: ({ name, cops }) => ({
    move: (winner, { world, players, twist }) => ({
      moves: [name, ...twist.control.filter(({ brain }) => brain === name).map(({ bot }) => bot)].map((own) =>
        players.find(({ bot }) => bot === own),
      ),
      market: world === 3 && name === cops.find((cop) => cop.startsWith('Ann')) ? 'turncoat' : 'straight-arrow',
      accuse: world === 7 && name === 'Ann3' && cops.includes('Cop') ? ['Cop'] : [],
    }),
  }),
}`

/** A class with such an agent and a town of twenty corners in a ring. */
const played = classWith((folder) => {
  const agent = join(folder, 'schemer.js')
  writeFileSync(agent, schemer)
  return {
    title: 'Scheme',
    game: 'cops',
    config: { map: 'hamlet', lastWorld: 2, illegal: 'stands-still', rules: '2005-twist' },
    format: { type: 'single' },
    seed: 'e2e',
    isolation: 'permission',
    limits: { startMs: 60_000, moveMs: 60_000 },
    entrants: ['first', 'second'].map((name) => ({ name, agent })),
  }
})
test.use({ beginning: played })
test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

const status = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })
const asked = (page: Page, text: string | RegExp) => expect(status(page, text)).toBeVisible()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

const goal = (page: Page) => page.getByRole('combobox', { name: 'Go to' })
const stay = (page: Page) => goal(page).selectOption('r0')

async function begin(page: Page, role: string, lastWorld: number): Promise<void> {
  await go(page, '#/play?game=cops&against=first')
  // An agent that is not named is chosen only until its trial match has failed.
  await expect(page.getByLabel('Against').locator('option:checked')).toHaveText(/first/)
  await page.getByLabel('You play').selectOption({ label: role })
  await page.getByText('Game settings').click()
  await page
    .getByLabel('Map from a file')
    .setInputFiles({ name: 'ring.wsk', mimeType: 'text/plain', buffer: Buffer.from(RING_TOWN) })
  await expect(page.getByLabel('Map', { exact: true })).toHaveValue(/^ring(-\d)?$/)
  await page.getByLabel('Rule set').selectOption({ label: 'second phase' })
  await page.getByLabel('Last world').fill(String(lastWorld))
  await press(page, 'Begin')
}

async function readsAsText(page: Page, ...sentences: readonly (string | RegExp)[]): Promise<void> {
  await page.getByRole('link', { name: 'View the match' }).click()
  // The screen of the play has a town too.
  await expect(page.getByRole('slider', { name: 'Place in the match' })).toBeVisible()
  await expect(page.getByRole('application', { name: /^Town in world/ })).toBeVisible()
  await page.keyboard.press('x')
  const text = page.getByRole('region', { name: 'The match as text' })
  for (const sentence of sentences) await expect(text).toContainText(sentence)
}

test('a person plays the robber of the second phase: a push, a bribe, a vote among scoundrels, and a reload meanwhile', async ({
  classroom: page,
}) => {
  await begin(page, 'the robber', 8)
  // Alone and without loot there is nothing to talk about and nobody to ask.
  await asked(page, 'World 0. Choose where you go: click')
  await expect(page.getByText('The robber needs $50 of loot to ask for the market.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ask who can be bribed' })).toBeHidden()
  await goal(page).selectOption('r9')
  await press(page, 'Go')

  await asked(page, 'World 2. Choose where you go, or ask first')
  await expectAccessible(page)
  await press(page, 'Ask who can be bribed')
  await asked(page, 'World 2. Push a cop')
  await expect(page.getByText('so you must push a cop. That costs $50.')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Push', exact: true }).locator('option')).toHaveCount(5)
  await page.getByRole('combobox', { name: 'Push', exact: true }).selectOption('Ann5')
  await page.getByRole('combobox', { name: 'Push it to' }).selectOption('r19')
  await expectAccessible(page)
  await press(page, 'Push and go')

  await asked(page, 'World 4. Choose where you go, or ask first')
  await expect(page.getByText('Loot $950.')).toBeVisible()
  await press(page, 'Ask who can be bribed')
  await asked(page, 'World 4. Choose whom you bribe')
  // Nothing of it is lost with the page.
  await page.reload()
  await asked(page, 'World 4. Choose whom you bribe')
  await page.getByRole('checkbox', { name: 'Ann', exact: true }).check()
  await expectAccessible(page)
  await press(page, 'Bribe Ann and go')

  await asked(page, 'World 6. Say what the others should know')
  await expect(page.getByText('Bribed: Ann.')).toBeVisible()
  await press(page, 'Announce')
  await asked(page, 'World 6. Plan a move for every bribed cop')
  await page.getByRole('combobox', { name: 'Ann', exact: true }).selectOption('r1')
  await press(page, 'Propose the plan')
  await asked(page, 'World 6. Rank the plans')
  await press(page, 'Rank Ann higher')
  await press(page, 'Vote')
  await asked(page, 'World 6. Choose where you go, or ask first')
  await press(page, 'Go')
  // One eighth of $950 is Ann's.
  await asked(page, /^You finish 1st of 6 with 832 points\. 832 of the robber’s loot\. The robber has escaped\./)
  await readsAsText(
    page,
    'pushes Ann5 to r19',
    'bribes Ann.',
    'Ann is bribed.',
    'World 6: Human (Robber) votes Ann > Robber',
  )
})

test('a person plays a clean cop of the second phase: an accusation, and then two robots', async ({
  classroom: page,
}) => {
  await begin(page, 'a cop', 8)
  await asked(page, 'World 1. Say what you know')
  await page.getByRole('checkbox', { name: 'only ask me for moves' }).check()
  for (const world of [1, 3]) {
    await asked(page, `World ${world}. Choose where you go`)
    await stay(page)
    await press(page, 'Go')
  }
  await asked(page, 'World 5. Choose where you go')
  await page.getByRole('checkbox', { name: 'Ann2', exact: true }).check()
  await stay(page)
  await expectAccessible(page)
  await press(page, 'Go and accuse Ann2')

  await asked(page, 'World 7. Choose where your robots go')
  await expect(page.getByText('You move Cop, Ann2.')).toBeVisible()
  await page.getByLabel('Ann2 goes to').selectOption('r1')
  await page.getByRole('checkbox', { name: 'by car from now on', exact: true }).check()
  await goal(page).selectOption('r10')
  await expectAccessible(page)
  await press(page, 'Go')
  await asked(page, /^You finish 2nd of 6 with 60 points\. 60 for elected plans\. The robber has escaped\./)
  await readsAsText(
    page,
    'it accuses Ann2.',
    'Cop accuses Ann2 rightly and moves its robots',
    'Ann3 has accused wrongly',
  )
})

test('a person lists themself, is bribed, confers with the robber, and is accused', async ({ classroom: page }) => {
  await begin(page, 'a cop', 10)
  await asked(page, 'World 1. Say what you know')
  await page.getByRole('checkbox', { name: 'only ask me for moves' }).check()
  await asked(page, 'World 1. Choose where you go')
  await page.getByRole('checkbox', { name: 'let the robber bribe me; this cannot be undone' }).check()
  await press(page, 'Go and join the market')
  await asked(page, 'World 3. Choose where you go')
  await expect(page.getByText('You are on the black market since world 1; this cannot be undone.')).toBeVisible()
  await press(page, 'Go')

  await asked(page, 'World 5. Choose where you go')
  await expect(page.getByText(/The robber has bribed you.*Bribed: Ann2\./)).toBeVisible()
  await expect(page.getByText('Accuse of being bribed')).toBeHidden()
  await page.getByRole('checkbox', { name: 'only ask me for moves' }).uncheck()
  await press(page, 'Go')
  await asked(page, 'World 6. Say what the others should know')
  await expectAccessible(page)
  await press(page, 'Announce')
  await asked(page, 'World 6. Plan a move for every bribed cop')
  await press(page, 'Propose the plan')
  await asked(page, 'World 6. Rank the plans')
  await press(page, 'Vote')
  await asked(page, 'World 7. Say what you know')
  await page.getByRole('checkbox', { name: 'only ask me for moves' }).check()
  await asked(page, 'World 7. Choose where you go')
  await press(page, 'Go')
  await asked(page, /^You were rightly accused|^You finish/)
  await asked(page, /^You finish/)
})
