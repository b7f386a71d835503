import { expect, type Locator, type Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { defaultArenaPlace, type ArenaNow } from '../../../main/contract/players/arena.ts'
import type { TargetingReport } from '../../../main/contract/procedures/classroom.ts'
import { procedures, type ContestDetail, type ProcedureName } from '../../../main/contract/procedures/procedures.ts'
import type { Answers, Otherwise } from './answers.ts'
import { huge, hugeRunning } from './huge.ts'
import { bazaar, cattle, chase, deals, market, pods, stumble, type School } from './school.ts'
import type { Viewer } from './term.ts'

/** One picture: a screen in a state. */
export interface Scene extends Otherwise {
  readonly screen: string
  readonly state: string
  /** The screen's address. */
  readonly hash: string
  /** Default: the sample class. */
  readonly school?: keyof School
  /** The scene is of the class in the middle of a term, as this person sees it. */
  readonly as?: Viewer
  /** The steps that are done there first. */
  act?(page: Page): Promise<void>
  /** When this is to be seen, the picture is taken. */
  sign(page: Page): Locator
}

export const heading =
  (name: string | RegExp) =>
  (page: Page): Locator =>
    page.getByRole('heading', { name }).first()
export const text =
  (words: string | RegExp) =>
  (page: Page): Locator =>
    page.getByText(words).first()
const options = (page: Page): Locator => page.locator('[role=option]').first()

const reading = (Object.keys(procedures) as ProcedureName[]).filter(
  (name) => /\.(list|get|overview|matches|faults|console|tiers|events)$/.test(name) && name !== 'settings.get',
)
export const refusal = 'The data folder cannot be read: the disk gives no answer (EIO).'
const never: Answers = Object.fromEntries(reading.map((name) => [name, 'never']))
const refused: Answers = Object.fromEntries(reading.map((name) => [name, { refusal }]))
const noPage = () => ({ items: [], offset: 0, total: 0 })
const unplayed = (real: ContestDetail): ContestDetail => ({
  ...real,
  summary: { ...real.summary, state: 'open', progress: { done: 0, total: 70, msLeft: null } },
  isolation: null,
  standings: real.standings.map((row) => ({ ...row, rank: 1, points: 0, matches: 0, wins: 0 })),
  headToHead: {
    ...real.headToHead,
    better: real.headToHead.better.map((row) => row.map(() => 0)),
    met: real.headToHead.met.map((row) => row.map(() => 0)),
  },
})
const empty: Answers = {
  'class.overview': () => ({ agents: 0, contests: [], attention: [] }),
  'agents.list': noPage,
  'agents.faults': noPage,
  'agents.console': noPage,
  'challenges.list': () => [],
  'contests.list': noPage,
  'contests.matches': noPage,
  'contests.get': (_, real) => unplayed(real),
  'histories.list': noPage,
}

/** Waiting and failing, which look alike on every screen. */
function troubled(screen: string, hash: string): readonly Scene[] {
  return [
    { screen, state: 'loading', hash, answers: never, sign: (page) => page.locator('main [role="status"]').first() },
    { screen, state: 'error', hash, answers: refused, sign: (page) => page.locator('main [role="alert"]').first() },
  ]
}

async function openTab(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('tab', { name }).click()
}

/** Exports the first match, and opens it as a file: as it is, or with a figure changed. */
const openFile = (change: (content: string) => string) => async (page: Page) => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export', exact: true }).click(),
  ])
  const content = change(readFileSync(await download.path(), 'utf8'))
  const buffer = Buffer.from(content)
  const file = { name: download.suggestedFilename(), mimeType: 'text/plain', buffer }
  await page.getByRole('button', { name: 'Close this message' }).click()
  await page.getByLabel('Open history files').setInputFiles(file)
}
function tampered(content: string): string {
  const lines = content.split('\n')
  const at = lines.findIndex((line) => line.includes('"k":"input"'))
  lines[at] = lines[at]!.replace(/"at":\d/, (digits) => (digits.endsWith('7') ? '"at":8' : '"at":7'))
  return lines.join('\n')
}

