import type { Rules } from '../../contract/game/game.ts'
import type { SeatId } from '../../contract/ids.ts'
import type { Config } from './config.ts'
import { futuresOf, updatedFutures } from './futures.ts'
import type { Input } from './input.ts'
import { takingsOf, type Takings } from './legality.ts'
import { moveOf, passOf, type Move } from './messages.ts'
import { initialState, load, save } from './saved.ts'
import { isOver, isSetUp, turnOf, type State, futureScore, scoreOf } from './state.ts'
import { viewOf, type View } from './view.ts'
import type { Outcome } from '../../contract/game/outcome.ts'

/** Lambda Punter, editions 1.0 and 1.3, with the three extensions. */
export const rules: Rules<Config, State, Input, View> = {
  initial: (config, seats) => initialState(config, seats),

  apply(state, input) {
    const punter = state.punters[input.seat]
    if (punter === undefined) return `There is no seat ${input.seat}.`
    if (isOver(state)) return 'The match is over.'
    if (!isSetUp(state)) return setUp(state, input)
    if (input.type === 'ready') return `Seat ${input.seat} has been set up.`
    if (input.seat !== turnOf(state)) return `It is the turn of seat ${turnOf(state)}.`
    if (input.type === 'move') played(state, input.seat, input.move)
    else missed(state, input)
    passForZombies(state)
    return null
  },

  view: viewOf,
  save,
  load,
  outcome: (state) => (isOver(state) ? outcomeOf(state) : null),
}

function setUp(state: State, input: Input): string | null {
  const punter = state.punters[input.seat]!
  if (punter.setup !== null) return `Seat ${input.seat} has been set up.`
  if (input.type === 'move') return 'Not everybody has been set up.'
  if (input.type === 'ready') {
    punter.setup = 'ready'
    if (state.config.futures) Object.assign(punter, futuresOf(input.futures, state.course))
    else if (input.futures.length > 0) punter.notes = ['Futures are not a part of this match.']
  } else {
    punter.setup = 'failed'
    punter.zombie = `It was not ready: ${input.fault.text}`
  }
  if (isSetUp(state)) passForZombies(state)
  return null
}

/** A turn that was answered. An illegal move is a pass; each turn earns a credit, and each river costs one. */
function played(state: State, seat: SeatId, move: Move): void {
  const punter = state.punters[seat]!
  if (state.config.timeouts === 'in-a-row') punter.timeouts = 0
  const takings = takingsOf(state, seat, move, punter.credit + 1)
  if (typeof takings === 'string') return passes(state, seat, takings)
  take(state, seat, takings)
  punter.credit += 1 - takings.claims.length - takings.options.length
  moved(state, seat, moveOf(seat, move), null)
}

function passes(state: State, seat: SeatId, why: string): void {
  state.punters[seat]!.credit += 1
  moved(state, seat, passOf(seat), why)
}

function moved(state: State, seat: SeatId, move: Move, refused: string | null): void {
  Object.assign(state.punters[seat]!, { last: move, lastAt: state.moves, refused })
  state.moves += 1
}

function take(state: State, seat: SeatId, { claims, options }: Takings): void {
  const punter = state.punters[seat]!
  for (const river of claims) {
    state.owners[river] = seat
    state.claimedAt[river] = state.moves
  }
  for (const river of options) {
    state.holders[river] = seat
    state.soldAt[river] = state.moves
  }
  punter.options -= options.length
  for (const river of [...claims, ...options]) {
    const { source, target } = state.course.rivers[river]!
    punter.network.join(source, target)
  }
  punter.futures = updatedFutures(punter.futures, punter.network)
}

/** A turn without a move. A punter that is gone is a zombie and earns nothing; one that has timed out too often becomes one. */
function missed(state: State, { seat, fault, gone }: Extract<Input, { type: 'fault' }>): void {
  const punter = state.punters[seat]!
  const { config } = state
  if (gone) {
    punter.zombie = fault.text
    return moved(state, seat, passOf(seat), fault.text)
  }
  passes(state, seat, fault.text)
  if (fault.kind !== 'timeout' && fault.kind !== 'stall') {
    if (config.timeouts === 'in-a-row') punter.timeouts = 0
    return
  }
  punter.timeouts += 1
  if (punter.timeouts < config.maxTimeouts) return
  const how = config.timeouts === 'in-a-row' ? ' in a row' : ''
  punter.zombie = `It timed out ${config.maxTimeouts} times${how}.`
}

/** Turns of zombies are passes that nobody waits for. */
function passForZombies(state: State): void {
  while (!isOver(state)) {
    const seat = turnOf(state)
    if (state.punters[seat]!.zombie === null) return
    moved(state, seat, passOf(seat), null)
  }
}

/**
 * Places by score; equal scores share one. Zombies keep what their rivers and futures bring. `futures`, `credits` and `options`: by
 * seat, what futures brought and what was left.
 */
function outcomeOf({ punters }: State): Outcome {
  const scores = punters.map(scoreOf)
  return {
    places: punters.map(({ zombie }, seat) => {
      const score = scores[seat]!
      const rank = 1 + scores.filter((other) => other > score).length
      const removed = zombie !== null
      return { seat, rank, score, removed, ...(removed ? { reason: zombie } : {}) }
    }),
    futures: punters.map(futureScore),
    credits: punters.map(({ credit }) => credit),
    options: punters.map(({ options }) => options),
  }
}
