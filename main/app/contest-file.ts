import { dirname, resolve } from 'node:path'
import { readChallenge } from '../../grammars/challenges/index.ts'
import { scheduleFault } from '../administrator/contests/schedule.ts'
import { contestFile, tableSize, type ContestFile } from '../contract/contests.ts'
import type { HostedGame } from '../contract/game.ts'
import type { Json } from '../contract/json.ts'
import { Trouble } from '../contract/trouble.ts'
import { games } from '../referees/games.ts'
import { readTextFile } from './files.ts'
import { readJsonFile } from './json-file.ts'
import { placed, problemLine } from './problems.ts'
import { shippedChallenge } from './resources.ts'
import { sampleContest } from './sample.ts'

/** A contest as it was written, with paths made absolute and the game's config complete. */
export interface ReadContest {
  readonly written: ContestFile
  readonly game: HostedGame
  /** Parsed by the game, defaults filled in. */
  readonly config: Json
}

/** Reads a contest file, or gives the sample. Throws Trouble 'usage' that names what is wrong and where. */
export async function readContest(file: string): Promise<ReadContest> {
  if (file === 'sample') return completeContest(sampleContest(), '.', 'the sample contest')
  return completeContest(await readJsonFile(file, contestFile), dirname(resolve(file)), file)
}

/** `folder`: what paths are relative to. `name`: what messages call it. */
export async function completeContest(written: ContestFile, folder: string, name: string): Promise<ReadContest> {
  const game = games.get(written.game)
  if (game === undefined) {
    throw new Trouble(
      'usage',
      `${name}: game: there is no game "${written.game}"; there is ${[...games.keys()].join(', ')}.`,
    )
  }
  const names = written.entrants.map((entrant) => entrant.name)
  const double = names.find((each, at) => names.indexOf(each) < at)
  if (double !== undefined) throw new Trouble('usage', `${name}: entrants: "${double}" is there twice.`)
  const unplayable = scheduleFault(written)
  if (unplayable !== null) throw new Trouble('usage', `${name}: format: ${unplayable}`)
  const config = game.config(await withChallenge(written.config, folder, name))
  if (!config.ok) throw new Trouble('usage', `${name}: config: ${config.error}`)
  const seats = game.seats(config.value, tableSize(written))
  if (typeof seats === 'string') throw new Trouble('usage', `${name}: format: ${seats}`)
  const entrants = written.entrants.map((entrant) => ({ ...entrant, agent: resolve(folder, entrant.agent) }))
  return { written: { ...written, entrants }, game, config: config.value }
}

/**
 * A config may name a challenge that ships (`max-csp`) or a .challenge file; the game wants the text itself, so that a
 * history needs nothing else.
 */
async function withChallenge(config: Json, folder: string, name: string): Promise<Json> {
  if (config === null || typeof config !== 'object' || Array.isArray(config) || !('challenge' in config)) return config
  const { challenge } = config as { readonly challenge: Json }
  if (typeof challenge !== 'string' || challenge.includes('\n')) return config
  if (challenge.endsWith('.challenge'))
    return { ...config, challenge: await readChallengeText(resolve(folder, challenge)) }
  const text = await shippedChallenge(challenge)
  if (text === null) throw new Trouble('usage', `${name}: config.challenge: there is no challenge "${challenge}".`)
  return { ...config, challenge: text }
}

/** The text of a challenge file without an error; the first error is thrown with its place in that file. */
async function readChallengeText(file: string): Promise<string> {
  const text = await readTextFile(file)
  const [first] = placed(readChallenge(text).problems, file)
  if (first !== undefined) throw new Trouble('usage', problemLine(first))
  return text
}
