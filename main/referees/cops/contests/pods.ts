import type { ContestFormat, Pairings } from '../../../contract/contests/contest-format.ts'
import { bracketOf, roundsAtMost } from './bracket.ts'
import { gameOfPod, POD, type Pod } from './pod.ts'
import { podsSettings, type PodsSettings } from '../choices.ts'
import { podsTally } from './tally.ts'

/**
 * The contest of 2005 (4): a regular season of each contestant against the house, then playoffs in pods of six of which the
 * best three go on, down to a final pod. The last entrant of the list is the house agent: it fills pods and is not ranked.
 */
export const pods: ContestFormat<PodsSettings> = {
  id: 'pods',
  settings: podsSettings,
  // The house's cops stand still where others are disqualified, if a contestant is the fifth one.
  variants: () => [{ mcgruffs: POD - 2 }],
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
    return pairingsOf(stages[results.length] ?? [], results.length === 0)
  },
  tally: podsTally,
}

function pairingsOf(list: readonly Pod[], isSeason: boolean): Pairings {
  return {
    length: POD * list.length,
    at: (index) => {
      const pod = list[Math.floor(index / POD)]
      if (pod === undefined) return undefined
      const game = index % POD
      return { ...gameOfPod(pod, game), ...(isSeason && game > 0 ? { variant: 0 } : {}) }
    },
    // In the games of a pod everybody is the robber once.
    unit: (index) => ({ id: Math.floor(index / POD), size: POD }),
  }
}
