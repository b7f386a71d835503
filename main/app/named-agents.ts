import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { GameId } from '../contract/ids.ts'
import { resources } from './resources.ts'

/**
 * The file of an agent that somebody names: a path, from `folder`, or, where nothing lies there, the name of one that comes
 * with the game, such as `baby`.
 */
export function agentFile(game: GameId, agent: string, folder = '.'): string {
  const file = resolve(folder, agent)
  const shipped = join(resources.agents, game, `${agent}.js`)
  return /^[a-z0-9-]+$/.test(agent) && !existsSync(file) && existsSync(shipped) ? shipped : file
}
