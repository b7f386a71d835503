import { createHash } from 'node:crypto'
import { readChallenge, type Challenge } from '../../../grammars/challenges/index.ts'
import { tryOutGame } from '../../../grammars/play-test/play-test.ts'
import type { Finding, PlayTest } from '../../../grammars/play-test/report.ts'
import { THOROUGH, USUAL } from '../../../grammars/play-test/tools.ts'
import type { Json } from '../../contract/json.ts'
import { randomStream } from '../../contract/random.ts'
import type { PlacedProblem } from '../files/placed-problems.ts'
import { challengeConfigFrom, checkChallengeText, textOf, type ChallengeVerdict } from './challenge-files.ts'
import { answersInScripts } from './reference-scripts.ts'
import { readAnyJson } from './value-files.ts'

export interface PlayOptions {
  /** Any text; equal seeds give equal reports, except for times. */
  readonly seed: string
  /** A JSON file with settings of the challenge; absent: the defaults. */
  readonly config?: string
  /** Draws and tries several times as much. */
  readonly thorough?: boolean
}

/** The check of a challenge file with a test of its game. */
export interface PlayedVerdict extends Omit<ChallengeVerdict, 'warnings'>, Partial<Omit<PlayTest, 'warnings'>> {
  readonly warnings: readonly PlacedFinding[]
}

/** `fatal`: the game cannot be played, or there is nothing to play for. */
export type PlacedFinding = PlacedProblem & {
  readonly code: Finding['code'] | 'steps' | 'agents-failed' | 'no-trade'
  readonly fatal: boolean
}

/** The time of a test, in ms: the usual one takes a second or two, and a slow challenge is stopped. */
const WITHIN_MS = { brief: 3_000, usual: 8_000, thorough: 60_000 }

/**
 * Checks a challenge file as `checkChallengeFile` does, and tries it out as a game if it has no errors. `ok` is false also if
 * the game is not playable. Throws ExpectedError 'usage' for settings that the challenge refuses.
 */
export async function playChallengeFile(file: string, data: string, options: PlayOptions): Promise<PlayedVerdict> {
  const text = await textOf(file, data)
  const verdict = checkChallengeText(text, file)
  const warnings = verdict.warnings.map((warning) => ({ ...warning, code: 'steps' as const, fatal: false }))
  const challenge = verdict.ok ? readChallenge(text).challenge : null
  if (challenge === null) return { ...verdict, warnings }
  const given = options.config === undefined ? {} : await readAnyJson(options.config)
  const config = challengeConfigFrom(challenge, given, options)
  const tried = testGame(challenge, config, options)
  const scripts = await answersInScripts(challenge, config, tried.trials)
  const { warnings: found, ...test } = scripts.size === 0 ? tried.test : tried.withScripts(scripts)
  const placed = found.map((finding) => placedFinding(finding, file))
  return { ...verdict, ok: verdict.ok && test.playable, ...test, warnings: [...placed, ...warnings] }
}

/** The amounts for a contest, which should begin soon. */
const BRIEF = {
  predicates: 5,
  instances: 3,
  solutions: 6,
  variations: 60,
  small: 12,
  ways: 400,
  largest: 0,
  difficulty: 0,
}

/**
 * A challenge as the game of a contest, in short: a summary, then each warning with its line. `config`: the challenge's own
 * settings; null: the text or the settings cannot be read. Takes up to some seconds.
 */
export function challengeReview(text: string, settings: Json): readonly string[] | null {
  const { challenge } = readChallenge(text)
  const config = challenge?.config(settings)
  if (challenge === null || config?.ok !== true) return null
  const { playable, spread, bound, warnings } = testGame(challenge, config.value, { seed: 'review', brief: true }).test
  const percent = (share: number): string => `${Math.round(100 * share)}%`
  const quality =
    spread === null
      ? ''
      : `, with quality ${percent(spread.chance)} by chance and ${percent(spread.best)} by a short search`
  const held =
    bound.counterexample !== null || bound.instances === 0
      ? ''
      : `; its bound held on ${bound.instances} small instances`
  const summary = playable
    ? `The challenge ${challenge.name} can be played${quality}${held}.`
    : `The challenge ${challenge.name} is not playable. See \`tartaglia challenge check\`.`
  const lines = warnings.map(({ at, message }) => {
    return `The challenge ${challenge.name}${at === null ? '' : `, line ${at.line}`}: ${message}`
  })
  return [summary, ...lines]
}

/** Tries out a challenge with complete settings. */
function testGame(
  challenge: Challenge,
  config: Json,
  { seed, thorough = false, brief = false }: PlayOptions & { readonly brief?: boolean },
): ReturnType<typeof tryOutGame> {
  const hash = createHash('sha256')
    .update(JSON.stringify(['play', seed]))
    .digest('hex')
  return tryOutGame(challenge, {
    config,
    random: randomStream(hash),
    now: () => performance.now(),
    withinMs: thorough ? WITHIN_MS.thorough : brief ? WITHIN_MS.brief : WITHIN_MS.usual,
    amounts: thorough ? THOROUGH : brief ? BRIEF : USUAL,
  })
}

function placedFinding({ code, fatal, message, hint, at }: Finding, file: string): PlacedFinding {
  return { file, line: at?.line ?? 1, column: at?.column ?? 1, message, hint, code, fatal }
}
