import { expect, type Page } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { go, serve } from '../served.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const folder = join(root, '.cache', 'pictures')
/** Another name when another school is wanted. */
const ready = join(folder, 'ready-with-maps')

/** The matches that are pictured. */
export const stumble = 'week-1-1'
export const market = 'the-great-market-1'
export const bazaar = 'rialto-1'
export const cattle = 'cattle-drive-1'
export const chase = 'chase-1'
export const deals = 'deals-1'
export const pods = 'season-1'

/** Data folders: the sample class as a newcomer has it, and one with more in it. */
export interface School {
  readonly sample: string
  /** Also has a week with an agent that stumbles, and one match of forty players. */
  readonly busy: string
  /** Only a tournament of Haggling. */
  readonly haggling: string
  /** Cows and Herders, and Cops & Robbers in both phases and in pods. */
  readonly towns: string
  /** The sample class again, made anew each time: a contest is set up and runs there while it is pictured. */
  readonly live: string
}

/** The classes that are pictured. Making them takes a while: they are kept in .cache/pictures, and made anew without that. */
export async function preparedSchool(page: Page): Promise<School> {
  const at = (name: keyof School): string => join(folder, name)
  const school = {
    sample: at('sample'),
    busy: at('busy'),
    haggling: at('haggling'),
    towns: at('towns'),
    live: at('live'),
  }
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
  for (const contest of [cattleDrive(), chaseOf('Chase', '2005'), chaseOf('Deals', '2005-twist'), season()])
    runContest(contest, school.towns)
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

function cattleDrive(): object {
  return {
    title: 'Cattle drive',
    game: 'cows',
    config: { map: 'canyons', steps: 300 },
    format: { type: 'round-robin', seats: 2, repeats: 1 },
    seed: 'Maremma',
    entrants: ['baby', 'herder', 'tartaglia'].map((name) => ({ name, agent: shipped(name, 'cows') })),
    isolation: 'permission',
  }
}

/** In the second phase the robber bribes and a cop accuses, rightly and wrongly. */
function chaseOf(title: string, rules: '2005' | '2005-twist'): object {
  const crooked = `
{
  const { robber, cop } = module.exports
  module.exports.robber = (game) => {
    const own = robber(game)
    return {
      ...own,
      bribe: (_, world) => world.loot >= 50 && world.world % 20 === 18,
      move: (world, offers) => ({ ...own.move(world), ...(offers ? { choose: offers.slice(0, 1) } : {}) }),
    }
  }
  module.exports.cop = (game) => {
    const own = cop(game)
    const move = own.move.bind(own)
    own.move = (winner, world) => {
      const { control } = world.twist
      const robots = control.flatMap(({ brain, bot }) => (brain === game.name && bot !== game.name ? [bot] : []))
      const others = world.players.flatMap(({ bot, ...where }) => (robots.includes(bot) ? [{ bot, ...where }] : []))
      const accuse = world.world === 61 ? ['McGruff'] : world.world === 71 ? ['Baby'] : []
      return { moves: [{ bot: game.name, ...move(winner, world) }, ...others], accuse }
    }
    return own
  }
}
`
  const twist = rules === '2005-twist'
  const agent = twist ? join(folder, 'crooked.js') : shipped('tartaglia', 'cops')
  if (twist) writeFileSync(agent, readFileSync(shipped('tartaglia', 'cops'), 'utf8') + crooked)
  return {
    title,
    game: 'cops',
    config: { map: 'park', rules },
    format: { type: 'single' },
    seed: 'd',
    entrants: [
      ...['fox', 'holmes'].map((name) => ({ name, agent })),
      ...[1, 2, 3].map((number) => ({ name: `house ${number}`, agent: shipped('house', 'cops') })),
      { name: 'baby', agent: shipped('baby', 'cops') },
    ],
    isolation: 'permission',
  }
}

/** A season against the house, and pods of six. */
function season(): object {
  return {
    title: 'Season',
    game: 'cops',
    config: { map: 'hamlet', lastWorld: 20 },
    format: { type: 'game', name: 'pods', settings: {} },
    seed: 'Hyde Park',
    entrants: [
      ...Array.from({ length: 7 }, (_, at) => ({
        name: `contestant ${at + 1}`,
        agent: shipped(at % 2 === 0 ? 'tartaglia' : 'baby', 'cops'),
      })),
      { name: 'the house', agent: shipped('house', 'cops') },
    ],
    isolation: 'permission',
  }
}
