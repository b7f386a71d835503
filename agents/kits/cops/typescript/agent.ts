import type { Agent, CopPlayer, Game, Inform, Ptype, RobberPlayer, Suggestion, World } from './cops.d.ts'

/** The map from the point of view of a player that moves on it. */
class Town {
  /** Corners by the corners next to them, on foot and by car. */
  foot = new Map<string, Set<string>>()
  car = new Map<string, Set<string>>()
  /** Results of `moves`. */
  known = new Map<string, Map<string, number>>()

  constructor({ nodes, edges }: Game) {
    for (const { loc } of nodes) {
      this.foot.set(loc, new Set([loc]))
      this.car.set(loc, new Set([loc]))
    }
    for (const { from, to, type } of edges) {
      this.car.get(from)?.add(to)
      if (type === 'car') continue
      this.foot.get(from)?.add(to)
      this.foot.get(to)?.add(from)
    }
  }

  /** The corners that a player can be on after a move. Standing still is a move. */
  next(loc: string, ptype: Ptype): readonly string[] {
    return [...((ptype === 'cop-car' ? this.car : this.foot).get(loc) ?? [])]
  }

  /** The number of moves to each corner. */
  moves(from: string, ptype: Ptype): Map<string, number> {
    const known = this.known.get(`${from} ${ptype}`)
    if (known !== undefined) return known
    const found = new Map([[from, 0]])
    this.known.set(`${from} ${ptype}`, found)
    for (const [loc, moves] of found) {
      for (const to of this.next(loc, ptype)) if (!found.has(to)) found.set(to, moves + 1)
    }
    return found
  }
}

/** A robber that wanders about. The last method rates corners: start there. */
class Robber implements RobberPlayer {
  name: string
  town: Town

  constructor(game: Game) {
    this.name = game.name
    this.town = new Town(game)
  }

  move(world: World): string {
    const here = world.players.find(({ bot }) => bot === this.name)?.loc ?? ''
    let best = here
    let most = -Infinity
    for (const corner of this.town.next(here, 'robber')) {
      const worth = this.worth(corner, world)
      if (worth <= most) continue
      best = corner
      most = worth
    }
    return best
  }

  /** The number of moves from the nearest cop to a corner. */
  safety(corner: string, world: World): number {
    let least = Infinity
    for (const { bot, loc, ptype } of world.players) {
      if (bot !== this.name) least = Math.min(least, this.town.moves(loc, ptype).get(corner) ?? Infinity)
    }
    return least
  }

  /** The robber's rating of a corner; it moves to the best one. */
  worth(corner: string, world: World): number {
    return (corner.length + world.world) % 7
  }
}

/** A cop that wanders about. The last methods rate corners and exchange reports: start there. */
class Cop implements CopPlayer {
  name: string
  robber: string
  /** Its number among the five cops, from 0. */
  number: number
  banks: readonly string[]
  town: Town
  /** The corners where the robber may be. */
  suspects: readonly string[]

  constructor(game: Game) {
    this.name = game.name
    this.robber = game.robber
    this.number = game.cops.indexOf(game.name)
    this.banks = game.nodes.flatMap(({ loc, tag }) => (tag === 'bank' ? [loc] : []))
    this.town = new Town(game)
    this.suspects = game.nodes.flatMap(({ loc, tag }) => (tag === 'robber-start' ? [loc] : []))
  }

  /** Called after the robber's move: works out where it may be, and informs the other cops. */
  inform(world: World): readonly Inform[] {
    const seen = world.players.find(({ bot }) => bot === this.robber)
    const all = [...new Set(this.suspects.flatMap((loc) => this.town.next(loc, 'robber')))]
    const left = seen === undefined ? all.filter((corner) => this.suspect(corner, world)) : [seen.loc]
    this.suspects = left.length > 0 ? left : all
    return this.tell(
      all.filter((corner) => !this.suspects.includes(corner)),
      world,
    )
  }

  /** Receives the reports of all cops. Suggests nothing. */
  plan(informs: readonly { readonly informs: readonly Inform[] }[]): readonly Suggestion[] {
    this.hear(informs.flatMap((from) => from.informs))
    return []
  }

  move(_winner: string | null, world: World): { readonly loc: string; readonly ptype: Ptype } {
    const { loc: here, ptype } = this.me(world)
    let best = here
    let most = -Infinity
    for (const corner of this.town.next(here, ptype)) {
      const worth = this.hope(corner, world)
      if (worth <= most) continue
      best = corner
      most = worth
    }
    return { loc: best, ptype }
  }

  /** My corner, and my type: on foot or in a car. */
  me(world: World): { readonly loc: string; readonly ptype: Ptype } {
    return world.players.find(({ bot }) => bot === this.name) ?? { loc: '', ptype: 'cop-foot' }
  }

  /** Chooses from the corners without the robber those to report: only its own corner. */
  tell(corners: readonly string[], world: World): readonly Inform[] {
    const here = corners.filter((corner) => corner === this.me(world).loc)
    return here.map((loc) => ({ bot: this.robber, loc, ptype: 'robber', world: world.world, certainty: -100 }))
  }

  /** Uses the reports of all cops: believes the first one that is certain of the robber's corner. */
  hear(informs: readonly Inform[]): void {
    const claim = informs.find(({ bot, certainty }) => bot === this.robber && certainty === 100)
    if (claim !== undefined) this.suspects = [claim.loc]
  }

  /** True if the robber, while nobody sees it, may be on a corner. */
  suspect(corner: string, world: World): boolean {
    return corner !== this.me(world).loc
  }

  /** The cop's rating of a corner; it moves to the best one. */
  hope(corner: string, world: World): number {
    return (corner.length + world.world) % 7
  }
}

const agent: Agent = {
  name: 'Fox',
  starts: 'cop-foot',
  robber: (game) => new Robber(game),
  cop: (game) => new Cop(game),
}

export default agent
