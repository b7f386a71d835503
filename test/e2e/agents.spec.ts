import { expect, type Page } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectAccessible } from './accessible.ts'
import { root } from './scripts.ts'
import { chromium, go, test } from './served.ts'
import { baby, evil, evilShown, file, printing, slow, throwing } from './strangers.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

const give = (page: Page, ...files: readonly ReturnType<typeof file>[]) =>
  page.getByLabel('Hand in an agent').setInputFiles(files)
async function handIn(page: Page, name: string, text: string): Promise<void> {
  await give(page, file(name, text))
  await page.getByRole('button', { name: 'Hand in', exact: true }).click()
}
const staged = (page: Page) => page.getByRole('form', { name: 'Files to hand in' })
const handedIn = (page: Page) => page.getByRole('list', { name: 'Just handed in' }).getByRole('listitem')

test('an agent that works, one that fails, and files that are not agents: each with a reason', async ({
  classroom: page,
}) => {
  await go(page, '#/agents')
  await expect(page.getByRole('option', { name: /^tartaglia/ })).toContainText('Works')
  await expectAccessible(page)

  await handIn(page, 'walker.js', baby)
  await expect(handedIn(page).first()).toContainText('Works')
  await expect(page.getByRole('option', { name: /^walker/ })).toContainText('Works')

  await handIn(page, 'broken.js', throwing)
  await expect(handedIn(page).first()).toContainText('Fails')
  await expect(handedIn(page).first()).toContainText(evilShown.slice(0, 40))
  await give(page, file('notes.txt', 'no agent'))
  await expect(handedIn(page).first()).toContainText('Rejected')
  await expect(handedIn(page).first()).toContainText('notes.txt')
  await expectAccessible(page)

  await handedIn(page).filter({ hasText: 'broken.js' }).getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'broken', level: 1 })).toBeVisible()
  await expect(page.getByText(evilShown.slice(0, 40)).first()).toBeVisible()
  await expectAccessible(page)
})

test('a kit for students is one download, and is the zip that the command line writes', async ({
  classroom: page,
}, testInfo) => {
  await go(page, '#/agents')
  await page.getByLabel('Game of the starter kit').selectOption({ label: 'Haggling' })
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the Python kit' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toBe('tartaglia-haggle-python.zip')
  const written = testInfo.outputPath('written.zip')
  execFileSync(process.execPath, [join(root, 'dist', 'cli.js'), 'kit', 'python', '--game', 'haggle', '--out', written])
  expect(readFileSync(await saved.path()).equals(readFileSync(written))).toBe(true)
})

test('a first match that takes long is stopped, and played when it is asked for', async ({ classroom: page }) => {
  await go(page, '#/agents')
  await handIn(page, 'slow.js', slow)
  await expect(handedIn(page).first()).toContainText('Testing')
  await page.getByRole('button', { name: 'Stop the trial match of slow' }).click()
  await expect(handedIn(page).first()).toContainText('Not tested')
  await expect(handedIn(page).first()).toContainText('stopped')
  await handedIn(page).first().getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'slow', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Run trial match' }).click()
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
  await expectAccessible(page)
  await expect(page.getByText(/^It played its match/).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Run trial match' })).toBeVisible()
})

test('a second version stands above the first, and its source is shown as text', async ({ classroom: page }) => {
  await go(page, '#/agents')
  await handIn(page, 'runner.js', baby)
  await expect(handedIn(page).first()).toContainText('Works')
  await expect(handedIn(page).first()).toContainText('A new agent.')
  await give(page, file('runner.js', `// ${evil}\n${baby}`))
  await expect(page.getByRole('button', { name: 'Hand in 0 of 1' })).toBeDisabled()
  await expect(staged(page)).toContainText('An agent with this name exists')
  await expectAccessible(page)
  await page.getByRole('checkbox', { name: 'A new version of runner' }).check()
  await page.getByRole('button', { name: 'Hand in', exact: true }).click()
  await expect(handedIn(page).first()).toContainText('A new version.')
  await expect(handedIn(page).first()).toContainText('Works')
  await handedIn(page).first().getByRole('link').click()
  await expect(page.getByText(/^Version \d$/)).toHaveText(['Version 2', 'Version 1'])
  await expect(page.getByText(/^(plays in contests|inactive)$/)).toHaveText(['plays in contests', 'inactive'])
  await expect(page.getByText('Team runner, for every contest')).toHaveCount(2)
  await page.getByRole('tab', { name: 'Source' }).click()
  await expect(page.getByRole('region', { name: 'Source of runner' })).toContainText(`// ${evilShown}`)
  await expectAccessible(page)
})

test('a file that is dropped anywhere on the screen is handed in', async ({ classroom: page }) => {
  await go(page, '#/agents')
  await expect(page.getByRole('option', { name: /^tartaglia/ })).toBeVisible()
  const files = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([text], 'dropped.js'))
    return transfer
  }, baby)
  await page.dispatchEvent('h1', 'drop', { dataTransfer: files })
  await page.getByLabel('Name for dropped.js').press('Enter')
  await expect(handedIn(page).first()).toContainText('Works')
  await expect(handedIn(page).first()).toContainText('dropped')
})

test('a folder of folders gives each agent the name of its own', async ({ classroom: page }, testInfo) => {
  for (const name of ['Zoë', 'عمر']) {
    mkdirSync(testInfo.outputPath('7b', name), { recursive: true })
    writeFileSync(testInfo.outputPath('7b', name, 'agent.js'), `// ${name}\n${baby}`)
  }
  await go(page, '#/agents')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose a folder' }).click()
  await (await chooser).setFiles(testInfo.outputPath('7b'))
  await expect(page.getByLabel('Name for 7b/Zoë/agent.js')).toHaveValue('Zoë')
  await expect(page.getByLabel('Name for 7b/عمر/agent.js')).toHaveValue('عمر')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Leave out all' }).click()
  await expect(staged(page)).toBeHidden()
})

