import { Belief, type Claim, type Player, type World } from './belief.ts'
import type { CopBrain, Move, Suggestion } from './brain.ts'
import { pursuit, worthOfPlan, type Order } from './pursuit.ts'
import { modeOf, townOf, type Skeleton, type Town } from './town.ts'

/** Claims about likely corners that a cop makes at most. */
const CLAIMS = 20

/**
 * A cop that keeps a belief of where the robber is: from what it smells, finds and is told. It plans for all cops, ranks
 * plans by how near they bring cops to the likely corners, and follows its own part of the elected plan unless that is worse.
 */
export class Tracker implements CopBrain {
  #town!: Town
  #belief!: Belief
  #skeleton!: Skeleton
  #world!: World
  #orders: readonly Order[] = []
  #elected = new Map<string, readonly Suggestion[]>()

  begin(skeleton: Skeleton): void {
    this.#skeleton = skeleton
    this.#town = townOf(skeleton)
    this.#belief = new Belief(this.#town)
  }

  inform(world: World): readonly Claim[] {
    this.#world = world
    const { name, robber } = this.#skeleton
    this.#belief.see(world, name, robber)
    const belief = this.#belief.at(world.world)
    const claim = (loc: string, of: number, certainty: number): Claim => {
      return { bot: robber, loc, ptype: 'robber', world: of, certainty }
    }
    const found = world.evidence.map(({ loc, world: when }) => claim(loc, when, 100))
    const own = world.players.find(({ bot }) => bot === name)!
    const here = this.#town.numbers.get(own.loc)!
    // The absence of a smell is news to the others.
    const empty =
      world.smell === 0 ? this.#town.ways[modeOf(own.ptype)][here]!.filter((corner) => belief[corner] === 0) : []
    const likely = [...belief.keys()].filter((corner) => belief[corner]! >= 0.05)
    return [
      ...found,
      ...likely
        .sort((a, b) => belief[b]! - belief[a]!)
        .slice(0, CLAIMS)
        .map((corner) => claim(this.#name(corner), world.world, Math.round(100 * belief[corner]!))),
      ...empty.slice(0, CLAIMS).map((corner) => claim(this.#name(corner), world.world, -100)),
    ]
  }

  plan(from: readonly { readonly bot: string; readonly informs: readonly Claim[] }[]): readonly Suggestion[] {
    const { name, robber } = this.#skeleton
    const others = from.filter(({ bot }) => bot !== name)
    // Only what is certain: likely corners are guesses from what is known here, too.
    for (const { informs } of others) this.#belief.hear(informs.filter(isCertain), robber)
    this.#orders = pursuit(this.#town, this.#cops(), this.#next())
    return this.#orders.map(({ bot, ptype, to }) => {
      return { bot, loc: this.#name(to), ptype, world: this.#world.world + 1 }
    })
  }

  vote(from: readonly { readonly bot: string; readonly plan: readonly Suggestion[] }[]): readonly string[] {
    this.#elected = new Map(from.map(({ bot, plan }) => [bot, plan]))
    const next = this.#next()
    const worth = new Map(from.map(({ bot, plan }) => [bot, worthOfPlan(this.#town, this.#placesOf(plan), next)]))
    const { name } = this.#skeleton
    // Its own plan among equals: the cop whose plans are elected most often gets a bonus.
    const own = (bot: string): number => (worth.get(bot) ?? -1) + (bot === name ? 1e-6 : 0)
    return from.map(({ bot }) => bot).sort((a, b) => own(b) - own(a) || (a < b ? -1 : 1))
  }

  move(winner: string | null): Move {
    const { name } = this.#skeleton
    const own = this.#cops().find(({ bot }) => bot === name)!
    const mine = this.#orders.find(({ bot }) => bot === name)!
    const elected = winner === null ? undefined : this.#elected.get(winner)?.find(({ bot }) => bot === name)
    const to = elected === undefined ? null : this.#legal(own, elected.loc)
    const next = this.#next()
    // A corner on which the robber probably is comes before any plan: who catches it has a bonus.
    const catches = next[mine.to]! > 0.5
    return { loc: this.#name(to === null || catches ? mine.to : to), ptype: own.ptype }
  }

  /** The robber's place after the cops' move: it stays where it is now. */
  #next(): Float64Array {
    return this.#belief.at(this.#world.world)
  }

  #cops(): readonly Player[] {
    return this.#world.players.filter(({ bot }) => bot !== this.#skeleton.robber)
  }

  /** The cops' places under a plan; those that it leaves out, or moves against the rules, stay. */
  #placesOf(plan: readonly Suggestion[]) {
    const wanted = new Map(
      plan.filter(({ world }) => world === this.#world.world + 1).map(({ bot, loc }) => [bot, loc]),
    )
    return this.#cops().map((cop) => {
      const to = this.#legal(cop, wanted.get(cop.bot) ?? cop.loc)
      return { ptype: cop.ptype, to: to ?? this.#town.numbers.get(cop.loc)! }
    })
  }

  #legal(cop: Player, loc: string): number | null {
    const [here, to] = [this.#town.numbers.get(cop.loc)!, this.#town.numbers.get(loc)]
    if (to === undefined) return null
    return to === here || this.#town.ways[modeOf(cop.ptype)][here]!.includes(to) ? to : null
  }

  #name(corner: number): string {
    return this.#town.names[corner]!
  }
}

const isCertain = ({ certainty }: Claim): boolean => Math.abs(certainty) === 100
