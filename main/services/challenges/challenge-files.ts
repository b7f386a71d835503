import { existsSync } from 'node:fs'
import * as z from 'zod'
import {
  effortSentence,
  effortsOf,
  readChallenge,
  readNewChallenge,
  type Challenge,
} from '../../../grammars/challenges/index.ts'
import { bestKnownOf, type BestKnown } from '../../../grammars/challenges/formats/index.ts'
import type { GeneratorParameter } from '../../../grammars/challenges/generators/generator.ts'
import { toNumber, toText } from '../../../grammars/formulas/numbers/fraction.ts'
import type { Json } from '../../contract/json.ts'
import { challengeName } from '../../contract/procedures/procedures.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { readTextFile } from '../files/read-file.ts'
import { readingJob } from '../machine/reading.ts'
import { challengeNamed } from '../texts/named-challenges.ts'
import { placeProblems, placeWithCodes, problemLine, type CodedProblem } from '../files/placed-problems.ts'
import { readInstanceFile } from './instance-files.ts'
import { readAnyJson, readJsonValueFile, readValueFile } from './value-files.ts'

/** The result of checking one challenge file. */
export interface ChallengeVerdict {
  readonly file: string
  readonly ok: boolean
  /** The challenge's name; null if the file cannot be read. */
  readonly challenge: string | null
  readonly errors: readonly CodedProblem[]
  /** Evaluations that may reach the limit of steps. */
  readonly warnings: readonly CodedProblem[]
  /** The most steps of each evaluation, with the default settings and with the largest; null: no bound is known. */
  readonly steps: readonly { readonly what: string; readonly usual: number | null; readonly most: number | null }[]
}

/**
 * Checks a challenge. In this module `file` is a .challenge file or the name of a challenge: a shipped one, such as
 * `max-csp`, or one of the class in the data folder `data`.
 */
export async function checkChallengeFile(file: string, data: string): Promise<ChallengeVerdict> {
  return checkChallengeText(await textOf(file, data), file)
}

/** The check of a challenge file in words, by its path. Its errors are lines with places. */
export const challengeFileJob = readingJob<
  string,
  { readonly challenge: string | null; readonly errors: readonly string[] }
>({
  name: 'challenge-file',
  what: 'a challenge',
  result: z.strictObject({ challenge: z.string().nullable(), errors: z.array(z.string()) }),
  async read(path) {
    const { challenge, errors } = checkChallengeText(await readTextFile(path), path)
    return { challenge, errors: errors.map(problemLine) }
  },
})

/** Checks a text that was read from the file. */
export function checkChallengeText(text: string, file: string): ChallengeVerdict {
  const { challenge, problems } = readNewChallenge(text)
  const efforts = challenge === null ? [] : effortsOf(challenge)
  const hint = 'Lower the ranges of config, or require fewer or smaller values.'
  const warnings = efforts
    .filter(({ overLimit }) => overLimit)
    .map((effort) => ({ file, line: 1, column: 1, code: 'steps', message: effortSentence(effort), hint }))
  const finite = (steps: number): number | null => (Number.isFinite(steps) ? steps : null)
  return {
    file,
    ok: problems.length === 0,
    challenge: challenge?.name ?? null,
    errors: placeWithCodes(problems, file),
    warnings,
    steps: efforts.map(({ what, usual, most }) => ({ what, usual: finite(usual), most: finite(most) })),
  }
}

export interface Evaluation {
  readonly challenge: string
  /** null: no predicate was given, and no check that is independent of the predicate failed. */
  readonly legal: boolean | null
  /** null: the raw material is not legal. */
  readonly feasible: boolean | null
  /** Exact, in lowest terms, as p/q; null if there is none. */
  readonly quality: string | null
  /** The same, rounded. */
  readonly number: number | null
  /** The measure and the bound whose quotient is the quality, rounded. */
  readonly measure: number | null
  readonly bound: number | null
  /** The best known solution of well-known raw material in the format of its collection; null: none is known. */
  readonly best: BestKnown | null
  /** Why it is not legal or not feasible. */
  readonly reason: string | null
}

export interface EvaluationFiles {
  readonly instance: string
  readonly solution: string
  readonly predicate?: string
  readonly config?: string
}

