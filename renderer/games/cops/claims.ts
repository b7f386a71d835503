import type { SeatId } from '../../../main/contract/ids.ts'
import { nameInWords } from '../../../main/referees/cops/narration/narrator.ts'
import type { RoundView, View } from './rules.ts'

/** A cop's claims about the robber's place, as they are drawn. */
export interface Claim {
  readonly seat: SeatId
  readonly loc: string
  /** From -100, surely not there, to 100. */
  readonly certainty: number
}

/** The claims of a round about the robber in the world of the round. `robber`: its name. */
export function claimsOf(round: RoundView | null, robber: string): readonly Claim[] {
  if (round === null) return []
  return round.informs.flatMap((informs, seat) =>
    (informs ?? []).flatMap(({ bot, loc, world, certainty }) =>
      bot === robber && world === round.world && certainty !== 0 ? [{ seat, loc, certainty }] : [],
    ),
  )
}

/** A line of the election: who may be elected, whom it ranked, and how often it was put first. */
export interface BallotRow {
  readonly seat: SeatId
  /** Seats, best first; null: the viewer does not know its ballot, or it has not voted. */
  readonly ballot: readonly SeatId[] | null
  readonly firsts: number | null
  readonly won: boolean
}

/** The election of a round, by seat: of odd worlds the cops that play, of even ones the robber and those that it has bribed. */
export function electionOf(
  round: RoundView,
  {
    names,
    cops,
  }: { readonly names: View['names']; readonly cops: readonly Pick<View['cops'][number], 'dirty' | 'out'>[] },
): readonly BallotRow[] {
  const scoundrels = round.world % 2 === 0
  // A seat that knows only its own ballot cannot count votes.
  const known = round.ballots.filter((ballot) => ballot !== null).length > 1
  return names.flatMap((_, seat) => {
    const [ballot, plan, cop] = [round.ballots[seat] ?? null, round.plans[seat] ?? null, cops[seat - 1]]
    const votes = scoundrels ? cop === undefined || cop.dirty === true : cop?.out === false
    if (!votes && ballot === null && plan === null) return []
    const firsts = round.ballots.filter((each) => each?.[0] === seat).length
    return [{ seat, ballot, firsts: known ? firsts : null, won: round.winner === seat }]
  })
}

/** A robot's entrant, and its own name in the match where that is another. */
export function robotName(entrants: readonly string[], bots: readonly string[] | undefined, seat: SeatId): string {
  return nameInWords(entrants[seat] ?? '', bots?.[seat])
}
