import { expect, type Locator, type Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectAccessible } from './accessible.ts'
import { chromium, go, test } from './served.ts'
import { baby, file } from './strangers.ts'
import { termPlaces } from './term-places.ts'
import { tooWide } from './width.ts'

test.use({ viewport: { width: 390, height: 844 } })
test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

interface Place {
  /** The route that leads there. */
  readonly pattern: string
  /** Goes there; most have an address. */
  readonly to: string | ((page: Page) => Promise<void>)
  /** When this is to be seen, the screen is complete. */
  sign(page: Page): Locator
}

const option = (page: Page): Locator => page.locator('[role=option]').first()
const heading =
  (name: string | RegExp) =>
  (page: Page): Locator =>
    page.getByRole('heading', { name }).first()
const tab = (address: string, name: RegExp) => async (page: Page) => {
  await go(page, address)
  await page.getByRole('tab', { name }).click()
}
const sample = '#/contests/sample-contest-1'

async function openFile(page: Page): Promise<void> {
  await go(page, '#/histories')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export', exact: true }).click(),
  ])
  const name = `${'a-long-name-without-a-place-to-break-'.repeat(4)}.jsonl`
  const history = file(name, readFileSync(await download.path(), 'utf8'))
  await page.getByLabel('Open history files').setInputFiles(history)
  await page.getByRole('link', { name: 'Open the match' }).click()
}
async function beginPlay(page: Page): Promise<void> {
  await go(page, '#/play?game=haggle')
  await page.getByLabel('Against').selectOption({ label: 'baby (comes with Tartaglia)' })
  await page.getByRole('button', { name: 'Begin' }).click()
}
/** With a name, an export and a line that do not break. */
async function publishComponent(page: Page): Promise<void> {
  await go(page, '#/components')
  const text = `export const ${'unbroken'.repeat(20)} = '${'x'.repeat(300)}'`
  await page.getByLabel('Publish a component').setInputFiles(file(`${'mind'.repeat(10)}.js`, text))
  await page.getByLabel('Team').fill('x'.repeat(64))
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
}
async function repeatContest(page: Page): Promise<void> {
  await go(page, sample)
  await page.getByRole('button', { name: 'Repeat…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('x'.repeat(64))
  await dialog.getByRole('button', { name: 'Repeat', exact: true }).click()
}

const places: readonly Place[] = [
  {
    pattern: '/contests/:contest/analysis?tab&question&with&sql&chart&search',
    to: '#/contests/sample-contest-1/analysis?question=worst-losses',
    sign: (page) => page.getByRole('region', { name: 'Answer', exact: true }),
  },
  { pattern: '/grades/book', to: '#/grades/book', sign: heading('Scheme') },
  { pattern: '/grades/term?game', to: '#/grades/term', sign: heading('The term') },
  { pattern: '/classes', to: '#/classes', sign: heading('This class') },
  { pattern: '/me', to: '#/me', sign: heading('My account') },
  { pattern: '/people', to: '#/people', sign: heading('People') },
  { pattern: '/people/log?search&kind', to: '#/people/log', sign: heading('Audit log') },
  { pattern: '/people/slips', to: '#/people/slips', sign: heading('No slips to print') },
  { pattern: '/class', to: '#/class', sign: (page) => page.getByRole('region', { name: 'Standings' }) },
  { pattern: '/agents?game', to: '#/agents', sign: option },
  {
    pattern: '/agents?game',
    async to(page) {
      await go(page, '#/agents?game=haggle')
      await page.getByText('Team and policies').click()
      await page.getByLabel('Team').fill('x'.repeat(64))
      await page.getByLabel('Hand in an agent').setInputFiles(file(`${'walker'.repeat(20)}.txt`, baby))
    },
    sign: (page) => page.getByText('Rejected'),
  },
  {
    pattern: '/agents/:name?tab&line',
    to: '#/agents/minmax',
    sign: (page) => page.getByRole('heading', { name: 'By opponent' }),
  },
  {
    pattern: '/agents/:name?tab&line',
    to: '#/agents/minmax?tab=source',
    sign: (page) => page.getByRole('region', { name: 'Source of minmax' }),
  },
  { pattern: '/sources', to: '#/sources', sign: (page) => page.getByText('No public sources yet') },
  {
    pattern: '/sources/:name/:agent?file&line',
    to: `#/sources/minmax/${'0'.repeat(64)}`,
    sign: (page) => page.getByText('This source cannot be shown'),
  },
  {
    pattern: '/components/:component',
    to: publishComponent,
    sign: (page) => page.getByLabel('Import line'),
  },
  { pattern: '/components', to: '#/components', sign: option },
  {
    pattern: '/evidence/file/:file',
    to: '#/evidence/file/none',
    sign: (page) => page.getByText('This dossier could not be opened'),
  },
  { pattern: '/evidence', to: '#/evidence', sign: (page) => page.getByText('No dossiers yet') },
  {
    pattern: '/evidence/:dossier',
    to: `#/evidence/00000000-0000-4000-8000-000000000000`,
    sign: (page) => page.getByText('This dossier could not be loaded'),
  },
  { pattern: '/challenges', to: '#/challenges', sign: (page) => page.locator('main li').first() },
  {
    pattern: '/challenges/new',
    to: '#/challenges/new',
    sign: (page) => page.getByRole('textbox', { name: /^Source/ }),
  },
  { pattern: '/challenges/:name', to: '#/challenges/max-csp', sign: (page) => page.getByRole('tabpanel') },
  {
    pattern: '/challenges/:name',
    to: tab('#/challenges/max-csp', /Samples/),
    sign: (page) => page.getByRole('button', { name: 'Sample', exact: true }),
  },
  {
    pattern: '/challenges/:name',
    to: tab('#/challenges/max-csp', /Classes/),
    sign: (page) => page.getByRole('img', { name: /classes/ }),
  },
  { pattern: '/contests?of', to: '#/contests', sign: option },
  { pattern: '/contests/new?challenge', to: '#/contests/new', sign: (page) => page.getByText(/^\d+ matches$/) },
  { pattern: '/contests/recurring', to: repeatContest, sign: (page) => page.getByRole('article') },
  { pattern: '/contests/:contest?tab&of', to: sample, sign: (page) => page.getByText('Who beat whom') },
  { pattern: '/contests/:contest?tab&of', to: tab(sample, /^Matches/), sign: option },
  {
    pattern: '/contests/:contest?tab&of',
    to: tab(sample, /^Set-up/),
    sign: (page) => page.getByText('Energy at the start'),
  },
  { pattern: '/contests/:contest/projector', to: `${sample}/projector`, sign: (page) => page.getByText('Freeze') },
  {
    pattern: '/contests/:contest/matches/:match?at&seat&as&and&move&line&tab&of&class&beside',
    to: `${sample}/matches/1`,
    sign: (page) => page.getByRole('slider', { name: 'Place in the match' }),
  },
  {
    pattern: '/contests/:contest/matches/:match?at&seat&as&and&move&line&tab&of&class&beside',
    to: `${sample}/matches/1?as=0&and=1`,
    sign: (page) => page.getByRole('slider', { name: 'Place in the match' }),
  },
  { pattern: '/play?game&against', to: '#/play', sign: heading('Play against an agent') },
  {
    pattern: '/play/:contest',
    to: beginPlay,
    sign: (page) => page.getByRole('button', { name: 'Offer', exact: true }),
  },
  {
    pattern: '/play/:contest',
    async to(page) {
      await go(page, '#/play?game=specker&against=baby')
      await page.getByRole('button', { name: 'Begin' }).click()
    },
    sign: (page) => page.getByRole('button', { name: 'Hand in the turn' }),
  },
  { pattern: '/histories?search&game&subject&agent&against&faults', to: '#/histories', sign: option },
  {
    pattern: '/histories/file/:file?as&and&move&line&tab',
    to: openFile,
    sign: (page) => page.getByText(/a-long-name-.*\.jsonl/).first(),
  },
  { pattern: '/hearings?search', to: '#/hearings', sign: heading('No hearing yet') },
  {
    pattern: '/hearings/file/:file?exhibit&as',
    to: '#/hearings/file/none',
    sign: (page) => page.getByText('This record could not be opened'),
  },
  { pattern: '/hearings/new?event', to: '#/hearings/new', sign: (page) => page.getByLabel('Claim') },
  {
    pattern: '/hearings/:hearing?exhibit&as',
    to: '#/hearings/case-1',
    sign: (page) => page.getByText('The case could not be loaded'),
  },
  {
    pattern: '/hearings/:hearing/projector',
    to: '#/hearings/case-1/projector',
    sign: (page) => page.getByText('The case could not be loaded'),
  },
  {
    pattern: '/help?search',
    to: '#/help',
    sign: (page) => page.getByRole('link', { name: 'Contests', exact: true }).last(),
  },
  { pattern: '/help/:page?at', to: '#/help/language?at=grammar', sign: heading('Grammar') },
  { pattern: '/settings', to: '#/settings', sign: (page) => page.getByText('Public key', { exact: true }) },
]

test('no screen is wider than a window of 390 px', async ({ classroom: page }) => {
  const source = readFileSync(join(import.meta.dirname, '..', '..', 'renderer', 'navigation', 'routes.ts'), 'utf8')
  const patterns = [...source.matchAll(/route\(\s*'([^']+)'/g)].map(([, pattern]) => pattern)
  // The person at this machine does not find the screens of students, which narrow-term.spec.ts walks.
  const walked = [...places, ...termPlaces].map(({ pattern }) => pattern)
  expect(new Set(walked), 'every route').toEqual(new Set(patterns))

  for (const [at, { pattern, to, sign }] of places.entries()) {
    await (typeof to === 'string' ? go(page, to) : to(page))
    await expect(sign(page)).toBeVisible()
    await expect.poll(() => tooWide(page), { message: `${at} ${pattern}` }).toEqual([])
    if (pattern.startsWith('/play/')) await giveUp(page)
  }

  // A match's header leaves the phone to the match, and no box that scrolls lies in another one but the screen.
  await go(page, `${sample}/matches/1`)
  const accounts = page.getByRole('heading', { name: 'Accounts' })
  await expect(accounts).toBeVisible()
  await expect.poll(async () => (await accounts.boundingBox())?.y).toBeLessThan(844 / 3)
  for (const each of await page.getByRole('tab').all()) {
    await each.click()
    await expect(each).toHaveAttribute('aria-selected', 'true')
    await expect.poll(() => nestedScrolling(page)).toEqual([])
  }
  // Standings as a table have all of an agent's figures in the width of the phone.
  await go(page, sample)
  await expect(page.getByTestId('status')).toBeVisible()
  await page.keyboard.press('t')
  const removed = page.getByRole('table', { name: 'Standings', exact: true }).locator('td[data-label=Removed]').first()
  await expect(removed).toBeVisible()
  await expect(async () => {
    const { x, width } = (await removed.boundingBox())!
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + width).toBeLessThanOrEqual(390)
  }).toPass({ timeout: 60_000 })
})

/** The boxes that scroll down inside another one that does, but for the screen itself. */
function nestedScrolling(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const scrolls = (box: Element): boolean =>
      /auto|scroll/.test(getComputedStyle(box).overflowY) && box.scrollHeight > box.clientHeight + 1
    return [...document.querySelectorAll('main *')].flatMap((box) => {
      const outer = scrolls(box) ? box.parentElement?.closest('main *') : null
      for (let each = outer ?? null; each !== null; each = each.parentElement?.closest('main *') ?? null)
        if (scrolls(each)) return [`${box.className} in ${each.className}`]
      return []
    })
  })
}

