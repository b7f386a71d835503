import type { Json } from '../../../main/contract/json.ts'
import type { MatchEvent } from '../../../main/contract/procedures/procedures.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import type { PublicView } from '../../../main/referees/specker/referee/views.ts'
import { sourceOf } from '../challenges/shipped.ts'
import type { Beginning, FoldedStretch } from '../../../renderer/games/fold.ts'

/** A match of max-csp, 10 energy each. */
export function beginning(players: number, settings: Record<string, Json> = {}): Beginning {
  const config = specker.config.parse({ challenge: sourceOf('max-csp'), maxTurns: 6, offersMin: 0, ...settings })
  const seats = specker.seats(config, players)
  if (typeof seats === 'string') throw new Error(seats)
  return { config: config, seats, seed: '0'.repeat(64) }
}

/** Inputs as a match's history tells them. */
export function events(inputs: readonly Json[]): MatchEvent[] {
  return inputs.map((input, at) => ({ n: 2 * at + 1, at: at * 10, kind: 'input', input }))
}

export const turn = (seat: number, ...actions: Json[]): Json => ({ type: 'turn', seat, actions })
export const offer = (relations: number[], price: number): Json => ({ type: 'offer', predicate: { relations }, price })
export const material = { variables: 3, constraints: [{ weight: 1, relation: 22, variables: [1, 2, 3] }] }

/** A sale from offer to payoff, and a player who breaks rule 5 at the end of it. */
export const sale: readonly Json[] = [
  turn(0, offer([22], 500_000_000)),
  turn(1, { type: 'accept', challenge: 0 }),
  turn(0, { type: 'deliver', challenge: 0, instance: material }, offer([2], 400_000_000)),
  turn(
    1,
    { type: 'solve', challenge: 0, solution: { values: [0, 1, 0] } },
    { type: 'reoffer', challenge: 1, price: 300_000_000 },
  ),
  turn(0, { type: 'reoffer', challenge: 2, price: 299_999_999 }),
]

/** The digests of events, none of which is hidden. */
export function allOf<D>({ digests }: Pick<FoldedStretch<unknown, D>, 'digests'>): readonly D[] {
  return digests.flatMap((digest) => {
    if (digest === null) throw new Error('an event is hidden')
    return [digest]
  })
}

/** The public view after the inputs, straight from the rules. */
export function viewAfter({ config, seats, seed }: Beginning, inputs: readonly Json[]): PublicView {
  const state = specker.rules.initial(specker.config.parse(config), seats, seed)
  for (const input of inputs) {
    const refusal = specker.rules.apply(state, specker.input.parse(input))
    if (refusal !== null) throw new Error(refusal)
  }
  return specker.rules.view(state, 'public') as PublicView
}
