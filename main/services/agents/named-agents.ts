import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'
import type { GameId } from '../../contract/ids.ts'
import { didYouMean } from '../../contract/near-miss.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { resources } from '../machine/resources.ts'

/**
 * The file of an agent by its name: a path relative to `folder`, or, if there is no such file, the name of an agent
 * that ships with the game, such as `baby`.
 */
export function namedAgentFile(game: GameId, agent: string, folder = '.'): string {
  const file = resolve(folder, agent)
  const shipped = join(resources.agents, game, `${agent}.js`)
  return /^[a-z0-9-]+$/.test(agent) && !existsSync(file) && existsSync(shipped) ? shipped : file
}

/**
 * Like `namedAgentFile`, for a file that must exist. Throws ExpectedError 'usage' that lists the agents that ship with
 * the game; `who`: the beginning of its sentence, such as `Entrant "fior": `.
 */
export function knownAgentFile(game: GameId, agent: string, folder = '.', who = ''): string {
  const file = namedAgentFile(game, agent, folder)
  if (statSync(file, { throwIfNoEntry: false }) !== undefined) return file
  const names = shippedAgents(game)
  const known = names.length === 0 ? '' : `; agents that come with ${game}: ${names.join(', ')}`
  const hint = didYouMean(basename(agent, extname(agent)), names)
  throw new ExpectedError(
    'usage',
    'agent-unknown',
    `${who}there is no agent "${agent}", no such file: ${file}${known}.${hint}`,
  )
}

/** The other game with which a script ships; null: none, or it ships with `game` too. */
export function otherGameOf(script: Uint8Array, game: GameId): GameId | null {
  const shipsWith = (one: GameId): boolean =>
    shippedAgents(one).some((name) => {
      const file = join(resources.agents, one, `${name}.js`)
      return statSync(file).size === script.length && readFileSync(file).equals(script)
    })
  if (!existsSync(resources.agents) || shipsWith(game)) return null
  return readdirSync(resources.agents).find((one) => one !== game && shipsWith(one)) ?? null
}

/** The names of the shipped agents, sorted; empty if the game is unknown. */
function shippedAgents(game: GameId): readonly string[] {
  const folder = join(resources.agents, game)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((file) => file.endsWith('.js'))
    .map((file) => basename(file, '.js'))
    .sort()
}
