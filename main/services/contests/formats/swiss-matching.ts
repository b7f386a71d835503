import { hasBit } from '../../../contract/number-set.ts'
import { drawBelow, shuffled } from '../../../contract/random.ts'
import { leastCostMatching } from './least-cost-matching.ts'

// Rounds of pairs: the matching of the least total gap in points that leaves the later rounds possible.

/** A round: pairs by seat, and the entrant with a bye. */
export interface PairedRound {
  readonly pairs: readonly (readonly [number, number])[]
  readonly bye: number | undefined
}

/** The seats of an entrant so far. */
interface SeatRecord {
  /** Matches in the first seat less those in the second. */
  readonly balance: number
  /** -1: it has not played. */
  readonly last: number
  /** The number of its latest matches in the last seat. */
  readonly run: number
}

/** The state of a tournament before a round. Entrant `n` is the bye, if their number is odd. */
interface Standing {
  readonly n: number
  readonly seats: readonly SeatRecord[]
  /** True if two have met; an entrant has met the bye if it has had one. */
  readonly met: (one: number, other: number) => boolean
}

/** The facts from which a round is paired. */
export interface SwissPast {
  readonly points: readonly number[]
  readonly byes: readonly number[]
  readonly sat: readonly (readonly number[])[]
  readonly lastSeat: readonly number[]
  readonly run: readonly number[]
  readonly met: Uint8Array
}

/** The most entrants that are matched at once; more are matched in blocks of this size in the order of their points. */
const BLOCK = 128
/** The most steps between two different numbers of points in a cost. */
const LEVELS = 1_023
/** Other matchings to try if the best one leaves no way to the end. */
const OTHERS = 5
/** The most entrants for whom ways to the end are searched; more of them follow the one that is known from the start. */
const SEARCHED = 40

/**
 * Pairs a round. `later`: the number of rounds after it. `plan`: rounds that would end the tournament from here without a
 * rematch and within the rules of seats, as returned with the round before; null: none is known, and some may have met. If the best matching admits no such plan, a
 * near one is taken, and at last the first round of the plan; before the first round, that of the circle method. null: a
 * rematch cannot be avoided, which happens only after decisions of the educator.
 */
export function matchRound(
  past: SwissPast,
  later: number,
  plan: readonly PairedRound[] | null,
  next: () => number,
): { readonly round: PairedRound; readonly plan: readonly PairedRound[] } | null {
  const standing = standingOf(past)
  const order = shuffled([...past.points.keys()], next).sort((a, b) => past.points[b]! - past.points[a]!)
  const size = standing.n + (standing.n % 2)
  const played = size - 1 - opponentsLeft(standing, order[0]!)
  // A quarter of the rounds leaves everybody enough opponents with the other seat for every later round.
  const isShort = 4 * (played + 1 + later) <= size
  const known = plan === null ? [] : played === 0 && plan.length === 0 ? circlePlan(standing, later + 1, order) : plan
  const [planned, ...afterPlanned] = known
  if (!isShort && standing.n > SEARCHED && planned !== undefined) return { round: planned, plan: afterPlanned }
  const costs = costsOf(past, standing)
  const best = leastRound(standing, order, costs)
  if (best !== null && isShort) return { round: best, plan: [] }
  for (let attempt = 0, candidate = best; attempt <= OTHERS; attempt++) {
    if (candidate !== null && keepsSeats(standing, candidate)) {
      const rest = planAfter(afterRound(standing, candidate), later, next)
      if (rest !== null) return { round: candidate, plan: rest }
    }
    if (best === null || best.pairs.length === 0) break
    const [one, other] = best.pairs[drawBelow(next, best.pairs.length)]!
    const without = (a: number, b: number): number | undefined =>
      (a === one && b === other) || (a === other && b === one) ? undefined : costs(a, b)
    candidate = leastRound(standing, order, without)
  }
  if (planned !== undefined) return { round: planned, plan: afterPlanned }
  if (best === null) return null
  return { round: best, plan: [] }
}

function standingOf({ points, byes, sat, lastSeat, run, met }: SwissPast): Standing {
  const n = points.length
  return {
    n,
    seats: sat.map(([first = 0, second = 0], at) => ({
      balance: first - second,
      last: lastSeat[at]!,
      run: run[at]!,
    })),
    met: (one, other) => {
      if (one === n) return byes[other]! > 0
      return other === n ? byes[one]! > 0 : hasBit(met, one * n + other)
    },
  }
}

