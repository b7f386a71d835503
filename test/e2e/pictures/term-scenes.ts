import { expect, type Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClassMember } from '../../../main/contract/people/people-procedures.ts'
import { dist } from '../served.ts'
import type { Answers } from './answers.ts'
import { heading, refusal, text, type Scene } from './scenes.ts'

// The sample term: pages of students, the people of the class, hearings, and questions to histories.

const contest = '#/contests/winter-cup-1'
const hearing = '#/hearings/case-2'
const ended = 'week-2-haggling-1'
const analysis = '#/contests/sample-contest-1/analysis'
const region = (name: string | RegExp) => (page: Page) => page.getByRole('region', { name }).first()
const list = (name: string) => (page: Page) => page.getByRole('list', { name })

/** Waiting and failing, by what the screen asks for first. */
const troubledBy = (screen: string, as: Scene['as'], hash: string, name: keyof Answers): readonly Scene[] =>
  (
    [
      ['loading', 'never', 'status'],
      ['error', { refusal }, 'alert'],
    ] as const
  ).map(([state, answer, role]) => ({
    ...{ screen, state, hash, as: as!, answers: { [name]: answer } },
    sign: (page) => page.locator(`main [role="${role}"]`).filter({ hasText: /./ }).first(),
  }))

/** A member of a class of a thousand. */
function memberAt(i: number): ClassMember {
  const name = `${['Ada', 'Bruno', 'Chiara', 'Darius', 'Ελένη', '小明'][i % 6]!} ${['Fior', 'Ferrari', 'Bombelli', 'Pacioli'][i % 4]!} ${i + 1}`
  const seen = i % 3 === 0 ? null : '2026-10-02T08:00:00.000Z'
  return {
    ...{
      id: (i + 1).toString(16).padStart(16, '0'),
      name,
      email: `s${i + 1}@school.example`,
      ids: {},
      role: 'student',
    },
    ...{ added: '2026-09-28T08:00:00.000Z', team: i % 3 === 0 ? null : `Team ${Math.floor(i / 3) + 1}` },
    ...{ codeUntil: seen === null ? '2026-10-12T08:00:00.000Z' : null, hasPassword: seen !== null, seen },
  }
}

/** Hands in a file, and waits for its trial match. */
const handIn = (content: () => string, verdict: RegExp) => async (page: Page) => {
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'rosso.js', mimeType: 'text/javascript', buffer: Buffer.from(content()) })
  await page.getByLabel('Note (optional)').fill('Waits for a better offer')
  await page.getByRole('button', { name: 'Hand in', exact: true }).click()
  const told = page.getByRole('status').filter({ hasText: verdict })
  await expect(told).toBeVisible()
  await told.scrollIntoViewIfNeeded()
}
const shipped = (): string => readFileSync(join(dist, 'agents', 'haggle', 'learner.js'), 'utf8')

async function openJoin(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'I have a class code' }).click()
}

