import fc from 'fast-check'
import {
  type Action,
  type Kind,
  type Secret,
  type TurnMessage,
  ENERGY,
} from '../../../main/referees/specker/messages.ts'
import { commitmentOf } from '../../../main/referees/specker/secrets.ts'

/** The kinds of offers that each variant has; null: offers name none. */
export const markets: Readonly<Record<string, readonly (Kind | null)[]>> = {
  classic: [null],
  belief: ['belief'],
  secret: ['secret'],
  'base-ball': ['classic', 'secret'],
}

/** The source of an arbitrary player's decisions: numbers from 0 up to below `bound`. */
type Choose = (bound: number) => number

/** One turn: the decisions, and how wild it is. 0: legal unless money forbids it; 9: nearly always wrong. */
export interface Play {
  readonly decisions: readonly number[]
  readonly wildness: number
}

export const play: fc.Arbitrary<Play> = fc.record({
  decisions: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
  wildness: fc.constantFrom(0, 0, 0, 0, 1, 3, 9),
})

/** The bundle of an arbitrary player, who offers one of `kinds` (null: names none): dutiful where it is not wild, else with actions that break this or that. */
export function bundleOf(
  { decisions, wildness }: Play,
  view: TurnMessage,
  me: number,
  kinds: readonly (Kind | null)[] = [null],
): Action[] {
  let used = 0
  const choose: Choose = (bound) => decisions[used++ % decisions.length]! % bound
  const wild = (): boolean => choose(10) < wildness
  const actions: Action[] = []
  for (const { challenge, predicate, kind } of view.toDeliver) {
    if (wild()) continue
    const sizes = predicate as readonly number[]
    const instance = wild() ? 'rubbish' : sizes[choose(sizes.length)]!
    const sealed = kind === 'secret' && !wild() ? { secret: secretOf(me, challenge, Number(instance), wild()) } : {}
    actions.push({ type: 'deliver', challenge, instance, ...sealed })
  }
  for (const { challenge } of view.toReveal ?? []) {
    if (wild()) continue
    actions.push({ type: 'reveal', challenge, solution: SECRET, nonce: nonceOf(wild() ? me + 1 : me, challenge) })
  }
  for (const { challenge, instance } of view.toSolve) {
    if (wild()) continue
    actions.push({ type: 'solve', challenge, solution: wild() ? -1 : choose(Number(instance) + 1) })
  }
  if (!view.trading && !wild()) return actions
  const { step } = view
  if (step !== undefined && step !== 'offer' && step !== 'decide' && !wild()) return actions
  const deciding = step === undefined || step === 'decide' || wild()
  const others = view.store.filter((entry) => entry.seller !== me)
  const affordable = others.filter((entry) => entry.price < view.account)
  const bought = choose(3) > 0 ? affordable[choose(affordable.length || 1)] : undefined
  if (!deciding) {
    // Nothing to decide in this step.
  } else if (bought !== undefined) actions.push({ type: 'accept', challenge: bought.challenge })
  else for (const { challenge, price } of others) actions.push({ type: 'reoffer', challenge, price: price >> 1 })
  if (wild()) actions.push({ type: 'accept', challenge: choose(40) })
  if (wild()) actions.push({ type: 'solve', challenge: choose(40), solution: 0 })
  if (step === 'decide' && !wild()) return actions
  const price = choose(ENERGY + 1)
  const rivals = view.store.map((entry) => entry.price)
  const kind = kinds[choose(kinds.length)]!
  actions.push({
    type: 'offer',
    predicate: [1 + choose(20)],
    price: wild() ? price : Math.min(price, ...rivals),
    ...(kind === null ? {} : { kind }),
  })
  return actions
}

/** Everybody's secret solution. */
const SECRET = 1

export function nonceOf(seat: number, challenge: number): string {
  return `${seat}${challenge}`.padEnd(64, 'abcdef')
}

function secretOf(seat: number, challenge: number, size: number, boast: boolean): Secret {
  const commitment = commitmentOf(SECRET, nonceOf(seat, challenge))
  return { quality: boast ? '1/1' : `${SECRET}/${size || 1}`, commitment }
}
