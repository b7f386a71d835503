import type { ContestFormat } from '../../../contract/contests/contest-format.ts'
import { drawRound, gamesOfRound, type Round } from './draw.ts'
import { mapsOfRounds, roundsSettings, type RoundsSettings } from '../choices.ts'
import { playersOfRounds, roundsTally } from './tally.ts'

/** The maximum number of seats in all games of a round: its games are drawn and kept together. */
const SEATS_OF_ROUND_MAX = 1_000_000

/**
 * The contest of 2017 (1.0, section 6): a round each on small, larger and fiendish maps. In each, all that are left
 * play equally many games on each map, in groups drawn at random, for rank points. Those below the median are
 * eliminated; those with exactly the median stay. If the last game of a map is not full, some are drafted into it,
 * for whom it does not count.
 */
export const rounds: ContestFormat<RoundsSettings> = {
  id: 'rounds',
  settings: roundsSettings,
  texts: { small: 'map', larger: 'map', fiendish: 'map' },
  varies: true,
  tableSize: ({ seats }, entrants) => Math.max(2, Math.min(seats, entrants)),
  fault(settings, entrants) {
    const most = Math.max(...mapsOfRounds(settings).map((maps) => entrants * settings.games * maps.length))
    if (most <= SEATS_OF_ROUND_MAX) return null
    const [seats, limit] = [most, SEATS_OF_ROUND_MAX].map((count) => count.toLocaleString('en'))
    return `A round would have ${seats} seats in all its games; the maximum is ${limit}, because they are drawn together.`
  },
  variants: (settings) => mapsOfRounds(settings).flatMap((maps) => maps.map((map) => ({ map }))),
  stages(settings, entrants) {
    let players = entrants
    return mapsOfRounds(settings).map((maps) => {
      const length = gamesOfRound(players, { ...settings, maps: maps.length })
      // Half of them stay if no two have equal points.
      players = Math.ceil(players / 2)
      return length
    })
  },
  next({ settings, entrants, seed }, results) {
    const maps = mapsOfRounds(settings).map(({ length }) => length)
    const everybody = Array.from({ length: entrants }, (_, at) => at)
    const number = results.length
    const round: Round = {
      number,
      players: playersOfRounds(everybody, results, maps.length).at(-1)!,
      seats: settings.seats,
      games: settings.games,
      firstMap: maps.slice(0, number).reduce((sum, length) => sum + length, 0),
      maps: maps[number]!,
    }
    return drawRound(round, seed)
  },
  tally: roundsTally,
}