/**
 * Rates a solution. Files contain text in the challenge's syntax, or JSON if their names end with .json; raw material may also be in the
 * format of another program, whose smallest settings it then gets by default. Throws ExpectedError 'usage' with file, line and column if one cannot be read.
 */
export async function evaluateFiles(file: string, data: string, files: EvaluationFiles): Promise<Evaluation> {
  const challenge = await readOrThrow(file, data)
  const { values } = challenge
  const read = await readInstanceFile(challenge, files.instance)
  const { instance } = read
  const given = files.config === undefined ? (read.material?.config ?? {}) : await readAnyJson(files.config)
  const config = challengeConfigFrom(challenge, given, files)
  const solution = await readValueFile(values, 'Solution', files.solution)
  const unrated = {
    quality: null,
    number: null,
    measure: null,
    bound: null,
    best: bestKnownOf(challenge, config, instance, read.material),
  }
  const none = { challenge: challenge.name, feasible: null, ...unrated, reason: null }
  let legal: boolean | null = null
  const never = challenge.legalAtAll(config, instance)
  if (never !== null) return { ...none, legal: false, reason: never }
  if (files.predicate !== undefined) {
    const predicate = challenge.predicate(config, await readValueFile(values, 'Predicate', files.predicate))
    if (!predicate.ok) throw new ExpectedError('usage', 'value-invalid', `${files.predicate}: ${predicate.error}`)
    const illegal = challenge.legal(config, predicate.value, instance)
    if (illegal !== null) return { ...none, legal: false, reason: illegal }
    legal = true
  }
  const infeasible = challenge.feasible(config, instance, solution)
  if (infeasible !== null) return { ...none, legal, feasible: false, reason: infeasible }
  const rating = challenge.rating(config, instance, solution)
  if (typeof rating === 'string') throw new ExpectedError('usage', 'evaluation-failed', `${file}: ${rating}`)
  const { quality, measure, bound } = rating
  const numbers = { number: toNumber(quality), measure: toNumber(measure), bound: toNumber(bound) }
  return { ...none, legal, feasible: true, quality: toText(quality), ...numbers }
}

export interface ChallengeFacts {
  readonly challenge: string
  readonly title: string
  readonly text: string
  /** Complete, with defaults. */
  readonly config: Json
  /** The parameters of its generator, for `challenge sample --set`; null: it has no section "generate". */
  readonly generator: readonly GeneratorParameter[] | null
}

export async function describeChallenge(file: string, data: string): Promise<ChallengeFacts> {
  const challenge = await readOrThrow(file, data)
  const { name, title, text } = challenge
  const generator = challenge.generator?.parameters ?? null
  return { challenge: name, title, text, config: challengeConfigFrom(challenge, {}, {}), generator }
}

/** Converts the value in a JSON file to the challenge's syntax. */
export async function printChallengeValue(file: string, data: string, type: string, jsonFile: string): Promise<string> {
  const { values } = await readOrThrow(file, data)
  return values.print(await readJsonValueFile(values, type, jsonFile), type)
}

/** Parses the challenge's settings. Throws ExpectedError 'usage' that names the file they came from. */
export function challengeConfigFrom(
  challenge: Challenge,
  value: Json,
  { config: file }: { readonly config?: string },
): Json {
  const config = challenge.config(value)
  if (config.ok) return config.value
  throw new ExpectedError('usage', 'settings-invalid', `${file ?? challenge.name}: ${config.error}`)
}

/** Throws ExpectedError 'usage' with the first problem. */
export async function readOrThrow(file: string, data: string): Promise<Challenge> {
  const { challenge, problems } = readChallenge(await textOf(file, data))
  if (challenge !== null) return challenge
  const first = placeProblems(problems, file)[0]
  throw new ExpectedError(
    'usage',
    'challenge-invalid',
    first === undefined ? `${file} is not a challenge.` : problemLine(first),
  )
}

/** The text of a challenge. */
export async function textOf(file: string, data: string): Promise<string> {
  const named = !existsSync(file) && challengeName.safeParse(file).success
  return named ? challengeNamed(file, data) : readTextFile(file)
}