async function openSolved(page: Page): Promise<void> {
  await whole(page)
  await page.getByRole('listbox', { name: 'Events' }).focus()
  const solved = page.getByRole('option', { name: /solves challenge/ }).filter({ hasNotText: 'quality 1/1' })
  while ((await solved.count()) === 0) await page.keyboard.press('PageDown')
  await solved.first().click()
}

const sample = '#/contests/sample-contest-1'
const tournamentOfHaggling = `#/contests/${bazaar}`
const session = `${tournamentOfHaggling}/matches/129`
const peaceful = { administratorAttack: false, intelligenceAttack: false, mechanismAttack: false }
const targeted: TargetingReport = {
  matches: 70,
  agents: [
    {
      agent: 'minmax',
      p: 0.000_05,
      flagged: true,
      finding: {
        about: 'purchases',
        other: 'greedy',
        mean: 0.214,
        expected: 0.573,
        events: [
          { match: 3, input: 41, what: 'left 3 new offers, the cheapest at 0.31' },
          { match: 17, input: 66, what: 'left a new offer at 0.28' },
          { match: 52, input: 38, what: 'bought challenge 61 at 0.4' },
        ],
      },
    },
  ],
}
const students = ['anna', 'bob', 'charles']
const gathering: ArenaNow = {
  addresses: ['ws://10.0.0.5:8090'],
  posts: (['here', 'awaited', 'awaited'] as const).map((state, at) => ({ entrant: students[at]!, line: 0, state })),
  total: 3,
  here: 1,
  msLeft: 437_000,
  untold: true,
}
/** As long as real ones, and in no arena. */
const credentials = students.map((entrant) => ({ entrant, line: 0, credential: `${entrant}-`.repeat(11).slice(0, 43) }))
/** The same contest with them in it. */
const among = (real: ContestDetail): ContestDetail => {
  const [names, text] = [real.standings.map(({ agent }) => agent), JSON.stringify(real)]
  return JSON.parse(
    students.reduce((so, name, i) => so.replaceAll(`"${names[i]}"`, `"${name}"`), text),
  ) as ContestDetail
}
const match = `${sample}/matches/1`
/** A match of a game with a map, at a moment. */
const watched = (contest: string, address: string): Pick<Scene, 'school' | 'hash'> => ({
  school: 'towns',
  hash: `#/contests/${contest}/matches/0?${address}`,
})
const map = (page: Page): Locator => page.getByRole('application').first()
/** Enlarged around the middle, with something pointed at. */
async function zoomIn(page: Page): Promise<void> {
  await map(page).focus()
  for (const key of ['+', '+', 'ArrowRight']) await page.keyboard.press(key)
}
/** Until the whole match is there. */
const whole = async (page: Page) => {
  await expect(page.getByRole('slider')).toHaveAttribute('max', /^[1-9]/)
  await expect(page.getByText(/^0 of [\d,]+ events$/)).toBeVisible()
}
const atEnd = async (page: Page) => {
  await whole(page)
  await page.keyboard.press('End')
}
const asText = async (page: Page) => {
  // Before it is there, no key is heard.
  await expect(page.getByRole('button', { name: 'Read as text' })).toBeVisible()
  await page.keyboard.press('x')
}
/** A match that is over, with its tables in place of the pictures. */
const asTables: Pick<Scene, 'act' | 'sign'> = {
  async act(page) {
    await atEnd(page)
    await page.keyboard.press('t')
  },
  sign: (page) => page.getByRole('table').first(),
}

