import { STEPS } from '../formulas/index.ts'
import type { Challenge } from '../challenges/index.ts'
import type { Json } from '../json.ts'
import type { Section } from '../challenges/tree.ts'
import type { Drawn } from './draw-pieces.ts'
import type {
  BoundTest,
  DearestJudgement,
  DrivenCost,
  Draws,
  Finding,
  FindingCode,
  ReferenceResult,
  Spread,
  Tally,
} from './report.ts'
import type { GeneratorFailure, SlowGenerator } from './measure-difficulty.ts'
import { SLOW } from './tools.ts'

/** The results of all parts of a test. */
interface Found {
  readonly drawn: Drawn
  readonly draws: Draws
  readonly bound: BoundTest
  readonly spread: Spread | null
  readonly oneAnswer: string | null
  readonly cost: readonly DrivenCost[]
  readonly references: readonly ReferenceResult[]
  readonly fault: GeneratorFailure | null
  readonly slow: SlowGenerator | null
}

/** Objects of which fewer than this share are legal are drawn rarely. */
const RARE = 0.02
/** From this share of predicates or instances without anything to draw a game cannot be played. */
const BARREN = 0.5
/** Shares of instances with nothing to decide: nearly all make a game pointless, and half deserve a warning. */
const ALL_FLAT = 0.9
const HALF = 0.5
/** A profit below this share of the price does not count. */
const NO_MARGIN = 0.01

/** The warnings about a game, from what was found; the fatal ones first. */
export function findingsOf(challenge: Challenge, found: Found): readonly Finding[] {
  const finding = (
    code: FindingCode,
    fatal: boolean,
    section: Section['kind'],
    message: string,
    hint: string,
  ): Finding => {
    return { code, fatal, message, hint, at: challenge.placeOf(section) }
  }
  const all = [
    ...drawFindings(challenge, found, finding),
    ...judgementFindings(found, finding),
    ...spreadFindings(found, finding),
    ...found.cost.map((cost) => costFinding(cost, finding)),
    ...(found.fault === null ? [] : [generatorFinding(found.fault, finding)]),
    ...(found.slow === null ? [] : [slowGeneratorFinding(found.slow, finding)]),
  ]
  // References say nothing about a game that cannot be played anyway.
  if (!all.some(({ fatal }) => fatal)) all.push(...referenceFindings(challenge, found))
  return all.toSorted((a, b) => Number(b.fatal) - Number(a.fatal))
}

type Make = (code: FindingCode, fatal: boolean, section: Section['kind'], message: string, hint: string) => Finding

function drawFindings(challenge: Challenge, { drawn, draws }: Found, finding: Make): readonly Finding[] {
  const { predicates, pieces, barren } = drawn
  const { usual } = draws
  const property = (what: 'predicate' | 'instance' | 'solution'): Section['kind'] => {
    if (challenge.placeOf(`property ${what}`) !== null) return `property ${what}`
    return what === 'solution' ? 'feasible solution' : `legal ${what}`
  }
  const reason = ({ refused }: Tally): string => (refused === null ? '' : ` The first was refused: ${refused}`)
  // Nothing is known of a game for which there was no time.
  if (drawn.isOver) return []
  if (predicates.length === 0) {
    const message = `No legal predicate was drawn in ${usual.predicates.tried} attempts.${reason(usual.predicates)}`
    return [
      finding(
        'no-predicate',
        true,
        property('predicate'),
        message,
        'Describe legal predicates in "property predicate".',
      ),
    ]
  }
  const found: Finding[] = []
  const share = barren.predicates / predicates.length
  if (share > 0) {
    const message =
      `For ${barren.predicates} of ${predicates.length} random predicates no legal instance was drawn.` +
      reason(usual.instances)
    const hint = 'Describe legal instances in "property instance", and refuse predicates that have none.'
    found.push(finding('no-instance', share >= BARREN, property('instance'), message, hint))
  }
  const without = barren.instances / Math.max(1, pieces.length + barren.instances)
  if (without > 0) {
    const message =
      `For ${barren.instances} of ${pieces.length + barren.instances} random instances no feasible solution was drawn.` +
      reason(usual.solutions)
    const hint = 'Describe feasible solutions in "property solution", and refuse instances that have none.'
    found.push(finding('no-solution', without >= BARREN, property('solution'), message, hint))
  }
  for (const what of ['predicate', 'instance', 'solution'] as const) {
    const tally = usual[`${what}s`]
    if (tally.found === 0 || tally.found >= RARE * tally.tried) continue
    const message = `Only ${tally.found} of ${tally.tried} random ${what}s met the demands.${reason(tally)}`
    const hint = `Make "property ${what}" narrower, so that agents need not draw as often.`
    found.push(finding('rarely-drawn', false, property(what), message, hint))
  }
  return found
}