function opponentsLeft({ n, met }: Standing, entrant: number): number {
  let left = 0
  for (let other = 0; other < n + (n % 2); other++) if (other !== entrant && !met(entrant, other)) left++
  return left
}

/** The seat that an entrant must have, or it would have one three times running or three times more often; -1: either. */
function dueSeat({ balance, last, run }: SeatRecord): number {
  if (run >= 2) return 1 - last
  return Math.abs(balance) >= 2 ? Number(balance > 0) : -1
}

/** The seat that an entrant has had less often, or not last; -1: either. */
function wantedSeat({ balance, last }: SeatRecord): number {
  if (balance !== 0) return Number(balance > 0)
  return last === -1 ? -1 : 1 - last
}

type Costs = (one: number, other: number) => number | undefined

/** The cost of a pair: first two with the same due seat, then the gap in points, then large gaps, then equal wishes. */
function costsOf({ points }: SwissPast, { n, seats, met }: Standing): Costs {
  const [least, most] = [Math.min(...points), Math.max(...points)]
  const isExact = points.every((each) => Number.isInteger(2 * each)) && 2 * (most - least) <= LEVELS
  const scale = isExact || most === least ? 2 : LEVELS / (most - least)
  const levels = points.map((each) => Math.round((each - least) * scale))
  const [due, wanted] = [seats.map(dueSeat), seats.map(wantedSeat)]
  return (one, other) => {
    if (met(one, other)) return undefined
    if (one === n || other === n) return gapCost(levels[one === n ? other : one]!)
    const same = (of: readonly number[]): number => Number(of[one] !== -1 && of[one] === of[other])
    return same(due) * 2 ** 39 + gapCost(Math.abs(levels[one]! - levels[other]!)) + same(wanted)
  }
}

const gapCost = (gap: number): number => gap * 2 ** 23 + Math.min(gap, 31) ** 2 * 2 ** 7

/** The round of the least cost; null: nobody can be paired without a rematch. */
function leastRound(standing: Standing, order: readonly number[], costs: Costs): PairedRound | null {
  const waiting = order.length % 2 === 0 ? [...order] : [...order, standing.n]
  const blocks: { readonly members: readonly number[]; readonly pairs: readonly (readonly [number, number])[] }[] = []
  let members: number[] = []
  while (waiting.length > 0) {
    members = [...members, ...waiting.splice(0, members.length === 0 ? BLOCK : 2)]
    let pairs = pairsOf(members, costs)
    while (pairs === null && waiting.length === 0) {
      const above = blocks.pop()
      if (above === undefined) return null
      members = [...above.members, ...members]
      pairs = pairsOf(members, costs)
    }
    if (pairs === null) continue
    blocks.push({ members, pairs })
    members = []
  }
  return seatPairs(
    standing,
    blocks.flatMap(({ pairs }) => pairs),
  )
}

function pairsOf(members: readonly number[], costs: Costs): readonly (readonly [number, number])[] | null {
  const mates = leastCostMatching(members.length, (one, other) => costs(members[one]!, members[other]!))
  if (mates === null) return null
  return mates.flatMap((mate, at) => (at < mate ? [[members[at]!, members[mate]!] as const] : []))
}

function seatPairs({ n, seats }: Standing, pairs: readonly (readonly [number, number])[]): PairedRound {
  const bye = pairs.find((pair) => pair.includes(n))?.find((each) => each !== n)
  const seated = pairs
    .filter((pair) => !pair.includes(n))
    .map(([one, other]): readonly [number, number] => {
      const [a, b] = [seats[one]!, seats[other]!]
      const due = dueSeat(a) === -1 ? 1 - dueSeat(b) : dueSeat(a)
      if (due === 0 || due === 1) return due === 0 ? [one, other] : [other, one]
      const wish = a.balance - b.balance || b.last - a.last
      return wish > 0 ? [other, one] : [one, other]
    })
  return { pairs: seated, bye }
}

const keepsSeats = ({ seats }: Standing, { pairs }: PairedRound): boolean =>
  pairs.every((pair) => pair.every((entrant, seat) => dueSeat(seats[entrant]!) !== 1 - seat))

function afterRound({ n, seats, met }: Standing, { pairs, bye }: PairedRound): Standing {
  const partner = new Map(pairs.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]))
  if (bye !== undefined) partner.set(bye, n).set(n, bye)
  const after = [...seats]
  for (const pair of pairs) {
    for (const [seat, entrant] of pair.entries()) {
      const { balance, last, run } = seats[entrant]!
      after[entrant] = { balance: balance + (seat === 0 ? 1 : -1), last: seat, run: last === seat ? run + 1 : 1 }
    }
  }
  return { n, seats: after, met: (one, other) => partner.get(one) === other || met(one, other) }
}

