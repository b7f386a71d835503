import { order, show, toFraction } from '../formulas/index.ts'
import type { Json } from '../json.ts'
import type { Values } from '../values/index.ts'
import type { Challenge } from './challenge.ts'
import { decimal } from './config.ts'
import type { Drawn, Picture } from './pictures/picture.ts'
import type { ProblemList } from './problems.ts'
import type { Sections } from './sections.ts'
import type { Block, ExampleTree, LeagueUse } from './tree.ts'

/** An example with its parsed values. */
export interface ReadExample {
  readonly tree: ExampleTree
  readonly predicate?: Part
  readonly instance?: Part
  readonly solution?: Part
}

/** `fault`: the part that should be refused is not even a value. */
type Part = { readonly block: Block } & ({ readonly value: Json } | { readonly fault: string })

/** Parses the values of all examples and checks that each example is complete. */
export function readExamples(sections: Sections, values: Values, list: ProblemList): readonly ReadExample[] {
  return sections.examples.map((tree) => {
    checkShape(tree, list)
    checkLeagues(tree, sections, list)
    const last = tree.solution ?? tree.instance ?? tree.predicate
    const part = (block: Block | null, type: string): Part | null => {
      if (block === null) return null
      const result = values.parse(block.source, type, list.place(block.at))
      if (result.ok) return { block, value: result.value }
      if (tree.refused && block === last && tree.leagues.length === 0) return { block, fault: result.problem.message }
      list.addProblem({ ...result.problem, code: 'value-malformed' })
      return null
    }
    const predicate = part(tree.predicate, 'Predicate')
    const instance = part(tree.instance, 'Instance')
    const solution = part(tree.solution, 'Solution')
    return {
      tree,
      ...(predicate && { predicate }),
      ...(instance && { instance }),
      ...(solution && { solution }),
    }
  })
}

/** Checks that the parts of an example fit together. */
function checkShape(tree: ExampleTree, list: ProblemList): void {
  const { at, refused, config, predicate, leagues, instance, solution, quality, because } = tree
  if (instance !== null && predicate === null)
    list.add(instance.at, 'An instance needs a predicate before it.', undefined, 'example-form')
  if (solution !== null && instance === null)
    list.add(solution.at, 'A solution needs an instance before it.', undefined, 'example-form')
  if (leagues[0] !== undefined && predicate === null)
    list.add(leagues[0].at, 'A league needs a predicate before it.', undefined, 'example-form')
  if (refused) {
    if (because === null)
      list.add(at, 'An example that is refused must say why: because "...".', undefined, 'example-form')
    if (quality !== null) list.add(quality.at, 'A refused example has no quality.', undefined, 'example-form')
    if (leagues[0] !== undefined && instance !== null) {
      list.add(
        leagues[0].at,
        'Only a predicate can be refused by a league; leave out the instance.',
        undefined,
        'example-form',
      )
    }
    if (config.length === 0 && predicate === null)
      list.add(at, 'This example contains nothing to refuse.', undefined, 'example-form')
    return
  }
  if (because !== null) list.add(because.at, 'Only a refused example can have a "because".', undefined, 'example-form')
  if (predicate === null) list.add(at, 'An example needs a predicate.', undefined, 'example-form')
  if ((solution === null) !== (quality === null)) {
    list.add(
      solution === null ? (quality?.at ?? at) : solution.at,
      'A solution and its quality must be given together.',
      undefined,
      'example-form',
    )
  }
}

function checkLeagues(tree: ExampleTree, { leagues }: Sections, list: ProblemList): void {
  for (const { at, name, value } of tree.leagues) {
    const league = leagues.find((one) => one.name === name)
    if (league === undefined) list.add(at, `This file has no league ${name}.`, undefined, 'example-form')
    else if (league.parameter === null && value !== null)
      list.add(at, `The league ${name} has no parameter.`, undefined, 'example-form')
  }
}

/** Checks each example; a result that differs from the example is a problem of the file. */
export function playExamples(examples: readonly ReadExample[], challenge: Challenge, list: ProblemList): void {
  for (const example of examples) playExample(example, challenge, list)
}

/** The part of an example that was refused, and why. */
interface Refusal {
  readonly at: number
  /** The refused part: the last one of the example, or an earlier one. */
  readonly what: 'config' | 'predicate' | 'league' | 'instance' | 'solution'
  readonly reason: string
}

/** The sentences before the reason; reasons about settings name the setting themselves. */
const sentences: Readonly<Record<Refusal['what'], string>> = {
  config: '',
  predicate: 'This predicate is refused. ',
  league: 'This league does not admit the predicate. ',
  instance: 'This instance is not legal. ',
  solution: 'This solution is not feasible. ',
}

