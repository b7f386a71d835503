import { expect, test, type Browser, type Locator, type Page } from '@playwright/test'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expectAccessible } from './accessible.ts'
import { chromium, dist, go } from './served.ts'

test.use({ timezoneId: 'UTC' })
test.skip(chromium === null, 'needs Chromium: npm run setup:debian -- --tests')

const home = mkdtempSync(join(tmpdir(), 'tartaglia-e2e-'))
test.afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

const [ada, wang, zoe] = ['Ada Lovelace', '王小明', 'Zoë Ångström'] as const
/** Thirty names in six scripts, as Canvas exports them. */
const roster = [
  ...[ada, wang, zoe, 'محمد علي', 'Ελένη Παπαδοπούλου', 'Анна Иванова', 'नेहा शर्मा'],
  ...Array.from({ length: 23 }, (_, n) => `Student ${String.fromCharCode(65 + n)}`),
]
const rosterFile = [
  'Student,ID,SIS User ID,SIS Login ID,Section',
  ...roster.map((name, n) => `"${name}",${n + 1},s${n + 1},login${n + 1},Algebra`),
].join('\n')

/** Demands everything at first, and accepts whatever it is offered. */
const sound = `module.exports = class {
  constructor(me, counts) { this.all = counts }
  offer(o) { return o === undefined ? this.all : undefined }
}
`
const broken = `module.exports = class {
  offer() {
    throw new Error('not yet written')
  }
}
`

const PASSWORD = 'four words of mine'

/** A class that is served at a time which the test sets. */
interface SetClass {
  readonly address: string
  readonly contest: string
  set(time: string): void
  stop(): Promise<void>
}

async function serveAt(time: string): Promise<SetClass> {
  const data = join(home, 'data')
  mkdirSync(data)
  const script = join(import.meta.dirname, 'class-with-set-clock.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, data, time], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    void ended.then(() => reject(new Error('the class has ended')))
  })
  return {
    ...(JSON.parse(line) as { readonly address: string; readonly contest: string }),
    set: (later) => void child.stdin.write(`${later}\n`),
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}

/** The program as a student's terminal runs it. */
function tartaglia(...args: readonly string[]) {
  const child = spawn(process.execPath, [join(dist, 'cli.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, XDG_CONFIG_HOME: join(home, 'config') },
  })
  const collected = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (collected[name] += text))
  const ended = new Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>(
    (resolve) => child.once('close', (code) => resolve({ code, ...collected })),
  )
  return { collected, ended }
}

/** Signs a student in for the first time, with the code of a slip, in a browser of their own. */
async function signIn(browser: Browser, origin: string, name: string, code: string, zone = 'UTC'): Promise<Page> {
  const viewport = { width: 1280, height: 800 }
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport, timezoneId: zone })
  const page = await context.newPage()
  await page.goto(origin)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Choose a password' })).toBeVisible()
  await page.getByLabel('New password').fill(PASSWORD)
  await page.getByLabel('The same again').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('navigation', { name: 'Screens' })).toBeVisible()
  return page
}

/** Drops a file or a folder of the disk onto a place, as a person does with the mouse. Chromium alone. */
async function dropOn(page: Page, place: Locator, path: string): Promise<void> {
  const { x, y, width, height } = (await place.boundingBox())!
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data })
  await session.detach()
}

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let times = 0; times < 30; times++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(wanted).toBeFocused()
}

/** Hands in what the form holds, and waits until the newest hand-in is in this state. */
async function handInForm(page: Page, state: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Hand in', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: state })).toBeVisible()
}

