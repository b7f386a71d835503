import { expect, type Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { template } from '../../renderer/screens/challenges/template.ts'
import { BAD } from '../unit/play-test/games.ts'
import { expectAccessible } from './accessible.ts'
import { chromium, go, test } from './served.ts'
import { evil, evilShown, file } from './strangers.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

const list = (page: Page) => page.getByRole('main').getByRole('listitem')
const source = (page: Page, name: string) => page.getByRole('textbox', { name: `Source of ${name}` })
const errors = (page: Page) => page.getByRole('list', { name: 'Errors' }).getByRole('listitem')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Puts a text into the editor in place of what is there. */
async function write(page: Page, name: string, text: string): Promise<void> {
  await source(page, name).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}
async function saveAs(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Save to the class' })
  await expect(dialog.getByLabel('Name')).not.toHaveValue('')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog).toBeHidden()
}
/** A challenge `shared` of this title. */
const named = (title: string): string => template.replace('my-challenge', 'shared').replace('My challenge', title)
const textFile = (name: string, text: string) => ({ ...file(name, text), mimeType: 'text/plain' })

test('challenges are listed, explained and shown in their source', async ({ classroom: page }) => {
  await go(page, '#/challenges')
  await expect(list(page)).toHaveCount(12)
  await expectAccessible(page)
  await page.getByRole('searchbox', { name: 'Search challenges' }).fill('max-csp')
  await expect(list(page)).toHaveCount(1)
  await page.getByRole('link', { name: /Maximum constraint satisfaction/ }).click()
  await expect(page.getByText('The raw material is a list of constraints')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('tab', { name: 'Source' }).click()
  await expect(source(page, 'max-csp')).toContainText('challenge max-csp "Maximum constraint satisfaction')
  await expect(page.getByText('No errors')).toBeVisible()
  await source(page, 'max-csp').press('Control+End')
  await expect(source(page, 'max-csp')).not.toContainText('challenge max-csp')
  await expectAccessible(page)

  await page.getByRole('tab', { name: 'Samples' }).click()
  await page.getByRole('combobox', { name: 'Raw material from' }).selectOption('its generator')
  await page.getByRole('slider', { name: 'constraints' }).fill('3')
  await page.getByRole('spinbutton', { name: 'Samples' }).fill('1')
  await button(page, 'Sample').click()
  await expect(page.getByRole('list', { name: 'Samples' })).toContainText(
    /variables 12(?:\s*\d+:\d+\([\d ]+\)){3}\s*A random/,
  )
  await expect(page.getByRole('region', { name: 'Difficulty' })).toContainText('Difficulty by constraints')
  await expectAccessible(page)

  await page.getByRole('tab', { name: 'Classes' }).click()
  await expect(page.getByRole('img', { name: /classes/ })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('t')
  await expect(page.getByRole('row', { name: /Constraint field relation/ })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('t')
})

test('the editor mends a mistake, finds and renames a function, and lays the text out', async ({ classroom: page }) => {
  await go(page, '#/challenges/new')
  await expect(source(page, 'new')).toContainText('challenge my-challenge')
  await write(page, 'new', template.replace('goal = max', 'goal == max').replace('measure = total(', 'measure =total('))
  await expect(errors(page)).toHaveCount(1)
  await errors(page).getByRole('button').click()
  await expect(source(page, 'new')).toBeFocused()
  await page.keyboard.press('Control+.')
  await expect(page.getByText('No errors')).toBeVisible()

  await button(page, 'Format').click()
  await expect(source(page, 'new')).toContainText('measure = total(')
  // From the goal to the call in the line above.
  await source(page, 'new').press('ArrowUp')
  await page.keyboard.press('Home')
  for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('F2')
  await page.getByLabel('New name of total').fill('else')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('cannot be the name')
  await page.keyboard.press('F2')
  await page.getByLabel('New name of total').fill('worthOf')
  await page.keyboard.press('Enter')
  await expect(source(page, 'new')).toContainText('measure = worthOf(')
  await expect(page.getByText('No errors')).toBeVisible()
  await page.keyboard.press('F12')
  await expect(source(page, 'new')).toContainText('define worthOf(')
  await expectAccessible(page)
})

test('a challenge that is not there is told by its name', async ({ classroom: page }) => {
  await go(page, '#/challenges/no-such')
  await expect(page.getByRole('alert')).toContainText('no-such')
  await expectAccessible(page)
})

test('a new challenge is typed, mended, sampled and saved', async ({ classroom: page }) => {
  await go(page, '#/challenges')
  await page.getByRole('link', { name: 'New challenge' }).click()
  await expect(source(page, 'new')).toContainText('challenge my-challenge')
  const kinds = page.getByRole('group', { name: 'Begin with' })
  await kinds.getByRole('button', { name: 'Colour', exact: true }).click()
  await expect(kinds.getByRole('button', { name: 'Colour', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expect(source(page, 'new')).toContainText('challenge my-colours')
  await write(page, 'new', template.replace('measure = total(', 'measure = totl('))
  await expect(errors(page)).toContainText([/No function "totl" is defined above/])
  await expectAccessible(page)

  // Samples have to wait, and what is typed survives a walk and a reload.
  await page.getByRole('tab', { name: 'Samples' }).click()
  await expect(button(page, 'Sample')).toBeDisabled()
  await go(page, '#/agents')
  await expect(page.getByRole('heading', { name: 'Agents', level: 1 })).toBeVisible()
  await page.reload()
  await go(page, '#/challenges/new')
  await expect(errors(page)).toHaveCount(1)

  await errors(page).getByRole('button').click()
  await expect(source(page, 'new')).toBeFocused()
  await page.keyboard.press('Control+Shift+ArrowRight')
  await page.keyboard.type('tota')
  // The language knows what may stand here.
  await expect(page.getByRole('option', { name: /^total/ })).toBeVisible()
  await page.keyboard.type('l')
  await page.keyboard.press('Escape')
  await expect(page.getByText('No errors')).toBeVisible()
  const game = page.getByRole('region', { name: 'The game' })
  await expect(game).toContainText('The game can be played.')
  await expect(game.getByRole('img', { name: /^A random instance with the best solution found\. Bars/ })).toBeVisible()
  await expect(game.getByRole('figure', { name: /^Average quality on/ })).toContainText('%')

  // Hover tells the type of a name, and a finding goes to its line.
  const hint = page.locator('.cm-tooltip-hover')
  await expect(async () => {
    await page.mouse.move(0, 0)
    await source(page, 'new').getByText('goal', { exact: true }).first().hover()
    await expect(hint).toContainText('whether a larger or a smaller measure is better', { timeout: 2_000 })
  }).toPass()
  const [, machines] = BAD['two of three machines']!
  const [before] = machines.split('bound = ')
  await write(page, 'new', machines)
  await expect(game).toContainText('The game is not playable.')
  await game
    .getByRole('list', { name: 'Findings' })
    .getByRole('button', { name: new RegExp(`^Line ${before!.split('\n').length} .*195/2`) })
    .click()
  await expect(source(page, 'new')).toBeFocused()
  // The cursor stands before the bound, which is put right.
  await page.keyboard.press('Shift+End')
  await page.keyboard.insertText('bound = max(max(instance.jobs), sum(instance.jobs) / config.machines)')
  await expect(page.getByText('No errors')).toBeVisible()
  await expect(game).toContainText('The game can be played.')
  await write(page, 'new', template)
  await expect(game).toContainText('The game can be played.')

  // Tab is the editor's until Escape.
  await source(page, 'new').focus()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect(source(page, 'new')).not.toBeFocused()

  await page.getByRole('tab', { name: 'Samples' }).click()
  await page.getByRole('spinbutton', { name: 'Samples' }).fill('2')
  await button(page, 'Sample').click()
  await expect(page.getByRole('heading', { name: 'Sample 2' })).toBeVisible()
  await expect(page.getByText('Generating and solving samples')).toBeHidden()
  const samples = await page.getByRole('list', { name: 'Samples' }).textContent()
  expect(samples).toContain('numbers up to')
  await expectAccessible(page)
  await button(page, 'Sample').click()
  await expect(page.getByText('Generating and solving samples')).toBeHidden()
  await expect(page.getByRole('list', { name: 'Samples' })).toHaveText(samples ?? '')

  await button(page, 'Save…').click()
  await expectAccessible(page)
  await saveAs(page, 'number-game')
  await expect(page.getByText('number-game.challenge')).toBeVisible()
})

test('a copy is saved, a draft is kept with its errors, and what is wrong is never written over', async ({
  classroom: page,
}) => {
  await go(page, '#/challenges')
  await expect(list(page).first()).toBeVisible()
  const before = await list(page).count()
  await go(page, '#/challenges/knapsack')
  await button(page, 'Save a copy…').click()
  const dialog = page.getByRole('dialog', { name: 'Save to the class' })
  await expect(dialog.getByLabel('Name')).toHaveValue('knapsack-2')
  await dialog.getByLabel('Name').fill('knapsack')
  await expect(dialog.getByText('There already is a challenge “knapsack”.')).toBeVisible()
  await saveAs(page, 'my-sack')
  await expect(page.getByText('my-sack.challenge')).toBeVisible()

  await page.getByRole('tab', { name: 'Source' }).click()
  await expect(source(page, 'my-sack')).toContainText('challenge my-sack "Knapsack"')
  await source(page, 'my-sack').press('Control+End')
  await page.keyboard.insertText('\nlegal nothing\n')
  await expect(errors(page)).toHaveCount(1)
  await source(page, 'my-sack').press('Control+s')
  await expect(page.getByText('This is a draft: contests cannot use it')).toBeVisible()
  await go(page, '#/contests/new?challenge=my-sack')
  await page.getByLabel('Title').fill('No such thing')
  await expect(page.getByText(/"my-sack" is a draft that cannot be played yet: line \d+/)).toBeVisible()

  await go(page, '#/challenges')
  await expect(list(page).filter({ hasText: 'my-sack' })).toContainText('draft')
  await expectAccessible(page)
  await go(page, '#/challenges/my-sack')
  const download = page.waitForEvent('download')
  await button(page, 'Export').click()
  const exported = await download
  expect(exported.suggestedFilename()).toBe('my-sack.challenge')
  expect(await readFile(await exported.path(), 'utf8')).toMatch(/^challenge my-sack[^]*\nlegal nothing\n/)

  await button(page, 'Delete…').click()
  await button(page, 'Delete the challenge').click()
  await expect(list(page)).toHaveCount(before)
})

test('what two windows change is not written over: each text is kept until one is chosen', async ({
  classroom: page,
}) => {
  await go(page, '#/challenges')
  await page.getByLabel('Import a challenge').setInputFiles(textFile('shared.challenge', named('First')))
  await expect(page.getByText('shared.challenge', { exact: true })).toBeVisible()
  const other = await page.context().newPage()
  await other.goto(page.url())
  for (const [each, title] of [
    [page, 'Second'],
    [other, 'Third'],
  ] as const) {
    await each.getByRole('tab', { name: 'Source' }).click()
    await expect(source(each, 'shared')).toContainText('First')
    await write(each, 'shared', named(title))
  }
  await source(page, 'shared').press('Control+s')
  await expect(page.getByRole('heading', { name: 'Second', level: 1 })).toBeVisible()

  await source(other, 'shared').press('Control+s')
  const dialog = (each: Page) => each.getByRole('dialog', { name: 'This challenge was also changed elsewhere' })
  await expect(dialog(other)).toContainText('"shared" was saved elsewhere while you changed it.')
  await expectAccessible(other)
  await button(other, 'Show theirs').click()
  await expect(source(other, 'shared')).toContainText('Second')
  await expectAccessible(other)
  // A reload does not lose one's own.
  await other.reload()
  await expect(source(other, 'shared')).toContainText('Third')
  await expect(button(other, 'Delete…')).toBeVisible()
  await source(other, 'shared').press('Control+s')
  await expect(other.getByRole('heading', { name: 'Third', level: 1 })).toBeVisible()

  await write(page, 'shared', named('Fourth'))
  await source(page, 'shared').press('Control+s')
  await button(page, 'Show theirs').click()
  await expect(source(page, 'shared')).toContainText('Third')
  await button(page, 'Back to my text').click()
  await expect(source(page, 'shared')).toContainText('Fourth')
  await write(other, 'shared', named('Fifth'))
  await source(other, 'shared').press('Control+s')
  await expect(other.getByRole('heading', { name: 'Fifth', level: 1 })).toBeVisible()
  await source(page, 'shared').press('Control+s')
  await button(page, 'Keep mine').click()
  await expect(page.getByRole('heading', { name: 'Fourth', level: 1 })).toBeVisible()
  await other.reload()
  await expect(other.getByRole('heading', { name: 'Fourth', level: 1 })).toBeVisible()
  await other.close()
})

test('a game that cannot be played is imported, and New contest says so', async ({ classroom: page }) => {
  await go(page, '#/challenges')
  const [, machines] = BAD['two of three machines']!
  await page.getByLabel('Import a challenge').setInputFiles(textFile('machines.challenge', machines))
  await expect(page.getByText('machines.challenge', { exact: true })).toBeVisible()
  await go(page, '#/contests/new?challenge=machines')
  await expect(page.getByText(/^machines is not playable: .*195\/2/)).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Challenge', { exact: true }).selectOption('knapsack')
  await expect(page.getByText(/is not playable/)).toBeHidden()
})

test('files are imported whatever is in them, and the text of strangers is text', async ({ classroom: page }) => {
  await go(page, '#/challenges')
  const zone = page.getByLabel('Import a challenge')
  await zone.setInputFiles(
    textFile('a.challenge', template.replace('"My challenge"', `"${evil.replace(/["\\]/g, '')}"`)),
  )
  await expect(page.getByText('my-challenge.challenge')).toBeVisible()
  await go(page, '#/challenges')
  await zone.setInputFiles(textFile('Bad One!.challenge', `challenge <img src=x onerror=alert(1)> ${evil}\u202e`))
  await expect(page.getByText('bad-one.challenge')).toBeVisible()
  await page.getByRole('tab', { name: 'Source' }).click()
  await expect(errors(page).first()).toBeVisible()
  await expectAccessible(page)
  expect(await page.locator('img[src="x"]').count()).toBe(0)
  expect(evilShown).not.toBe('')

  await go(page, '#/challenges')
  await zone.setInputFiles({ name: 'bytes.challenge', mimeType: 'text/plain', buffer: Buffer.from([0xff, 0xfe, 0]) })
  await expect(page.getByText('bytes.challenge is not UTF-8 text.')).toBeVisible()
  await zone.setInputFiles(textFile('long.challenge', 'x'.repeat(1_000_001)))
  await expect(page.getByText(/long\.challenge is too long/)).toBeVisible()
})

test('a file of a million characters is written in while it is checked', async ({ classroom: page }) => {
  await go(page, '#/challenges')
  const functions = Array.from({ length: 8_000 }, (_, i) => {
    return `define f${i}(a: int, b: list of int) = a + sum(x * ${i} for x in b where x > a) + length(b)\n`
  })
  const text = `${template}\n${functions.join('')}`.replace('my-challenge', 'huge')
  await page.getByLabel('Import a challenge').setInputFiles(textFile('huge.challenge', text))
  await expect(page.getByText('huge.challenge', { exact: true })).toBeVisible()
  await page.getByRole('tab', { name: 'Source' }).click()
  await expect(source(page, 'huge')).toContainText('challenge huge')
  await source(page, 'huge').press('Control+End')
  await page.keyboard.insertText('goal = min\n')
  await expect(source(page, 'huge')).toContainText('goal = min')
  await expect(errors(page)).toContainText([/already a section "goal"/])
  await expectAccessible(page)
})
