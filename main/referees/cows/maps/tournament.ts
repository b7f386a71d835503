import type { ContestFormat, GameContests, Pairing, PairingUnit } from '../../../contract/contests/contest-format.ts'
import { legUnit } from '../../../contract/contests/dealing/leg-unit.ts'
import type { Outcome } from '../../../contract/game/outcome.ts'
import type { StandingRow } from '../../../contract/contests/standings.ts'
import { tournamentSettings, type TournamentSettings } from '../choices.ts'

/** Simulations of the whole tournament that can be numbered. */
const SIMULATIONS_MAX = 100_000_000

/**
 * The tournament of 2008: everybody plays matches against everybody, each of several simulations on different maps. The teams
 * swap corrals from one simulation to the next, and from one match of a pair to the next.
 */
export const tournament: ContestFormat<TournamentSettings> = {
  id: 'tournament',
  settings: tournamentSettings,
  texts: { maps: 'map' },
  tableSize: () => 2,
  fault(settings, entrants) {
    const most = simulations(settings, entrants)
    if (most <= SIMULATIONS_MAX) return null
    return `There would be ${most.toLocaleString('en')} simulations; the maximum is ${SIMULATIONS_MAX.toLocaleString('en')}.`
  },
  variants: ({ maps }) => maps.map((map) => ({ map })),
  stages: (settings, entrants) => [simulations(settings, entrants)],
  next: ({ settings, entrants }) => ({
    length: simulations(settings, entrants),
    at: (index) => simulationAt(settings, entrants, index),
    unit: (index) => unitOf(settings, entrants, index),
  }),
  tally(contest) {
    const usual = contest.usual()
    return { ...usual, standings: () => ranked(usual.standings()) }
  },
}

/** By points, ties by all cows of the tournament. */
function ranked(rows: readonly StandingRow[]): readonly StandingRow[] {
  const sorted = [...rows].sort((a, b) => b.points - a.points || b.score - a.score)
  let rank = 0
  return sorted.map((row, at) => {
    const before = sorted[at - 1]
    if (row.points !== before?.points || row.score !== before.score) rank = at + 1
    return { ...row, rank }
  })
}

/** Contests of Cows and Herders: a simulation won is worth three points, a draw one (spec 5.4). */
export const contests: GameContests = { formats: [tournament], points }

function points({ places }: Outcome): readonly number[] {
  return pointsOf(places.map(({ rank }) => -rank))
}

/** The points of a simulation, by what each team has caught (spec 5.4). */
export function pointsOf(scores: readonly number[]): readonly number[] {
  const best = Math.max(...scores)
  const winners = scores.filter((score) => score === best).length
  return scores.map((score) => (score < best ? 0 : winners > 1 ? 1 : 3))
}

function simulations({ maps, matches }: TournamentSettings, entrants: number): number {
  return ((entrants * (entrants - 1)) / 2) * matches * maps.length
}

/** All first matches come before all second ones, and all simulations of a match together. */
function simulationAt({ maps }: TournamentSettings, entrants: number, index: number): Pairing | undefined {
  const pairs = (entrants * (entrants - 1)) / 2
  const variant = index % maps.length
  const match = Math.floor(index / maps.length)
  const [first, second] = pairAt(match % pairs, entrants)
  const isSwapped = (variant + Math.floor(match / pairs)) % 2 === 1
  return { entrants: isSwapped ? [second, first] : [first, second], variant }
}

/** The simulations of two matches of a pair on the same map, with the corrals swapped. */
function unitOf({ maps, matches }: TournamentSettings, entrants: number, index: number): PairingUnit | undefined {
  const simulationsOfLeg = ((entrants * (entrants - 1)) / 2) * maps.length
  return legUnit(index % simulationsOfLeg, simulationsOfLeg, Math.floor(index / simulationsOfLeg), matches)
}

/** The pairs in the order (0, 1), (0, 2) and so on. */
function pairAt(number: number, entrants: number): readonly [number, number] {
  let first = 0
  let left = number
  while (left >= entrants - 1 - first) {
    left -= entrants - 1 - first
    first += 1
  }
  return [first, first + 1 + left]
}