test('a class hands in for a contest: roster, slips, teams, a failed and a mended agent, receipts, an extension, the deadline, the contest, the end of the term', async ({
  browser,
  page,
}) => {
  const served = await serveAt('2026-10-05T08:00:00.000Z')
  try {
    await page.goto(served.address)
    await page.getByRole('button', { name: 'Skip the tour' }).click()

    // The educator: roster, slips, network, deadline.
    await go(page, '#/people')
    await page.getByRole('button', { name: 'Add people' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByLabel('Roster file')
      .setInputFiles({ name: 'canvas.csv', mimeType: 'text/csv', buffer: Buffer.from(rosterFile) })
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(page.getByRole('row')).toHaveCount(roster.length + 1)
    await page.getByRole('button', { name: /^Print slips/ }).click()
    // Thirty codes are hashed, each as slowly as a password.
    const slips = page.getByRole('list', { name: 'Slips' }).getByRole('listitem')
    await expect(slips).toHaveCount(roster.length, { timeout: 180_000 })
    await page.getByRole('button', { name: 'Open to the network…' }).click()
    await dialog.getByLabel('Port').fill('0')
    await dialog.getByRole('button', { name: 'Open', exact: true }).click()
    await expect(dialog.getByRole('img', { name: /^QR code/ })).toBeVisible()
    await dialog.getByRole('button', { name: 'Done' }).click()
    const codeOf = async (name: string): Promise<string> =>
      (await slips.filter({ hasText: name }).locator('code').innerText()).replace(' ', '')
    await expect(slips.first()).toContainText('https://')
    const origin = /https:\/\/[^\s/]+/.exec(await slips.first().innerText())![0]
    const codes = await Promise.all([ada, wang, zoe].map(codeOf))

    await go(page, `#/contests/${served.contest}`)
    await page.getByRole('button', { name: 'Set a deadline…' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    const timer = page.getByRole('timer')
    await expect(timer).toBeVisible()
    const closes = page.getByRole('main').locator('p:has([role=timer]) time')
    await expect(closes).toContainText(/\d:59/)
    await expect(page.getByRole('list', { name: 'Registered agents' })).toContainText('No team has registered yet.')

    // Three students: two in one team, one alone.
    const adas = await signIn(browser, origin, ada, codes[0]!)
    await go(adas, '#/team')
    await adas.getByLabel('Name of the team').fill('Red')
    await adas.getByRole('button', { name: 'Form the team' }).click()
    await adas.getByRole('button', { name: 'Make an invitation' }).click()
    const invitation = await adas.locator('code').innerText()
    const wangs = await signIn(browser, origin, wang, codes[1]!)
    await go(wangs, '#/team')
    await wangs.getByLabel('Invitation').fill(invitation)
    await wangs.getByRole('button', { name: 'Join the team' }).click()
    await expect(wangs.getByRole('list', { name: 'Members' }).getByRole('listitem')).toHaveText([ada, wang])
    // Five and a half hours ahead of the educator.
    const zoes = await signIn(browser, origin, zoe, codes[2]!, 'Asia/Kolkata')
    await go(zoes, '#/team')
    await zoes.getByLabel('Name of the team').fill('Blue')
    await zoes.getByRole('button', { name: 'Form the team' }).click()
    await expect(zoes.getByRole('heading', { name: 'Blue' })).toBeVisible()
    await go(zoes, '#/class')
    const due = zoes.getByRole('region', { name: 'Due' }).locator('time')
    await expect(due).toContainText(/\d:29/)
    await expect(due).toHaveAttribute('datetime', (await closes.getAttribute('datetime'))!)

    // By a dropped file that fails its trial, and a folder with a mended one.
    await go(adas, `#/hand-in?contest=${served.contest}`)
    const zone = adas.getByText('Drop your agent here')
    const mended = join(home, 'mended')
    mkdirSync(mended)
    writeFileSync(join(home, 'agent.js'), broken)
    writeFileSync(join(mended, 'agent.js'), sound)
    writeFileSync(join(mended, 'agent.json'), JSON.stringify({ name: 'rosso', game: 'haggle', kind: 'script' }))
    await dropOn(adas, zone, join(home, 'agent.js'))
    await expect(adas.getByText('To hand in: agent.js')).toBeVisible()
    await adas.getByLabel('Name of the new agent').fill('rosso')
    await handInForm(adas, /^Fails: /)
    await expectAccessible(adas)
    await dropOn(adas, zone, mended)
    await expect(adas.getByText('To hand in: mended.zip')).toBeVisible()
    await handInForm(adas, /^Works: /)
    const downloading = adas.waitForEvent('download')
    await adas
      .getByRole('button', { name: /^Download receipt/ })
      .first()
      .click()
    const receipt = join(home, 'receipt.json')
    await (await downloading).saveAs(receipt)
    const verified = await tartaglia(
      'receipt',
      'verify',
      receipt,
      '--key',
      join(home, 'data', 'keys', 'class.pub'),
      '--json',
    ).ended
    expect(verified, verified.stdout + verified.stderr).toMatchObject({ code: 0 })

    // By a pasted script, by the other member of the team, who uses the keyboard alone.
    await go(wangs, `#/hand-in?contest=${served.contest}`)
    await wangs.getByText('Or paste a script').press('Enter')
    await wangs.getByLabel('Script').fill(`${sound}// pasted\n`)
    await wangs.getByLabel('Script').press('Tab')
    await tabTo(wangs, wangs.getByRole('button', { name: 'Hand in', exact: true }))
    await wangs.keyboard.press('Enter')
    await expect(wangs.getByRole('status').filter({ hasText: /^Works: / })).toBeVisible()

    // From a terminal, which its person signs in.
    const script = join(home, 'azzurro.cjs')
    writeFileSync(script, sound)
    const receipts = join(home, 'receipts')
    const submitted = tartaglia(
      ...['submit', script, '--to', origin, '--contest', served.contest, '--agent', 'azzurro'],
      ...['--receipts', receipts, '--json'],
    )
    await expect.poll(() => submitted.collected.stderr).toMatch(/Type this code there/)
    const userCode = /Type this code there[^:]*: (\S+)/.exec(submitted.collected.stderr)![1]!
    await go(zoes, '#/me')
    await zoes.getByLabel('Code that the terminal shows').fill(userCode)
    await zoes.getByRole('button', { name: 'Look' }).click()
    await zoes.getByRole('button', { name: 'Sign it in' }).click()
    const ended = await submitted.ended
    expect(ended, ended.stderr).toMatchObject({ code: 0 })
    expect(existsSync(receipts) && readdirSync(receipts)).toHaveLength(1)

    // The educator sees them, and extends the deadline of one.
    await go(page, '#/class')
    await page.getByRole('button', { name: `Extend for ${zoe}` }).click()
    await dialog.getByLabel('Reason').fill('ill')
    await dialog.getByRole('button', { name: 'Extend', exact: true }).click()
    await expect(page.getByRole('list', { name: /^Extensions in/ })).toContainText('ill')
    await expectAccessible(page)

    // The deadline passes.
    served.set('2026-10-20T08:00:00.000Z')
    await go(page, `#/contests/${served.contest}`)
    await page.getByRole('button', { name: /^(Start|Run)/ }).click()
    for (const name of ['rosso', 'azzurro', 'baby', 'conceder'])
      await expect(page.getByRole('tabpanel').getByRole('link', { name }).first()).toBeVisible()

    // The pasted version was the last candidate that works.
    await go(page, '#/agents/rosso?tab=versions')
    await expect(page.getByRole('listitem').filter({ hasText: 'Version 3' })).toContainText('plays in contests')

    // A student finds out how it went. Sessions end after 12 hours.
    await adas.goto(origin)
    await adas.getByLabel('Name').fill(ada)
    await adas.getByLabel('Password').fill(PASSWORD)
    await adas.getByRole('button', { name: 'Sign in' }).click()
    await expect(adas.getByRole('region', { name: 'My agent' })).toContainText('Autumn cup')
    await expect(adas.getByRole('region', { name: 'Mend first' })).toBeVisible()
    await expectAccessible(adas)
    await go(page, '#/grades/term')
    for (const team of ['Red', 'Blue'])
      await expect(page.getByRole('row').filter({ hasText: team }).first()).toBeVisible()
    await archiveAndGoOn(page)
  } finally {
    await served.stop()
  }
  await endTerm(join(home, 'data'))
})

/** The class as a file, the same class again from it, and the next term, each opened beside the running class. */
async function archiveAndGoOn(page: Page): Promise<void> {
  await go(page, '#/classes')
  await expectAccessible(page)
  const first = page.url()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export the class' }).click()
  const archive = join(home, 'class.tar.gz')
  await (await downloading).saveAs(archive)
  await page.getByLabel('Export of a class').setInputFiles(archive)
  await page.getByLabel('Name of its folder').fill('Algebra again')
  await page.getByRole('button', { name: 'Import the class' }).click()
  await page.getByRole('button', { name: 'Open the class' }).click()
  const isElsewhere = (url: URL): boolean => url.origin !== new URL(first).origin
  await page.waitForURL(isElsewhere)
  await expect(page.getByRole('navigation', { name: 'Screens' })).toBeVisible()
  await go(page, '#/people')
  await expect(page.getByText(ada)).toBeVisible()
  await go(page, '#/agents/rosso?tab=versions')
  await expect(page.getByRole('listitem').filter({ hasText: 'Version 3' })).toContainText('plays in contests')

  await page.goto(first)
  await page.getByLabel('Name of the new term').fill('Algebra 2027')
  await page.getByLabel('First day').fill('2027-02-22')
  await page.getByRole('button', { name: 'Make a new term' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Autumn cup' })).toContainText('2027')
  await page.getByRole('button', { name: 'Open the new term' }).click()
  await page.waitForURL(isElsewhere)
  await expect(page).toHaveTitle('Class · Algebra 2027 · Tartaglia')
  await go(page, '#/contests')
  await expect(page.getByRole('option', { name: /Autumn cup/ })).toBeVisible()
  await go(page, '#/people')
  // The list has come, and is empty.
  await expect(page.getByText('Nobody in the class yet')).toBeVisible()
  await expect(page.getByText(ada)).toHaveCount(0)
}

/** Runs a verb that succeeds; its output. */
async function done(...args: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const { code, stdout, stderr } = await tartaglia(...args, '--json').ended
  expect(code, stdout + stderr).toBe(0)
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>
}

/** The end of a term, in a terminal: the table, grades in the file of the roster's own system, an archive, and the next term. */
async function endTerm(data: string): Promise<void> {
  const table = await done('class', 'table', '--data', data)
  expect(table['rows']).toEqual(
    expect.arrayContaining(['Red', 'Blue'].map((name) => expect.objectContaining({ name }) as object)),
  )
  const [scheme, exported, filled] = ['term.scheme', 'canvas.csv', 'upload.csv'].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(scheme, 'grade = 50 + mean(place(contests)) / 2')
  const lines = rosterFile.split('\n')
  writeFileSync(exported, lines.map((line, n) => `${line},${n === 0 ? 'Term (7)' : ''}`).join('\n'))
  const csv = ['--csv', `canvas=${exported}`, '--column', 'Term', '--out', filled]
  expect(await done('class', 'grades', '--scheme', scheme, '--data', data, ...csv)).toMatchObject({
    ...{ filled: roster.length, unmatched: [], missing: [] },
  })
  const graded = readFileSync(filled, 'utf8').split('\n')
  expect(graded.map((line) => line.replace(/,[^,]*$/, ''))).toEqual(lines)
  const gradeOf = (name: string): number =>
    Number(
      graded
        .find((line) => line.includes(name))!
        .split(',')
        .at(-1),
    )
  expect(gradeOf(ada)).toBe(gradeOf(wang))
  expect(Math.max(gradeOf(ada), gradeOf(zoe))).toBeGreaterThan(50)
  expect(gradeOf('Student A')).toBe(50)

  const [archive, copy, next] = ['term.tar.gz', 'copy', 'next'].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ]
  await done('class', 'export', archive, '--data', data)
  expect(await done('class', 'import', archive, '--data', copy)).toMatchObject({ counts: { people: roster.length } })
  // Whenever it was imported, the histories say the same.
  expect(await done('class', 'table', '--data', copy)).toEqual(table)
  const term = await done(
    'class',
    'new-term',
    '--from',
    copy,
    '--data',
    next,
    '--first-day',
    '2027-02-22',
    '--old-agents',
  )
  const closes: unknown = expect.stringMatching(/^2027-0[23]-/)
  expect(term).toMatchObject({ contests: [{ title: 'Autumn cup', closes }] })
  expect(await done('class', 'people', 'list', '--data', next)).toMatchObject({ people: [] })
  expect(await done('contest', 'list', '--data', next)).toMatchObject({ contests: [{ title: 'Autumn cup' }] })
}
