import type { SeatId } from '../../contract/ids.ts'
import type { Move } from './messages.ts'
import type { State } from './state.ts'

/** The rivers that a move takes: unclaimed ones, and options on rivers of others. By their numbers. */
export interface Takings {
  readonly claims: readonly number[]
  readonly options: readonly number[]
}

const NOTHING: Takings = { claims: [], options: [] }

/**
 * The rivers taken by a move of the punter on turn; text: the reason why it takes none and is a pass. `credit`: what it has, this turn's
 * among it.
 */
export function takingsOf(state: State, seat: SeatId, move: Move, credit: number): Takings | string {
  if ('pass' in move) return NOTHING
  if ('claim' in move) return claimOf(state, seat, move.claim)
  if ('option' in move) {
    return state.config.options ? optionOf(state, seat, move.option) : 'Options are not a part of this match.'
  }
  if (!state.config.splurges) return 'Splurges are not a part of this match.'
  return splurgeOf(state, seat, move.splurge.route, credit)
}

type Ends = { readonly source: number; readonly target: number }

function claimOf({ course, owners }: State, seat: SeatId, { source, target }: Ends): Takings | string {
  const river = course.river(source, target)
  if (river === undefined) return `There is no river ${source}-${target}.`
  const owner = owners[river]!
  return owner === -1 ? { claims: [river], options: [] } : ownedRefusal(seat, owner, `${source}-${target}`)
}

function optionOf(state: State, seat: SeatId, { source, target }: Ends): Takings | string {
  const river = state.course.river(source, target)
  if (river === undefined) return `There is no river ${source}-${target}.`
  if (state.owners[river] === -1) return `The river ${source}-${target} belongs to nobody: it can be claimed.`
  const refusal = optionRefusal(state, seat, river, `${source}-${target}`)
  if (refusal !== null) return refusal
  return state.punters[seat]!.options > 0 ? { claims: [], options: [river] } : 'You have no options left.'
}

/** Why the option of a river that somebody owns cannot be had. */
function optionRefusal({ owners, holders }: State, seat: SeatId, river: number, name: string): string | null {
  if (owners[river] === seat) return `The river ${name} is already your own.`
  if (holders[river] === seat) return `You have the option of the river ${name} already.`
  return holders[river] === -1 ? null : `The option of the river ${name} is sold to punter ${holders[river]!}.`
}

function splurgeOf(state: State, seat: SeatId, route: readonly number[], credit: number): Takings | string {
  const length = route.length - 1
  if (length < 1) return 'The route of a splurge needs two sites at least.'
  if (length > credit) {
    return `A splurge of ${length} rivers needs ${length - 1} saved passes; you have ${credit - 1}.`
  }
  const { course, owners, config } = state
  const claims = new Set<number>()
  const options = new Set<number>()
  for (let at = 0; at < length; at++) {
    const name = `${route[at]!}-${route[at + 1]!}`
    const river = course.river(route[at]!, route[at + 1]!)
    if (river === undefined) return `The route takes a river ${name}, which there is not.`
    if (claims.has(river) || options.has(river)) return `The route takes the river ${name} twice.`
    if (owners[river] === -1) claims.add(river)
    else if (!config.options) return ownedRefusal(seat, owners[river]!, name)
    else {
      const refusal = optionRefusal(state, seat, river, name)
      if (refusal !== null) return refusal
      options.add(river)
    }
  }
  const left = state.punters[seat]!.options
  if (options.size > left) return `The route needs ${options.size} options; you have ${left} left.`
  return { claims: [...claims], options: [...options] }
}

const ownedRefusal = (seat: SeatId, owner: number, name: string): string =>
  owner === seat ? `The river ${name} is already your own.` : `The river ${name} belongs to punter ${owner}.`
