import type {
  ContestFormat,
  Pairings,
  StageResult,
  Tally,
  TallyContest,
} from '../../../contract/contests/contest-format.ts'
import { orderedPairsSettings, type OrderedPairs } from '../../../contract/contests/format-settings.ts'
import { mersenneOf } from '../../../contract/mersenne.ts'
import { formatCount, SETS_MAX } from './set-limits.ts'
import { shownScore } from './counting.ts'
import { finalistCount, finalistsOf, playOnStages, tiedAtCut, tiesAtCut } from './ordered-pairs-cut.ts'
import { pairIndex } from '../statistics/bradley-terry.ts'
import { createPairTally } from './pair-tally.ts'

/**
 * Every ordered pair of entrants plays each seed of the first stage, pair by pair; then the finalists play the final's
 * seeds. Entrants that are tied at the cut play on in stages in between, if the contest says so.
 */
export const orderedPairs: ContestFormat<OrderedPairs> = {
  id: 'ordered-pairs',
  settings: orderedPairsSettings,
  forNewContests: { ties: 'play-on' },
  variesWith: ({ ties }) => ties === 'play-on',
  tableSize: () => 2,
  fault({ finalists }, entrants) {
    if (finalists === 1) return 'A final needs at least two finalists; 0 means no final.'
    const pairs = entrants * (entrants - 1)
    if (pairs <= SETS_MAX) return null
    return `There would be ${formatCount(pairs)} ordered pairs of entrants; the maximum is ${formatCount(SETS_MAX)}, because the table of all pairs is kept in memory.`
  },
  stages(settings, entrants) {
    const finalists = finalistCount(settings, entrants)
    const first = entrants * (entrants - 1) * countOf(settings.seeds)
    // The number of matches in the final is known before its players are.
    if (finalists === 0) return [first]
    const playOn = Array.from({ length: playOnStages(settings, entrants) }, () => 0)
    return [first, ...playOn, finalists * (finalists - 1) * countOf(settings.finalSeeds)]
  },
  next({ settings, entrants, seed }, results) {
    const everybody = Array.from({ length: entrants }, (_, at) => at)
    if (results.length === 0) return stageOf(everybody, scenariosOf(settings, seed, 'seeds'))
    const finalists = finalistsOf(settings, results)
    if (finalists !== null) return stageOf(finalists, scenariosOf(settings, seed, 'finalSeeds'))
    const further = drawnScenarios(results.length, `ties:${settings.phrase ?? seed}`, 'seeds')
    return stageOf(tiedAtCut(settings, results), { count: 1, at: () => further.at(results.length - 1) })
  },
  tally: orderedPairsTally,
}

/** The tables of sessions, in which those do not count that only decide a tie at the cut, and a table of such a tie. */
function orderedPairsTally({ settings, names, contests, ruled, ...contest }: TallyContest<OrderedPairs>): Tally {
  // Those who have played the final are its finalists, whatever a ruling says of the matches before.
  const results = (): readonly StageResult[] => (ruled ?? contest).results()
  const tally = createPairTally(names, contests, () => finalistsOf(settings, results()) ?? [], ruled?.points)
  const between = playOnStages(settings, names.length)
  return {
    ...tally,
    add(played) {
      if (played.stage === 0 || played.stage > between) tally.add(played)
    },
    tables() {
      const ties = tiesAtCut(settings, results())
      if (ties.length === 0) return tally.tables()
      const rows = ties.map(({ entrant, score, playedOn, isFinalist, decidedBy }) => ({
        agent: names[entrant],
        score: shownScore(score, contests),
        'playing on': playedOn.map((each) => shownScore(each, contests)).join(', '),
        final: isFinalist ? 'yes' : 'no',
        'decided by': decidedBy,
      }))
      return { ...tally.tables(), 'Tied at the cut': rows }
    },
  }
}

/** Numbers of scenarios. */
interface Scenarios {
  readonly count: number
  at(index: number): number
}

/** The scenarios of one stage. */
function scenariosOf(format: OrderedPairs, contestSeed: string, which: 'seeds' | 'finalSeeds'): Scenarios {
  const given = format[which]
  if (typeof given !== 'number') return { count: given.length, at: (index) => given[index]! }
  return drawnScenarios(given, format.phrase ?? contestSeed, which)
}

/** The number of drawn scenarios in each array. */
const PIECE = 65_536

/**
 * Scenarios derived from a phrase, as in 2018: the Mersenne Twister is seeded with the bytes of its UTF-8 text; its
 * first, third, fifth ... numbers belong to the final, the others to the first stage. They are drawn on request and
 * cached with 4 bytes each.
 */
function drawnScenarios(count: number, phrase: string, which: 'seeds' | 'finalSeeds'): Scenarios {
  const pieces: Uint32Array[] = []
  let draw: (() => number) | null = null
  return {
    count,
    at(index) {
      draw ??= mersenneOf(new TextEncoder().encode(phrase))
      while (pieces.length * PIECE <= index) {
        const piece = new Uint32Array(Math.min(PIECE, count - pieces.length * PIECE))
        for (let i = 0; i < piece.length; i++) {
          const [final, first] = [draw(), draw()]
          // In the original, 0 means "any scenario".
          piece[i] = (which === 'seeds' ? first : final) || 1
        }
        pieces.push(piece)
      }
      return pieces[Math.floor(index / PIECE)]![index % PIECE]!
    },
  }
}

const countOf = (seeds: number | readonly number[]): number => (typeof seeds === 'number' ? seeds : seeds.length)

/** Each ordered pair of players plays every scenario. */
function stageOf(players: readonly number[], scenarios: Scenarios): Pairings {
  const others = Math.max(0, players.length - 1)
  const seatsOf = (index: number): readonly [number, number] => {
    const pair = Math.floor(index / scenarios.count)
    const [first, other] = [Math.floor(pair / others), pair % others]
    return [first, other < first ? other : other + 1]
  }
  return {
    length: players.length * others * scenarios.count,
    at(index) {
      const [first, second] = seatsOf(index)
      return { entrants: [players[first]!, players[second]!], scenario: scenarios.at(index % scenarios.count) }
    },
    // The two sessions of a scenario with the seats swapped.
    unit(index) {
      const [first, second] = seatsOf(index)
      const unordered = pairIndex(Math.min(first, second), Math.max(first, second))
      return { id: unordered * scenarios.count + (index % scenarios.count), size: 2 }
    },
  }
}