const tournament = '#/contests/winter-tournament-1'
/** A contest that really runs: set up as anybody would, on the first picture of it. It goes on for some minutes. */
const running = (hash: string) => async (page: Page) => {
  await expect(page.locator('main h1').first()).toBeVisible()
  await page.goto(new URL('#/contests', page.url()).href)
  const listed = page.getByRole('option', { name: /Winter tournament/ })
  await expect(page.getByRole('option', { name: /Sample contest/ })).toBeVisible()
  if ((await listed.count()) === 0) {
    await page.goto(new URL('#/contests/new', page.url()).href)
    await page.getByLabel('Title').fill('Winter tournament')
    await page.getByLabel('Rounds of trading').fill('6')
    await page.getByText('Advanced', { exact: true }).click()
    await page.getByLabel('Players a match').fill('4')
    await page.getByLabel('Each set meets').fill('12')
    await page.getByRole('button', { name: 'Create and run' }).click()
    await expect(page.getByTestId('status')).toContainText(/(?:[4-9]\d|\d{3}) of 840 matches.*left/, {
      timeout: 90_000,
    })
  }
  await page.goto(new URL(hash, page.url()).href)
}

/** The contest of the scenes before may not be over. */
async function pauseWhatRuns(page: Page): Promise<void> {
  const status = page.locator('footer')
  const contest = status.locator('a[href*="/contests/"]')
  await expect(status).toContainText(/Nothing is running|of \d+ match/)
  if ((await contest.count()) > 0) {
    await contest.click()
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
  }
  await expect(status).toContainText('Nothing is running.')
}

/** A session of Haggling in which the agent begins: always the same one. */
async function beginSpecker(page: Page): Promise<void> {
  await page.getByLabel('Who begins').selectOption({ label: 'The agent' })
  await page.getByRole('button', { name: 'Begin' }).click()
}

/** A match of a person at an address, after what was begun before has been paused. */
const beginAnother = (hash: string) => async (page: Page) => {
  await pauseWhatRuns(page)
  await page.goto(new URL(hash, page.url()).href)
  await page.getByRole('button', { name: 'Begin' }).click()
}

const chooseGame = (label: string) => async (page: Page) => {
  await page.getByLabel('Game').selectOption({ label })
  await page.getByText('Make a', { exact: false }).first().click()
}

async function beginPlay(page: Page): Promise<void> {
  await page.getByLabel('Who begins').selectOption({ label: 'The agent' })
  await page.getByText('Game settings').click()
  await page.getByLabel('One scenario for all').fill('5')
  await page.getByRole('button', { name: 'Begin' }).click()
}

