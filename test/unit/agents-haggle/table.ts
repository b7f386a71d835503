import Baby from '../../../agents/haggle/baby.ts'
import Conceder from '../../../agents/haggle/conceder.ts'
import Hard from '../../../agents/haggle/hard.ts'
import type { Log, Share } from '../../../agents/haggle/knowledge/shares.ts'
import Learner from '../../../agents/haggle/learner.ts'
import Tartaglia from '../../../agents/haggle/tartaglia.ts'
import { config } from '../../../main/referees/haggle/config.ts'
import { moverOf, offered, rules, scoresOf, type State } from '../../../main/referees/haggle/rules.ts'

export type Negotiator = new (
  me: number,
  counts: Share,
  values: readonly number[],
  rounds: number,
  log: Log,
) => { offer(offered?: Share): Share | undefined }

/** The agents that ship. */
export const shipped = { Baby, Conceder, Hard, Learner, Tartaglia } satisfies Readonly<Record<string, Negotiator>>

/** Plays a session of two agents in this process; `settings`: what differs from the standard setting, and the seed. */
export function negotiate(first: Negotiator, second: Negotiator, settings: Readonly<Record<string, number>>): State {
  const state = rules.initial(config.parse(settings), [], '0'.repeat(64))
  const sides = [first, second].map(
    (Agent, me) => new Agent(me, [...state.counts], [...state.values[me as 0 | 1]], state.maxRounds, () => undefined),
  )
  while (state.ending === null) {
    const seat = moverOf(state)
    const share = offered(state)
    const value = sides[seat]!.offer(share === null ? undefined : [...share])
    rules.apply(state, { type: 'answer', seat, value: value === undefined ? null : [...value] })
  }
  return state
}

/** Dollars of both sides over the seeds 1 to `seeds`, each in both seat orders. */
export function meet(one: Negotiator, other: Negotiator, seeds: number): readonly [number, number] {
  let [mine, theirs] = [0, 0]
  for (let seed = 1; seed <= seeds; seed++) {
    const [asFirst, of] = scoresOf(negotiate(one, other, { seed }))
    const [second, asSecond] = scoresOf(negotiate(other, one, { seed }))
    mine += asFirst + asSecond
    theirs += of + second
  }
  return [mine, theirs]
}
