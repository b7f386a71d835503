import type {
  ContestFormat,
  Pairings,
  Tally,
  TallyContest,
  GameContests,
} from '../../../contract/contests/contest-format.ts'
import { bracketOf, roundsAtMost, gameOfPod, POD, type Pod, compareScores, type Bracket } from './bracket.ts'
import { podsSettings, type PodsSettings } from '../choices.ts'
import type { StandingRow } from '../../../contract/contests/standings.ts'
import { inPoints, POINT } from '../points.ts'
import { ROBBER } from '../state.ts'

/**
 * The contest of 2005 (4): a regular season of each contestant against the house, then playoffs in pods of six of which the
 * best three go on, down to a final pod. The last entrant of the list is the house agent: it fills pods and is not ranked.
 */
export const pods: ContestFormat<PodsSettings> = {
  id: 'pods',
  settings: podsSettings,
  // The house's cops stand still where others are disqualified, if a contestant is the fifth one.
  variants({ houseMarket }) {
    const season = { mcgruffs: POD - 2 }
    if (houseMarket.length === 0) return [season]
    const worlds = Array.from({ length: POD - 1 }, (_, cop) => houseMarket[cop] ?? 0)
    // The first one completes the contest's own config, in which the playoffs are played: nobody is listed in it.
    return [season, { ...season, marketWorlds: worlds.slice(0, POD - 2) }, { marketWorlds: worlds }]
  },
  varies: true,
  readsOutcomes: true,
  tableSize: () => POD,
  repeatsEntrants: true,
  fault: (_settings, entrants) =>
    entrants >= 2 ? null : 'A contest in pods needs the house agent as its last entrant, and a contestant before it.',
  stages(settings, entrants) {
    const contestants = entrants - 1
    const stages = [POD * contestants]
    let players = contestants
    for (let round = 0; round < roundsAtMost(contestants); round++) {
      const count = Math.ceil(players / POD)
      stages.push(POD * count, ...Array.from({ length: settings.reruns }, () => 0))
      players = Math.min(players, 3 * count)
    }
    // Everything that decides is over before the last stage, of which no results are kept.
    return [...stages, 0]
  },
  next: ({ settings, entrants, seed, outcomes }, results) => {
    const { stages } = bracketOf({ settings, entrants, seed, outcomes, finished: results.length })
    const season = settings.houseMarket.length === 0 ? { asCop: 0 } : { asCop: 1, asRobber: 2 }
    return pairingsOf(stages[results.length] ?? [], results.length === 0 ? season : {})
  },
  tally: podsTally,
}

/** The variant of the games in which a pod's first member is the robber, and of its others. Absent: the contest's config. */
interface PodVariants {
  readonly asRobber?: number
  readonly asCop?: number
}

function pairingsOf(list: readonly Pod[], { asRobber, asCop }: PodVariants): Pairings {
  return {
    length: POD * list.length,
    at: (index) => {
      const pod = list[Math.floor(index / POD)]
      if (pod === undefined) return undefined
      const game = index % POD
      const variant = game === 0 ? asRobber : asCop
      return { ...gameOfPod(pod, game), ...(variant === undefined ? {} : { variant }) }
    },
    // In the games of a pod everybody is the robber once.
    unit: (index) => ({ id: Math.floor(index / POD), size: POD }),
  }
}

/**
 * Standings of a contest in pods: who reached a later round ranks first; within a round its score decides, then the scores of
 * earlier rounds. Those who were disqualified rank last. The house agent is not ranked. Rulings change scores, not the rounds.
 */
function podsTally({ settings, names, seed, results, outcomes, ruled, usual }: TallyContest<PodsSettings>): Tally {
  const shared = usual()
  /** As it was played, with the scores that count, and points of rulings in the round that is an entrant's last. */
  const bracket = (): Bracket => {
    const played = { settings, entrants: names.length, seed, finished: results().length }
    if (ruled === undefined) return bracketOf({ ...played, outcomes })
    const found = bracketOf({ ...played, outcomes: ruled.outcomes, counted: outcomes })
    const standings = found.standings.map((each) => {
      const given = Math.round((ruled.points[each.entrant] ?? 0) * POINT)
      const scores = each.scores.length === 0 ? [0] : each.scores
      return given === 0 ? each : { ...each, scores: scores.with(-1, scores.at(-1)! + given) }
    })
    return { ...found, standings }
  }

  return {
    add: (played) => shared.add(played),
    headToHead: () => shared.headToHead(),
    totals: () => shared.standings(),
    standings() {
      const sums = new Map(shared.standings().map((row) => [row.agent, row]))
      const { standings } = bracket()
      const key = (entrant: number): readonly number[] => standings[entrant]!.scores
      const compare = (a: number, b: number): number =>
        Number(standings[a]!.disqualified) - Number(standings[b]!.disqualified) || compareScores(key(b), key(a))
      const sorted = standings.map(({ entrant }) => entrant).sort(compare)
      let rank = 0
      return sorted.map((entrant, at): StandingRow => {
        if (at === 0 || compare(sorted[at - 1]!, entrant) !== 0) rank = at + 1
        const { scores } = standings[entrant]!
        const score = scores.at(-1) ?? 0
        return {
          ...sums.get(names[entrant]!)!,
          rank,
          points: inPoints(score),
          score: inPoints(score),
          stage: Math.max(1, scores.length),
        }
      })
    },
    tables() {
      const { rounds, standings, ties } = bracket()
      return Object.fromEntries(
        rounds.map((players, round) => {
          const later = rounds[round + 1]
          const decidedBy = later === undefined ? undefined : ties[round]
          const rows = players
            .map((entrant) => ({
              agent: names[entrant]!,
              points: inPoints(standings[entrant]!.scores[round] ?? 0),
              ...(later === undefined ? {} : { next: later.includes(entrant) ? 'yes' : 'no' }),
              ...(decidedBy === undefined ? {} : { 'tie decided by': decidedBy.get(entrant) ?? '' }),
              ...(standings[entrant]!.disqualified ? { disqualified: 'yes' } : {}),
            }))
            .sort((a, b) => b.points - a.points)
          return [round === 0 ? 'Regular season' : `Playoffs, round ${round}`, rows]
        }),
      )
    },
  }
}

/** How contests of Cops & Robbers are played and counted: by the sum of points (4). */
export const contests: GameContests = {
  formats: [pods],
  points: ({ places }) => places.map(({ score }) => inPoints(score)),
  scoreUnit: POINT,
  // A false accusation costs points.
  pointsRange: [-Infinity, Infinity],
  roleOf: (seat) => (seat === ROBBER ? 'robber' : 'cop'),
}
