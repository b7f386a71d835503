import { expect, test, type Browser, type Page } from '@playwright/test'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expectAccessible } from './accessible.ts'
import { chromium, go } from './served.ts'

test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

const home = mkdtempSync(join(tmpdir(), 'tartaglia-e2e-'))
test.afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

interface HearingClass {
  readonly address: string
  readonly origin: string
  readonly codes: Readonly<Record<string, string>>
  readonly contest: string
  stop(): Promise<void>
}

async function serveClass(): Promise<HearingClass> {
  const script = join(import.meta.dirname, 'class-with-hearing.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, join(home, 'data')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    void ended.then(() => reject(new Error('the class has ended')))
  })
  return {
    ...(JSON.parse(line) as Omit<HearingClass, 'stop'>),
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}

/** Signs a student in for the first time, in a browser of their own. */
async function signIn(browser: Browser, { origin, codes }: HearingClass, name: string): Promise<Page> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.goto(origin)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(codes[name]!)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('New password').fill('four words of mine')
  await page.getByLabel('The same again').fill('four words of mine')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('navigation', { name: 'Screens' })).toBeVisible()
  return page
}

/** The state of the case, as a page shows it. */
const state = (page: Page) => page.getByRole('region', { name: 'State of the case' })

/** A member of the panel seals a vote. */
async function vote(page: Page, answer: string): Promise<void> {
  await page.getByLabel(answer).check()
  await page.getByLabel('Reason for this answer').fill('The event shows it.')
  await page.getByLabel('1 point taken from conceder').check()
  await page.getByLabel('Reason for the penalty').fill('A point is enough.')
  await page.getByRole('button', { name: 'Seal the vote' }).click()
}

/** Keeps the event that a page shows in a new dossier. */
async function keepEvidence(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Keep as evidence' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Keep as evidence' })
  await dialog.getByLabel('Title of the new dossier').fill(title)
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await expect(dialog).toBeHidden()
}

/** Both sides refuse nobody, and the educator has the panel drawn. */
async function draw(sides: readonly Page[], educator: Page): Promise<void> {
  for (const side of sides) {
    await side.getByRole('button', { name: 'Refuse nobody' }).click()
    await expect(side.getByRole('button', { name: 'Refuse nobody' })).toBeHidden()
  }
  await educator.getByRole('button', { name: 'End this stage, and draw the panel' }).click()
}

/** Clicks the button of this name on the only page that has it. */
async function clickWhereOffered(pages: readonly Page[], name: string | RegExp): Promise<void> {
  const offered = (each: Page): Promise<number> => each.getByRole('button', { name }).count()
  await expect.poll(() => Promise.all(pages.map(offered))).toContain(1)
  for (const each of pages) if ((await offered(each)) > 0) return each.getByRole('button', { name }).click()
}

/** The panel votes, and its chair gives the ruling. Each page opens its own votes when all have voted. Returns the panel. */
async function decide(members: readonly Page[], answer: string): Promise<readonly Page[]> {
  const panel = []
  for (const each of members) {
    await expect(state(each)).toContainText('The panel votes in secret')
    if ((await each.getByRole('button', { name: 'Seal the vote' }).count()) > 0) panel.push(each)
  }
  await expectAccessible(panel[0]!)
  for (const each of panel) await vote(each, answer)
  for (const each of panel) await expect(state(each)).toContainText('The chair writes the ruling')
  for (const each of panel)
    if ((await each.getByRole('button', { name: 'Give the ruling' }).count()) > 0)
      await each.getByLabel('Reasons', { exact: true }).fill('All votes say so.')
  await clickWhereOffered(panel, 'Give the ruling')
  return panel
}

