import type { GameId } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import { games } from '../../../referees/games.ts'
import {
  playChallengeFile,
  type PlacedFinding,
  type PlayedVerdict,
  type PlayOptions,
} from '../../challenges/challenge-play.ts'
import { scoreText, trialConfig } from '../../game-facts.ts'
import { playSingleMatch } from './play-match.ts'

/** A short match of agents that know nothing of a challenge but its file. */
export interface ChallengeMatch {
  readonly game: GameId
  /** In seat order. `score`: as text, with its unit. */
  readonly seats: readonly {
    readonly agent: string
    readonly score: string
    /** Why the rules removed it; null: they did not. */
    readonly removed: string | null
    readonly faults: readonly string[]
  }[]
  /** True if scores differ at the end, so that something was sold. */
  readonly traded: boolean
}

/** Two that try at random, and one that measures what it sells. */
const AGENTS = ['baby', 'sampler', 'tartaglia']

interface ChallengeMatchOptions {
  /** A .challenge file, or the name of a challenge. */
  readonly file: string
  readonly data: string
  /** The challenge's own settings. */
  readonly config: Json
  readonly seed: string
  readonly signal: AbortSignal
}

/** The check of a challenge with a test of its game; `match`: absent if it has errors or is not playable. */
export interface TriedChallenge extends PlayedVerdict {
  readonly match?: ChallengeMatch
}

/** Checks a challenge, tries it out as a game, and plays a match if it is playable. Throws as both do. */
export async function tryOutChallenge(
  file: string,
  data: string,
  options: PlayOptions,
  signal: AbortSignal,
): Promise<TriedChallenge> {
  const verdict = await playChallengeFile(file, data, options)
  if (!verdict.ok || verdict.draws === undefined) return verdict
  const { config } = verdict.draws.usual
  const match = await playChallengeMatch({ file, data, config, seed: options.seed, signal })
  if (match === null) return verdict
  return { ...verdict, warnings: [...verdict.warnings, ...matchFindings(file, match)], match }
}

/** Warnings about a match: agents that know only the file were removed or had faults, or sold nothing. */
export function matchFindings(
  file: string,
  { seats, traded }: Pick<ChallengeMatch, 'seats' | 'traded'>,
): readonly PlacedFinding[] {
  const among = `In a match of ${seats.map(({ agent }) => agent).join(', ')}`
  const warning = (code: 'agents-failed' | 'no-trade', message: string): PlacedFinding => {
    const hint = 'Play a match with `tartaglia match play`, and look at the history for the reason.'
    return { file, line: 1, column: 1, code, fatal: false, message, hint }
  }
  const failed = seats.flatMap(({ agent, removed, faults }) => {
    const [reason = removed] = faults
    return reason === null ? [] : [warning('agents-failed', `${among} ${agent} failed: ${reason}`)]
  })
  return traded ? failed : [...failed, warning('no-trade', `${among} nothing was sold.`)]
}

/** Plays the match; null: no game is played with challenges. */
async function playChallengeMatch(options: ChallengeMatchOptions): Promise<ChallengeMatch | null> {
  const { file, data, config, seed, signal } = options
  const found = gameOfChallenges()
  if (found === null) return null
  const { game, field, settings } = found
  const own = settings === undefined ? {} : { [settings]: config }
  const report = await playSingleMatch({
    game,
    config: { ...(trialConfig(game) as { readonly [name: string]: Json }), [field]: file, ...own },
    agents: AGENTS,
    data,
    seed,
    // All that runs is shipped with the program.
    isolation: 'none',
    onNotice: () => undefined,
    signal,
  })
  return {
    game,
    seats: report.seats.map(({ agent, score, removed, reason, faults }) => ({
      agent,
      score: scoreText(game, score),
      removed: removed ? (reason ?? '') : null,
      faults: faults.map(({ text }) => text),
    })),
    traded: new Set(report.seats.map(({ score }) => score)).size > 1,
  }
}

/** The game whose config names a challenge, with the fields for it and for its settings. */
function gameOfChallenges(): { readonly game: GameId; readonly field: string; readonly settings?: string } | null {
  for (const { id, settings } of games.values()) {
    for (const [field, text] of Object.entries(settings.texts)) {
      if (text.kind !== 'challenge') continue
      return { game: id, field, ...(text.settings === undefined ? {} : { settings: text.settings }) }
    }
  }
  return null
}