export const termScenes: readonly Scene[] = [
  { screen: 'sign-in', state: 'normal', as: 'visitor', hash: '', sign: heading('Sign in') },
  {
    ...{ screen: 'sign-in', state: 'refused', as: 'visitor', hash: '' },
    async act(page) {
      await page.getByLabel('Name').fill('Ada Lovelace')
      await page.getByLabel('Password').fill('not my password')
      await page.getByRole('button', { name: 'Sign in' }).click()
    },
    sign: (page) => page.getByRole('alert').filter({ hasText: /./ }),
  },
  {
    ...{ screen: 'sign-in', state: 'join', as: 'visitor', hash: '' },
    act: openJoin,
    sign: heading('Join the class'),
  },

  { screen: 'home', state: 'student', as: 'student', hash: '#/class', sign: heading('Largest losses') },
  { screen: 'home', state: 'newcomer', as: 'newcomer', hash: '#/class', sign: heading('My agent') },
  ...troubledBy('home', 'student', '#/class', 'student.home'),
  { screen: 'team', state: 'normal', as: 'student', hash: '#/team', sign: heading('Invite others') },
  { screen: 'team', state: 'none', as: 'newcomer', hash: '#/team', sign: heading('Form a team') },
  ...troubledBy('team', 'student', '#/team', 'teams.mine'),
  { screen: 'me', state: 'normal', as: 'student', hash: '#/me', sign: heading('Sessions') },
  {
    screen: 'hand-in',
    state: 'normal',
    as: 'student',
    hash: `#/hand-in?contest=winter-cup-1`,
    sign: list('Earlier hand-ins'),
  },
  { screen: 'hand-in', state: 'empty', as: 'newcomer', hash: '#/hand-in', sign: heading('You are in no team yet') },
  ...troubledBy('hand-in', 'student', '#/hand-in', 'teams.mine'),
  { screen: 'registration', state: 'student', as: 'student', hash: contest, sign: list('Registered agents') },
  { screen: 'registration', state: 'educator', as: 'educator', hash: contest, sign: list('Registered agents') },
  { screen: 'agent', state: 'own', as: 'student', hash: '#/agents/rosso', sign: heading('By opponent') },

  {
    screen: 'educator',
    state: 'normal',
    as: 'educator',
    hash: '#/class',
    sign: (page) => page.getByRole('table', { name: 'Students' }),
  },
  {
    ...{ screen: 'educator', state: 'students', as: 'educator', hash: '#/class' },
    act: (page) => page.getByRole('group', { name: 'Students shown' }).scrollIntoViewIfNeeded(),
    sign: (page) => page.getByRole('table', { name: 'Students' }),
  },
  { screen: 'people', state: 'normal', as: 'educator', hash: '#/people', sign: (page) => page.getByRole('table') },
  {
    ...{ screen: 'people', state: 'import', as: 'educator', hash: '#/people' },
    async act(page) {
      await page.getByRole('button', { name: 'Add people' }).click()
      await page.getByLabel('Or paste names').fill('Ada Lovelace\nXimena Ortega\nZhu Shijie')
      await page.getByRole('button', { name: 'Show what changes' }).click()
    },
    sign: list('Changes'),
  },
  {
    ...{ screen: 'people', state: 'class-code', as: 'educator', hash: '#/people' },
    act: (page) => page.getByRole('button', { name: 'Class code' }).click(),
    sign: (page) => page.getByRole('dialog', { name: 'Class code' }),
  },
  {
    ...{ screen: 'people', state: 'empty', as: 'educator', hash: '#/people' },
    answers: { 'people.list': () => ({ people: [], classCode: null }) },
    sign: heading('Nobody in the class yet'),
  },
  {
    ...{ screen: 'people', state: 'huge', as: 'educator', hash: '#/people' },
    answers: {
      'people.list': (_, real) => ({ ...real, people: Array.from({ length: 1_000 }, (__, i) => memberAt(i)) }),
    },
    sign: text('1,000 people'),
  },
  ...troubledBy('people', 'educator', '#/people', 'people.list'),
  {
    ...{ screen: 'people', state: 'slips', as: 'educator', hash: '#/people' },
    act: (page) => page.getByRole('button', { name: /^Print slips/ }).click(),
    sign: list('Slips'),
  },
  {
    ...{ screen: 'people', state: 'network', as: 'educator', hash: '#/class' },
    act: (page) =>
      page
        .getByRole('button', { name: /^Open to the network/ })
        .first()
        .click(),
    sign: (page) => page.getByRole('img', { name: /^QR code/ }),
  },
  { screen: 'audit', state: 'normal', as: 'educator', hash: '#/people/log', sign: (page) => page.getByRole('table') },
  {
    ...{ screen: 'audit', state: 'empty', as: 'educator', hash: '#/people/log?search=nothing' },
    sign: heading('Nothing found'),
  },
  ...troubledBy('audit', 'educator', '#/people/log', 'audit.list'),

  {
    ...{ screen: 'grades', state: 'gradebook', as: 'educator', hash: '#/grades/book' },
    sign: heading('Releases'),
  },
  {
    ...{ screen: 'grades', state: 'own', as: 'student', hash: '#/grades/term' },
    sign: heading('My grade'),
  },
  {
    ...{ screen: 'grades', state: 'term', as: 'educator', hash: '#/grades/term' },
    sign: (page) => page.getByRole('table', { name: 'By contest' }),
  },
  { screen: 'contest', state: 'term', as: 'educator', hash: `#/contests/${ended}`, sign: text('Who beat whom') },
  { screen: 'projector', state: 'term', as: 'educator', hash: `#/contests/${ended}/projector`, sign: text('Freeze') },
  {
    ...{ screen: 'match', state: 'term', as: 'educator', hash: '#/contests/week-5-haggling-again-1/matches/2?move=4' },
    // The list is there before its events are.
    sign: (page) => page.getByRole('listbox', { name: 'Events' }).getByText('wants').first(),
  },

  { screen: 'hearings', state: 'normal', as: 'member', hash: '#/hearings', sign: text('Your turn') },
  { screen: 'hearings', state: 'empty', hash: '#/hearings', sign: heading('No hearing yet') },
  ...troubledBy('hearings', 'member', '#/hearings', 'cases.list'),
  {
    ...{ screen: 'hearings', state: 'new', as: 'member' },
    hash: `#/hearings/new?event=${encodeURIComponent('#/contests/week-5-haggling-again-1/matches/0?move=2')}`,
    sign: (page) => page.getByLabel('Claim'),
  },
  { screen: 'hearing', state: 'filer', as: 'student', hash: hearing, sign: region('State of the case') },
  { screen: 'hearing', state: 'vote', as: 'member', hash: hearing, sign: heading('Vote') },
  { screen: 'hearing', state: 'educator', as: 'educator', hash: hearing, sign: region('State of the case') },
  {
    ...{ screen: 'hearing', state: 'projector', as: 'educator', hash: `${hearing}/projector` },
    sign: (page) => page.getByRole('timer'),
  },
  ...troubledBy('hearing', 'member', hearing, 'cases.get'),
  { screen: 'evidence', state: 'normal', as: 'student', hash: '#/evidence', sign: list('Dossiers') },
  {
    ...{ screen: 'evidence', state: 'dossier', as: 'student', hash: '#/evidence' },
    act: (page) => page.getByRole('list', { name: 'Dossiers' }).getByRole('link').first().click(),
    sign: list('Items of the dossier'),
  },
  { screen: 'evidence', state: 'empty', hash: '#/evidence', sign: heading('No dossiers yet') },
  ...troubledBy('evidence', 'student', '#/evidence', 'dossiers.list'),

  {
    ...{ screen: 'analysis', state: 'normal', hash: `${analysis}?question=worst-losses` },
    sign: region(/^Answer$/),
  },
  {
    ...{ screen: 'analysis', state: 'chart', hash: analysis },
    act: (page) => page.getByRole('button', { name: /^Time used/ }).click(),
    sign: (page) => page.getByRole('region', { name: 'Answer', exact: true }).getByRole('img'),
  },
  {
    screen: 'analysis',
    state: 'query',
    hash: `${analysis}?tab=query&sql=${encodeURIComponent('SELECT entrant, avg(score) AS mean FROM seats GROUP BY entrant')}`,
    act: (page) => page.getByRole('button', { name: 'Run', exact: true }).click(),
    sign: (page) => page.getByRole('region', { name: 'Answer', exact: true }).getByRole('img'),
  },
  {
    screen: 'analysis',
    state: 'refused',
    hash: `${analysis}?tab=query&sql=${encodeURIComponent('SELECT scor FROM seats')}`,
    act: (page) => page.getByRole('button', { name: 'Run', exact: true }).click(),
    sign: (page) => page.getByRole('alert').filter({ hasText: /./ }),
  },
  {
    ...{ screen: 'analysis', state: 'search', hash: `${analysis}?tab=search&search=${encodeURIComponent('offer*')}` },
    sign: list('Found texts'),
  },
  {
    ...{ screen: 'analysis', state: 'versions', hash: `${analysis}?tab=versions` },
    sign: (page) => page.getByRole('tab', { name: 'Two versions', selected: true }),
  },

  // These change the class, which other screens show.
  {
    ...{ screen: 'hand-in', state: 'works', as: 'student', hash: `#/hand-in?contest=winter-cup-1` },
    act: handIn(() => `${shipped()}// mended\n`, /^Works: /),
    sign: list('Just handed in'),
  },
  {
    ...{ screen: 'hand-in', state: 'fails', as: 'student', hash: `#/hand-in?contest=winter-cup-1` },
    act: handIn(() => 'module.exports = class {\n  offer() {\n    return this.best.price\n  }\n}\n', /^Fails: /),
    sign: list('Just handed in'),
  },
]
