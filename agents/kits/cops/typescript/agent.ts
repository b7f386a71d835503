import type { Agent, CopPlayer, Game, Inform, Ptype, RobberPlayer, Suggestion, World } from './cops.d.ts'

/** The map, as somebody sees who moves on it. */
class Town {
  /** Corners by the corners next to them, on foot and by car. */
  foot = new Map<string, Set<string>>()
  car = new Map<string, Set<string>>()
  /** What `moves` has found out. */
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

  /** The corners where somebody can be after a move. Standing still is a move. */
  next(loc: string, ptype: Ptype): readonly string[] {
    return [...((ptype === 'cop-car' ? this.car : this.foot).get(loc) ?? [])]
  }

  /** How many moves it takes to get to each corner. */
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

/** A robber that walks about. How much it likes a corner is in the method at the end: begin there. */
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

  /** The moves that a cop needs to a corner, for the cop that needs the fewest. */
  safety(corner: string, world: World): number {
    let least = Infinity
    for (const { bot, loc, ptype } of world.players) {
      if (bot !== this.name) least = Math.min(least, this.town.moves(loc, ptype).get(corner) ?? Infinity)
    }
    return least
  }

  /** How much the robber likes to go to a corner. */
  worth(corner: string, world: World): number {
    return (corner.length + world.world) % 7
  }
}

/** A cop that walks about. What it thinks of corners is in the methods at the end: begin there. */
class Cop implements CopPlayer {
  name: string
  robber: string
  /** Which of the five cops it is, from 0. */
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

  /** The robber has moved: works out where it may be, and tells the other cops what it knows. */
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

  /** Hears what all cops have told. It suggests nothing. */
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

  /** Where I am, and whether on foot or in a car. */
  me(world: World): { readonly loc: string; readonly ptype: Ptype } {
    return world.players.find(({ bot }) => bot === this.name) ?? { loc: '', ptype: 'cop-foot' }
  }

  /** What a cop tells, of corners where the robber is not: only that it is not here. */
  tell(corners: readonly string[], world: World): readonly Inform[] {
    const here = corners.filter((corner) => corner === this.me(world).loc)
    return here.map((loc) => ({ bot: this.robber, loc, ptype: 'robber', world: world.world, certainty: -100 }))
  }

  /** What a cop makes of what all have told: it believes who is sure to know where the robber is. */
  hear(informs: readonly Inform[]): void {
    const claim = informs.find(({ bot, certainty }) => bot === this.robber && certainty === 100)
    if (claim !== undefined) this.suspects = [claim.loc]
  }

  /** Whether the robber may be on a corner, if nobody sees it. */
  suspect(corner: string, world: World): boolean {
    return corner !== this.me(world).loc
  }

  /** How much the cop likes to go to a corner. */
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