/** Rounds to the end without a rematch and within the rules of seats; null: none were found. */
function planAfter(standing: Standing, rounds: number, next: () => number): readonly PairedRound[] | null {
  if (rounds === 0) return []
  for (let attempt = 0; attempt < 2; attempt++) {
    const matchings = disjointMatchings(standing, next)
    const plan = matchings === null ? null : orderedRounds(standing, matchings, rounds, { left: 200 * rounds })
    if (plan !== null) return plan
  }
  return null
}

/**
 * Rounds before which nobody has met: those of a table in a circle, in which all but one move on by a place. Everybody has the
 * seats in turn, except for one repetition.
 */
function circlePlan({ n }: Standing, rounds: number, order: readonly number[]): readonly PairedRound[] {
  const circle = n % 2 === 0 ? [...order] : [...order, n]
  const [fixed, moving] = [circle.at(-1)!, circle.slice(0, -1)]
  const at = (place: number): number => moving[place % moving.length]!
  const inTurn = (isFirst: boolean, one: number, other: number): readonly [number, number] =>
    isFirst ? [one, other] : [other, one]
  return Array.from({ length: rounds }, (_, round) => {
    const pairs = Array.from({ length: moving.length >> 1 }, (__, index) =>
      inTurn(index % 2 === 0, at(round + index + 1), at(round + moving.length - index - 1)),
    )
    if (fixed === n) return { pairs, bye: at(round) }
    return { pairs: [inTurn(round % 2 === 1, fixed, at(round)), ...pairs], bye: undefined }
  })
}

/**
 * All pairs that have not met, as matchings of all. The pairs are edges and the matchings colours. An edge without a colour
 * takes one that one of its ends lacks, from another edge of its other end if need be, until all have one (the hill-climbing
 * of Dinitz and Stinson). null: they were not found.
 */
function disjointMatchings(
  { n, met }: Standing,
  next: () => number,
): readonly (readonly (readonly [number, number])[])[] | null {
  const size = n + (n % 2)
  const edges: (readonly [number, number])[] = []
  for (let one = 0; one < size; one++)
    for (let other = one + 1; other < size; other++) if (!met(one, other)) edges.push([one, other])
  const colours = (2 * edges.length) / size
  /** The edge by vertex and colour; -1: none. */
  const at = new Int32Array(size * colours).fill(-1)
  const open = shuffled([...edges.keys()], next)
  const lacking = (vertex: number): number[] => {
    const found: number[] = []
    for (let colour = 0; colour < colours; colour++) if (at[vertex * colours + colour] === -1) found.push(colour)
    return found
  }
  for (let steps = 200 + 20 * edges.length; open.length > 0; steps--) {
    if (steps === 0) return null
    const place = drawBelow(next, open.length)
    const edge = open[place]!
    open[place] = open.at(-1)!
    open.pop()
    const [one, other] = edges[edge]!
    const free = lacking(one)
    const common = free.filter((colour) => at[other * colours + colour] === -1)
    const choice = common.length > 0 ? common : free
    const colour = choice[drawBelow(next, choice.length)]!
    const displaced = at[other * colours + colour]!
    if (displaced !== -1) {
      for (const end of edges[displaced]!) at[end * colours + colour] = -1
      open.push(displaced)
    }
    at[one * colours + colour] = edge
    at[other * colours + colour] = edge
  }
  return Array.from({ length: colours }, (_, colour) => {
    const own = new Set(Array.from({ length: size }, (__, vertex) => at[vertex * colours + colour]!))
    return [...own].map((edge) => edges[edge]!)
  })
}

/** Some of the matchings in an order in which seats are within the rules. `tries`: how many rounds may be tried. */
function orderedRounds(
  standing: Standing,
  matchings: readonly (readonly (readonly [number, number])[])[],
  rounds: number,
  tries: { left: number },
): readonly PairedRound[] | null {
  if (rounds === 0) return []
  for (const matching of matchings) {
    if (tries.left-- <= 0) return null
    const round = seatPairs(standing, matching)
    if (!keepsSeats(standing, round)) continue
    const others = matchings.filter((each) => each !== matching)
    const rest = orderedRounds(afterRound(standing, round), others, rounds - 1, tries)
    if (rest !== null) return [round, ...rest]
  }
  return null
}
