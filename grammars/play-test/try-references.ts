import { toNumber } from '../formulas/index.ts'
import type { Challenge } from '../challenges/index.ts'
import type { Reference, Solved } from '../challenges/references/reference.ts'
import type { Json } from '../json.ts'
import type { JudgedSolution } from './draw-pieces.ts'
import type { ReferenceResult } from './report.ts'
import type { Tools } from './tools.ts'

/** An instance on which references are tried, with the best quality that is known without them. */
export interface Trial {
  readonly predicate: Json
  readonly instance: Json
  readonly best: number
}

/** The answers of a reference to the first trials, in their order. */
export type Answers = ReadonlyMap<string, readonly Solved[]>

interface TriedReferences {
  readonly results: readonly ReferenceResult[]
  /** A solution of a reference that is better than the bound; null: none is. */
  readonly beyond: { readonly trial: Trial; readonly solution: JudgedSolution } | null
}

/** Trials that are done even if the time is up. */
const LEAST = 4

/** Shares are compared with averages, whose last digits depend on the order of adding. */
const TOLERANCE = 1e-9

/** Solves the trials with all references that are written in formulas. */
export function answersInFormulas(tools: Tools, trials: readonly Trial[]): Answers {
  const { challenge, config } = tools
  const answers = new Map<string, readonly Solved[]>()
  for (const { title, how } of challenge.references) {
    if (how.language !== 'formulas') continue
    const solved: Solved[] = []
    for (const { instance } of trials) {
      if (solved.length >= LEAST && tools.isOver()) break
      solved.push(how.solve(config, instance))
    }
    answers.set(title, solved)
  }
  return answers
}

/** Judges the answers of all references; one without answers has not been run. */
export function tryReferences(
  challenge: Challenge,
  config: Json,
  trials: readonly Trial[],
  answers: Answers,
): TriedReferences {
  const judged = challenge.references.map((reference) => ({
    reference,
    late: (answers.get(reference.title) ?? []).some((solved) => !solved.ok && solved.late === true),
    // A script gives no answer after one that came too late.
    answers: (answers.get(reference.title) ?? [])
      .filter((solved) => solved.ok || solved.late !== true)
      .map((solved, index) => judgeAnswer(challenge, config, trials[index]!, solved)),
  }))
  // A reference may find better solutions than the short search.
  const best = trials.map(({ best }, index) => {
    return judged.reduce((most, { answers }) => Math.max(most, answers[index]?.quality ?? 0), best)
  })
  const beyond = judged.flatMap(({ answers }) => answers.flatMap((answer) => answer.beyond ?? []))
  return {
    results: judged.map(({ reference, answers, late }) => resultOf(reference, answers, late, best)),
    beyond: beyond[0] ?? null,
  }
}

interface JudgedAnswer {
  /** null: the solution was refused, or has no quality. */
  readonly quality: number | null
  /** Why it has no quality. */
  readonly problem: string | null
  readonly steps: number | null
  readonly beyond: TriedReferences['beyond']
}

function judgeAnswer(challenge: Challenge, config: Json, trial: Trial, solved: Solved): JudgedAnswer {
  const nothing = { quality: null, steps: null, beyond: null }
  if (!solved.ok) return { ...nothing, problem: solved.error }
  const { solution, steps } = solved
  const refused = challenge.feasible(config, trial.instance, solution)
  if (refused !== null) return { ...nothing, steps, problem: refused }
  const judgement = challenge.judgement(config, trial.instance, solution)
  if (judgement.kind === 'rated')
    return { quality: toNumber(judgement.rating.quality), problem: null, steps, beyond: null }
  if (judgement.kind === 'outside') {
    const beyond = { trial, solution: { solution, judgement } }
    return { quality: null, problem: 'Its solution is better than the bound.', steps, beyond }
  }
  return { ...nothing, steps, problem: judgement.error }
}

function resultOf(
  { title, kind, share, how }: Reference,
  answers: readonly JudgedAnswer[],
  late: boolean,
  best: readonly number[],
): ReferenceResult {
  const refused = answers.filter(({ quality }) => quality === null)
  const quality = mean(answers.map((answer) => answer.quality ?? 0))
  const reachable = mean(answers.map((_, index) => best[index]!))
  const reaches = quality >= share * reachable - TOLERANCE
  const accepted = refused.length === 0 && reaches
  const steps = answers.flatMap((answer) => answer.steps ?? [])
  const isRun = answers.length > 0
  return {
    title,
    kind,
    language: how.language,
    share,
    instances: answers.length,
    late,
    refused: refused.length,
    quality: isRun ? quality : null,
    best: isRun ? reachable : null,
    steps: steps.length === 0 ? null : Math.max(...steps),
    ok: isRun ? (kind === 'wrong' ? !accepted : accepted) : null,
    problem: refused[0]?.problem ?? null,
  }
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, one) => sum + one, 0) / numbers.length
}
