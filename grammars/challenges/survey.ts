import { nameOf } from '../formulas/index.ts'
import type { Expression, Scope, Type, TypeName } from '../formulas/index.ts'
import type { Shape } from '../values/index.ts'
import type { ReadChallenge } from './challenge.ts'
import { decimal } from './config.ts'
import { pictureOfExamples } from './examples.ts'
import type { GeneratorParameter } from './generators/generator.ts'
import type { Shapes } from './judge.ts'
import type { Picture } from './pictures/picture.ts'
import { LONGEST, readNewChallenge, readWithNotes } from './read.ts'
import type { Notes } from './read.ts'
import type { Sections } from './sections.ts'

/**
 * Facts about a .challenge file that an editor shows besides its problems. Plain data that can be cloned; `null` or
 * empty if problems in the file prevent an answer.
 */
export interface Survey {
  readonly settings: readonly Setting[]
  /** In the order of the file, each as `weight(packed: list of int): int`. */
  readonly definitions: readonly SurveyedPart[]
  readonly leagues: readonly SurveyedPart[]
  /** The classes that predicate, instance and solution use, these three first; null: the dictionary has problems. */
  readonly classes: readonly ClassShape[] | null
  /** The picture of the first example with a quality; null also if the file declares none. */
  readonly picture: Picture | null
  /** The parameters of the generator; null also if the file declares none. */
  readonly generator: readonly GeneratorParameter[] | null
  /** Types of the parts of formulas, by the offset of the name, field or operator that identifies the part. */
  readonly types: ReadonlyMap<number, Type>
  /** All types that a name has in the file. */
  readonly names: ReadonlyMap<string, readonly Type[]>
}

type ClassShape = Extract<Shape, { kind: 'class' | 'choice' }>

export interface Setting {
  readonly name: string
  readonly type: 'int' | 'number'
  readonly standard: number
  readonly low: number
  readonly high: number
}

/** A name with a description in one line. */
export interface SurveyedPart {
  readonly name: string
  readonly text: string
}

/** Like `readNewChallenge`, with the survey. */
export function surveyChallenge(source: string): ReadChallenge & { readonly survey: Survey } {
  const types = new Map<number, Type>()
  const names = new Map<string, Type[]>()
  const typed = new Map<Expression, Type>()
  const scopes = new Set<Scope>()
  const note = (name: string, type: Type): void => {
    const known = names.get(name)
    if (known === undefined) names.set(name, [type])
    // In a property a value is incomplete; the type of the complete one is already known.
    else if (
      !(type.kind === 'class' && type.name.endsWith(' so far')) &&
      !known.some((one) => nameOf(one) === nameOf(type))
    )
      known.push(type)
  }
  const notes: Notes = {
    isNew: true,
    watch(tree, scope, type) {
      // Nested parts can have the same offset; inner ones come first.
      if (!types.has(tree.at)) types.set(tree.at, type)
      typed.set(tree, type)
      if (scopes.has(scope)) return
      scopes.add(scope)
      for (const [name, variable] of scope) note(name, variable.type)
    },
  }
  const read = source.length > LONGEST ? readNewChallenge(source) : readWithNotes(source, notes)
  const { sections, shapes, examples } = notes
  const survey = {
    settings: sections?.settings.map(settingOf) ?? [],
    definitions: sections?.definitions.map(({ definition }) => described(definition, typed)) ?? [],
    leagues: sections?.leagues.map(({ name, title }) => ({ name, text: title })) ?? [],
    classes: shapes === undefined ? null : classesOf(shapes),
    picture: read.challenge && examples ? pictureOfExamples(examples, read.challenge) : null,
    generator: read.challenge?.generator?.parameters ?? null,
    types,
    names,
  }
  return { ...read, survey }
}

function settingOf({ name, standard, low, high }: Sections['settings'][number]): Setting {
  const whole = [standard, low, high].every((value) => typeof value === 'number')
  const type = whole ? 'int' : 'number'
  return { name, type, standard: decimal(standard), low: decimal(low), high: decimal(high) }
}

function described(
  { name, parameters, body }: Sections['definitions'][number]['definition'],
  typed: ReadonlyMap<Expression, Type>,
): SurveyedPart {
  const taken = parameters.map((parameter) => `${parameter.name}: ${written(parameter.type)}`).join(', ')
  const type = typed.get(body)
  return { name, text: `${name}(${taken})${type === undefined ? '' : `: ${nameOf(type)}`}` }
}

function written(type: TypeName): string {
  return type.kind === 'named' ? type.name : `${type.kind} of ${written(type.of)}`
}

/** Breadth first, so that related classes are close to each other. */
function classesOf({ predicate, instance, solution }: Shapes): readonly ClassShape[] {
  const found = new Set<ClassShape>()
  const waiting: Shape[] = [predicate, instance, solution]
  for (let shape = waiting.shift(); shape !== undefined; shape = waiting.shift()) {
    if (shape.kind === 'list' || shape.kind === 'option') waiting.push(shape.of)
    else if (shape.kind === 'class' || shape.kind === 'choice') {
      if (found.has(shape)) continue
      found.add(shape)
      waiting.push(...(shape.kind === 'class' ? shape.fields.map(({ type }) => type) : shape.alternatives))
    }
  }
  return [...found]
}
