import { expect } from '@playwright/test'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readZip } from '../../main/services/packages/zip.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { expectAccessible } from './accessible.ts'
import { chromium, go, test } from './served.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

const hasPython = spawnSync('python3', ['--version']).status === 0

test('an event is kept with a note, verified and downloaded, and the download is verified without the app', async ({
  classroom: page,
}) => {
  await go(page, '#/contests/sample-contest-1/matches/1?move=4')
  await expect(page.getByRole('slider', { name: 'Place in the match' })).toHaveValue('4')
  await page.getByRole('button', { name: 'Keep as evidence' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title of the new dossier').fill('Week 1 <b>')
  await dialog.getByLabel('Your note (optional)').fill('It pays too much.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await expect(dialog).toBeHidden()

  await go(page, '#/evidence')
  await page.getByRole('link', { name: 'Week 1 <b>' }).click()
  const items = page.getByRole('list', { name: 'Items of the dossier' })
  await expect(items.getByRole('listitem')).toHaveCount(1)
  await expect(items).toContainText('It pays too much.')
  await items.getByRole('button', { name: 'Verify the match of item 1' }).click()
  await expect(items).toContainText('genuine')
  await items.getByRole('button', { name: 'Run again… at item 1' }).click()
  await expect(dialog.getByLabel('Seat')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Run it' }).click()
  await expect(dialog).toBeHidden()
  await expect(items).toContainText('It answers the same.')
  await page.getByRole('button', { name: 'Add a rule…' }).click()
  await dialog.getByLabel('Rulebook').selectOption('specker')
  await dialog.getByLabel('Rule', { exact: true }).selectOption('Rule 5. Price lowering')
  await dialog.getByRole('button', { name: 'Add it' }).click()
  await expect(items).toContainText('A lowered price')
  await expectAccessible(page)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('dossier-week-1-b.zip')
  const folder = temporaryFolder('evidence')
  const entries = readZip(readFileSync(await download.path()))
  if (!Array.isArray(entries)) throw new Error(JSON.stringify(entries))
  for (const { path, size, read } of entries as Exclude<ReturnType<typeof readZip>, { why: string }>) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), read(size) as Uint8Array)
  }
  const key = join(folder, 'dossier/keys/class.pub')
  if (hasPython) {
    const { status, stdout } = spawnSync('python3', [join(folder, 'dossier/verify.py'), '--key', key], {
      encoding: 'utf8',
    })
    expect(stdout).toContain('The dossier: genuine')
    expect(status).toBe(0)
  }
  // The page of the download, as a browser without the app shows it.
  const shown = await page.context().newPage()
  await shown.goto(pathToFileURL(join(folder, 'dossier/index.html')).href)
  await expect(shown.getByRole('heading', { name: 'Week 1 <b>' })).toBeVisible()
  await expect(shown.getByText('It pays too much.')).toBeVisible()
  await expect(shown.getByText('It answers the same.')).toBeVisible()
  await expectAccessible(shown)
  await shown.close()

  await go(page, '#/evidence')
  const zip = readFileSync(await download.path())
  await page
    .getByLabel('Open evidence')
    .setInputFiles({ name: 'dossier.zip', mimeType: 'application/zip', buffer: zip })
  await expect(page.getByRole('heading', { name: 'This dossier is genuine' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('list', { name: 'Histories in the dossier' }).getByRole('link').click()
  await expect(page.getByRole('slider', { name: 'Place in the match' })).toBeVisible()
})