function judgementFindings({ drawn, draws, bound }: Found, finding: Make): readonly Finding[] {
  const found: Finding[] = []
  const { counterexample } = bound
  if (counterexample !== null) {
    const { instance, solution, measure, bound: value } = counterexample
    const message =
      `A solution has a quality outside 0 to 1: its measure is ${short(measure)}, and the bound ${short(value)}. ` +
      `Instance: ${shortText(instance)}; solution: ${shortText(solution)}.`
    const hint =
      'Correct the bound: no feasible solution may be better than it, and no measure negative. Sales of such solutions are void.'
    found.push(finding('bound-wrong', true, 'bound', message, hint))
  }
  const failures = drawn.pieces.flatMap(({ solutions }) => {
    return solutions.flatMap(({ judgement }) => (judgement.kind === 'failed' ? [judgement.error] : []))
  })
  if (failures[0] !== undefined) {
    const count = drawn.pieces.reduce((sum, { solutions }) => sum + solutions.length, 0)
    const message = `${failures.length} of ${count} random feasible solutions have no quality. ${failures[0]}`
    found.push(
      finding('not-judged', true, 'measure', message, 'Refuse such instances or solutions, or give them a measure.'),
    )
  }
  found.push(...effortFindings(draws.usual.judgements, true, finding))
  if (draws.largest !== null) found.push(...effortFindings(draws.largest.judgements, false, finding))
  return found
}

/** `usual`: with the settings of the test, which then cannot be played. */
function effortFindings(judgements: readonly DearestJudgement[], usual: boolean, finding: Make): readonly Finding[] {
  const settings = usual ? 'these settings' : 'the largest settings'
  return judgements.flatMap(({ what, steps }) => {
    const section = what as Section['kind']
    if (steps === null) {
      const message = `With ${settings} the evaluation of "${what}" for a random instance exceeds the limit of ${many(STEPS)} steps.`
      return [
        finding('over-limit', usual, section, message, 'Lower the ranges of config, or look up what loops search for.'),
      ]
    }
    if (steps < SLOW || !usual) return []
    const message = `With ${settings} one evaluation of "${what}" takes ${many(steps)} steps: an agent can try only a few solutions in a second.`
    return [finding('slow', true, section, message, 'Lower the defaults of config, or look up what loops search for.')]
  })
}

function spreadFindings({ spread, oneAnswer, bound, drawn }: Found, finding: Make): readonly Finding[] {
  if (spread === null || bound.counterexample !== null || drawn.pieces.length === 0) return []
  const found: Finding[] = []
  const margin = spread.margins[0]?.margin ?? 0
  if (spread.flat >= ALL_FLAT) {
    const message = `In ${percent(spread.flat)} of ${spread.instances} random instances all solutions that were tried have the same quality: there is nothing to decide.`
    const hint = 'Let the measure depend on the choices of a solution, and draw larger instances.'
    found.push(finding('trivial', true, 'measure', message, hint))
  } else if (oneAnswer !== null) {
    const message = `One solution is perfect for nearly all random instances: ${shortText(oneAnswer)}.`
    const hint = 'Let the measure depend on the instance, so that each instance is a problem of its own.'
    found.push(finding('one-answer', true, 'measure', message, hint))
  } else if (margin < NO_MARGIN) {
    const message =
      `Random solutions are as good as the best found: on average ${percent(spread.chance)} and ${percent(spread.best)} of the bound. ` +
      'No seller can earn anything.'
    const hint = 'Let random solutions be worse: a lower share for them, or harder instances.'
    found.push(finding('chance-is-best', true, 'measure', message, hint))
  } else if (spread.flat >= HALF || spread.zero + spread.one >= HALF) {
    const message =
      `Many random instances are easy to decide: ${percent(spread.one)} are solved perfectly by the first random solution, ` +
      `in ${percent(spread.zero)} it is worth nothing, and in ${percent(spread.flat)} all solutions are equal.`
    const hint = 'Draw larger or harder instances in "property instance", or better solutions in "property solution".'
    found.push(finding('mostly-trivial', false, 'measure', message, hint))
  }
  return found
}