export const scenes: readonly Scene[] = [
  {
    screen: 'class',
    state: 'normal',
    hash: '#/class',
    sign: (page) => page.getByRole('region', { name: 'Standings' }),
  },
  { screen: 'class', state: 'empty', hash: '#/class', answers: empty, sign: heading('An empty classroom') },
  ...troubled('class', '#/class'),
  { screen: 'class', state: 'huge', hash: '#/class', answers: huge, running: hugeRunning, sign: text('All 800') },
  {
    screen: 'class',
    state: 'tour',
    hash: '#/class',
    answers: { 'settings.get': (_, real) => ({ ...real, tourSeen: false }) },
    sign: heading('Welcome to the classroom'),
  },
  {
    screen: 'class',
    state: 'palette',
    hash: '#/class',
    async act(page) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('ma')
    },
    sign: (page) => page.getByRole('option', { name: /^minmax / }),
  },
  {
    screen: 'class',
    state: 'keys',
    hash: '#/class',
    act: (page) => page.keyboard.press('?'),
    sign: (page) => page.getByRole('dialog', { name: 'Keys' }),
  },

  {
    screen: 'class',
    state: 'running',
    school: 'live',
    hash: '#/class',
    act: running('#/class'),
    sign: (page) => page.getByRole('region', { name: 'Standings' }),
  },

  { screen: 'agents', state: 'normal', hash: '#/agents', sign: options },
  { screen: 'agents', state: 'failing', school: 'busy', hash: '#/agents', sign: text('Fails') },
  // After the list of agents, which has them tried.
  {
    screen: 'class',
    state: 'attention',
    school: 'busy',
    hash: '#/class',
    sign: (page) => page.getByRole('region', { name: 'Standings' }),
  },
  { screen: 'agents', state: 'empty', hash: '#/agents', answers: empty, sign: heading('No agents yet') },
  {
    screen: 'agents',
    state: 'team',
    hash: '#/agents?game=haggle',
    async act(page) {
      await page.getByText('Team and policies').click()
      await page.getByLabel('Team').fill('Scuderia')
      await page.getByLabel('The administrator').selectOption({ label: 'only if forbidden' })
      await page.getByLabel('Other agents’ decisions').selectOption({ label: 'only if allowed' })
    },
    sign: text(/^Meant for contests/),
  },
  ...troubled('agents', '#/agents'),
  { screen: 'agents', state: 'huge', hash: '#/agents', answers: huge, sign: text('5,000 agents') },

  {
    screen: 'agent',
    state: 'normal',
    school: 'busy',
    hash: '#/agents/niccolo',
    sign: heading('By opponent'),
  },
  { screen: 'agent', state: 'faults', school: 'busy', hash: '#/agents/niccolo?tab=faults', sign: options },
  { screen: 'agent', state: 'console', school: 'busy', hash: '#/agents/niccolo?tab=console', sign: options },
  { screen: 'agent', state: 'source', school: 'busy', hash: '#/agents/niccolo?tab=source', sign: text('use strict') },
  { screen: 'agent', state: 'empty', hash: '#/agents/minmax?tab=faults', sign: heading('No faults') },
  ...troubled('agent', '#/agents/niccolo'),
  { screen: 'agent', state: 'huge', school: 'busy', hash: '#/agents/niccolo?tab=faults', answers: huge, sign: options },
  {
    screen: 'agent',
    state: 'huge-console',
    school: 'busy',
    hash: '#/agents/niccolo?tab=console',
    answers: huge,
    sign: options,
  },

  { screen: 'challenges', state: 'normal', hash: '#/challenges', sign: (page) => page.locator('main li').first() },
  { screen: 'challenges', state: 'empty', hash: '#/challenges', answers: empty, sign: heading('No challenges') },
  ...troubled('challenges', '#/challenges'),
  { screen: 'challenges', state: 'huge', hash: '#/challenges', answers: huge, sign: text(/variant 1$/) },

  { screen: 'challenge', state: 'normal', hash: '#/challenges/max-csp', sign: (page) => page.getByRole('tabpanel') },
  {
    screen: 'challenge',
    state: 'source',
    hash: '#/challenges/max-csp',
    act: (page) => openTab(page, /Source/),
    sign: (page) => page.getByRole('tabpanel'),
  },
  {
    screen: 'challenge',
    state: 'samples',
    hash: '#/challenges/knapsack',
    async act(page) {
      await openTab(page, /Samples/)
      await page.getByRole('button', { name: 'Sample', exact: true }).click()
      await expect(page.getByRole('heading', { name: 'Sample 3' })).toBeVisible()
    },
    sign: (page) => page.getByRole('button', { name: 'Sample', exact: true }).and(page.locator(':enabled')),
  },
  {
    screen: 'challenge',
    state: 'classes',
    hash: '#/challenges/max-csp',
    act: (page) => openTab(page, /Classes/),
    sign: (page) => page.getByRole('img', { name: /classes/ }),
  },
  {
    screen: 'challenge',
    state: 'errors',
    hash: '#/challenges/new',
    async act(page) {
      const editor = page.getByRole('textbox', { name: 'Source of new' })
      await editor.press('Control+End')
      await page.keyboard.insertText('\ndefine double(count: int) = 2 * cuont\n')
    },
    sign: (page) => page.getByRole('list', { name: 'Errors' }).getByRole('listitem').first(),
  },
  ...troubled('challenge', '#/challenges/max-csp'),
  {
    screen: 'challenge',
    state: 'huge',
    hash: '#/challenges/max-csp',
    answers: huge,
    act: (page) => openTab(page, /Source/),
    sign: (page) => page.getByRole('tabpanel'),
  },

  { screen: 'contests', state: 'normal', hash: '#/contests', sign: options },
  {
    screen: 'contests',
    state: 'running',
    school: 'live',
    hash: '#/contests',
    act: running('#/contests'),
    sign: (page) => page.getByRole('option', { name: /Running/ }),
  },
  { screen: 'contests', state: 'empty', hash: '#/contests', answers: empty, sign: heading('No contest yet') },
  ...troubled('contests', '#/contests'),
  {
    screen: 'contests',
    state: 'huge',
    hash: '#/contests',
    answers: huge,
    running: hugeRunning,
    sign: text(/^Week 2:/),
  },

  { screen: 'new-contest', state: 'normal', hash: '#/contests/new', sign: text(/^\d+ matches$/) },
  {
    screen: 'new-contest',
    state: 'rules',
    hash: '#/contests/new',
    async act(page) {
      await page.getByLabel('Kind of challenges').selectOption('belief')
      await page.getByText('More rules of the game').click()
      await expect(page.getByText('Checking this machine…')).toBeHidden()
    },
    sign: (page) => page.getByLabel('Profit factor'),
  },
  {
    screen: 'new-contest',
    state: 'limits',
    hash: '#/contests/new',
    async act(page) {
      await expect(page.getByText(/^\d+ matches$/)).toBeVisible()
      await page.getByText('Advanced', { exact: true }).click()
      await page.getByLabel('The administrator').check()
      await page.getByText(/^So agents may attack/).scrollIntoViewIfNeeded()
    },
    sign: text(/^So agents may attack/),
  },
  {
    screen: 'new-contest',
    state: 'connecting',
    hash: '#/contests/new',
    answers: { 'arena.hosts': () => ['10.0.0.5'] },
    async act(page) {
      await expect(page.getByText(/^\d+ matches$/)).toBeVisible()
      await page.getByText('Agents of other machines').click()
      await page.getByLabel('Their names').fill('anna\nbob\ncharles')
      await page.getByLabel('Who can connect').selectOption('10.0.0.5')
      await page.getByLabel('Port').fill('8090')
      await page.getByText('Agents of other machines').evaluate((part) => part.scrollIntoView())
    },
    sign: text(/^110 matches$/),
  },
  { screen: 'new-contest', state: 'empty', hash: '#/contests/new', answers: empty, sign: heading('No agent yet') },
  ...troubled('new-contest', '#/contests/new'),
  { screen: 'new-contest', state: 'huge', hash: '#/contests/new', answers: huge, sign: text('ada fior') },

  { screen: 'contest', state: 'normal', hash: sample, sign: text('Who beat whom') },
  {
    screen: 'contest',
    state: 'running',
    school: 'live',
    hash: '#/contests',
    act: running(tournament),
    sign: (page) => page.getByTestId('status').getByText(/left$/),
  },
  {
    screen: 'contest',
    state: 'gathering',
    hash: sample,
    answers: {
      'contests.get': (_, real) => ({
        ...among(unplayed(real)),
        summary: { ...unplayed(real).summary, title: 'From home', state: 'gathering' },
        arena: { place: { ...defaultArenaPlace, host: '10.0.0.5', webSocket: 8_090 }, now: gathering },
      }),
      'contests.credentials': () => ({ addresses: gathering.addresses, credentials }),
    },
    act: (page) => page.getByRole('button', { name: 'Show the credentials' }).click(),
    sign: (page) => page.getByRole('button', { name: 'Save as file' }),
  },
  {
    screen: 'contest',
    state: 'tables',
    hash: sample,
    act: (page) => page.keyboard.press('t'),
    sign: (page) => page.getByRole('table').first(),
  },
  { screen: 'contest', state: 'matches', hash: sample, act: (page) => openTab(page, /^Matches/), sign: options },
  {
    screen: 'contest',
    state: 'setup',
    hash: sample,
    act: (page) => openTab(page, /^Set-up/),
    sign: (page) => page.getByRole('tabpanel'),
  },
  {
    screen: 'contest',
    state: 'targeting',
    hash: sample,
    answers: {
      'contests.get': (_, real) => ({ ...real, draft: { ...real.draft, policy: peaceful }, targeting: targeted }),
    },
    act: (page) => openTab(page, /^Set-up/),
    sign: text('Energy at the start'),
  },
  {
    screen: 'contest',
    state: 'haggling',
    school: 'haggling',
    hash: tournamentOfHaggling,
    sign: (page) => page.getByRole('grid', { name: 'Mean scores against each other' }),
  },
  {
    screen: 'contest',
    state: 'haggling-tables',
    school: 'haggling',
    hash: tournamentOfHaggling,
    act: (page) => page.keyboard.press('t'),
    sign: (page) => page.getByRole('table').first(),
  },
  {
    screen: 'contest',
    state: 'haggling-matches',
    school: 'haggling',
    hash: tournamentOfHaggling,
    act: (page) => openTab(page, /^Matches/),
    sign: options,
  },
  {
    screen: 'contest',
    state: 'haggling-setup',
    school: 'haggling',
    hash: tournamentOfHaggling,
    act: (page) => openTab(page, /^Set-up/),
    sign: (page) => page.getByRole('tabpanel'),
  },
  { screen: 'contest', state: 'empty', hash: sample, answers: empty, sign: text('not run yet') },
  ...troubled('contest', sample),
  { screen: 'contest', state: 'huge', hash: sample, answers: huge, running: hugeRunning, sign: text('Who beat whom') },
  {
    screen: 'contest',
    state: 'huge-matches',
    hash: sample,
    answers: huge,
    running: hugeRunning,
    act: (page) => openTab(page, /^Matches/),
    sign: options,
  },
  {
    screen: 'contest',
    state: 'huge-setup',
    hash: sample,
    answers: huge,
    running: hugeRunning,
    act: (page) => openTab(page, /^Set-up/),
    sign: (page) => page.getByRole('tabpanel'),
  },

  { screen: 'projector', state: 'normal', hash: `${sample}/projector`, sign: text('Freeze') },
  {
    screen: 'projector',
    state: 'running',
    school: 'live',
    hash: '#/contests',
    act: running(`${tournament}/projector`),
    sign: text(/left$/),
  },
  { screen: 'projector', state: 'empty', hash: `${sample}/projector`, answers: empty, sign: text('Freeze') },
  ...troubled('projector', `${sample}/projector`),
  { screen: 'projector', state: 'huge', hash: `${sample}/projector`, answers: huge, sign: text('Freeze') },

  {
    screen: 'match',
    state: 'normal',
    hash: match,
    async act(page) {
      await whole(page)
      await page.getByRole('slider').fill('14')
      await page.getByRole('slider').blur()
    },
    sign: (page) =>
      page
        .getByRole('region', { name: /Market/ })
        .getByRole('listitem')
        .first(),
  },
  {
    screen: 'match',
    state: 'event',
    hash: match,
    act: openSolved,
    sign: text(/of\s+\d+\s+parts/),
  },
  {
    screen: 'match',
    state: 'case',
    hash: match,
    async act(page) {
      await openSolved(page)
      await page.getByRole('button', { name: 'Save as test case…' }).click()
    },
    sign: (page) => page.getByRole('dialog').getByText(/^tartaglia challenge evaluate/),
  },
  { screen: 'match', state: 'end', hash: match, act: atEnd, sign: (page) => page.getByRole('slider') },
  {
    screen: 'match',
    state: 'text',
    hash: match,
    act: asText,
    sign: heading('Round 1'),
  },
  {
    screen: 'match',
    state: 'tables',
    hash: match,
    ...asTables,
  },
  { screen: 'match', state: 'beginning', hash: match, act: whole, sign: heading('Accounts') },
  {
    screen: 'match',
    state: 'fault',
    school: 'busy',
    hash: `#/contests/${stumble}/matches/0`,
    act: atEnd,
    sign: (page) => page.getByRole('slider'),
  },
  {
    screen: 'match',
    state: 'haggling',
    school: 'haggling',
    hash: session,
    async act(page) {
      await whole(page)
      for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowRight')
    },
    sign: heading('Path of the offers'),
  },
  {
    screen: 'match',
    state: 'haggling-end',
    school: 'haggling',
    hash: session,
    act: atEnd,
    sign: heading('Path of the offers'),
  },
  {
    screen: 'match',
    state: 'haggling-tables',
    school: 'haggling',
    hash: session,
    ...asTables,
  },
  {
    screen: 'match',
    state: 'haggling-text',
    school: 'haggling',
    hash: session,
    act: asText,
    sign: (page) => page.getByRole('region', { name: 'The match as text' }),
  },
  {
    screen: 'match',
    state: 'file',
    hash: '#/histories',
    async act(page) {
      await openFile((content) => content)(page)
      await page.getByRole('link', { name: 'Open the match' }).click()
    },
    sign: text('Genuine'),
  },
  ...troubled('match', match),

  { screen: 'cops', state: 'town', ...watched(chase, 'move=700'), sign: map },
  { screen: 'cops', state: 'beginning', ...watched(chase, ''), sign: map },
  { screen: 'cops', state: 'zoomed', ...watched(chase, 'move=700'), act: zoomIn, sign: text(/headquarters/) },
  {
    screen: 'cops',
    state: 'round',
    ...watched(chase, 'move=700&tab=round'),
    sign: (page) => page.getByRole('table', { name: 'Election' }),
  },
  {
    screen: 'cops',
    state: 'table',
    ...watched(deals, ''),
    act: asTables.act!,
    sign: (page) => page.getByRole('row', { name: /^baby/ }).first(),
  },
  { screen: 'cops', state: 'bribed', ...watched(deals, 'move=800'), sign: map },
  {
    screen: 'cops',
    state: 'deals',
    ...watched(deals, 'move=1000&tab=deals'),
    sign: text('since world 1'),
  },
  { screen: 'cops', state: 'as-cop', ...watched(deals, 'move=1000&as=1'), sign: map },
  {
    screen: 'cops',
    state: 'scoundrels',
    ...watched(deals, 'move=700&tab=round&as=2'),
    sign: (page) => page.getByRole('table', { name: 'Election' }),
  },
  {
    screen: 'cops',
    state: 'text',
    ...watched(deals, 'move=1000'),
    act: asText,
    sign: (page) => page.getByRole('region', { name: 'The match as text' }),
  },
  {
    screen: 'cops',
    state: 'pods',
    school: 'towns',
    hash: `#/contests/${pods}`,
    sign: (page) => page.getByRole('region', { name: 'Standings' }).first(),
  },
  {
    screen: 'cops',
    state: 'play',
    school: 'live',
    hash: '#/play?game=cops&against=baby',
    act: beginAnother('#/play?game=cops&against=baby'),
    sign: text(/Choose where you go/),
  },
  {
    screen: 'cops',
    state: 'settings',
    school: 'towns',
    hash: '#/contests/new',
    act: chooseGame('Cops & Robbers'),
    sign: (page) => page.getByLabel('Rule set'),
  },

  { screen: 'cows', state: 'pasture', ...watched(cattle, 'move=150'), sign: map },
  { screen: 'cows', state: 'beginning', ...watched(cattle, ''), sign: map },
  {
    screen: 'cows',
    state: 'zoomed',
    ...watched(cattle, 'move=150'),
    act: zoomIn,
    sign: (page) => page.getByTestId('map-words').filter({ hasText: 'Herder 1' }),
  },
  { screen: 'cows', state: 'as-seat', ...watched(cattle, 'move=150&as=0'), sign: map },
  { screen: 'cows', state: 'heat', ...watched(cattle, 'move=300&tab=heat'), sign: map },
  {
    screen: 'cows',
    state: 'table',
    ...watched(cattle, ''),
    act: asTables.act!,
    sign: (page) => page.getByRole('table').first(),
  },
  {
    screen: 'cows',
    state: 'settings',
    school: 'towns',
    hash: '#/contests/new',
    act: chooseGame('Cows and Herders'),
    sign: (page) => page.getByLabel('Steps', { exact: true }),
  },
  {
    screen: 'cows',
    state: 'play',
    school: 'live',
    hash: '#/play?game=cows&against=baby',
    act: beginAnother('#/play?game=cows&against=baby'),
    sign: text(/6 herders to move/),
  },
  {
    screen: 'match',
    state: 'huge',
    school: 'busy',
    hash: `#/contests/${market}/matches/0`,
    act: atEnd,
    sign: text(/^(\d+) of \1 events$/),
  },

  { screen: 'play', state: 'normal', hash: '#/play', sign: heading('Play against an agent') },
  {
    screen: 'play',
    state: 'empty',
    hash: '#/play',
    answers: { 'play.opponents': () => [] },
    sign: heading('No opponents'),
  },
  {
    screen: 'play',
    state: 'error',
    hash: '#/play',
    answers: { 'play.opponents': { refusal } },
    sign: (page) => page.locator('main [role="alert"]').first(),
  },
  {
    screen: 'play',
    state: 'own-turn',
    school: 'live',
    hash: '#/play?game=haggle',
    act: beginPlay,
    sign: text('leaves you'),
  },
  {
    screen: 'play',
    state: 'settings',
    hash: '#/play?game=haggle',
    act: (page) => page.getByText('Game settings').click(),
    sign: (page) => page.getByLabel('One scenario for all'),
  },
  {
    screen: 'play',
    state: 'over',
    school: 'live',
    hash: '#/play?game=haggle',
    async act(page) {
      await pauseWhatRuns(page)
      await page.goto(new URL('#/play?game=haggle', page.url()).href)
      await beginPlay(page)
      await page.getByRole('button', { name: /^Accept \$/ }).click()
      await expect(page.getByText('Nothing is running.')).toBeVisible()
    },
    sign: text('You have agreed'),
  },
  {
    screen: 'play',
    state: 'specker',
    school: 'live',
    hash: '#/play?game=specker&against=baby',
    act: beginSpecker,
    sign: (page) => page.getByRole('button', { name: 'Hand in the turn' }),
  },

  { screen: 'histories', state: 'normal', hash: '#/histories', sign: options },
  { screen: 'histories', state: 'empty', hash: '#/histories', answers: empty, sign: heading('No histories yet') },
  ...troubled('histories', '#/histories'),
  { screen: 'histories', state: 'huge', hash: '#/histories', answers: huge, sign: text('251,004 matches') },
  {
    screen: 'histories',
    state: 'genuine',
    hash: '#/histories',
    act: (page) => page.getByRole('button', { name: 'Verify', exact: true }).click(),
    sign: heading('This history is genuine'),
  },
  {
    screen: 'histories',
    state: 'file',
    hash: '#/histories',
    act: openFile((content) => content),
    sign: heading('This history is genuine'),
  },
  {
    screen: 'histories',
    state: 'tampered',
    hash: '#/histories',
    act: openFile(tampered),
    sign: heading('This history is not genuine'),
  },

  { screen: 'help', state: 'normal', hash: '#/help', sign: heading('Teachers') },
  { screen: 'help', state: 'found', hash: '#/help?search=time%20slot', sign: heading('Help') },
  { screen: 'help', state: 'page', hash: '#/help/language?at=grammar', sign: heading('Grammar') },
  { screen: 'settings', state: 'normal', hash: '#/settings', sign: heading('Data') },
  {
    screen: 'settings',
    state: 'examined',
    hash: '#/settings',
    async act(page) {
      await page.getByRole('button', { name: 'Check this machine' }).click()
      // Every attack is really made.
      await expect(page.getByRole('list', { name: 'This machine' })).toBeVisible({ timeout: 100_000 })
    },
    sign: (page) => page.getByRole('list', { name: 'This machine' }),
  },
  {
    screen: 'settings',
    state: 'loading',
    hash: '#/settings',
    answers: { 'settings.get': 'never' },
    sign: (page) => page.locator('main [role="status"]').first(),
  },
  {
    screen: 'settings',
    state: 'error',
    hash: '#/settings',
    answers: { 'settings.get': { refusal } },
    sign: (page) => page.locator('main [role="alert"]').first(),
  },

  { screen: 'nowhere', state: 'normal', hash: '#/nowhere', sign: heading('Screen not found') },
]
