import type { ContestFormat, Tally, TallyContest } from '../../../contract/contests/contest-format.ts'
import { knockoutSettings, type Knockout } from '../../../contract/contests/format-settings.ts'
import { legUnit } from '../../../contract/contests/dealing/leg-unit.ts'
import {
  bracketOf,
  encounterCount,
  openEncounters,
  recounted,
  roundCount,
  stagesPerRound,
  usualStages,
  type Bracket,
} from './bracket.ts'

/** Encounters of two, each the best of some matches with seats in turn; who loses one is out. */
export const knockout: ContestFormat<Knockout> = {
  id: 'knockout',
  settings: knockoutSettings,
  varies: true,
  forNewContests: { ties: 'play-on' },
  tableSize: () => 2,
  withdrawal: () => 'advanced',
  stages(settings, entrants) {
    const each = stagesPerRound(settings)
    return Array.from({ length: roundCount(entrants) }, (_, round) => {
      const encounters = encounterCount(settings, entrants, round)
      return Array.from({ length: each }, (__, stage) => {
        if (stage >= usualStages(settings)) return 0
        return stage === 0 ? (encounters * (settings.bestOf + 1)) / 2 : encounters
      })
    }).flat()
  },
  next(contest, results) {
    const open = openEncounters(contest, results)
    const [most = 0] = open.map(({ matches }) => matches)
    const matches = Array.from({ length: most }, (_, match) =>
      open.map(({ players, before }) => ({
        entrants: (before + match) % 2 === 0 ? players : players.toReversed(),
      })),
    ).flat()
    return {
      length: matches.length,
      at: (index) => matches[index],
      unit: (index) => legUnit(index % open.length, open.length, Math.floor(index / open.length), most),
    }
  },
  tally: knockoutTally,
}

/** Standings by the round that each has reached, and a table of the encounters. */
function knockoutTally(tallied: TallyContest<Knockout>): Tally {
  const { settings, names, seed, outcomes, field, results, soFar, ruled, usual } = tallied
  const tally = usual()
  const contest = { settings, entrants: names.length, seed, outcomes, field }
  const rounds = roundCount(names.length)
  const bracket = (): Bracket => {
    const played = bracketOf(contest, (ruled ?? tallied).results())
    return ruled === undefined ? played : recounted(settings, played, results())
  }
  return {
    ...tally,
    totals: () => tally.standings(),
    standings() {
      const lost = losses(bracket(), rounds)
      const place = new Map(names.map((name, at) => [name, lost.get(at) ?? 0]))
      const sorted = tally.standings().toSorted((a, b) => place.get(a.agent)! - place.get(b.agent)!)
      let rank = 0
      return sorted.map((row, at) => {
        const above = sorted[at - 1]
        if (above === undefined || place.get(above.agent) !== place.get(row.agent)) rank = at + 1
        return { ...row, rank }
      })
    },
    tables() {
      const decided = bracket()
      // The encounters of the running stage with the points so far; who wins them is not decided.
      const now = bracketOf(contest, (ruled ?? tallied).soFar())
      const known = ruled === undefined ? now : recounted(settings, now, soFar())
      const rows = decided.flatMap((encounters, round) =>
        encounters.map(({ isThirdPlace, players, winner, decidedBy = '' }, at) => ({
          round: isThirdPlace ? 'Third place' : roundName(round, rounds),
          'better seed': names[players[0]],
          'other seed': names[players[1]],
          points: (known[round]?.[at]?.results ?? []).map(({ points }) => points).join(' : '),
          winner: winner === undefined ? '' : names[winner],
          'decided by': decidedBy,
        })),
      )
      return { Bracket: rows }
    },
  }
}

function roundName(round: number, rounds: number): string {
  const left = rounds - round
  return ['Final', 'Semi-final', 'Quarter-final'][left - 1] ?? `Round ${round + 1}`
}

/**
 * The rounds that each entrant that is out is short of first place, with third and fourth place apart. An entrant that
 * is still in has no entry. After a ruling somebody may have won an encounter and not have played the next round: it is
 * placed as if it had lost that one.
 */
function losses(bracket: Bracket, rounds: number): ReadonlyMap<number, number> {
  const lost = new Map<number, number>()
  const played = bracket.map(
    (encounters) => new Set(encounters.flatMap(({ isThirdPlace, players }) => (isThirdPlace ? [] : players))),
  )
  for (const { round, isThirdPlace, players, winner } of bracket.flat()) {
    if (winner === undefined) continue
    for (const player of players) {
      const before = lost.get(player)
      if (isThirdPlace) {
        if (before === SEMI_FINAL) lost.set(player, player === winner ? 1.5 : 1.75)
      } else if (before !== undefined) continue
      else if (player !== winner) lost.set(player, rounds - round)
      else if (played[round + 1]?.has(player) === false) lost.set(player, rounds - round - 1)
    }
  }
  return lost
}

/** The place of those who lost a semi-final, if they do not play for third place. */
const SEMI_FINAL = 2