test('a case goes from a complaint over answer, lot and secret votes to a ruling, and over an appeal to its reversal', async ({
  browser,
  page,
}) => {
  const served = await serveClass()
  try {
    await page.goto(served.address)
    await page.getByRole('button', { name: 'Skip the tour' }).click()
    await go(page, '#/hearings')
    await expect(page.getByRole('heading', { name: 'No hearing yet' })).toBeVisible()
    const [ada, bea, cem] = [
      await signIn(browser, served, 'Ada'),
      await signIn(browser, served, 'Bea'),
      await signIn(browser, served, 'Cem'),
    ]
    const dan = await signIn(browser, served, 'Dan')

    // Ada finds a suspicious event by a ready question, keeps it, and her team files with it.
    await go(ada, `#/contests/${served.contest}/analysis`)
    await ada.getByRole('button', { name: /^First offers/ }).click()
    const event = ada.getByRole('region', { name: 'Answer', exact: true }).getByRole('link', { name: /, event \d+$/ })
    await event.first().click()
    await expect(ada.getByRole('slider', { name: 'Place in the match' })).toHaveValue(/^[1-9]/)
    const kept = ada.url()
    await keepEvidence(ada, 'A strange offer')
    await go(ada, '#/hearings/new')
    await ada.getByLabel('Against').selectOption('agent conceder')
    await ada.getByRole('list', { name: 'Events of the dossier' }).getByRole('button', { name: 'Add' }).first().click()
    await expect(ada.getByRole('list', { name: 'Evidence so far' }).getByRole('listitem')).toHaveCount(1)
    await ada.getByLabel('Penalty', { exact: true }).selectOption('points')
    await ada.getByLabel('For', { exact: true }).selectOption('conceder')
    await ada.getByLabel('Claim').fill('It says what it <b>must not</b>.')
    await expectAccessible(ada)
    await ada.getByRole('button', { name: 'File the case' }).click()
    await expect(state(ada)).toContainText('An educator or assistant admits or dismisses the case')
    const address = new URL(ada.url()).hash

    // The educator admits it, the other side answers, and both refuse nobody.
    await go(page, '#/hearings')
    await expect(page.getByText('Your turn')).toBeVisible()
    await page.getByRole('link', { name: 'Case 1' }).click()
    await page.getByLabel('Reason', { exact: true }).fill('The event is there.')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Admit the case' }).click()
    for (const other of [bea, cem, dan]) await go(other, address)
    // The board stands at that very event, as the chosen seat saw it, and everybody sees who is here.
    const [, move = ''] = /move=(\d+)/.exec(kept) ?? []
    const board = cem.getByRole('region', { name: 'The board at exhibit 1' })
    await expect(board.getByRole('status')).toContainText(`Event ${move} of`)
    await board.getByLabel('As seen by').selectOption({ index: 2 })
    await expect(cem).toHaveURL(/as=0/)
    await expect(board.getByRole('list', { name: 'Players' })).toBeVisible()
    const here = cem.getByRole('region', { name: 'Here now' })
    await expect(here).toContainText(/Red.*1 person.*Blue.*1 person/)
    await expect(page.getByRole('region', { name: 'Here now' })).toContainText('Ada')
    await expectAccessible(cem)
    await bea.getByLabel('Your answer').fill('The rule allows it.')
    await bea.getByRole('button', { name: 'Answer', exact: true }).click()
    await draw([ada, bea], page)

    // A member asks, both sides reply, and the chair ends the hearing. Until the vote a member can declare a conflict.
    await cem.getByText('Declare a conflict', { exact: true }).first().click()
    await expect(cem.getByRole('button', { name: 'Declare a conflict' })).toBeVisible()
    await cem.getByLabel('Question').fill('Which offer was it?')
    await cem.getByRole('button', { name: 'Ask', exact: true }).click()
    for (const side of [ada, bea]) {
      await side.getByRole('textbox', { name: 'Reply' }).fill('The second one.')
      await side.getByRole('button', { name: 'Reply', exact: true }).click()
    }
    await expect(cem.getByText('The second one.')).toHaveCount(2)
    const members = [cem, dan, page]
    await clickWhereOffered(members, /^End the stage “Hearing”/)
    const panel = await decide(members, 'Yes, it was broken')
    expect(panel.length).toBeGreaterThanOrEqual(2)
    await expect(ada.getByText(/opened the vote on the rule: Yes, it was broken/)).toHaveCount(panel.length)
    await expect(state(ada)).toContainText('Time to appeal')
    await expect(ada.getByRole('region', { name: 'Ruling' })).toContainText('All votes say so.')

    // The standings count the ruling; the other side appeals, a larger panel decides, and they are as played again.
    const { contest } = served
    await go(page, `#/contests/${contest}`)
    await expect(page.getByText('The standings after ruling 1.')).toBeVisible()
    await page.getByText('1 ruling, with before and after').click()
    const row = page.getByRole('table', { name: 'Changed by rulings' }).getByRole('row', { name: /^conceder/ })
    await expect(row.getByRole('cell')).not.toHaveCount(0)
    const [, , played, now] = (await row.getByRole('cell').allInnerTexts()).map(Number)
    expect(now).toBe(played! - 1)
    await page.getByRole('button', { name: 'As played', exact: true }).click()
    await expect(page.getByText('The standings as they were played, without rulings.')).toBeVisible()
    await go(page, `${address}/projector`)
    await expect(page.getByRole('timer')).toBeVisible()
    await expectAccessible(page)
    await go(page, address)
    await bea.getByLabel('Reasons for the appeal').fill('It is the usual move.')
    await bea.getByRole('button', { name: 'Appeal', exact: true }).click()
    await draw([ada, bea], page)
    // Nothing is asked this time: both sides say a word, and the chair can end the hearing.
    for (const side of [ada, bea]) {
      await side.getByText('Make a statement', { exact: true }).click()
      await side.getByRole('textbox', { name: 'Statement' }).fill('We stand by it.')
      await side.getByRole('button', { name: 'Make the statement' }).click()
    }
    await clickWhereOffered(members, /^End the stage “Hearing”/)
    expect((await decide(members, 'No, it was not broken')).length).toBe(3)
    await expect(state(ada)).toContainText('Rule not broken')
    await go(page, `#/contests/${contest}`)
    await expect(page.getByText('The standings after ruling 2.')).toBeVisible()
    await page.getByText('2 rulings, with before and after').click()
    await expect(page.getByText('Rank and points of all agents are as they were played.')).toBeVisible()

    // The transcript can be printed.
    await go(page, address)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Transcript' }).click()
    const transcript = readFileSync(await (await download).path(), 'utf8')
    expect(transcript).toContain('must not&lt;/b&gt;')
    expect(transcript).not.toMatch(/<script/i)

    // The record opens as a file, for those who have nothing else.
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export the record' }).click()
    const record = await saving
    const buffer = readFileSync(await record.path())
    await go(page, '#/evidence')
    await page.getByLabel('Open evidence').setInputFiles({ name: record.suggestedFilename(), mimeType: '', buffer })
    await expect(page.getByRole('heading', { name: 'This record is genuine' })).toBeVisible()
    await expect(page.getByText('The case is closed: rule not broken.')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Proceedings' })).toContainText('The second one.')
    await expect(page.getByRole('button', { name: /Take it back/ })).toHaveCount(0)
    await expectAccessible(page)

    // On a phone.
    await ada.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(ada)
    await expect.poll(() => ada.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  } finally {
    await served.stop()
  }
})
