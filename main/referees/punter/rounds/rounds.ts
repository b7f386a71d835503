import type { ContestFormat, Pairings, GameContests } from '../../../contract/contests/contest-format.ts'
import { mapsOfRounds, roundsSettings, type RoundsSettings } from '../choices.ts'
import { playersOfRounds, rankPoints, roundsTally } from './tally.ts'
import { deal } from '../../../contract/contests/dealing/deal.ts'
import { seated, type Place } from '../../../contract/contests/dealing/seating.ts'
import { randomStream } from '../../../contract/random.ts'
import { sha256 } from '../../sha256.ts'

/** The maximum number of seats in all games of a round: its games are drawn and kept together. */
const SEATS_OF_ROUND_MAX = 1_000_000

/**
 * The contest of 2017 (1.0, section 6): a round each on small, larger and fiendish maps. In each, all that are left
 * play equally many games on each map, in groups drawn at random, for rank points. Those below the median are
 * eliminated; those with exactly the median stay. If the last game of a map is not full, some are drafted into it,
 * for whom it does not count.
 */
const rounds: ContestFormat<RoundsSettings> = {
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

/** One round of a contest. */
export interface Round {
  /** From 0. */
  readonly number: number
  /** The entrants that play, by their indices in the description. */
  readonly players: readonly number[]
  /** Punters in a game, if a round has that number of players. */
  readonly seats: number
  /** Games of each player on each map. */
  readonly games: number
  /** The variant of its first map; those of its other maps follow. */
  readonly firstMap: number
  readonly maps: number
}

/** The number of games of a round with this number of players. A single one has nothing to play for. */
export function gamesOfRound(players: number, { seats, games, maps }: Pick<Round, 'seats' | 'games' | 'maps'>): number {
  return players < 2 ? 0 : maps * Math.ceil((players * games) / Math.min(seats, players))
}

/** Draws the games of a round, map by map, from the contest's seed when the first of them is needed. */
export function drawRound(round: Round, seed: string): Pairings {
  const length = gamesOfRound(round.players.length, round)
  let drawn: Drawn | null = null
  const draw = (): Drawn => (drawn ??= drawGames(round, seed))
  return {
    length,
    at: (index) => ({
      entrants: draw().entrants[index]!,
      variant: round.firstMap + Math.floor((index * round.maps) / length),
    }),
    extras: (index) => draw().extras.get(index) ?? none,
  }
}

interface Drawn {
  /** By game and seat. */
  readonly entrants: readonly (readonly number[])[]
  /** By game; only those in which somebody plays an extra game. */
  readonly extras: ReadonlyMap<number, readonly number[]>
}

const none: readonly number[] = []

function drawGames({ number, players, games, maps, ...round }: Round, seed: string): Drawn {
  const next = randomStream(sha256(`rounds:${number}:${seed}`))
  const seats = Math.min(round.seats, players.length)
  const entrantsOf = (of: readonly number[]): readonly number[] => of.map((player) => players[player]!)
  const places: Place[][] = []
  const extras = new Map<number, readonly number[]>()
  for (let map = 0; map < maps; map++) {
    const dealt = deal(players.length, seats, games, next)
    for (const [at, game] of dealt.tables.entries()) {
      const isLast = at === dealt.tables.length - 1
      places.push(game.map((player) => ({ player, counts: !isLast || !dealt.extras.includes(player) })))
    }
    if (dealt.extras.length > 0) extras.set(places.length - 1, entrantsOf(dealt.extras))
  }
  return { entrants: seated(places, seats).map(entrantsOf), extras }
}

/** How contests of Lambda Punter are played and counted. */
export const contests: GameContests = { formats: [rounds], points: rankPoints }