/** Leaving a match that one plays in asks for confirmation first. */
async function giveUp(page: Page): Promise<void> {
  await go(page, '#/class')
  await page.getByRole('button', { name: 'Give up and leave' }).click()
  await expect(page).toHaveURL(/#\/class$/)
}

test('at 200 % only the screen scrolls, never the page around it', async ({ classroom: page }) => {
  await page.setViewportSize({ width: 640, height: 400 })
  for (const { to, sign } of places.filter(({ pattern }) => /match|:contest$|:contest.tab/.test(pattern))) {
    await (typeof to === 'string' ? go(page, to) : to(page))
    await expect(sign(page)).toBeVisible()
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBe(400)
    if (/play/.test(page.url())) await giveUp(page)
  }
})

test('an agent is handed in for its team in a window of 390 px', async ({ classroom: page }) => {
  await go(page, '#/agents')
  await page.getByText('Team and policies').click()
  await page.getByLabel('Team').fill('Scuderia')
  await page.getByLabel('The administrator').selectOption({ label: 'only if forbidden' })
  await expect(page.getByText('Meant for contests in which agents must not attack the administrator.')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Hand in an agent').setInputFiles(file('walker.js', baby))
  await page.getByRole('button', { name: 'Hand in', exact: true }).click()
  const handedIn = page.getByRole('list', { name: 'Just handed in' }).getByRole('listitem')
  await expect(handedIn).toContainText('Works')
  await expect(handedIn).toContainText('team Scuderia, for contests in which agents must not attack the administrator')
  await handedIn.getByRole('link').click()
  // Exactly: the list of agents, which may still be there, has it in a longer text.
  await expect(
    page.getByText('Team Scuderia, for contests in which agents must not attack the administrator', { exact: true }),
  ).toBeVisible()
})