function playExample(example: ReadExample, challenge: Challenge, list: ProblemList): void {
  const { tree } = example
  const { refusals, quality } = tryOut(example, challenge)
  if (!tree.refused) {
    for (const { at, what, reason } of refusals) list.add(at, `${sentences[what]}${reason}`, undefined, 'example-wrong')
    if (refusals.length === 0) checkPictures(example, challenge, list)
    if (quality === null || tree.quality === null) return
    if (typeof quality === 'string') list.add(tree.quality.at, quality, undefined, 'example-wrong')
    else if (order(quality, toFraction(tree.quality.value)) !== 0) {
      list.add(
        tree.quality.at,
        `The quality is ${show(quality)}, not ${show(tree.quality.value)}.`,
        'Correct the example, or the formulas.',
        'example-wrong',
      )
    }
    return
  }
  const last = lastPart(tree)
  const wanted = tree.leagues.length > 0 ? tree.leagues.length : 1
  const early = refusals.find(({ what }) => what !== last)
  if (early !== undefined)
    list.add(
      early.at,
      `The ${last} should be refused here, but the ${early.what} already is. ${early.reason}`,
      undefined,
      'example-wrong',
    )
  else if (refusals.length < wanted)
    list.add(tree.at, `The ${last} of this example should be refused, but is not.`, undefined, 'example-wrong')
  for (const { what, reason } of refusals) {
    if (what !== last || tree.because === null || reason.includes(tree.because.text)) continue
    const hint = 'Write a part of that sentence after "because".'
    list.add(tree.because.at, `The ${last} is refused for another reason. ${reason}`, hint, 'example-wrong')
  }
}

/** Each valid instance of an example must have a picture, with the example's solution and without one. */
function checkPictures(example: ReadExample, challenge: Challenge, list: ProblemList): void {
  const solutions = example.solution === undefined ? [null] : [null, valueOf(example.solution)]
  for (const solution of solutions) {
    const drawn = drawExample(example, solution, challenge)
    if (drawn?.ok !== false) continue
    list.add(
      drawn.at ?? example.tree.at,
      `The picture of the example "${example.tree.name}" has no value. ${drawn.error}`,
      undefined,
      'picture-form',
    )
  }
}

function drawExample({ tree, instance }: ReadExample, solution: Json, challenge: Challenge): Drawn | null {
  const config = challenge.config(settingsOf(tree))
  if (challenge.picture === null || instance === undefined || !config.ok) return null
  return challenge.picture(config.value, valueOf(instance), solution)
}

/** The picture of the first example that goes as far as a quality; null: the file declares no picture. */
export function pictureOfExamples(examples: readonly ReadExample[], challenge: Challenge): Picture | null {
  const first = examples.find(({ tree }) => !tree.refused && tree.quality !== null)
  const drawn = first?.solution && drawExample(first, valueOf(first.solution), challenge)
  return drawn?.ok === true ? drawn.picture : null
}

/** The value of a valid part. */
function valueOf(part: Part): Json {
  return 'value' in part ? part.value : null
}

function settingsOf(tree: ExampleTree): { readonly [name: string]: number } {
  return Object.fromEntries(tree.config.map(({ name, value }) => [name, decimal(value)]))
}

function lastPart(tree: ExampleTree): Refusal['what'] {
  if (tree.solution !== null) return 'solution'
  if (tree.instance !== null) return 'instance'
  if (tree.leagues.length > 0) return 'league'
  return tree.predicate === null ? 'config' : 'predicate'
}

/** Tries the parts in order until one is refused; each of several leagues is tried. */
function tryOut(
  { tree, ...parts }: ReadExample,
  challenge: Challenge,
): { readonly refusals: readonly Refusal[]; readonly quality: ReturnType<Challenge['quality']> | null } {
  const stopped = (what: Refusal['what'], at: number, reason: string) => ({
    refusals: [{ at, what, reason }],
    quality: null,
  })
  const config = challenge.config(settingsOf(tree))
  if (!config.ok) return stopped('config', tree.config[0]?.at ?? tree.at, config.error)
  const { predicate, instance, solution } = parts
  if (predicate === undefined) return { refusals: [], quality: null }
  if ('fault' in predicate) return stopped('predicate', predicate.block.at, predicate.fault)
  const form = challenge.predicate(config.value, predicate.value)
  if (!form.ok) return stopped('predicate', predicate.block.at, form.error)

  const refusals = tree.leagues.flatMap((use): Refusal[] => {
    const reason = refusedBy(use, challenge, config.value, form.value)
    return reason === null ? [] : [{ at: use.at, what: 'league', reason }]
  })
  if (instance === undefined) return { refusals, quality: null }
  if ('fault' in instance) return stopped('instance', instance.block.at, instance.fault)
  const illegal = challenge.legal(config.value, form.value, instance.value)
  if (illegal !== null) return stopped('instance', instance.block.at, illegal)
  if (solution === undefined) return { refusals, quality: null }
  if ('fault' in solution) return stopped('solution', solution.block.at, solution.fault)
  const infeasible = challenge.feasible(config.value, instance.value, solution.value)
  if (infeasible !== null) return stopped('solution', solution.block.at, infeasible)
  return { refusals, quality: challenge.quality(config.value, instance.value, solution.value) }
}

function refusedBy({ name, value }: LeagueUse, challenge: Challenge, config: Json, predicate: Json): string | null {
  const league = challenge.leagues.find((one) => one.name === name)
  return league?.admits(config, predicate, ...(value === null ? [] : [decimal(value)])) ?? null
}
