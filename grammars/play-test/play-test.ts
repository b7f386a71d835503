import type { Challenge } from '../challenges/index.ts'
import type { Json } from '../json.ts'
import type { Random } from '../properties/index.ts'
import { drivenCosts } from './drive-costs.ts'
import { drawPieces, type Drawn } from './draw-pieces.ts'
import { counterexampleOf, testBound } from './exhaust-bound.ts'
import { findingsOf } from './findings.ts'
import { measureDifficulty } from './measure-difficulty.ts'
import { measureSpread } from './measure-spread.ts'
import type { Draws, PlayTest } from './report.ts'
import { USUAL, type Amounts, type Tools } from './tools.ts'
import { answersInFormulas, tryReferences, type Answers, type Trial } from './try-references.ts'

interface PlayTestOptions {
  /** Complete settings, as `Challenge.config` returns them. */
  readonly config: Json
  readonly random: Random
  /** A clock in milliseconds: it ends the test after `withinMs` and measures judgements. */
  now(): number
  readonly withinMs: number
  readonly amounts?: Amounts
}

/** Shares of the time after which a part gives way to the next. */
const SHARES = { draws: 0.35, bound: 0.55, spread: 0.8, costs: 0.85, largest: 0.9, references: 0.95, difficulty: 1 }

/** Steps of the search for a good solution of one generated instance. */
const STEPS_OF_SEARCH = 300_000

/**
 * Tries out a challenge whose file has no problems as a game: draws random objects, solves them as well as a short search
 * can, looks for solutions beyond the bound and for values that make judging expensive. Equal streams give equal reports,
 * except for times, as long as the time suffices (`complete`).
 */
export function playTest(challenge: Challenge, options: PlayTestOptions): PlayTest {
  return tryOutGame(challenge, options).test
}

interface TriedOutGame {
  /** References in JavaScript, which this pure code cannot run, have no result there. */
  readonly test: PlayTest
  /** The instances for references. */
  readonly trials: readonly Trial[]
  /** The same report with the answers of references in JavaScript. */
  withScripts(answers: Answers): PlayTest
}

/** Like `playTest`, for callers that run references in JavaScript. */
export function tryOutGame(challenge: Challenge, options: PlayTestOptions): TriedOutGame {
  const { config, random, now, withinMs, amounts = USUAL } = options
  const begun = now()
  let complete = true
  const until = (share: number): Tools => {
    const isOver = (): boolean => {
      const over = now() - begun > share * withinMs
      if (over) complete = false
      return over
    }
    return { challenge, config, random, now, isOver }
  }
  const drawn = drawPieces(until(SHARES.draws), amounts)
  const steps = Math.max(...costsOfSolution(drawn), 1)
  const bound = testBound(until(SHARES.bound), drawn.isSlow ? { ...amounts, small: 0 } : amounts, drawn.pieces)
  const searched = drawn.isSlow ? [] : drawn.pieces
  const { spread, trials, beyond, oneAnswer } = measureSpread(until(SHARES.spread), amounts, searched, steps)
  const counterexample =
    bound.counterexample ??
    (beyond && counterexampleOf(until(1), beyond.piece.predicate, beyond.piece.instance, beyond.solution))
  const cost = drivenCosts(until(SHARES.costs), searched)
  const draws = { usual: drawn.at, largest: drawn.isSlow ? null : largestDraws(until(SHARES.largest), amounts) }
  const formulated = answersInFormulas(until(SHARES.references), trials)
  const variations = Math.max(1, Math.min(amounts.variations, Math.floor(STEPS_OF_SEARCH / steps)))
  const generated = measureDifficulty(until(SHARES.difficulty), drawn.predicates, amounts, variations)
  const { difficulty, fault, slow } = generated
  const outside =
    generated.beyond &&
    counterexampleOf(until(1), generated.beyond.predicate, generated.beyond.instance, generated.beyond.solution)
  const report = (answers: Answers): PlayTest => {
    const tried = tryReferences(challenge, config, trials, new Map([...formulated, ...answers]))
    const { trial, solution } = tried.beyond ?? {}
    const better = trial && solution && counterexampleOf(until(1), trial.predicate, trial.instance, solution)
    const tested = { ...bound, counterexample: counterexample ?? better ?? outside }
    const references = tried.results
    const found = { drawn, draws, bound: tested, spread, oneAnswer, cost, references, fault, slow }
    const warnings = findingsOf(challenge, found)
    const playable = !warnings.some(({ fatal }) => fatal)
    return { playable, complete, draws, bound: tested, spread, cost, references, difficulty, warnings }
  }
  return { test: report(new Map()), trials, withScripts: report }
}

/** The steps of judging one more solution of an instance. */
function costsOfSolution({ at }: Drawn): readonly number[] {
  const steps = at.judgements.map(({ what, steps }) => {
    return ['feasible solution', 'measure', 'bound'].includes(what) ? (steps ?? Infinity) : 0
  })
  return [steps.reduce((sum, one) => sum + one, 0)]
}

/** Little is drawn, because everything is large there. */
function largestDraws(tools: Tools, { largest }: Amounts): Draws['largest'] {
  const { largestConfig } = tools.challenge
  if (largest === 0 || JSON.stringify(largestConfig) === JSON.stringify(tools.config) || tools.isOver()) return null
  return drawPieces({ ...tools, config: largestConfig }, { predicates: 1, instances: largest, solutions: 1 }).at
}
