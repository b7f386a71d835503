import { order, over, show, toFraction } from '../formulas/index.ts'
import type { Exact, Fraction } from '../formulas/index.ts'
import type { Json } from '../json.ts'
import type { Values } from '../values/index.ts'
import type { Random } from '../properties/index.ts'
import { findCulprit, tryOthers } from './blame.ts'
import type { Attempt } from './blame.ts'
import { canonical } from './canonical.ts'
import type { Sets } from './canonical.ts'
import type { Challenge, Rating } from './challenge.ts'
import { checkConfig, decimal } from './config.ts'
import { explainParts } from './explain.ts'
import type { Computed, Judge, Shapes } from './judge.ts'
import { makeGenerator } from './generators/make-generator.ts'
import type { League, LeagueParameter } from './league.ts'
import { makeSampler } from './make-sampler.ts'
import type { ProblemList } from './problems.ts'
import { makeReference } from './references/make-reference.ts'
import type { Sections } from './sections.ts'
import { modelOf } from './solvers/model.ts'
import type { ChallengeTree, Goal, LeagueTree } from './tree.ts'

/** The parts of a file without problems. */
export interface Parts {
  readonly tree: ChallengeTree
  readonly sections: Sections
  readonly goal: Goal
  readonly values: Values
  readonly shapes: Shapes
  readonly sets: Sets
  readonly judge: Judge
  readonly place: ProblemList['place']
}

/** The challenge that a file defines. */
export function makeChallenge({ tree, sections, goal, values, shapes, sets, judge, place }: Parts): Challenge {
  const invalid = (value: Json, type: string): string | null => {
    const found = values.validate(value, type)
    if (!found) return null
    const place = found.path === '' ? '' : ` at ${found.path}`
    return `The ${type.toLowerCase()} is malformed${place}: ${found.message}.`
  }
  const rated = (config: Json, instance: Json, solution: Json): Rated => {
    const measure = judge.number('measure', [config, null, instance, solution])
    if (!measure.ok) return measure
    const bound = judge.number('bound', [config, null, instance])
    if (!bound.ok) return bound
    const quality = qualityOf(goal, measure.value, bound.value)
    if (quality !== null) return { ok: true, value: { measure: measure.value, bound: bound.value, quality } }
    const sides = `the measure is ${show(measure.value)} and the bound ${show(bound.value)}`
    const error = `The challenge gives a quality outside 0 to 1: ${sides}.`
    const outside = { measure: toFraction(measure.value), bound: toFraction(bound.value) }
    return { ok: false, error, limit: false, outside }
  }
  const supported = (inputs: readonly [Json, Json, Json], quality: Exact, f: Fraction): Computed<boolean> => {
    if (judge.belief === null) return { ok: true, value: order(quality, f) < 0 }
    const [config, instance, solution] = inputs
    return judge.belief([config, null, instance, solution], quality, over(f, 1))
  }
  /** `asksFile`: demands that fail are told from those that are not met, if the file says how solutions are made. */
  const attempt = (config: Json, instance: Json, solution: Json, f: Fraction | null, asksFile: boolean): Attempt => {
    if (judging.feasible(config, instance, solution) !== null) {
      if (invalid(solution, 'Solution') !== null) return 'refused'
      const why = judge.unevaluated([config, null, instance, solution])
      if (why === 'failed') return asksFile && judge.properties.solution !== null ? 'failed' : 'refused'
      return why ?? 'refused'
    }
    const found = rated(config, instance, solution)
    if (!found.ok) return found.outside !== undefined ? 'outside' : found.limit ? 'limit' : 'failed'
    if (f === null) return 'judged'
    const belief = supported([config, instance, solution], found.value.quality, f)
    return belief.ok ? 'judged' : belief.limit ? 'limit' : 'failed'
  }
  const otherInstance = (config: Json, predicate: Json, random: Random): Json | null => {
    const made = judge.properties.instance?.generate([config, predicate], random)
    return made?.ok === true && judging.legal(config, predicate, made.value) === null ? made.value : null
  }
  const judging: Judging = {
    predicate(config, value) {
      const error = invalid(value, 'Predicate')
      if (error !== null) return { ok: false, error }
      const form = canonical(value, shapes.predicate, sets)
      if (form === undefined) return { ok: false, error: 'The predicate is nested too deeply.' }
      const refused = judge.refusal('legal predicate', [config, form])
      return refused === null ? { ok: true, value: form, key: JSON.stringify(form) } : { ok: false, error: refused }
    },
    legal(config, predicate, instance) {
      return invalid(instance, 'Instance') ?? judge.refusal('legal instance', [config, predicate, instance])
    },
    feasible(config, instance, solution) {
      return invalid(solution, 'Solution') ?? judge.refusal('feasible solution', [config, null, instance, solution])
    },
  }
  return {
    ...judging,
    name: tree.name.name,
    title: tree.title,
    text: sections.text,
    values,
    config: (value) => checkConfig(sections.settings, value),
    legalAtAll: (config, instance) => invalid(instance, 'Instance') ?? judge.rawRefusal(config, instance),
    quality(config, instance, solution) {
      const found = rated(config, instance, solution)
      return found.ok ? toFraction(found.value.quality) : found.error
    },
    rating(config, instance, solution) {
      const found = rated(config, instance, solution)
      if (!found.ok) return found.error
      return asFractions(found.value)
    },
    judgement(config, instance, solution) {
      const found = rated(config, instance, solution)
      if (found.ok) return { kind: 'rated', rating: asFractions(found.value) }
      if (found.outside !== undefined) return { kind: 'outside', ...found.outside }
      return { kind: found.limit ? 'limit' : 'failed', error: found.error }
    },
    spent(config, predicate, instance, solution, now) {
      return JUDGED.map((what) => {
        const before = now()
        const steps = judge.spent(what, [config, predicate, instance, solution])
        return { what, steps, ms: now() - before }
      })
    },
    placeOf(kind) {
      const section = tree.sections.find((one) => one.kind === kind)
      return section === undefined ? null : place(section.at)
    },
    supports(config, instance, solution, f) {
      const found = rated(config, instance, solution)
      if (!found.ok) return found.error
      const belief = supported([config, instance, solution], found.value.quality, f)
      return belief.ok ? belief.value : belief.error
    },
    unratable(config, instance) {
      const bound = judge.number('bound', [config, null, instance])
      return bound.ok ? null : bound.error
    },
    culprit(config, instance, solution, f, random, { generators, predicate }) {
      const others = { property: judge.properties.solution, values, inputs: [config, null, instance] }
      const asksFile = predicate !== null
      const found = findCulprit(
        (value) => attempt(config, instance, value, f, asksFile),
        ...([solution, others, random, generators] as const),
      )
      if (found === 'solution' || predicate === null) return found
      // A quality outside 0 to 1 is a wrong bound, whatever other raw material has.
      if (attempt(config, instance, solution, f, asksFile) === 'outside') return found
      const tried = tryOthers(() => {
        const other = otherInstance(config, predicate, random)
        const made = other === null ? undefined : judge.properties.solution?.generate([config, null, other], random)
        return made?.ok === true ? attempt(config, other, made.value, f, true) : null
      })
      if (tried.includes('judged')) return 'instance'
      return tried.length > 0 ? 'challenge' : found
    },
    boundCulprit(config, predicate, instance, random) {
      const bounded = (value: Json): Attempt => {
        const bound = judge.number('bound', [config, null, value])
        return bound.ok ? 'judged' : bound.limit ? 'limit' : 'failed'
      }
      const tried = tryOthers(() => {
        const other = otherInstance(config, predicate, random)
        return other === null ? null : bounded(other)
      })
      // Raw material that alone has no bound would be a free way out of a sale for its seller.
      if (tried.includes('judged')) return 'instance'
      return tried.length > 0 || bounded(instance) === 'failed' ? 'challenge' : 'instance'
    },
    efforts: (config) => judge.efforts(config),
    format: sections.format === null ? null : { name: sections.format.name, best: sections.format.best },
    largestConfig: Object.fromEntries(sections.settings.map(({ name, high }) => [name, decimal(high)])),
    leagues: sections.leagues.map((league, index) => makeLeague(league, index, judge)),
    references: sections.references.map((tree) => makeReference(tree, judge.solvers, place)),
    sampler: makeSampler(judge.properties, values, judging),
    generator: makeGenerator(sections.generator, judge.generator, {
      ...judging,
      rating: (config, instance, solution) => {
        const found = rated(config, instance, solution)
        return found.ok ? asFractions(found.value) : found.error
      },
    }),
    picture: judge.picture,
    model: (config, instance) => modelOf({ ...judge.declaration, name: tree.name.name, goal }, config, instance),
    explain: (config, instance, solution) => explainParts(judge, shapes.instance, [config, instance, solution]),
  }
}

