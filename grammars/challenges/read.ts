import { checkDictionary, readDictionary } from '../class-dictionary/index.ts'
import { order, over, show, toFraction } from '../formulas/index.ts'
import type { Exact } from '../formulas/index.ts'
import type { Json } from '../json.ts'
import { compileValues } from '../values/index.ts'
import type { Shape, Values } from '../values/index.ts'
import { canonical } from './canonical.ts'
import type { Sets } from './canonical.ts'
import type { Challenge, ReadChallenge } from './challenge.ts'
import { checkConfig, configShape } from './config.ts'
import { checkExamples } from './examples.ts'
import { explainParts } from './explain.ts'
import { parseChallenge } from './grammar.ts'
import { makeJudge } from './judge.ts'
import type { Judge, Shapes } from './judge.ts'
import { problemList } from './problems.ts'
import type { ProblemList } from './problems.ts'
import { sortSections } from './sections.ts'
import type { Sections } from './sections.ts'
import type { Block, ChallengeTree, Goal } from './tree.ts'

/** Characters of one file. */
const LONGEST = 1_000_000

/**
 * Reads a .challenge file: the whole definition of one specific game (sections 5.4 and 6 of the spec), its grammar in
 * docs/language.md. Its examples are tried. Whatever the text, this ends and does not throw. Reading takes some
 * milliseconds; keep what comes back.
 */
export function readChallenge(source: string): ReadChallenge {
  if (source.length > LONGEST) {
    const at = { line: 1, column: 1, offset: 0 }
    return { challenge: null, problems: [{ at, message: `A challenge file has at most ${LONGEST} characters.` }] }
  }
  const list = problemList(source)
  const tree = parseChallenge(source)
  let challenge: Challenge | null = null
  if ('sections' in tree) challenge = build(tree, source.length, list)
  else for (const fault of tree) list.addFault(fault)
  return list.problems.length > 0 ? { challenge: null, problems: list.problems } : { challenge, problems: [] }
}

function build(tree: ChallengeTree, length: number, list: ProblemList): Challenge | null {
  const sections = sortSections(tree, length, list)
  const values = sections && readValues(sections.dictionary, list)
  const shapes = values && shapesOf(values, sections, list)
  if (!sections || !values || !shapes) return null
  const sets = checkSets(sections, shapes, list)
  const judge = makeJudge(sections, shapes, list)
  if (!judge || list.problems.length > 0) return null
  const challenge = makeChallenge(tree, sections, values, shapes, sets, judge)
  checkExamples(sections.examples, challenge, list)
  return challenge
}

function readValues(block: Block, list: ProblemList): Values | null {
  const { dictionary, problems } = readDictionary(block.source, { at: list.place(block.at) })
  const all = dictionary ? [...problems, ...checkDictionary(dictionary)] : problems
  for (const problem of all) list.addProblem(problem)
  return dictionary && all.length === 0 ? compileValues(dictionary) : null
}

function shapesOf(values: Values, sections: Sections, list: ProblemList): Shapes | null {
  const shape = (name: string): Shape | null => {
    const found = values.shape(name)
    if (found.ok) return found.shape
    list.add(sections.dictionary.at, `The dictionary must define ${name}. ${found.problem.message}`)
    return null
  }
  const predicate = shape('Predicate')
  const instance = shape('Instance')
  const solution = shape('Solution')
  if (!predicate || !instance || !solution) return null
  const other = (name: string): Shape | null => {
    const found = values.shape(name)
    return found.ok ? found.shape : null
  }
  return { config: configShape(sections.settings), predicate, instance, solution, other }
}

/** `set Class.field` must name a list of the dictionary. */
function checkSets(sections: Sections, shapes: Shapes, list: ProblemList): Sets {
  const sets = new Set<string>()
  for (const { className, label } of sections.sets) {
    const shape = shapes.other(className.name)
    const field = shape?.kind === 'class' ? shape.fields.find((one) => one.label === label.name) : undefined
    if (shape?.kind !== 'class')
      list.add(className.at, `There is no concrete class "${className.name}" in the dictionary.`)
    else if (!field) list.add(label.at, `${className.name} has no field "${label.name}".`)
    else if (field.type.kind !== 'list') list.add(label.at, `Only a list can be a set, and ${label.name} is none.`)
    sets.add(`${className.name}.${label.name}`)
  }
  return sets
}

function makeChallenge(
  tree: ChallengeTree,
  sections: Sections,
  values: Values,
  shapes: Shapes,
  sets: Sets,
  judge: Judge,
): Challenge {
  const invalid = (value: Json, type: string): string | null => {
    const found = values.validate(value, type)
    if (!found) return null
    const place = found.path === '' ? '' : ` at ${found.path}`
    return `The ${type.toLowerCase()} is malformed${place}: ${found.message}.`
  }
  return {
    name: tree.name.name,
    title: tree.title,
    text: sections.text,
    values,
    config: (value) => checkConfig(sections.settings, value),
    predicate(config, value) {
      const error = invalid(value, 'Predicate')
      if (error !== null) return { ok: false, error }
      const form = canonical(value, shapes.predicate, sets)
      if (form === undefined) return { ok: false, error: 'The predicate nests too deeply.' }
      const refused = judge.refusal('legal predicate', [config, form])
      return refused === null ? { ok: true, value: form, key: JSON.stringify(form) } : { ok: false, error: refused }
    },
    legal(config, predicate, instance) {
      return invalid(instance, 'Instance') ?? judge.refusal('legal instance', [config, predicate, instance])
    },
    feasible(config, instance, solution) {
      return invalid(solution, 'Solution') ?? judge.refusal('feasible solution', [config, null, instance, solution])
    },
    quality(config, instance, solution) {
      const measure = judge.number('measure', [config, null, instance, solution])
      if (!measure.ok) return measure.error
      const bound = judge.number('bound', [config, null, instance])
      if (!bound.ok) return bound.error
      const quality = qualityOf(sections.goal, measure.value, bound.value)
      if (quality !== null) return toFraction(quality)
      const sides = `the measure is ${show(measure.value)} and the bound ${show(bound.value)}`
      return `The challenge gives a quality outside 0 to 1: ${sides}.`
    },
    explain: (config, instance, solution) => explainParts(judge, shapes.instance, [config, instance, solution]),
  }
}

/** Measure by bound for a maximum, bound by measure for a minimum; null where that is not from 0 to 1. */
function qualityOf(goal: Goal, measure: Exact, bound: Exact): Exact | null {
  // What reaches its bound is perfect, also where both are 0.
  if (order(measure, bound) === 0) return 1
  const [part, whole] = goal === 'max' ? [measure, bound] : [bound, measure]
  return order(part, 0) < 0 || order(whole, part) < 0 ? null : over(part, whole)
}
