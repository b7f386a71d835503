import { checkDictionary, readDictionary } from '../class-dictionary/index.ts'
import type { Watch } from '../formulas/index.ts'
import { compileValues } from '../values/index.ts'
import type { Shape, Values } from '../values/index.ts'
import { nearest } from '../class-dictionary/checking/suggest.ts'
import type { Sets } from './canonical.ts'
import type { Challenge, ReadChallenge } from './challenge.ts'
import { configShape } from './config.ts'
import { playExamples, readExamples } from './examples.ts'
import type { ReadExample } from './examples.ts'
import { formatNames, misfit } from './formats/index.ts'
import { makeJudge } from './judge.ts'
import type { Shapes } from './judge.ts'
import { makeChallenge } from './make.ts'
import { placesIn } from './places.ts'
import { problemList } from './problems.ts'
import type { ProblemList } from './problems.ts'
import { parseRepaired } from './repaired.ts'
import type { Repaired } from './repaired.ts'
import { sortSections } from './sections.ts'
import type { Sections } from './sections.ts'
import type { Block } from './tree.ts'

/** Maximum characters of a file. */
export const LONGEST = 1_000_000

/** Sections that define names: without them correct formulas would be reported to use unknown names. */
const NAMING = ['config', 'dictionary', 'define']

/**
 * Reads a .challenge file: the whole definition of one specific game (sections 5.4 and 6 of the spec); docs/language.md
 * has the grammar. Its examples are checked. Terminates and never throws, whatever the text. Reading takes some
 * milliseconds, so keep the result.
 */
export function readChallenge(source: string): ReadChallenge {
  return source.length > LONGEST ? tooLong : readWithNotes(source, {})
}

/** Like `readChallenge`, for the author of a file: reports also what has no effect, as files in older histories may have. */
export function readNewChallenge(source: string): ReadChallenge {
  return source.length > LONGEST ? tooLong : readWithNotes(source, { isNew: true })
}

const tooLong: ReadChallenge = {
  challenge: null,
  problems: [
    {
      at: { line: 1, column: 1, offset: 0 },
      code: 'too-large',
      message: `A challenge file has at most ${LONGEST.toLocaleString('en')} characters.`,
    },
  ],
}

/** Intermediate results for callers that need more than the challenge; set even if the file has problems elsewhere. */
export interface Notes {
  sections?: Sections
  shapes?: Shapes
  examples?: readonly ReadExample[]
  /** The text that the offsets of trees refer to, which was read on behind mistakes, and their offsets in the file. */
  parsed?: Pick<Repaired, 'text' | 'original'>
  /** True for a file that is being written; see `readNewChallenge`. */
  readonly isNew?: boolean
  /** Called with the type of each part of a formula. */
  readonly watch?: Watch
}

/** Like `readChallenge`, for a text that is not too long. */
export function readWithNotes(source: string, notes: Notes): ReadChallenge {
  const parsed = parseRepaired(source)
  notes.parsed = parsed
  const list = problemList(source, parsed.original)
  const place = placesIn(source)
  for (const { at, ...fault } of parsed.repairs) list.addProblem({ at: place(at), ...fault })
  const challenge = read(parsed, list, notes)
  if (challenge !== null && list.problems.length === 0) return { challenge, problems: [] }
  return { challenge: null, problems: list.problems.toSorted((a, b) => a.at.offset - b.at.offset) }
}

/** Continues after problems where possible, to report those of several sections together. */
function read({ tree, faults, broken, text }: Repaired, list: ProblemList, notes: Notes): Challenge | null {
  for (const fault of faults) list.addFault(fault)
  const whole = faults.length === 0
  const sections = sortSections(tree, text.length, whole, list)
  notes.sections = sections
  const values = sections.dictionary && readValues(sections.dictionary, list)
  const shapes = values && shapesOf(values, sections, sections.dictionary, list)
  if (!values || !shapes) return null
  notes.shapes = shapes
  const sets = checkSets(sections, shapes, list)
  checkFormat(sections, values, list)
  if (notes.isNew === true) reportIdleSets(sections, shapes, list)
  const judge = NAMING.some((word) => broken.has(word)) ? null : makeJudge(sections, shapes, values, list, notes.watch)
  const examples = readExamples(sections, values, list)
  notes.examples = examples
  const { goal } = sections
  if (judge === null || goal === null || list.problems.length > 0) return null
  const challenge = makeChallenge({ tree, sections, goal, values, shapes, sets, judge, place: list.place })
  playExamples(examples, challenge, list)
  return challenge
}

