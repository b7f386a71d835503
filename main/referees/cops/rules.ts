import type { Rules } from '../../contract/game.ts'
import type { SeatId } from '../../contract/ids.ts'
import { elect } from './election.ts'
import type { Answer } from './answer.ts'
import type { Config } from './config.ts'
import type { Input } from './input.ts'
import { ballotOf, decisionOf, deedOf, robberMove, whyNotAsk } from './legality.ts'
import { namesOf } from './names.ts'
import { initialState, load, save } from './saved.ts'
import { outcomeOf } from './scores.ts'
import { isRobbersWorld, isTwist, ROBBER, roundSeats, standsStill, type Deed, type State, type Step } from './state.ts'
import { copTurn, robberTurn } from './turns.ts'
import { viewOf, type View } from './view.ts'

/** Cops & Robbers: the contest of 2005 with both of its rule sets. */
export const rules: Rules<Config, State, Input, View> = {
  initial: (config) => initialState(config),

  apply(state, input) {
    const { seat } = input
    const brain = state.brains[seat]
    if (brain === undefined) return `There is no seat ${seat}.`
    if (state.step === 'over') return 'The match is over.'
    if (!state.waiting.includes(seat)) return `Nothing is expected from seat ${seat} now.`
    brain.refused = null
    const problem = input.type === 'fault' ? input.fault.text : heard(state, seat, input.answer)
    if (problem !== null) failed(state, seat, problem)
    if (input.type === 'fault' && input.gone) brain.gone = true
    state.waiting = state.waiting.filter((each) => each !== seat)
    while (state.waiting.length === 0 && state.end === null) advance(state)
    if (state.end !== null) state.step = 'over'
    return null
  },

  view: viewOf,
  save,
  load,
  outcome: outcomeOf,
}

/** What a brain says where it was expected to; in one sentence why it is illegal, or null. */
function heard(state: State, seat: SeatId, answer: Answer): string | null {
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

const wanted = (word: string): string => `This step wants the message ${word}.`

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

function failed(state: State, seat: SeatId, problem: string): void {
  const brain = state.brains[seat]!
  if (standsStill(state, seat)) brain.refused = problem
  else brain.disqualified = problem
}

/** Everybody has been heard: what follows. */
function advance(state: State): void {
  if (state.brains.some(({ disqualified }) => disqualified !== null)) {
    state.end = 'disqualified'
    return
  }
  switch (state.step) {
    case 'register':
      for (const [seat, name] of namesOf(state.brains.map(({ name }) => name)).entries())
        state.brains[seat]!.name = name
      return begin(state)
    case 'inform':
      return go(state, 'plan', roundSeats(state))
    case 'plan':
      return go(state, 'vote', roundSeats(state))
    case 'vote':
      count(state)
      return isRobbersWorld(state) ? go(state, 'bribe', [ROBBER]) : go(state, 'move', roundSeats(state))
    case 'bribe':
      return go(state, 'orders', [ROBBER])
    case 'orders':
    case 'move':
      return turn(state)
    case 'over':
      return
  }
}

function go(state: State, step: Step, seats: readonly SeatId[]): void {
  state.step = step
  state.waiting = seats.filter((seat) => !state.brains[seat]!.gone)
}

/** The beginning of a world. What was said in the last round is kept until the next one. */
function begin(state: State): void {
  state.asked = false
  state.deed = null
  state.decisions = state.brains.map(() => null)
  if (isRobbersWorld(state) && !isTwist(state)) return go(state, 'move', [ROBBER])
  state.round = state.world
  state.said = state.brains.map(() => ({ informs: null, plan: null, ballot: null }))
  state.winner = undefined
  go(state, 'inform', roundSeats(state))
}

/** The tally. Where scoundrels elect nobody, the robber's plan wins. */
function count(state: State): void {
  const candidates = roundSeats(state)
  const ballots = state.said.flatMap(({ ballot }) => (ballot === null ? [] : [ballot]))
  const elected = elect(candidates, ballots)
  const scoundrels = isRobbersWorld(state)
  state.winner = elected === null && scoundrels ? ROBBER : elected
  if (state.winner === null) return
  const brain = state.brains[state.winner]!
  if (scoundrels) brain.scoundrelElected += 1
  else brain.elected += 1
}

function turn(state: State): void {
  if (isRobbersWorld(state)) robberTurn(state, state.deed ?? { node: state.robber, push: null, bribes: [] })
  else copTurn(state)
  state.world += 1
  if (state.end !== null) return
  if (state.world >= state.config.lastWorld) state.end = 'escaped'
  else begin(state)
}
