import type { Action, Perception, Place, Start, Team } from './cows.d.ts'

interface Cow extends Place {
  readonly name: string
  /** The step in which it was seen. */
  readonly step: number
}

/** Moves by the change of x and y. */
const moves = new Map<string, Action>([
  ['0 -1', 'north'],
  ['1 -1', 'northeast'],
  ['1 0', 'east'],
  ['1 1', 'southeast'],
  ['0 1', 'south'],
  ['-1 1', 'southwest'],
  ['-1 0', 'west'],
  ['-1 -1', 'northwest'],
])

/**
 * A team whose herders wander about. One object plays all of them, so each knows what the others have seen. The last methods
 * choose where a herder goes: start there.
 */
class Herders implements Team {
  /** Cows seen lately by any herder, by name. */
  cows = new Map<string, Cow>()
  /** The cow that each herder drives. */
  chosen = new Map<number, Cow>()

  act(body: number, perception: Perception, start: Start): Action {
    this.look(perception)
    return this.walk(perception, this.goal(body, perception, start))
  }

  /** Remembers the cows that a herder sees, and forgets those that are not where they were. */
  look({ step, x, y, cells }: Perception): void {
    const seen = new Set<string>()
    for (const cell of cells) if (!cell.unknown) seen.add(`${x + cell.x} ${y + cell.y}`)
    for (const cow of this.cows.values()) {
      if (seen.has(`${cow.x} ${cow.y}`) || step - cow.step > 30) this.cows.delete(cow.name)
    }
    for (const { cow: name, ...cell } of cells) {
      if (name !== undefined) this.cows.set(name, { name, step, x: x + cell.x, y: y + cell.y })
    }
  }

  /** The move to the best free cell on the way to a goal; the first of equals. */
  walk({ x, y, cells }: Perception, goal: Place): Action {
    let best: Action = 'skip'
    let most = -Infinity
    if (x === goal.x && y === goal.y) return best
    for (const cell of cells) {
      const move = moves.get(`${cell.x} ${cell.y}`)
      const isFree = cell.cow === undefined && cell.agent === undefined && !cell.obstacle
      if (move === undefined || !isFree) continue
      const worth = this.worth({ x: x + cell.x, y: y + cell.y }, goal)
      if (worth <= most) continue
      best = move
      most = worth
    }
    return best
  }

  /** The distance between two places in a straight line. */
  distance(a: Place, b: Place): number {
    return Math.sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2)
  }

  /** The middle of the corral. */
  home({ corral }: Start): Place {
    return { x: (corral.x0 + corral.x1) / 2, y: (corral.y0 + corral.y1) / 2 }
  }

  /** The place beyond a cow, seen from home, at a distance. */
  beyond(cow: Place, home: Place, distance: number): Place {
    const length = this.distance(cow, home)
    const along = (a: number, b: number): number => Math.floor(a + ((a - b) * distance) / length + 0.5)
    return { x: along(cow.x, home.x), y: along(cow.y, home.y) }
  }

  /** A place to explore: a different one for each herder, and every 20 steps. */
  somewhere(body: number, step: number, { width, height }: Start): Place {
    const number = 7 * body + Math.floor(step / 20)
    return { x: (13 * number) % width, y: (29 * number) % height }
  }

  /** A herder's rating of a place on the way to its goal. */
  worth(place: Place, goal: Place): number {
    return -this.distance(place, goal)
  }

  /** The cow that a herder drives. */
  choose(body: number, me: Place, start: Start): Cow | undefined {
    const home = this.home(start)
    let best: Cow | undefined
    let least = Infinity
    for (const cow of this.cows.values()) {
      const way = this.distance(me, cow) + this.distance(cow, home)
      if (way >= least) continue
      best = cow
      least = way
    }
    if (best === undefined) this.chosen.delete(body)
    else this.chosen.set(body, best)
    return best
  }

  /** The place that a herder heads for. */
  goal(body: number, perception: Perception, start: Start): Place {
    return this.somewhere(body, perception.step, start)
  }
}

export default new Herders()
