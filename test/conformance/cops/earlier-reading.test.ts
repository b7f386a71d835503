import { expect, test } from 'vitest'
import { randomStream } from '../../../main/contract/random.ts'
import { makeTown, townOptions, townText } from '../../../main/referees/cops/kinds.ts'
import { sha256 } from '../../../main/referees/sha256.ts'
import { playRandomGame } from './random-game.ts'

const small = { seed: '1', avenues: 5, streets: 5, culdesacs: 3, shortcuts: 12 }
const maps = [townText(makeTown(townOptions.parse(small)))]

test('games without the setting of the second phase are played to the byte as they were recorded once', async () => {
  const next = randomStream(sha256('earlier reading'))
  const games: string[] = []
  for (let game = 0; game < 12; game += 1)
    games.push(JSON.stringify(await playRandomGame({ maps, chance: () => next() / 2 ** 32 })))
  // Computed by the program as it was before the setting existed.
  expect(sha256(games.join('\n'))).toBe('063f1894689ec5a78138de7c73924f4a72c99a35205c29ec8eab7fa3764d3e95')
}, 60_000)
