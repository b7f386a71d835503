import type { Claim, Player, World } from './belief.ts'
import type { CopBrain, Move, RobberBrain, RobberMove, Suggestion } from './brain.ts'
import { bestOf } from './pursuit.ts'
import { FAR, modeOf, stepsOf, townOf, type Skeleton, type Town } from './town.ts'

/**
 * A mediocre cop: it goes to where the robber was seen or smelled last, and otherwise from bank to bank, each cop to its own.
 * In the second rule set every other one lists itself on the black market; when it is dirty it keeps off the robber.
 */
export class Patrol implements CopBrain {
  #town!: Town
  #skeleton!: Skeleton
  #world!: World
  /** The robber's last known corner, and the world in which it was there. */
  #clue: { readonly corner: number; readonly world: number } | null = null

  begin(skeleton: Skeleton): void {
    this.#skeleton = skeleton
    this.#town = townOf(skeleton)
  }

  inform(world: World): readonly Claim[] {
    this.#world = world
    const { robber } = this.#skeleton
    const seen = world.players.find(({ bot }) => bot === robber)
    if (seen !== undefined) this.#note(seen.loc, world.world)
    for (const { loc, world: when } of world.evidence) this.#note(loc, when)
    const own = this.#own()
    const here = this.#town.numbers.get(own.loc)!
    // As the no-op cop of 2005: where it does not smell the robber. Nobody smells in even worlds, in which scoundrels confer.
    if (world.smell !== 0 || world.world % 2 === 0) return []
    const within = this.#town.ways[modeOf(own.ptype)][here]!
    return within
      .map((corner) => this.#town.names[corner]!)
      .sort()
      .map((loc) => ({ bot: robber, loc, ptype: 'robber', world: world.world, certainty: -100 }))
  }

  plan(from: readonly { readonly bot: string; readonly informs: readonly Claim[] }[]): readonly Suggestion[] {
    const { robber } = this.#skeleton
    for (const { informs } of from) {
      for (const { bot, loc, certainty, world } of informs)
        if (bot === robber && certainty >= 90) this.#note(loc, world)
    }
    return this.#cops().map((cop, at) => {
      return {
        bot: cop.bot,
        loc: this.#town.names[this.#towards(cop, at)]!,
        ptype: cop.ptype,
        world: this.#world.world + 1,
      }
    })
  }

  /** Its own plan first, then the others by their names. */
  vote(from: readonly { readonly bot: string }[]): readonly string[] {
    const { name } = this.#skeleton
    const others = from.map(({ bot }) => bot).filter((bot) => bot !== name)
    return [name, ...others.sort()]
  }

  move(): Move {
    const own = this.#own()
    const at = this.#cops().indexOf(own)
    const { robber } = this.#skeleton
    const to = this.#town.names[this.#towards(own, at)]!
    const meets = this.#isDirty() && this.#world.players.some(({ bot, loc }) => bot === robber && loc === to)
    return {
      loc: meets ? own.loc : to,
      ptype: own.ptype,
      ...(this.#world.twist !== undefined && at % 2 === 1 ? { market: 'turncoat' } : {}),
    }
  }

  #isDirty(): boolean {
    return this.#world.twist?.dirty.includes(this.#skeleton.name) === true
  }

  #towards(cop: Player, at: number): number {
    const { numbers, banks, ways } = this.#town
    const here = numbers.get(cop.loc)!
    const isFresh = this.#clue !== null && this.#world.world - this.#clue.world <= 10
    // Banks change hands every ten turns, so that nobody can wait for a cop to fall asleep.
    const beat = banks[(at + Math.floor(this.#world.world / 20)) % banks.length]!
    const goal = isFresh ? this.#clue!.corner : beat
    return bestOf([here, ...ways[modeOf(cop.ptype)][here]!], (to) => -stepsOf(this.#town, cop.ptype, to, goal))
  }

  #note(loc: string, world: number): void {
    const corner = this.#town.numbers.get(loc)
    if (corner !== undefined && world >= (this.#clue?.world ?? -1)) this.#clue = { corner, world }
  }

  #cops(): readonly Player[] {
    return this.#world.players.filter(({ bot }) => bot !== this.#skeleton.robber)
  }

  #own(): Player {
    return this.#world.players.find(({ bot }) => bot === this.#skeleton.name)!
  }
}

/** A mediocre robber: it goes to the nearest bank that has money, and turns round when a cop is close. */
export class Burglar implements RobberBrain {
  #town!: Town
  #robber = ''

  begin(skeleton: Skeleton): void {
    this.#robber = skeleton.robber
    this.#town = townOf(skeleton)
  }

  move({ players, banks }: World): RobberMove {
    const town = this.#town
    const own = players.find(({ bot }) => bot === this.#robber)!
    const here = town.numbers.get(own.loc)!
    const cops = players.filter(({ bot }) => bot !== this.#robber)
    const away = (corner: number): number =>
      Math.min(FAR, ...cops.map(({ loc, ptype }) => stepsOf(town, ptype, town.numbers.get(loc)!, corner)))
    const full = banks.filter(({ value }) => value > 0).map(({ loc }) => town.numbers.get(loc)!)
    const options = [here, ...town.ways.foot[here]!]
    const nearest = (corner: number): number =>
      Math.min(FAR, ...full.map((bank) => stepsOf(town, 'robber', corner, bank)))
    const safe = options.filter((corner) => away(corner) > 1)
    const to = safe.length > 0 ? bestOf(safe, (corner) => -nearest(corner)) : bestOf(options, away)
    return { loc: town.names[to]! }
  }
}