function generatorFinding({ code, error, parameters }: GeneratorFailure, finding: Make): Finding {
  const hint = 'Correct the section "generate"; its instances must be legal for every predicate that can be drawn.'
  return finding(code, true, 'generate', `${error}${withParameters(parameters)}`, hint)
}

/** Agents generate with the defaults, and may wait for nothing else. */
function slowGeneratorFinding({ steps, parameters, usual }: SlowGenerator, finding: Make): Finding {
  const message = `The generator takes ${many(steps)} steps for one instance: an agent waits for it.${withParameters(parameters)}`
  const hint = usual
    ? 'Lower the defaults of its parameters, or look up what loops search for.'
    : 'Lower the ranges of its parameters, or look up what loops search for.'
  return finding('slow', usual, 'generate', message, hint)
}

function withParameters(parameters: Json): string {
  const given = Object.entries(parameters as object).map(([name, value]) => `${name} = ${String(value)}`)
  return given.length === 0 ? '' : ` (With ${given.join(', ')}.)`
}

function costFinding({ value, what, before, after, grown }: DrivenCost, finding: Make): Finding {
  const subject = value.startsWith('predicate') ? 'predicate' : value.startsWith('solution') ? 'solution' : 'instance'
  const section = subject === 'solution' ? 'feasible solution' : (`legal ${subject}` as const)
  const steps = after === null ? `exceeds the limit of ${many(STEPS)} steps` : `takes ${many(after)} steps`
  const message = `A player can make judging expensive: with ${grown} for ${value} the evaluation of "${what}" ${steps}, and ${many(before)} before.`
  return finding('cost-driven', true, section, message, `Limit ${value} in "${section}".`)
}

/** Those of references, at their own places. */
function referenceFindings(challenge: Challenge, { references }: Found): readonly Finding[] {
  return references.flatMap((result, index) => {
    const at = challenge.references[index]?.at ?? null
    const slow = result.late ? [{ ...slowReference(result), fatal: false, at }] : []
    return result.ok === false ? [...slow, { ...referenceFinding(result), fatal: true, at }] : slow
  })
}

function slowReference({ title, kind, instances }: ReferenceResult): Pick<Finding, 'code' | 'message' | 'hint'> {
  return {
    code: 'reference-slow',
    message: `The ${kind} reference "${title}" did not answer in time after ${instances} random instances, so the others were not judged.`,
    hint: 'Test it with smaller settings of config, or make it faster.',
  }
}

function referenceFinding(result: ReferenceResult): Pick<Finding, 'code' | 'message' | 'hint'> {
  const { title, kind, share, instances, refused, quality, best, problem } = result
  const reached = `${percent(quality ?? 0)} of the bound on average, and the best found ${percent(best ?? 0)}`
  if (kind === 'wrong') {
    return {
      code: 'reference-accepted',
      message: `The wrong reference "${title}" was accepted on all ${instances} random instances: it reaches ${reached}.`,
      hint: `Refuse its solutions in "feasible solution", let the measure tell them apart, or name a share above ${percent(share)}.`,
    }
  }
  if (refused > 0) {
    return {
      code: 'reference-failed',
      message: `The ${kind} reference "${title}" has no solution for ${refused} of ${instances} random instances. ${problem ?? ''}`,
      hint: 'Correct the reference, or the requirements that refuse its solutions.',
    }
  }
  return {
    code: 'reference-failed',
    message: `The ${kind} reference "${title}" reaches only ${reached}: less than ${percent(share)} of it.`,
    hint: 'Correct the reference, or name a lower share behind its kind.',
  }
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`
}

function many(steps: number): string {
  return steps.toLocaleString('en')
}

const LONGEST = 160

function shortText(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…`
}

/** Whole numbers without their denominator. */
function short(number: string): string {
  return number.endsWith('/1') ? number.slice(0, -2) : number
}
