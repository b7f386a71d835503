import type { ContestFormat } from '../../../contract/contests/contest-format.ts'
import { roundRobinSettings, type RoundRobin } from '../../../contract/contests/format-settings.ts'
import { legUnit } from '../../../contract/contests/dealing/leg-unit.ts'
import { isSeparated } from '../statistics/separation.ts'
import { seatsOf } from './seats.ts'
import { formatCount, SETS_MAX } from './set-limits.ts'
import { evenSeating, greedySeating, type SeatedSets } from './set-seating.ts'

/** The maximum number of stages: the results of each are kept. */
const CYCLES_MAX = 1_000

/** The number of sets of entrants as a double: exact up to the maximum, possibly Infinity beyond. */
function setCount(settings: RoundRobin, entrants: number): number {
  const seats = seatsOf(settings)
  let result = 1
  for (let i = 1; i <= seats; i++) result = Math.round((result * (entrants - seats + i)) / i)
  return result
}

/**
 * Every set of `seats` entrants plays `repeats` matches, the sets in an order derived from the seed. Everybody
 * sits in each seat equally often or once more; each repeat rotates the seats by one, so that two
 * repeats with two players are a first and a return match. Shuffling needs all sets at once: from the first match on,
 * the order takes 2 bytes of memory for each seat of each set.
 */
export const roundRobin: ContestFormat<RoundRobin> = {
  id: 'round-robin',
  settings: roundRobinSettings,
  forNewContests: { seating: 'even' },
  tableSize: seatsOf,
  fault(settings, entrants) {
    const { until } = settings
    if (until !== undefined && until.top >= entrants)
      return `The best ${until.top} of ${entrants} entrants cannot be told from the others: there are no others.`
    const cycles = legsOfStages(settings).length
    if (cycles > CYCLES_MAX)
      return `A contest that ends when the best are known has at most ${CYCLES_MAX * seatsOf(settings)} repeats; ${settings.repeats} are asked for.`
    const sets = setCount(settings, entrants)
    if (sets <= SETS_MAX) return null
    return `There would be ${formatCount(sets)} sets of entrants; the maximum is ${formatCount(SETS_MAX)}, because their shuffled order is kept in memory. The format "pools" plays random tables of that size, equally many for each entrant.`
  },
  variesWith: ({ until }) => until !== undefined,
  withdrawal({ until }, played) {
    if (until !== undefined)
      return {
        refusal:
          'A contest that ends when the best are known allows no withdrawals: all must have played equally often.',
      }
    return played < 0.5 ? 'annulled' : 'forfeited'
  },
  ending({ until, ...settings }, entrants, matches) {
    if (until === undefined) return null
    const most = setCount(settings, entrants) * settings.repeats
    const best = until.top === 1 ? 'the best is' : `the best ${until.top} are`
    const sure = `better than all others with ${formatPercent(until.confidence)} confidence`
    return matches < most
      ? `Ended after ${formatCount(matches)} of at most ${formatCount(most)} matches: ${best} ${sure}.`
      : `All ${formatCount(most)} matches were played: it was not known before that ${best} ${sure}.`
  },
  stages: (settings, entrants) => legsOfStages(settings).map((legs) => setCount(settings, entrants) * legs),
  next({ settings, entrants, seed }, results) {
    const seats = seatsOf(settings)
    const { until } = settings
    const points = results.map((result) => result.map((each) => each.points))
    if (until !== undefined && isSeparated(points, until.top, until.confidence)) return []
    const sets = setCount(settings, entrants)
    const legs = legsOfStages(settings)[results.length]!
    const before = results.length * seats
    const shape = { entrants, seats, sets, seed }
    let seated: SeatedSets | null = null
    return {
      length: sets * legs,
      at(index) {
        seated ??= settings.seating === 'even' ? evenSeating(shape, settings.repeats) : greedySeating(shape)
        const [set, leg] = [index % sets, before + Math.floor(index / sets)]
        return { entrants: Array.from({ length: seats }, (_, seat) => seated!.entrant(set, leg, seat)) }
      },
      unit: (index) => (seats > 1 ? legUnit(index % sets, sets, Math.floor(index / sets), legs, seats) : undefined),
    }
  },
}

const formatPercent = (part: number): string => `${Number((100 * part).toFixed(1))} %`

/**
 * The repeats of each stage. A contest that may end early has a stage for every cycle, in which everybody sits in each
 * seat against each set once.
 */
function legsOfStages(settings: RoundRobin): readonly number[] {
  const { repeats, until } = settings
  if (until === undefined) return [repeats]
  const seats = seatsOf(settings)
  return Array.from({ length: Math.ceil(repeats / seats) }, (_, cycle) => Math.min(seats, repeats - cycle * seats))
}
