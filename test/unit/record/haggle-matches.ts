import { games } from '../../../main/referees/games.ts'
import { config, type Config } from '../../../main/referees/haggle/config.ts'
import { rules, type State } from '../../../main/referees/haggle/rules.ts'
import { seedOf, type Happening, type Played } from './stage.ts'

export const haggle = games.get('haggle')!

/** A session with random demands: `next` returns a whole number below a bound. */
export function haggleMatch(match: number, next: (below: number) => number): { played: Played; state: State } {
  const settings: Config = config.parse({ maxRounds: 1 + next(4) })
  const seats = haggle.seats({ ...settings }, 2)
  if (typeof seats === 'string') throw new Error(seats)
  const state = rules.initial(settings, seats, seedOf(match))
  const happenings: Happening[] = []
  while (state.ending === null) {
    const seat = state.offers.length % 2
    const dice = next(20)
    const walksAway = { type: 'abort', seat, reason: 'It has had enough.' } as const
    const value = dice < 4 && state.offers.length > 0 ? null : state.counts.map((count) => next(count + 1))
    const input = dice === 19 ? walksAway : ({ type: 'answer', seat, value } as const)
    if (dice === 18) happenings.push({ printed: `I want ${JSON.stringify(value)}`, seat })
    if (dice === 17) happenings.push({ fault: { kind: 'timeout', text: 'It took too long.', tookMs: 12 }, seat })
    rules.apply(state, input)
    happenings.push({ input, hidden: true })
  }
  const names = ['anna', 'ben', 'cleo', 'dan']
  const first = next(4)
  return {
    played: {
      match,
      config: { ...settings },
      names: [names[first]!, names[(first + 1 + next(3)) % 4]!],
      happenings,
    },
    state,
  }
}

/** A stream of numbers for `next`. */
export function dice(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1
  return (below) => {
    // A linear congruential generator whose upper bits are used.
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}
