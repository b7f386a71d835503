import type { ContestFormat } from '../../../contract/contests/contest-format.ts'
import { gauntletSettings, type Gauntlet } from '../../../contract/contests/format-settings.ts'
import { challengesInTurn, challengeLength, type Challenge } from './challenge.ts'
import { rankedByMean } from './ranked-by-mean.ts'
import { seatsOf } from './seats.ts'

/**
 * The first entrants each play all that are not among them. These challengers play more matches than the others, so points
 * per match decide.
 */
export const gauntlet: ContestFormat<Gauntlet> = {
  id: 'gauntlet',
  settings: gauntletSettings,
  tableSize: seatsOf,
  withdrawal: () => 'removed',
  fault(settings, entrants) {
    const { challengers } = settings
    const [others, least] = [entrants - challengers, seatsOf(settings) - 1]
    if (others >= least) return null
    return `A gauntlet with ${least + 1} players a match needs ${least} ${least === 1 ? 'entrant' : 'entrants'} besides its ${challengers === 1 ? 'challenger' : `${challengers} challengers`}; there are ${Math.max(0, others)}.`
  },
  stages(settings, entrants) {
    const { challengers, repeats } = settings
    return [challengers * challengeLength({ others: entrants - challengers, repeats, seats: seatsOf(settings) })]
  },
  next({ settings, entrants, seed }) {
    const { challengers, repeats } = settings
    const of = { first: challengers, others: entrants - challengers, repeats, seats: seatsOf(settings) }
    const each = Array.from({ length: challengers }, (_, challenger): Challenge => ({ challenger, ...of }))
    return challengesInTurn(each, seed)
  },
  tally: rankedByMean,
}
