import { hostGame } from '../contract/hosted.ts'
import type { HostedGame } from '../contract/game.ts'
import type { GameId } from '../contract/ids.ts'
import { haggle } from './haggle/haggle.ts'
import { specker } from './specker/specker.ts'

/** Every game there is. Adding one is a folder beside this file and a line here. */
const all: readonly HostedGame[] = [hostGame(specker), hostGame(haggle)]

export const games: ReadonlyMap<GameId, HostedGame> = new Map(all.map((game) => [game.id, game]))