test('faults lead to the very move, and what a stranger prints is text', async ({ classroom: page }) => {
  await go(page, '#/agents')
  await handIn(page, 'printer.js', printing)
  await expect(handedIn(page).first()).not.toContainText('Testing')
  await handIn(page, 'thrower.js', throwing)
  await expect(handedIn(page).first()).toContainText('Fails')

  await go(page, '#/contests/new')
  await page.getByLabel('Title').fill(`Strangers ${evil.replace('\u001B', '')}`)
  await page.getByRole('button', { name: 'Choose none' }).click()
  for (const name of ['baby', 'printer', 'thrower']) await page.getByRole('checkbox', { name }).check()
  await page.getByText('Advanced', { exact: true }).click()
  await page.getByLabel('Players a match').fill('3')
  await expect(page.getByText('2 matches', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Create and run' }).click()
  await expect(page.getByTestId('status')).toContainText('Ended')

  await go(page, '#/class')
  await expect(page.getByText('Strangers <img src=x onerror=alert(1)>').first()).toBeVisible()
  await expectAccessible(page)

  await go(page, '#/agents/thrower')
  await page.getByRole('tab', { name: /Faults/ }).click()
  const fault = page.getByRole('region', { name: 'The selected fault' })
  await expect(fault).toContainText('Crashed')
  await expect(fault).toContainText(evilShown.slice(0, 40))
  await expectAccessible(page)
  await fault.getByRole('link', { name: 'Open this move' }).click()
  await expect(page).toHaveURL(/#\/contests\/[^/]+\/matches\/\d+\?at=[\d.]+&seat=\d$/)
  const here = page.getByRole('listbox', { name: 'Events' }).getByRole('option', { selected: true })
  await expect(here).toContainText(/thrower, crash: .*Fault/)
  await expect(page.getByRole('tabpanel', { name: 'Event' })).toContainText(evilShown.slice(0, 40))
  await expect(page.getByRole('slider', { name: 'Place in the match' })).not.toHaveValue('0')

  await go(page, '#/agents/printer')
  await page.getByRole('tab', { name: 'Console' }).click()
  const output = page.getByRole('region', { name: /^Output in match/ })
  await expect(output).toContainText(evilShown)
  await output.evaluate((view) => view.scrollTo(0, view.scrollHeight))
  await expect(output).toContainText('xxxxxxxx')
  await expectAccessible(page)
})

test('a search that finds nothing, an agent that is not there', async ({ classroom: page }) => {
  await go(page, '#/agents')
  await expect(page.getByRole('listbox', { name: 'Agents' }).getByRole('option').first()).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('nobody is called so')
  await expect(page.getByRole('heading', { name: 'No agents found' })).toBeVisible()
  await go(page, '#/agents/nobody')
  await expect(page.getByRole('alert')).toContainText('There is no agent "nobody".')
  await expectAccessible(page)
})

// The list shows as many agents as fit, and these look for rows of it.
test.describe('in a class with no other newcomers', () => {
  test.use({ alone: true })

  test('files of one name are agents of their own, and the very same bytes are told', async ({ classroom: page }) => {
    await go(page, '#/agents')
    await expect(page.getByRole('option', { name: /^tartaglia/ })).toBeVisible()
    const one = file('agent.js', baby)
    await give(page, one, file('agent.js', `// mine\n${baby}`), one, file('agent.py', 'print(1)'))
    await expect(staged(page).getByRole('listitem')).toHaveCount(3)
    await expect(handedIn(page)).toContainText(['Rejected'])
    await expect(handedIn(page)).toContainText([/agent\.py cannot be accepted.*tartaglia kit python/])
    const names = page.getByLabel('Name for agent.js')
    await names.nth(0).fill('José')
    await names.nth(1).fill('张伟')
    await expect(staged(page).getByRole('listitem').first()).toContainText('Identical to baby, agent.js.')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Leave out agent.js' }).nth(2).click()
    await page.getByRole('button', { name: 'Hand in 2 files' }).click()
    await expect(staged(page)).toBeHidden()
    await expect(page.getByRole('option', { name: /^José/ })).toContainText('Works')
    await expect(page.getByRole('option', { name: /^张伟/ })).toContainText('Works')
  })

  test('an agent is renamed and removed, but not out of a contest that is not over', async ({ classroom: page }) => {
    await go(page, '#/agents')
    await handIn(page, 'zoe.js', `// Zoë\n${baby}`)
    await expect(handedIn(page).first()).toContainText('Works')
    await go(page, '#/agents/zoe')
    await page.getByRole('button', { name: 'Rename' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('baby')
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await expect(dialog).toContainText('There is an agent "baby" already')
    await expectAccessible(page)
    await dialog.getByLabel('Name').fill('Zoë')
    await dialog.getByLabel('Name').press('Enter')
    await expect(page.getByRole('heading', { name: 'Zoë', level: 1 })).toBeVisible()
    await expect(page.getByText(/^Version \d$/)).toHaveText(['Version 1'])

    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(dialog).toContainText('1 version and all files of this agent will be deleted')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByRole('heading', { name: 'Agents', level: 1 })).toBeVisible()
    await expect(page.getByRole('option', { name: /^baby/ })).toBeVisible()
    await expect(page.getByRole('option', { name: /^Zoë/ })).toBeHidden()

    // The sample class has a contest that nobody has begun.
    await go(page, '#/agents/baby')
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(dialog).toContainText('It takes part in Sample duels, which has not ended.')
    await expect(dialog.getByRole('button', { name: 'Remove' })).toBeHidden()
    await expectAccessible(page)
  })
})
