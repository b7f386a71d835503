import { bestKnownOf, type BestKnown } from '../../../../grammars/challenges/formats/index.ts'
import type { Challenge } from '../../../../grammars/challenges/index.ts'
import { toNumber, toText } from '../../../../grammars/formulas/numbers/fraction.ts'
import type { Challenge as Knowledge } from '../../../../agents/specker/knowledge/challenge.ts'
import { maxCsp } from '../../../../agents/specker/knowledge/max-csp.ts'
import { maxSat } from '../../../../agents/specker/knowledge/max-sat.ts'
import { climb } from '../../../../agents/specker/solvers/climb.ts'
import type { Json } from '../../../contract/json.ts'
import { randomStream } from '../../../contract/random.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { challengeConfigFrom, readOrThrow } from '../../challenges/challenge-files.ts'
import { readInstanceFile } from '../../challenges/instance-files.ts'
import { readAnyJson } from '../../challenges/value-files.ts'
import type { Formula, Solved } from '../../../../agents/specker/solvers/formula.ts'
import { grayCode } from '../../../../agents/specker/solvers/gray-code.ts'
import { lookAhead } from '../../../../agents/specker/solvers/look-ahead.ts'
import { tabuSearch } from '../../../../agents/specker/solvers/tabu.ts'

/** A solution of raw material from a file. */
interface SolvedFile {
  readonly challenge: string
  readonly solution: Json
  /** In the challenge's own syntax. */
  readonly text: string
  /** Exact, in lowest terms, as p/q. */
  readonly quality: string
  /** The same, rounded. */
  readonly number: number
  /** The rounded one of the solution. */
  readonly measure: number
  /** The best known solution of well-known raw material in the format of its collection; null: none is known. */
  readonly best: BestKnown | null
  /** True if it is proved that no solution is better. */
  readonly optimal: boolean
}

/** The challenges for which special solvers exist. */
const known: ReadonlyMap<string, Knowledge> = new Map([
  ['max-csp', maxCsp({})],
  ['max-sat', maxSat({})],
])

/**
 * The best solution that is found within the time. Throws ExpectedError 'usage' if a file cannot be read or contains no
 * raw material of the challenge.
 */
export async function solveFile(
  challengeFile: string,
  data: string,
  file: string,
  options: { readonly seconds: number; readonly config?: string },
): Promise<SolvedFile> {
  const challenge = await readOrThrow(challengeFile, data)
  const read = await readInstanceFile(challenge, file)
  const { instance } = read
  const knowledge = known.get(challenge.name)
  const smallest = read.material?.config ?? fitting(challenge.name, instance)
  const given = options.config === undefined ? smallest : await readAnyJson(options.config)
  const config = challengeConfigFrom(challenge, given, options.config === undefined ? { config: file } : options)
  const wrong = challenge.legalAtAll(config, instance)
  if (wrong !== null) throw new ExpectedError('usage', 'value-invalid', `${file}: ${wrong}`)
  const end = performance.now() + options.seconds * 1_000
  const found = find(challenge, knowledge, config, instance, () => performance.now() >= end)
  if (typeof found === 'string') throw new ExpectedError('usage', 'evaluation-failed', `${file}: ${found}`)
  const rating = challenge.rating(config, instance, found.solution)
  if (typeof rating === 'string') throw new ExpectedError('usage', 'evaluation-failed', `${challengeFile}: ${rating}`)
  const { quality } = rating
  const measure = toNumber(rating.measure)
  const best = bestKnownOf(challenge, config, instance, read.material)
  return {
    challenge: challenge.name,
    solution: found.solution,
    text: challenge.values.print(found.solution, 'Solution'),
    quality: toText(quality),
    number: toNumber(quality),
    measure,
    best,
    optimal: found.optimal || quality.n === quality.d,
  }
}

function find(
  challenge: Challenge,
  knowledge: Knowledge | undefined,
  config: Json,
  instance: Json,
  stop: () => boolean,
): { readonly solution: Json; readonly optimal: boolean } | string {
  // A fixed seed, so that two runs differ only in how far they get.
  const random = randomStream('5'.repeat(64))
  const formula = knowledge?.formula(instance)
  if (knowledge === undefined || formula === undefined) {
    const found = climb(challenge, config, instance, random, stop)
    return typeof found === 'string' ? found : { solution: found.solution, optimal: false }
  }
  const { values, optimal } = search(formula, () => random() / 2 ** 32, stop)
  return { solution: knowledge.solution(values), optimal }
}

/** The smallest settings that allow raw material of this size; empty for challenges without such settings. */
function fitting(challenge: string, instance: Json): Json {
  type Sized = { readonly variables: number }
  if (challenge === 'max-csp') {
    const { variables, constraints } = instance as Sized & { readonly constraints: readonly { weight: number }[] }
    return atLeastOne({
      maxVars: Math.max(3, variables),
      maxConstraints: constraints.length,
      maxWeight: heaviest(constraints),
    })
  }
  if (challenge !== 'max-sat') return {}
  type Clause = { readonly weight: number; readonly literals: readonly number[] }
  const { variables, clauses } = instance as Sized & { readonly clauses: readonly Clause[] }
  const maxClauseLength = clauses.reduce((most, { literals }) => Math.max(most, literals.length), 1)
  return atLeastOne({ maxVars: variables, maxClauses: clauses.length, maxWeight: heaviest(clauses), maxClauseLength })
}

function heaviest(parts: readonly { readonly weight: number }[]): number {
  return parts.reduce((most, { weight }) => Math.max(most, weight), 1)
}

/** Settings are at least 1; checking the raw material then reports what is wrong with it. */
function atLeastOne(settings: { readonly [name: string]: number }): Json {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, Math.max(1, value)]))
}

/** The maximum number of variables for which all assignments can be tried. */
const EXHAUSTIVE = 22
/**
 * The number of flips of the tabu search between two checks of the time. A new start follows if they bring no
 * improvement.
 */
const FLIPS = 5_000
/** One start in this many is random; the others perturb the best assignment. */
const FRESH = 4
const SHAKEN = 0.15

/** An assignment. `optimal`: proved to be the best. */
interface BestAssignment extends Solved {
  readonly optimal: boolean
}

/**
 * The best assignment found before `stop` returns true, never worse than the derandomised look-ahead. Up to 22
 * variables it tries all assignments by Gray code, given enough time; otherwise it uses tabu search. `random`: [0, 1).
 */
export function search(formula: Formula, random: () => number, stop: () => boolean): BestAssignment {
  let best = tabuSearch(formula, lookAhead(formula).values, FLIPS, random)
  const done = (): boolean => best.satisfied === formula.totalWeight
  if (formula.variables <= EXHAUSTIVE && !done()) {
    const { optimal, ...tried } = grayCode(formula, stop)
    return optimal || tried.satisfied > best.satisfied ? { ...tried, optimal } : { ...best, optimal }
  }
  for (let start = 1; !done() && !stop(); start++) {
    const chance = start % FRESH === 0 ? 0.5 : SHAKEN
    const from = best.values.map((value) => (random() < chance ? 1 - value : value))
    let found = tabuSearch(formula, from, FLIPS, random)
    // Continues as long as it improves.
    for (let before = best.satisfied; found.satisfied > before && !done() && !stop();) {
      best = found
      before = found.satisfied
      found = tabuSearch(formula, found.values, FLIPS, random)
    }
    if (found.satisfied > best.satisfied) best = found
  }
  return { ...best, optimal: done() }
}
