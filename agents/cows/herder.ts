import { around, behind, unwatched, wayHome } from './knowledge/herding.ts'
import { createPasture, type Cow, type Pasture } from './knowledge/pasture.ts'
import { apart, type Action, type Perception, type Place, type Team } from './knowledge/perception.ts'
import { stepTo } from './knowledge/walk.ts'

/** Steps behind the cow. */
const DISTANCE = 2

const pastures = new WeakMap<Team, { readonly pasture: Pasture; readonly chosen: Map<number, string> }>()

/** Each body chooses a cow that no other has, gets behind it and drives it home. */
function act(body: number, perception: Perception, team: Team): Action {
  const known = pastures.get(team) ?? { pasture: createPasture(team), chosen: new Map<number, string>() }
  pastures.set(team, known)
  const { pasture, chosen } = known
  pasture.look(body, perception)
  const me = { x: perception.x, y: perception.y }
  const cow = choose(pasture, me, body, chosen)
  if (cow === null) return stepTo(pasture, me, unwatched(pasture, me, perception.step, body))
  const way = wayHome(pasture, cow)
  const place = way === null ? null : behind(pasture, cow, way, DISTANCE)
  return way === null || place === null ? 'skip' : stepTo(pasture, me, place, around(pasture, cow, way))
}

/** The cow that is nearest to the body and to home; the one that it has already counts as nearer. */
function choose(pasture: Pasture, me: Place, body: number, chosen: Map<number, string>): Cow | null {
  const taken = new Set([...chosen].flatMap(([other, id]) => (other === body ? [] : [id])))
  const home = pasture.home()
  let best: Cow | null = null
  let least = Infinity
  for (const cow of pasture.cows.values()) {
    const distance = home[pasture.cell(cow.x, cow.y)]!
    if (taken.has(cow.id) || distance <= 0 || pasture.theirs[pasture.cell(cow.x, cow.y)] === 1) continue
    const cost = apart(me, cow) + distance - (chosen.get(body) === cow.id ? 8 : 0)
    if (cost < least) [best, least] = [cow, cost]
  }
  if (best === null) chosen.delete(body)
  else chosen.set(body, best.id)
  return best
}

export default { act }
