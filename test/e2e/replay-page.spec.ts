// A match as one file: opened from disk in a browser without a network.
import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expectAccessible } from './accessible.ts'
import { chromium } from './browser.ts'

const root = join(import.meta.dirname, '..', '..')
const cli = join(root, 'dist', 'cli.js')
test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

/** Would change the title of a page that took it for HTML. */
const HOSTILE = '</script><script>document.title="bad"</script><img src=x onerror="document.title=\'bad\'">'
const thrower = `export default class { offer() { throw new Error(${JSON.stringify(HOSTILE)}) } }`

interface Played {
  readonly config: object
  readonly entrants: readonly string[]
  /** The name of the picture of its panel or of the whole match. */
  readonly picture: RegExp
}
const games: Readonly<Record<string, Played>> = {
  specker: {
    config: { challenge: 'max-csp', challengeConfig: { maxVars: 6, maxConstraints: 20 }, maxTurns: 3 },
    entrants: ['baby', 'greedy'],
    picture: /^Accounts/,
  },
  haggle: { config: {}, entrants: ['conceder', 'thrower'], picture: /^\d+ offers?/ },
  punter: { config: { map: 'sample' }, entrants: ['greedy', 'tartaglia'], picture: /^Map/ },
  cops: {
    config: { map: 'hamlet', lastWorld: 20 },
    entrants: ['tartaglia', 'baby', 'house'],
    picture: /^Town in world/,
  },
  cows: { config: { map: 'small', steps: 60 }, entrants: ['tartaglia', 'herder'], picture: /^Pasture/ },
}

let folder = ''
test.beforeAll(() => {
  test.setTimeout(300_000)
  folder = mkdtempSync(join(tmpdir(), 'tartaglia-replay-'))
  writeFileSync(join(folder, 'thrower.js'), thrower)
  const run = (...args: readonly string[]): void =>
    void execFileSync(process.execPath, [cli, ...args, '--data', join(folder, 'data')], { stdio: 'pipe' })
  for (const [game, { config, entrants }] of Object.entries(games)) {
    const contest = {
      ...{ title: game, game, config, seed: HOSTILE, format: { type: 'single' }, isolation: 'permission' },
      limits: { startMs: 60_000, moveMs: 60_000 },
      entrants: entrants.map((name) => ({
        name,
        agent: name === 'thrower' ? join(folder, 'thrower.js') : join(root, 'dist', 'agents', game, `${name}.js`),
      })),
    }
    writeFileSync(join(folder, `${game}.json`), JSON.stringify(contest))
    run('contest', 'run', join(folder, `${game}.json`))
    run('history', 'export', `${game}-1`, '0', '--html', join(folder, `${game}.html`))
  }
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Opens a page without a network; everything that it complains of comes into `said`. */
async function openPage(
  context: BrowserContext,
  name: string,
): Promise<{ readonly page: Page; readonly said: string[] }> {
  await context.setOffline(true)
  const page = await context.newPage()
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  page.on('pageerror', (error) => said.push(String(error)))
  page.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) said.push(request.url())
  })
  await page.goto(pathToFileURL(join(folder, name)).href)
  return { page, said }
}

/** Waits until the match is shown: keys that are pressed before go nowhere. Only the controls wait for the match itself. */
const loaded = (page: Page): Promise<void> =>
  expect(page.getByRole('button', { name: 'End', exact: true })).toBeEnabled()

for (const [game, { picture }] of Object.entries(games))
  test(`a match of ${game} opens from disk without a network, and says nothing on the console`, async ({ context }) => {
    const { page, said } = await openPage(context, `${game}.html`)
    await expect(page.getByRole('heading', { name: 'Match 0' })).toBeVisible()
    await expect(page.getByText('Verified when it was made', { exact: true })).toBeVisible()
    await loaded(page)
    await page.keyboard.press('End')
    await expect(page.getByRole('button', { name: 'End', exact: true })).toBeDisabled()
    await expect(
      page
        .getByRole('img', { name: picture })
        .or(page.getByRole('application', { name: picture }))
        .first(),
    ).toBeVisible()
    await page.getByRole('button', { name: 'The checks…' }).click()
    const dialog = page.getByRole('dialog', { name: 'The checks' })
    await expect(
      dialog.getByRole('heading', { name: 'This history is intact, but its signer is unknown' }),
    ).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    // As one of the seats, from the same file.
    await page.getByRole('combobox', { name: 'Watch as' }).selectOption('0')
    await expect(page.getByRole('status').filter({ hasText: /could know at/ })).toBeVisible()
    await page.getByRole('button', { name: 'Rules', exact: true }).click()
    await expect(page.getByRole('complementary', { name: /^Rules of/ })).toContainText(/rule/i)
    await expect(page).toHaveTitle(`Match 0 · ${game}-1 · Tartaglia`)
    expect(said).toEqual([])
    await expectAccessible(page)
  })

test('the saved history is the one that was exported', async ({ context }) => {
  const { page } = await openPage(context, 'haggle.html')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the history' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('haggle-1-match-0000.jsonl')
  const saved = join(folder, 'saved.jsonl')
  await download.saveAs(saved)
  const key = join(folder, 'data', 'keys', 'class.pub')
  const said = execFileSync(process.execPath, [cli, 'history', 'verify', saved, '--key', key], { encoding: 'utf8' })
  expect(said).toContain('genuine')
  expect(readFileSync(saved, 'utf8')).toContain('onerror')
})

test('the texts of a stranger stay texts, and the policy runs no other script', async ({ context }) => {
  const { page } = await openPage(context, 'haggle.html')
  await loaded(page)
  await page.keyboard.press('x')
  await expect(page.getByRole('region', { name: 'The match as text' })).toContainText('document.title=')
  await expect(page).toHaveTitle('Match 0 · haggle-1 · Tartaglia')
  await expect(page.locator('img')).toHaveCount(0)

  const planted = '<script>document.title="bad"</script><img src="data:," onerror="document.title=\'bad\'"></body>'
  const text = readFileSync(join(folder, 'haggle.html'), 'utf8')
  writeFileSync(
    join(folder, 'changed.html'),
    text.replace('</body>', () => planted),
  )
  const changed = await openPage(context, 'changed.html')
  await expect(changed.page.getByRole('heading', { name: 'Match 0' })).toBeVisible()
  await loaded(changed.page)
  // The script and the handler of the image are refused, each when the browser comes to it.
  await expect
    .poll(() => changed.said.filter((each) => each.includes('Content Security Policy')).length)
    .toBeGreaterThanOrEqual(2)
  await expect(changed.page).toHaveTitle('Match 0 · haggle-1 · Tartaglia')
})

test('a page that was cut off says so', async ({ context }) => {
  const text = readFileSync(join(folder, 'haggle.html'), 'utf8')
  writeFileSync(join(folder, 'cut.html'), text.replace(/(id="recorded-match">.{200})[^<]*/, '$1'))
  const { page } = await openPage(context, 'cut.html')
  await expect(page.getByRole('alert')).toContainText('This page is damaged')
})