function readValues(block: Block, list: ProblemList): Values | null {
  const { dictionary, problems } = readDictionary(block.source, { at: list.place(block.at), wantsLabels: true })
  const all = dictionary ? [...problems, ...checkDictionary(dictionary)] : problems
  for (const problem of all) list.addProblem(problem)
  return dictionary && all.length === 0 ? compileValues(dictionary) : null
}

function shapesOf(values: Values, sections: Sections, dictionary: Block | null, list: ProblemList): Shapes | null {
  const shape = (name: string): Shape | null => {
    const found = values.shape(name)
    if (found.ok) return found.shape
    list.add(
      dictionary?.at ?? 0,
      `The dictionary must define ${name}. ${found.problem.message}`,
      undefined,
      'class-unknown',
    )
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

/** A format must be one that is known, and the raw material must have its fields. */
function checkFormat({ format }: Sections, values: Values, list: ProblemList): void {
  if (format === null) return
  const { at, name } = format
  if (!formatNames.includes(name)) {
    const near = nearest(name, formatNames)
    const hint = near === null ? `Formats are ${formatNames.join(', ')}.` : `Did you mean ${near}?`
    list.add(at, `No format "${name}" is known.`, hint, 'format-unknown')
    return
  }
  const wrong = misfit(name, values)
  if (wrong !== null) list.add(at, wrong, 'Give Instance exactly these fields, or remove the section.', 'format-fields')
}

/** `set Class.field` must name a list of the dictionary. */
function checkSets(sections: Sections, shapes: Shapes, list: ProblemList): Sets {
  const sets = new Set<string>()
  for (const { className, label } of sections.sets) {
    const shape = shapes.other(className.name)
    const field = shape?.kind === 'class' ? shape.fields.find((one) => one.label === label.name) : undefined
    if (shape?.kind !== 'class')
      list.add(className.at, `The dictionary has no concrete class "${className.name}".`, undefined, 'class-unknown')
    else if (!field) list.add(label.at, `${className.name} has no field "${label.name}".`, undefined, 'field-unknown')
    else if (field.type.kind !== 'list')
      list.add(label.at, `Only a list can be a set, but ${label.name} is not a list.`, undefined, 'set-field')
    sets.add(`${className.name}.${label.name}`)
  }
  return sets
}

/** Reports each set of a class that no predicate contains: only predicates are compared as wholes. */
function reportIdleSets(sections: Sections, shapes: Shapes, list: ProblemList): void {
  const within = new Set<Shape>([shapes.predicate])
  for (const shape of within) {
    if (shape.kind === 'list' || shape.kind === 'option') within.add(shape.of)
    else if (shape.kind === 'choice') for (const one of shape.alternatives) within.add(one)
    else if (shape.kind === 'class') for (const { type } of shape.fields) within.add(type)
  }
  const names = new Set([...within].map((shape) => (shape.kind === 'class' ? shape.name : '')))
  for (const { at, className, label } of sections.sets) {
    const shape = shapes.other(className.name)
    if (shape?.kind !== 'class' || names.has(className.name)) continue
    // A field that is not a list has been reported.
    if (shape.fields.find((field) => field.label === label.name)?.type.kind !== 'list') continue
    const set = `${className.name}.${label.name}`
    list.add(
      at,
      `"set ${set}" has no effect: only predicates are compared, and none contains a ${className.name}.`,
      'Remove it. A requirement such as "require distinct(...)" refuses duplicates, and sort(...) ignores the order.',
      'set-field',
    )
  }
}