const JUDGED = ['legal predicate', 'legal instance', 'feasible solution', 'measure', 'bound'] as const

function asFractions({ measure, bound, quality }: Quality): Rating {
  return { measure: toFraction(measure), bound: toFraction(bound), quality: toFraction(quality) }
}

type Judging = Pick<Challenge, 'predicate' | 'legal' | 'feasible'>

/** `outside`: the quality is computed, but not from 0 to 1. */
type Rated =
  | (Extract<Computed<Quality>, { ok: true }> & { readonly outside?: never })
  | (Extract<Computed<Quality>, { ok: false }> & { readonly outside?: Omit<Rating, 'quality'> })

interface Quality {
  readonly measure: Exact
  readonly bound: Exact
  readonly quality: Exact
}

/** measure / bound for a maximum, bound / measure for a minimum; null if that is not from 0 to 1. */
function qualityOf(goal: Goal, measure: Exact, bound: Exact): Exact | null {
  // A measure equal to its bound has quality 1, even if both are 0.
  if (order(measure, bound) === 0) return 1
  const [part, whole] = goal === 'max' ? [measure, bound] : [bound, measure]
  return order(part, 0) < 0 || order(whole, part) < 0 ? null : over(part, whole)
}

function makeLeague({ name, title, secret, parameter }: LeagueTree, index: number, judge: Judge): League {
  const admits = (config: Json, predicate: Json, value?: number): string | null => {
    if (parameter === null) return judge.leagueRefusal(index, config, predicate, null)
    const number = value ?? (parameter.standard as number)
    if (!Number.isSafeInteger(number) || order(number, parameter.low) < 0 || order(number, parameter.high) > 0) {
      const range = `a whole number from ${show(parameter.low)} to ${show(parameter.high)}`
      return `The ${parameter.name} of the league ${name} must be ${range}, not ${number}.`
    }
    return judge.leagueRefusal(index, config, predicate, number)
  }
  if (parameter === null) return { name, title, secret, admits }
  // The reader has checked that these are whole numbers.
  const { standard, low, high } = parameter
  const bounds = {
    standard: standard as number,
    low: low as number,
    high: high as number,
  } satisfies Partial<LeagueParameter>
  return { name, title, secret, parameter: { name: parameter.name, ...bounds }, admits }
}
