import { expect, type Page } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectAccessible } from './accessible.ts'
import { root } from './scripts.ts'
import { chromium, go, test } from './served.ts'
import { file } from './strangers.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

function cli(...args: readonly string[]): string {
  return execFileSync(process.execPath, [join(root, 'dist', 'cli.js'), ...args], { encoding: 'utf8', stdio: 'pipe' })
}

/** Another school on another machine: its entries file, and the fingerprint of its key, which it tells by telephone. */
function otherSchool(folder: string): { readonly entries: string; readonly fingerprint: string } {
  mkdirSync(folder, { recursive: true })
  const contest = join(folder, 'contest.json')
  const [data, entries] = [join(folder, 'data'), join(folder, 'padova.entries')]
  const config = { challenge: 'max-csp', challengeConfig: { maxVars: 6, maxConstraints: 20 }, maxTurns: 2 }
  const entrants = ['anna', 'bert'].map((name, at) => ({ name, agent: ['greedy', 'sampler'][at] }))
  const one = {
    title: 'Own',
    game: 'specker',
    config,
    format: { type: 'single' },
    seed: 'own',
    isolation: 'none',
    entrants,
  }
  writeFileSync(contest, JSON.stringify(one))
  cli('contest', 'run', contest, '--data', data)
  const exported = cli(
    'entries',
    'export',
    entries,
    'anna',
    'bert',
    '--school',
    'Liceo Padova',
    '--data',
    data,
    '--json',
  )
  return { entries, fingerprint: (JSON.parse(exported) as { fingerprint: string }).fingerprint }
}

const agent = (page: Page, name: RegExp) => page.getByRole('option', { name })

test('entries of another school are imported, play here, and are proven with the key of the school', async ({
  classroom: page,
}, testInfo) => {
  const { entries, fingerprint } = otherSchool(testInfo.outputPath('padova'))
  await go(page, '#/agents')
  const given = page.getByLabel('Entries file of another school')
  const dialog = page.getByRole('dialog', { name: /^Entries of/ })

  await given.setInputFiles(file('bad.entries', 'no entries'))
  await expect(dialog.getByRole('alert')).toContainText('bad.entries cannot be accepted as entries')
  await dialog.getByRole('button', { name: 'Close' }).click()

  await given.setInputFiles(entries)
  await expect(dialog.getByRole('heading')).toHaveText('Entries of Liceo Padova')
  await expect(dialog.getByRole('list', { name: 'Entries in the file' }).getByRole('listitem')).toHaveCount(2)
  await expect(dialog).toContainText(fingerprint)
  await expectAccessible(page)
  await page.screenshot({ path: testInfo.outputPath('import.png') })
  const take = dialog.getByRole('button', { name: 'Import 2 entries' })
  await expect(take).toBeDisabled()
  await dialog.getByLabel('Name of the school for this class').fill('Padova')
  await dialog.getByRole('checkbox', { name: /^The school has the same fingerprint/ }).check()
  await take.click()
  await expect(dialog).toBeHidden()
  await expect(agent(page, /^anna.*of Padova/)).toContainText('Works')
  await page.screenshot({ path: testInfo.outputPath('agents.png') })

  await agent(page, /^anna/).click()
  await expect(page.getByText('An entry of Padova, whose key has the fingerprint')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Rename' })).toHaveCount(0)
  await page.getByRole('tab', { name: 'Source' }).click()
  await expect(page.getByText('Padova has entered this agent without showing its source.')).toBeVisible()

  await go(page, '#/contests/new')
  await page.getByText('Quick test', { exact: true }).click()
  await page.getByLabel('Title').fill('Joint')
  await page.getByRole('button', { name: 'Choose none' }).click()
  for (const name of [/^anna of Padova/, /^bert of Padova/, /^baby/]) await page.getByRole('checkbox', { name }).check()
  await page.screenshot({ path: testInfo.outputPath('new-contest.png') })
  await page.getByRole('button', { name: 'Create and run' }).click()
  await expect(page.getByTestId('status')).toContainText('Ended')
  await expect(page.getByRole('region', { name: 'Standings' }).getByText('Padova')).toHaveCount(2)
  await expectAccessible(page)
  await page.screenshot({ path: testInfo.outputPath('standings.png') })

  await go(page, '#/histories')
  await page.getByRole('listbox', { name: 'Histories' }).getByRole('option').first().click()
  const chosen = page.getByRole('region', { name: 'The selected match' })
  await chosen.getByRole('button', { name: 'Verify' }).click()
  await expect(chosen.getByRole('heading', { name: 'This history is genuine' })).toBeVisible()
  const proven = chosen.getByRole('list', { name: 'Entries of schools' })
  await expect(proven.getByRole('listitem').first()).toContainText('Liceo Padova has entered package')
  await expect(proven.getByRole('listitem').first()).toContainText('signed with the key of Padova')
  await expectAccessible(page)
  await page.screenshot({ path: testInfo.outputPath('verdict.png') })
})

test('agents of this class are exported, and the command line of the other school reads them', async ({
  classroom: page,
}, testInfo) => {
  await go(page, '#/agents')
  await page.getByRole('button', { name: 'Export entries…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export entries' })
  await dialog.getByRole('checkbox', { name: /^minmax/ }).check()
  await dialog.getByLabel('Name of this class or school for others').fill('Verona (4b)')
  await dialog.getByRole('button', { name: 'Export 1 entry' }).click()
  await expect(dialog).toContainText('Letters, digits, single spaces')
  await dialog.getByLabel('Name of this class or school for others').fill('Verona 4b')
  await expectAccessible(page)
  await page.screenshot({ path: testInfo.outputPath('export.png') })
  const before = await dialog.textContent()
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export 1 entry' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toBe('verona-4b.entries')
  const shown = JSON.parse(
    cli('entries', 'show', await saved.path(), '--data', testInfo.outputPath('none'), '--json'),
  ) as {
    readonly school: { readonly fingerprint: string }
    readonly entries: readonly { readonly name: string }[]
  }
  expect(shown.entries.map(({ name }) => name)).toEqual(['minmax'])
  await expect(dialog).toContainText(shown.school.fingerprint)
  // The dialog showed it before the export, too.
  expect(before).toContain(shown.school.fingerprint)
  // The name is remembered.
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Export entries…' }).click()
  await expect(dialog.getByLabel('Name of this class or school for others')).toHaveValue('Verona 4b')
})
