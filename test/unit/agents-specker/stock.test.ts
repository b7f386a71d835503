import { expect, test } from 'vitest'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import { config as speckerConfig } from '../../../main/referees/specker/config.ts'
import type { StartMessage } from '../../../main/referees/specker/messages.ts'
import { rules } from '../../../main/referees/specker/rules.ts'
import { startMessage } from '../../../main/referees/specker/referee/views.ts'
import { challengeOf } from '../../../agents/specker/knowledge/known.ts'
import { stockOf } from '../../../agents/specker/trade/stock.ts'
import { configOf, generator } from './table.ts'

function startOf(challenge: 'max-csp' | 'max-sat', game: { readonly [key: string]: string | number }): StartMessage {
  const seats = [0, 1].map((id) => ({ id, entrant: id, role: 'player', bodies: 1 }))
  return startMessage(rules.initial(speckerConfig.parse(configOf(challenge, {}, game)), seats, '0'.repeat(64)), 0)
}

const leagues = [
  ...['t-ball', 'slow-pitch', 'fast-pitch', 'base-ball', 'level-k-independent', 'level-k-reduced'].map((league) => ({
    league,
  })),
  ...[1, 3, 4].flatMap((leagueParameter) =>
    ['level-k-independent', 'level-k-reduced'].map((league) => ({ league, leagueParameter })),
  ),
]

test.each((['max-csp', 'max-sat'] as const).flatMap((name) => leagues.map((game) => ({ name, ...game }))))(
  'an agent admits what the league of the file admits: %j',
  ({ name, ...game }) => {
    const start = startOf(name, game)
    const known = challengeOf(start)
    const stock = stockOf(known, start)
    const { challenge } = readChallenge(start.challenge.source)
    const league = challenge!.leagues.find((one) => one.name === game.league)!
    const random = generator(5)
    const parameter = 'leagueParameter' in game ? (game.leagueParameter as number) : undefined
    const admits = (items: readonly number[]): boolean =>
      league.admits(start.challenge.config, known.predicate(items), parameter) === null
    for (let tried = 0; tried < 300; tried++) {
      const size = 1 + Math.floor(random() * 4)
      const items = Array.from({ length: size }, () => known.items[Math.floor(random() * known.items.length)]!)
      const set = [...new Set(items)].sort((a, b) => a - b)
      expect(stock.admits(set), String(set)).toBe(admits(set))
    }
    for (let drawn = 0; drawn < 20; drawn++) {
      const items = stock.draw(2)
      expect(items !== undefined && admits(items)).toBe(true)
    }
    for (const items of stock.all()) {
      expect(admits(items)).toBe(true)
      break
    }
  },
)
