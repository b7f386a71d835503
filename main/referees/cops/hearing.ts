import type { SeatId } from '../../contract/ids.ts'
import type { Answer } from './answer.ts'
import { ballotOf, decisionOf, deedOf, robberMove, wanted, whyNotAsk } from './legality.ts'
import { isRobbersWorld, ROBBER, roundSeats, type Deed, type State } from './state.ts'

/** Takes in what a brain says where it was expected to. Returns in one sentence why it is illegal, or null. */
export function heard(state: State, seat: SeatId, answer: Answer): string | null {
  switch (state.step) {
    case 'register':
      return registered(state, seat, answer)
    case 'inform':
      if (answer.type !== 'inform') return wanted('inf\\')
      state.said[seat]!.informs = answer.informs
      return null
    case 'plan':
      if (answer.type !== 'plan') return wanted('plan\\')
      state.said[seat]!.plan = answer.plan
      return null
    case 'vote': {
      if (answer.type !== 'vote') return wanted('vote\\')
      const ballot = ballotOf(state, roundSeats(state), answer.ballot)
      if (typeof ballot === 'string') return ballot
      state.said[seat]!.ballot = ballot
      return null
    }
    case 'move': {
      if (isRobbersWorld(state)) {
        if (answer.type !== 'move') return wanted('mov:')
        const node = robberMove(state, answer.loc, answer.ptype)
        return decided(state, typeof node === 'string' ? node : { node, push: null, bribes: [] })
      }
      const decision = decisionOf(state, seat, answer)
      if (typeof decision === 'string') return decision
      state.decisions[seat] = decision
      return null
    }
    case 'bribe': {
      if (answer.type !== 'bribe') return wanted('bribe: or nobribe:')
      const problem = answer.asks ? whyNotAsk(state) : null
      state.asked = answer.asks && problem === null
      return problem
    }
    case 'orders':
      return answer.type === 'robber-orders' ? decided(state, deedOf(state, answer)) : wanted('rmov\\')
    case 'over':
      return null
  }
}

function decided(state: State, deed: Deed | string): string | null {
  if (typeof deed === 'string') return deed
  state.deed = deed
  return null
}

/** Section 3.2.2. A cop may begin on foot or in a car. */
function registered(state: State, seat: SeatId, answer: Answer): string | null {
  if (answer.type !== 'register') return wanted('reg:')
  const { bot, ptype } = answer
  if ((ptype === 'robber') !== (seat === ROBBER))
    return seat === ROBBER ? 'The robber must register as robber.' : 'A cop must register as cop-foot or cop-car.'
  state.brains[seat]!.name = bot
  if (ptype !== 'robber') state.bots[seat - 1]!.mode = ptype
  return null
}
