import { expect, test } from 'vitest'
import Baby from '../../../agents/punter/baby.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { readFileSync } from 'node:fs'
import { isLong } from '../../long.ts'
import { generator } from '../agents-specker/table.ts'
import { firstAgent, lessonsOf, statedFigures, withLessons } from './lessons.ts'
import { mapNamed, playPunters, punterOf, type Punter } from './played-punters.ts'

/** The agent of the kit after some lessons. */
function after(lessons: number): Punter {
  return punterOf(withLessons(firstAgent('punter', 'javascript/agent.cjs'), lessonsOf('punter').slice(0, lessons)))
}

interface Points {
  readonly mine: number
  readonly theirs: number
}

/** The points of an agent and of another, sitting first and second. */
async function points(own: () => Punter, other: () => Punter, map?: string): Promise<Points> {
  const first = await playPunters([own(), other()], map)
  const second = await playPunters([other(), own()], map)
  return { mine: first[0]! + second[1]!, theirs: first[1]! + second[0]! }
}

const against = (lessons: number): Promise<Points> =>
  points(
    () => after(lessons),
    () => new Baby(),
  )

test('there are three lessons, and the first two earn more', async () => {
  expect(lessonsOf('punter').map((pieces) => pieces.length)).toEqual([1, 1, 1])
  const all = [await against(0), await against(1), await against(2), await against(3)]
  expect(statedFigures('punter')).toEqual(all.map(({ mine, theirs }) => [mine, theirs]))
  const [none, one, two, three] = all
  expect(one!.mine).toBeGreaterThan(none!.mine)
  expect(two!.mine).toBeGreaterThan(one!.mine)
  for (const { mine, theirs } of [two!, three!]) expect(mine).toBeGreaterThan(theirs)
})

/** The map `grid` with as many mines at other sites. */
function gridWithMines(seed: number): string {
  const map = JSON.parse(mapNamed('grid')) as { readonly sites: readonly { readonly id: number }[]; mines: number[] }
  const random = generator(seed)
  const drawn = map.sites.map(({ id }) => ({ id, at: random() })).toSorted((a, b) => a.at - b.at)
  return JSON.stringify({ ...map, mines: drawn.slice(0, map.mines.length).map(({ id }) => id) })
}

/** Mean points of an agent and of the one with a lesson less on some maps, and the mean lead with its 95 % interval, rounded. */
async function lead(lessons: number, maps: number): Promise<readonly number[]> {
  const all = []
  for (let seed = 1; seed <= maps; seed++)
    all.push(
      await points(
        () => after(lessons),
        () => after(lessons - 1),
        gridWithMines(seed),
      ),
    )
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const leads = all.map(({ mine, theirs }) => mine - theirs)
  const middle = mean(leads)
  const deviation = Math.sqrt((mean(leads.map((each) => (each - middle) ** 2)) * maps) / (maps - 1))
  const half = (1.96 * deviation) / Math.sqrt(maps)
  return [mean(all.map(({ mine }) => mine)), mean(all.map(({ theirs }) => theirs)), middle, half].map(Math.round)
}

const page = readFileSync(`${resources.kits}/agents/kits/punter/BEAT-THE-BABY.md`, 'utf8')
const stated = [...page.matchAll(/^\| +\d against \d +\| +(\d+) +\| +(\d+) +\| +(\d+) ± (\d+) +\|$/gm)].map(
  ([, ...figures]) => figures.map(Number),
)

test('the page states a lead for each lesson, and the last lesson beats the one before on maps with mines at other sites', async () => {
  expect(stated).toHaveLength(3)
  for (const [mine, theirs, middle, half] of stated) {
    expect(Math.abs(mine! - theirs! - middle!)).toBeLessThanOrEqual(1)
    expect(middle!).toBeGreaterThan(half!)
  }
  const [, , middle, half] = await lead(3, 8)
  expect(middle!).toBeGreaterThan(half!)
})

test.runIf(isLong)('the leads are those of the page (long)', async () => {
  expect(stated).toEqual([await lead(1, 40), await lead(2, 40), await lead(3, 40)])
})
