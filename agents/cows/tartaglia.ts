import { around, behind, unwatched, wayHome } from './knowledge/herding.ts'
import { createPasture, type Cow, type Pasture } from './knowledge/pasture.ts'
import { apart, type Action, type Perception, type Place, type Team } from './knowledge/perception.ts'
import { stepTo } from './knowledge/walk.ts'

/** Herders of one herd, and how many cows keep one of them busy. */
const DRIVERS = 3
const COWS_A_DRIVER = 3
/** Steps behind the last cow: with two, herders could stand still on three sides of a herd. */
const DISTANCE = 1
/** The gain by another herd for which a body leaves its own. */
const LOYALTY = 10

interface Plan {
  readonly step: number
  readonly tasks: ReadonlyMap<number, { readonly cow: Cow; readonly aside: number }>
}
interface TeamKnowledge {
  readonly pasture: Pasture
  plan: Plan
}

const noPlan: Plan = { step: -1, tasks: new Map() }
const teams = new WeakMap<Team, TeamKnowledge>()

/**
 * Splits the cows into herds and the team among them: up to three herders take a large herd, each drives the last cow of its
 * part of it, so that nothing is left behind and nothing breaks out aside. A body without a herd explores the cells that have not
 * been seen for the longest time.
 */
function act(body: number, perception: Perception, team: Team): Action {
  const known: TeamKnowledge = teams.get(team) ?? { pasture: createPasture(team), plan: noPlan }
  teams.set(team, known)
  const { pasture } = known
  pasture.look(body, perception)
  if (known.plan.step !== perception.step) known.plan = planOf(pasture, known.plan, perception.step)
  const me = { x: perception.x, y: perception.y }
  const task = known.plan.tasks.get(body)
  if (task === undefined) return stepTo(pasture, me, unwatched(pasture, me, perception.step, body))
  const cow = pasture.cows.get(task.cow.id) ?? task.cow
  const way = wayHome(pasture, cow)
  const place = way === null ? null : behind(pasture, cow, way, DISTANCE, task.aside)
  return way === null || place === null ? 'skip' : stepTo(pasture, me, place, around(pasture, cow, way))
}

/** Gives bodies to herds, the best pair of both first, and each of a herd's bodies a part of it. */
function planOf(pasture: Pasture, before: Plan, step: number): Plan {
  const home = pasture.home()
  const herds = herdsOf(pasture).map((cows) => ({ cows, middle: middleOf(cows), drivers: [] as number[] }))
  const idle = new Map(pasture.herders)
  const pairs = herds.flatMap((herd) =>
    [...idle].map(([body, place]) => {
      const stays = herd.cows.some(({ id }) => id === before.tasks.get(body)?.cow.id)
      const nearest = Math.min(...herd.cows.map((cow) => apart(cow, place)))
      const left = Math.min(...herd.cows.map(({ x, y }) => home[pasture.cell(x, y)]!))
      return { herd, body, cost: (nearest + left) / Math.min(4, herd.cows.length) ** SHARE - (stays ? LOYALTY : 0) }
    }),
  )
  for (const { herd, body } of pairs.sort((a, b) => a.cost - b.cost)) {
    const most = Math.min(DRIVERS, Math.ceil(herd.cows.length / COWS_A_DRIVER))
    if (!idle.has(body) || herd.drivers.length >= most) continue
    idle.delete(body)
    herd.drivers.push(body)
  }
  return { step, tasks: new Map(herds.flatMap((herd) => tasksOf(pasture, herd))) }
}

/** How much larger herds are preferred. */
const SHARE = 0.5

interface Herd {
  readonly cows: readonly Cow[]
  readonly middle: Place
  readonly drivers: readonly number[]
}

function tasksOf(pasture: Pasture, { cows, middle, drivers }: Herd): [number, { cow: Cow; aside: number }][] {
  const way = wayHome(pasture, { x: Math.round(middle.x), y: Math.round(middle.y) }) ?? { x: 0, y: 1 }
  const along = ({ x, y }: Place): number => (x - middle.x) * way.x + (y - middle.y) * way.y
  const across = ({ x, y }: Place): number => (y - middle.y) * way.x - (x - middle.x) * way.y
  const sorted = [...cows].sort((a, b) => across(a) - across(b))
  const bodies = [...drivers].sort((a, b) => across(pasture.herders.get(a)!) - across(pasture.herders.get(b)!))
  return bodies.map((body, at) => {
    const part = sorted.slice(
      Math.floor((at * sorted.length) / bodies.length),
      Math.floor(((at + 1) * sorted.length) / bodies.length),
    )
    const cow = part.reduce((last, each) => (along(each) < along(last) ? each : last))
    const aside = bodies.length === 1 ? 0 : (2 * at) / (bodies.length - 1) - 1
    return [body, { cow, aside }]
  })
}

function middleOf(cows: readonly Cow[]): Place {
  const sum = (of: (cow: Cow) => number): number => cows.reduce((total, cow) => total + of(cow), 0)
  return { x: sum(({ x }) => x) / cows.length, y: sum(({ y }) => y) / cows.length }
}

export default { act }

/** Cows at most this far apart belong to one herd: they attract each other. */
const LINK = 4

/** The known cows outside the corrals in herds. */
export function herdsOf(pasture: Pasture): readonly (readonly Cow[])[] {
  const home = pasture.home()
  const left = new Set(
    [...pasture.cows.values()].filter(({ x, y }) => {
      const cell = pasture.cell(x, y)
      return home[cell]! > 0 && pasture.theirs[cell] === 0
    }),
  )
  const herds: Cow[][] = []
  for (const first of left) {
    const herd = [first]
    left.delete(first)
    // The list grows while it is walked through.
    for (const cow of herd) {
      for (const other of left) {
        if (apart(cow, other) > LINK) continue
        herd.push(other)
        left.delete(other)
      }
    }
    herds.push(herd)
  }
  return herds
}
