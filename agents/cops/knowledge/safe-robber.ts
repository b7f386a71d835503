import type { Player, World } from './belief.ts'
import type { RobberBrain, RobberMove } from './brain.ts'
import { escape } from './escape.ts'
import { modeOf, stepsOf, townOf, type Skeleton, type Town } from './town.ts'

/** The price of a push, and the loot that a robber needs to ask for the market. */
const PUSH_COST = 50

/** A cop at most this many moves away from the robber's next corner is a reason to bribe or to push. */
const NEAR = 1

/**
 * A robber that keeps its distance and robs banks when it can get away again. In the second rule set it asks for the market when a cop
 * is close: it bribes who is close, or pushes a cop such that it gets away best.
 */
export class SafeRobber implements RobberBrain {
  #town!: Town
  #robber = ''

  begin(skeleton: Skeleton): void {
    this.#robber = skeleton.robber
    this.#town = townOf(skeleton)
  }

  bribe(world: World): boolean {
    return world.loot >= PUSH_COST && escape(this.#town, world, this.#robber).lead <= NEAR
  }

  move(world: World, offers: readonly string[] | null = null): RobberMove {
    if (offers?.length === 0 && this.#mustPush(world)) {
      const { push, to } = this.#bestPush(world)
      return { loc: this.#town.names[to]!, push }
    }
    const { to } = escape(this.#town, world, this.#robber)
    const close = offers?.filter(
      (bot) =>
        this.#stepsTo(
          world.players.find((each) => each.bot === bot)!,
          to,
        ) <=
        NEAR + 1,
    )
    return { loc: this.#town.names[to]!, ...(close === undefined ? {} : { choose: close }) }
  }

  /** Nobody is offered: whoever was ever listed has been bribed, and lost its robots if it was accused rightly since. */
  #mustPush({ twist }: World): boolean {
    return twist !== undefined && twist.dirty.length === 0 && twist.control.every(({ brain, bot }) => brain === bot)
  }

  #stepsTo({ loc, ptype }: Player, corner: number): number {
    return stepsOf(this.#town, ptype, this.#town.numbers.get(loc)!, corner)
  }

  #bestPush(world: World): { readonly push: { readonly bot: string; readonly loc: string }; readonly to: number } {
    const { names, numbers, ways } = this.#town
    const pushes = world.players
      .filter(({ bot }) => bot !== this.#robber)
      .flatMap((cop) =>
        ways[modeOf(cop.ptype)][numbers.get(cop.loc)!]!.map((corner) => {
          const loc = names[corner]!
          const players = world.players.map((each) => (each === cop ? { ...cop, loc } : each))
          const { to, worth } = escape(this.#town, { ...world, players }, this.#robber)
          return { push: { bot: cop.bot, loc }, to, worth }
        }),
      )
    return pushes.reduce((best, each) => (each.worth > best.worth ? each : best))
  }
}
