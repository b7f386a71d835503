import { hash } from 'node:crypto'
import type { ContestFormat, Pairings } from '../../../contract/contests/contest-format.ts'
import { deal } from '../../../contract/contests/dealing/deal.ts'
import { seated } from '../../../contract/contests/dealing/seating.ts'
import { poolsSettings, type Pools } from '../../../contract/contests/format-settings.ts'
import { randomStream } from '../../../contract/random.ts'
import { rankedByMean } from './ranked-by-mean.ts'
import { seatsOf } from './seats.ts'

/** The entrants that are dealt, without those that only fill tables. */
const playersOf = ({ house }: Pools, entrants: number): number => Math.max(0, entrants - house)

/**
 * Random tables of equal size at which every entrant plays equally many matches that count, in each seat equally often
 * or once more. They are dealt in blocks, in which each entrant sits once in each seat; only one block is kept at a
 * time. If the last table is not full, house agents fill it, or entrants for whom the match does not count.
 */
export const pools: ContestFormat<Pools> = {
  id: 'pools',
  settings: poolsSettings,
  tableSize: seatsOf,
  fillers: ({ house }) => house,
  withdrawal: () => 'annulled',
  // Without the matches of an entrant that has withdrawn, or annulled ones, some have played more than others.
  tally: ({ field, ruled, usual }) =>
    field === undefined && ruled?.annuls !== true ? usual() : rankedByMean({ usual }),
  fault(settings, entrants) {
    const [players, seats] = [playersOf(settings, entrants), seatsOf(settings)]
    if (players >= seats) return null
    const house =
      settings.house === 0 ? '' : ` besides ${settings.house} house ${settings.house === 1 ? 'agent' : 'agents'}`
    return `Pools with ${seats} players a match need at least ${seats} entrants${house}; there are ${players}.`
  },
  stages(settings, entrants) {
    return [Math.ceil((playersOf(settings, entrants) * settings.games) / seatsOf(settings))]
  },
  next({ settings, entrants, seed }): Pairings {
    const [players, seats] = [playersOf(settings, entrants), seatsOf(settings)]
    const fillers = Array.from({ length: entrants - players }, (_, at) => players + at)
    let kept: { readonly number: number; readonly block: Block } | null = null
    // Each player plays once in each seat in a block of as many matches as there are players.
    const blockWith = (index: number): Block => {
      const number = Math.floor(index / players)
      const each = Math.min(seats, settings.games - number * seats)
      if (kept?.number !== number)
        kept = { number, block: dealBlock(players, seats, each, fillers, `pools:${number}:${seed}`) }
      return kept.block
    }
    const length = Math.ceil((players * settings.games) / seats)
    return {
      length,
      at: (index) => ({ entrants: blockWith(index).entrants[index % players]! }),
      extras: (index) => (index === length - 1 ? blockWith(index).extras : []),
    }
  },
}

interface Block {
  /** By match and seat. */
  readonly entrants: readonly (readonly number[])[]
  /** In its last match. */
  readonly extras: readonly number[]
}

function dealBlock(players: number, seats: number, each: number, fillers: readonly number[], stream: string): Block {
  const { tables, extras } = deal(players, seats, each, randomStream(hash('sha256', stream)), fillers)
  const places = tables.map((table, at) =>
    table.map((player) => ({ player, counts: at < tables.length - 1 || !extras.includes(player) })),
  )
  return { entrants: seated(places, seats), extras }
}
