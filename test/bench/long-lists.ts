import type { Locator, Page } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openClassFolder } from '../../main/administrator/classroom/classroom.ts'
import { addAttempt, setAttempt } from '../../main/administrator/people/attempts.ts'
import { closePeopleDatabase, openPeopleDatabase } from '../../main/administrator/people/people-database.ts'
import { openClassroom } from '../../main/app/classroom-service.ts'
import { root } from '../e2e/scripts.ts'
import { withFolder } from './folder.ts'
import { median } from './measure.ts'
import { rowOf, type Bench } from './row.ts'
import { inBrowser, inClassroom } from './window-stage.ts'

const LONG = 1_000
const SHORT = 30
const ROUNDS = 5
/** The rows that a list draws at most, however long it is. */
const DRAWN_MAX = 200

interface List {
  readonly name: string
  /** Goes there, and returns the rows that are drawn. */
  open(page: Page): Promise<Locator>
}

const go = (page: Page, hash: string): Promise<void> =>
  page.evaluate((to) => {
    location.hash = to
  }, hash)

const lists: readonly List[] = [
  {
    name: 'people',
    async open(page) {
      await go(page, '#/people')
      return page.getByRole('table', { name: 'People of the class' }).locator('tbody tr')
    },
  },
  {
    name: "students on the educator's home",
    async open(page) {
      await go(page, '#/class')
      return page.getByRole('table', { name: 'Students' }).locator('tbody tr')
    },
  },
  {
    name: 'hand-ins of a team',
    async open(page) {
      await go(page, '#/class')
      await page
        .getByRole('button', { name: /^Hand-ins of/ })
        .first()
        .click()
      return page.getByRole('dialog').getByRole('listitem')
    },
  },
  {
    name: 'matches of a contest',
    async open(page) {
      await go(page, '#/contests/long-1?tab=matches')
      // Fields with choices have options, too.
      return page.locator('[role=option]')
    },
  },
]

/** Lists of 1,000 rows, from the way there until rows are drawn, held against the same lists with 30. */
export const longLists: Bench = inBrowser('long-lists', (page) =>
  withFolder(async (folder) => {
    const measured = async (size: number): Promise<readonly Opened[]> => {
      const data = join(folder, String(size))
      await makeLong(data, size)
      return inClassroom(page, await openClassroom({ data, sample: false }), () => openAll(page))
    }
    const [long, short] = [await measured(LONG), await measured(SHORT)]
    return lists.flatMap(({ name }, n) => {
      const [{ ms, rows }, { ms: shortMs, rows: shortRows }] = [long[n]!, short[n]!]
      return [
        rowOf(
          { name: `${name}: 1,000 rows are there`, value: ms, unit: 'ms' },
          { name: `${SHORT} rows`, value: shortMs, unit: 'ms' },
          { of: 'value', below: 1_000 },
        ),
        rowOf(
          { name: `${name}: drawn of 1,000`, value: rows, unit: 'rows' },
          { name: `of ${SHORT}`, value: shortRows, unit: 'rows' },
          { of: 'value', below: DRAWN_MAX + 1 },
        ),
      ]
    })
  }),
)

interface Opened {
  readonly ms: number
  readonly rows: number
}

async function openAll(page: Page): Promise<readonly Opened[]> {
  const opened: Opened[] = []
  for (const { open } of lists) {
    const times: number[] = []
    let rows = 0
    for (let round = 0; round < ROUNDS; round++) {
      await go(page, '#/settings')
      await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
      const from = performance.now()
      const drawn = await open(page)
      await drawn.first().waitFor()
      times.push(performance.now() - from)
      rows = await drawn.count()
      await page.keyboard.press('Escape')
    }
    opened.push({ ms: median(times), rows })
  }
  return opened
}

/** A class of as many students, hand-ins of the first one's team, and matches of a contest. */
async function makeLong(data: string, size: number): Promise<void> {
  const added = '2026-09-01T08:00:00.000Z'
  const idOf = (n: number): string => n.toString(16).padStart(16, '0')
  const team = idOf(1)
  const home = await openClassFolder(data)
  await home.change(({ people, teams }) => {
    for (let n = 1; n <= size; n++)
      people.push({ id: idOf(n), name: `Student ${n}`, email: `s${n}@school.example`, ids: {}, role: 'student', added })
    teams.push({ id: team, name: 'Red', members: [idOf(1)], formed: added })
  })
  await home.close()
  const people = openPeopleDatabase(data)
  for (let n = 1; n <= size; n++) {
    const file = { game: 'haggle', file: `agent-${n}.js`, sha256: 'f'.repeat(64), wish: { agent: 'red' } }
    const by = { team, members: [idOf(1)], person: idOf(1), contest: null, at: Date.parse(added) + n * 60_000 }
    setAttempt(people, addAttempt(people, { ...file, ...by }), 'failed', `It threw in match ${n}.`)
  }
  closePeopleDatabase(people)
  const contest = {
    ...{ title: 'Long', game: 'haggle', seed: 'long', format: { type: 'round-robin', seats: 2, repeats: size / 2 } },
    entrants: ['baby', 'conceder'].map((name) => ({ name, agent: name })),
  }
  const file = join(data, '..', `contest-${size}.json`)
  writeFileSync(file, JSON.stringify(contest))
  const cli = [join(root, 'dist', 'cli.js'), 'contest', 'run', file, '--data', data]
  execFileSync(process.execPath, cli, { stdio: ['ignore', 'ignore', 'inherit'] })
}
