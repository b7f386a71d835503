import { expect } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesOfZip } from '../../main/services/packages/archives.ts'
import { expectAccessible } from './accessible.ts'
import { root } from './scripts.ts'
import { chromium, go, test } from './served.ts'
import { evil, evilShown, file } from './strangers.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

const haggler = readFileSync(join(root, 'dist/agents/haggle/baby.js'), 'utf8')

test('a student is told when a source becomes public; then everybody can read and save it', async ({
  classroom: page,
}) => {
  await go(page, '#/sources')
  await expect(page.getByText('No public sources yet')).toBeVisible()
  await go(page, '#/settings')
  await page.getByLabel('Contests until a source becomes public').fill('1')
  await page.getByRole('button', { name: 'Save the rule' }).click()
  await expect(page.getByText(/^The source becomes public to the class after the version/)).toBeVisible()

  await go(page, '#/agents')
  await expect(
    page.getByText('The source becomes public to the class after the version has taken part in one contest.'),
  ).toBeVisible()
  await page.getByRole('combobox', { name: 'Game', exact: true }).selectOption({ label: 'Haggling' })
  const mine = `// ${evil}\n${haggler}`
  await page.getByLabel('Hand in an agent').setInputFiles([file('mine.js', mine), file('other.js', haggler)])
  await page.getByRole('button', { name: 'Hand in 2 files' }).click()
  await expect(page.getByRole('list', { name: 'Just handed in' })).toContainText(/Works.*Works/s)
  await go(page, '#/agents/mine?tab=versions')
  await expect(page.getByText(/after one contest; the version has taken part in 0\.$/)).toBeVisible()

  await go(page, '#/contests/new')
  await page.getByLabel('Game').selectOption({ label: 'Haggling' })
  await page.getByLabel('Title').fill('Revealing')
  await page.getByRole('button', { name: 'Create and run' }).click()
  await expect(page.getByTestId('status')).toContainText('Ended')

  await go(page, '#/agents/mine?tab=versions')
  await page.getByRole('link', { name: /^Public source/ }).click()
  await expect(page.getByRole('heading', { name: 'Source of mine', level: 1 })).toBeVisible()
  await expect(page.getByRole('region', { name: 'agent.js of mine' })).toContainText(evilShown)
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as .zip' }).click()
  const saved = await download
  const [only] = filesOfZip('saved', readFileSync(await saved.path()))
  expect(Buffer.from(only!.bytes).toString()).toBe(mine)

  await page.getByRole('link', { name: 'Public sources' }).click()
  await expect(page.getByRole('option')).toHaveCount(2)
  await expectAccessible(page)
})
