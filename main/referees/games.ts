import { eraseGame } from '../contract/game/erased-game.ts'
import type { ErasedGame } from '../contract/game/game.ts'
import type { GameId } from '../contract/ids.ts'
import { cops } from './cops/cops.ts'
import { cows } from './cows/cows.ts'
import { haggle } from './haggle/haggle.ts'
import { punter } from './punter/punter.ts'
import { specker } from './specker/specker.ts'

/** Every game there is. Adding one is a folder beside this file and a line here. */
const all: readonly ErasedGame[] = [
  eraseGame(specker),
  eraseGame(haggle),
  eraseGame(punter),
  eraseGame(cops),
  eraseGame(cows),
]

export const games: ReadonlyMap<GameId, ErasedGame> = new Map(all.map((game) => [game.id, game]))
