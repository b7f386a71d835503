import type { World } from './belief.ts'
import type { Move, RobberBrain } from './brain.ts'
import { escape } from './escape.ts'
import { townOf, type Skeleton, type Town } from './town.ts'

/** A robber that keeps its distance and robs banks when it can get away again. */
export class SafeRobber implements RobberBrain {
  #town!: Town
  #robber = ''

  begin(skeleton: Skeleton): void {
    this.#robber = skeleton.robber
    this.#town = townOf(skeleton)
  }

  move(world: World): Move {
    return { loc: this.#town.names[escape(this.#town, world, this.#robber)]!, ptype: 'robber' }
  }
}
