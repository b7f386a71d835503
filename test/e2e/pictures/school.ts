import { expect, type Page } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { go, serve } from '../served.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const folder = join(root, '.cache', 'pictures')
/** Another name when another school is wanted. */
const ready = join(folder, 'ready-with-haggling')

/** The matches that are pictured. */
export const stumble = 'week-1-1'
export const market = 'the-great-market-1'
export const bazaar = 'rialto-1'

/** Data folders: the sample class as a newcomer has it, and one with more in it. */
export interface School {
  readonly sample: string
  /** Also has a week with an agent that stumbles, and one match of forty players. */
  readonly busy: string
  /** Only a tournament of Haggling. */
  readonly haggling: string
  /** The sample class again, made anew each time: a contest is set up and runs there while it is pictured. */
  readonly live: string
}

/** The classes that are pictured. Making them takes a while: they are kept in .cache/pictures, and made anew without that. */
export async function preparedSchool(page: Page): Promise<School> {
  const at = (name: keyof School): string => join(folder, name)
  const school = { sample: at('sample'), busy: at('busy'), haggling: at('haggling'), live: at('live') }
  if (!existsSync(ready)) await prepare(school, page)
  rmSync(school.live, { recursive: true, force: true })
  cpSync(school.sample, school.live, { recursive: true })
  return school
}

async function prepare(school: School, page: Page): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const served = serve(school.sample)
  try {
    await page.goto(await served.address)
    await page.getByRole('button', { name: 'Skip the tour' }).click()
    await expect(page.getByText('Last result')).toBeVisible({ timeout: 120_000 })
    // Every agent has been tried: what is pictured does not change meanwhile.
    await go(page, '#/agents')
    await expect(page.getByRole('option').filter({ hasText: 'Works' })).toHaveCount(8, { timeout: 120_000 })
  } finally {
    await served.stop()
  }
  cpSync(school.sample, school.busy, { recursive: true })
  for (const contest of [weekOne(), greatMarket()]) runContest(contest, school.busy)
  runContest(tournament(), school.haggling)
  writeFileSync(ready, '')
}

function runContest(contest: object, data: string): void {
  const file = join(folder, 'contest.json')
  writeFileSync(file, JSON.stringify(contest))
  execFileSync(process.execPath, [join(root, 'dist', 'cli.js'), 'contest', 'run', file, '--data', data])
}

const shipped = (name: string, game = 'specker'): string => join(root, 'dist', 'agents', game, `${name}.js`)

function weekOne(): object {
  const agent = join(folder, 'niccolo.js')
  const stumbling = `
{
  const Whole = module.exports
  let turns = 0
  module.exports = class extends Whole {
    turn(view) {
      turns += 1
      console.log('turn ' + turns + ': ' + view.toDeliver.length + ' to deliver, ' + view.toSolve.length + ' to solve')
      if (turns === 4) throw new TypeError('Cannot read properties of undefined (reading "price")')
      return super.turn(view)
    }
  }
}
`
  writeFileSync(agent, readFileSync(shipped('baby'), 'utf8') + stumbling)
  return {
    title: 'Week 1',
    game: 'specker',
    config: { challenge: 'max-sat', maxTurns: 8 },
    format: { type: 'round-robin', seats: 3, repeats: 2 },
    seed: 'Brescia, 1512',
    entrants: [
      { name: 'niccolo', agent },
      ...['baby', 'cautious', 'greedy', 'minmax'].map((name) => ({ name, agent: shipped(name) })),
    ],
    isolation: 'permission',
  }
}

function greatMarket(): object {
  const kinds = ['tartaglia', 'minmax', 'greedy', 'sampler', 'cautious', 'gambler', 'baby', 'reoffer-only']
  return {
    title: 'The great market',
    game: 'specker',
    config: { challenge: 'max-sat', maxTurns: 10 },
    format: { type: 'single' },
    seed: 'Rialto',
    entrants: Array.from({ length: 40 }, (_, i) => {
      const kind = kinds[i % kinds.length]!
      return { name: `${kind} ${Math.floor(i / kinds.length) + 1}`, agent: shipped(kind) }
    }),
    isolation: 'permission',
  }
}

function tournament(): object {
  const names = ['baby', 'conceder', 'hard', 'learner', 'tartaglia']
  return {
    title: 'Rialto',
    game: 'haggle',
    format: { type: 'ordered-pairs', seeds: 6, finalists: 3, finalSeeds: 6, phrase: 'Ponte di Rialto, 1591' },
    seed: 'Rialto',
    entrants: names.map((name) => ({ name, agent: shipped(name, 'haggle') })),
    isolation: 'permission',
  }
}
